package home

import (
	"context"
	"errors"

	"docent/pipeline"
	"docent/pipeline/cite"
	"docent/pipeline/corpus"
	"docent/pipeline/question"
	"docent/store/doc"
	"docent/store/lexical"
)

// SetNames tells the question phases which doc sets there are.
func (h *Home) SetNames() question.Sets { return namedSets{h.Library} }

type namedSets struct{ lib *corpus.Library }

// Sets lists the doc sets.
func (n namedSets) Sets(ctx context.Context) ([]question.SetInfo, error) {
	sets, err := n.lib.Sets(ctx)
	if err != nil {
		return nil, err
	}
	infos := make([]question.SetInfo, len(sets))
	for i, s := range sets {
		infos[i] = question.SetInfo{Ref: s.Ref}
	}
	return infos, nil
}

// Implied leaves out what a question that names no doc set is not about: this
// program's own manual, once there is other documentation, and of each doc set
// all versions but the newest.
func (n namedSets) Implied(ctx context.Context, _ []string) ([]doc.Ref, error) {
	sets, err := n.lib.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	newest := map[string]doc.Ref{}
	for _, s := range sets {
		if s.Ref == ManualRef() {
			continue
		}
		best, ok := newest[s.Ref.Name]
		if !ok {
			names = append(names, s.Ref.Name)
		}
		if !ok || corpus.Newer(s.Ref.Version, best.Version) {
			newest[s.Ref.Name] = s.Ref
		}
	}
	var out []doc.Ref
	for _, name := range names {
		out = append(out, newest[name])
	}
	return out, nil
}

// Canonical gives doc sets' canonical names; an unknown one is INVALID_REQUEST.
func (h *Home) Canonical(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	sets, err := h.Library.Resolve(ctx, names)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(sets))
	for i, s := range sets {
		out[i] = s.Ref.String()
	}
	return out, nil
}

// Session begins a session of a pipeline on a request whose doc sets are made
// canonical. Models that it will want are made warm meanwhile.
func (h *Home) Session(ctx context.Context, p *pipeline.Pipeline, req pipeline.Request) (*pipeline.Session, error) {
	names, err := h.Canonical(ctx, req.DocSets)
	if err != nil {
		return nil, err
	}
	req.DocSets = names
	if p == h.Pipelines.Ask {
		h.opt.Models.Preload()
	}
	return p.NewSession(req), nil
}

// Mend builds the indexes again whose damage was found while they were read.
// It says whether err was of that kind and is mended.
func (h *Home) Mend(ctx context.Context, err error) (bool, error) {
	if !errors.Is(err, lexical.ErrDamaged) {
		return false, err
	}
	sets, serr := h.Library.Sets(ctx)
	if serr != nil {
		return false, errors.Join(err, serr)
	}
	werr := h.Write(ctx, "mend", func(w *Writer) error {
		for _, s := range sets {
			if lexical.Verify(h.IndexDir(s.ID)) == nil {
				continue
			}
			h.opt.Say("the index of %s was damaged; it is built again", s.Ref)
			if _, err := w.Update(ctx, s, true); err != nil {
				return err
			}
		}
		return nil
	})
	if werr != nil {
		return false, errors.Join(err, werr)
	}
	return true, nil
}

// VerifySource hands pages to cite.Verify.
func (h *Home) VerifySource() cite.Source { return corpus.Proofs{Library: h.Library} }
