package locate

import (
	"context"

	"docent/pipeline/corpus"
	"docent/pipeline/question"
	"docent/pipeline/service/home"
	"docent/store/doc"
)

// SetNames tells the question phases which doc sets there are.
func (svc *Service) SetNames() question.Sets { return namedSets{svc.home.Corpus} }

type namedSets struct{ lib *corpus.Corpus }

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
		if s.Ref == home.ManualRef() {
			continue
		}
		best, ok := newest[s.Ref.Name]
		if !ok {
			names = append(names, s.Ref.Name)
		}
		if !ok || doc.CompareVersions(s.Ref.Version, best.Version) > 0 {
			newest[s.Ref.Name] = s.Ref
		}
	}
	var out []doc.Ref
	for _, name := range names {
		out = append(out, newest[name])
	}
	return out, nil
}
