package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"
	"unicode/utf8"

	"docent/pipeline"
	"docent/pipeline/cite"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/extract"
	"docent/pipeline/ingest"
	"docent/pipeline/merge"
	"docent/pipeline/model"
	"docent/pipeline/optimize"
	"docent/pipeline/process"
	"docent/pipeline/question"
	"docent/pipeline/rerank"
	"docent/pipeline/route"
	"docent/pipeline/search"
	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
	"docent/store/doc"
)

// wire makes a pipeline over an opened library; models says of a phase which model
// answers it, nil for none; vectors, whether those by a model are searched.
func wire(a *App, vectors bool, models func(phase string) model.Source) (*pipeline.Pipeline, *search.Builtin) {
	sets := namedSets{a.Library}
	start := time.Now()
	first := &search.Builtin{Library: a.Library, Params: bm25f.Defaults(), Headings: max(contract.DefaultRerankPolicy().CandidateLimit, a.Config.RerankerTopK), Now: time.Now}
	if a.Config.Hybrid && vectors {
		first.Embedder, first.Dense = a.Models, a.dense
	}
	shorten := process.New(process.Options{Wish: question.Wish, Parse: parseContent, Terms: analysisTerms,
		Overhead: func(docs []contract.Extracted) int { return process.Tokens(cite.Frame(docs)) }})
	return &pipeline.Pipeline{
		Optimizer: &optimize.Model{Builtin: optimize.New(sets), Source: models(contract.PhaseOptimize), Hypothetical: a.Config.Hypothetical},
		Router: &route.Model{Builtin: route.New(sets, route.Options{Threshold: &a.Config.RerankerThreshold, NoRerank: !a.Config.RerankerEnabled}),
			Source: models(contract.PhaseRoute)},
		Merger:   merge.Builtin{},
		Searcher: first,
		Reranker: &rerank.Judge{Builtin: &rerank.Builtin{Texts: a.Library, Now: time.Now}, Source: models(contract.PhaseRerank),
			Intents: a.Config.RerankerIntents, TopK: min(rerank.ModelTopK, a.Config.RerankerTopK), Counters: &a.Reranked},
		Extractor: &extract.Builtin{Library: a.Library},
		Processor: &process.Model{Builtin: shorten, Source: models(contract.PhaseProcess)},
		Citer:     cite.Builtin{},
		Policy:    a.Config.Policy(),
		Clock:     func() float64 { return float64(time.Since(start).Microseconds()) / 1000 },
	}, first
}

// parseContent parses a page's content where only its blocks matter.
func parseContent(src []byte) (doc.Document, error) {
	d, _, err := ingest.Parse(src, "page.md", doc.LayoutTree)
	return d, err
}

// analysisTerms are the index's own terms, so that what was found is also what
// is kept.
func analysisTerms(text string) []string { return analysis.New().Terms(text) }

// namedSets tells the question phases which doc sets there are.
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
func (a *App) Canonical(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	sets, err := a.Library.Resolve(ctx, names)
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
func (a *App) Session(ctx context.Context, p *pipeline.Pipeline, req pipeline.Request) (*pipeline.Session, error) {
	names, err := a.Canonical(ctx, req.DocSets)
	if err != nil {
		return nil, err
	}
	req.DocSets = names
	if p == a.Pipeline {
		a.Models.Preload()
	}
	return p.NewSession(req), nil
}

// Mend builds the indexes again whose damage was found while they were read.
// It says whether err was of that kind and is mended.
func (a *App) Mend(ctx context.Context, err error) (bool, error) {
	if !errors.Is(err, store.ErrDamaged) {
		return false, err
	}
	sets, serr := a.Library.Sets(ctx)
	if serr != nil {
		return false, errors.Join(err, serr)
	}
	werr := a.Write(ctx, "mend", func(w *Writer) error {
		for _, s := range sets {
			if a.Indexes().Verify(ctx, s.ID) == nil {
				continue
			}
			a.opt.Say("the index of %s was damaged; it is built again", s.Ref)
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
func (a *App) VerifySource() cite.Source { return verifySource{a.Library} }

type verifySource struct{ lib *corpus.Library }

func (v verifySource) find(ctx context.Context, ref doc.Ref, path string) (*corpus.Page, error) {
	sets, err := v.lib.Resolve(ctx, []string{ref.String()})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	p, err := v.lib.Source(ctx, sets[0], path)
	if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	return p, err
}

// Page is cite.Source's.
func (v verifySource) Page(ctx context.Context, ref doc.Ref, path string) ([]byte, string, error) {
	p, err := v.find(ctx, ref, path)
	if err != nil {
		return nil, "", err
	}
	if utf8.Valid(p.Source) {
		return p.Source, p.Indexed, nil
	}
	// Phase 2 hands such a page on with U+FFFD for what is no text, and so does
	// the block: it is compared with what phase 2 would hand on now.
	shown := bytes.ToValidUTF8(p.Source, []byte("\uFFFD"))
	if p.Changed {
		return shown, p.Indexed, nil
	}
	sum := sha256.Sum256(shown)
	return shown, hex.EncodeToString(sum[:]), nil
}

// URL is cite.URLs's.
func (v verifySource) URL(ctx context.Context, ref doc.Ref, path string) (string, error) {
	p, err := v.find(ctx, ref, path)
	if err != nil {
		return "", err
	}
	return p.Doc.URL, nil
}
