package locate

import (
	"context"

	"docent/pipeline/corpus"
	"docent/pipeline/question"
	"docent/pipeline/service/home"
	"docent/pipeline/text/pattern"
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

// ownThing matches what this program alone calls so: a question with it is about the program.
var ownThing = pattern.Lazy(`(?i)\bdoc[ -]?sets?\b`)

// Implied leaves out what a question that names no doc set is not about: this
// program's own manual, once there is other documentation, unless it asks about doc sets;
// and of each doc set all versions but the newest.
func (n namedSets) Implied(ctx context.Context, question string) ([]doc.Ref, error) {
	sets, err := n.lib.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	newest := map[string]doc.Ref{}
	for _, s := range sets {
		if s.Ref == home.ManualRef() && !ownThing().MatchString(question) {
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
