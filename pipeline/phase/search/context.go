package search

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store"
)

// validate checks what a hand-written input may have wrong; the error is
// INVALID_REQUEST with the field.
func validate(in contract.SearchInput) error {
	if in.Scene != "" && !slices.Contains(contract.Scenes(), in.Scene) {
		return contract.Invalid("scene", "the scene is %q, it must be one of %s", in.Scene, strings.Join(contract.Scenes(), ", "))
	}
	if !(in.RerankerThreshold >= 0 && in.RerankerThreshold <= 1) {
		return contract.Invalid("reranker_threshold", "the threshold is %v, it must lie between 0 and 1", in.RerankerThreshold)
	}
	return nil
}

// askedSets gives the doc sets that an input names, and whether a person named them.
// Names that are not those of the context were put there since phase 0a: by a
// person.
func askedSets(in contract.SearchInput) (names []string, explicit bool) {
	for _, n := range strings.Split(in.DocSets, ",") {
		if n = strings.TrimSpace(n); n != "" {
			names = append(names, n)
		}
	}
	switch c := in.Context; {
	case c == nil:
		return names, len(names) > 0
	case len(names) == 0:
		return c.DocSets, c.DocSetsExplicit && len(c.DocSets) > 0
	default:
		return names, c.DocSetsExplicit || !slices.Equal(names, c.DocSets)
	}
}

func canonical(sets []store.Set) []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String()
	}
	return names
}

// handOn is the context for the phases that follow. Spec 1's fields win over
// the context's, which may be missing: the input may have been written, or
// changed, by hand. The question is then the first query.
func handOn(in contract.SearchInput, names []string, explicit bool, abbreviations []contract.Abbreviation) *contract.Context {
	var c contract.Context
	if in.Context != nil {
		c = *in.Context
	}
	c.Queries = slices.DeleteFunc(slices.Clone(in.Query), func(q string) bool { return strings.TrimSpace(q) == "" })
	if strings.TrimSpace(c.Question) == "" {
		c.Question = c.Queries[0]
	}
	if in.Scene != "" {
		c.Scene = in.Scene
	}
	if len(in.DomainNouns) > 0 {
		c.DomainNouns = in.DomainNouns
	}
	if in.RerankerThreshold > 0 {
		c.RerankerThreshold = &in.RerankerThreshold
	}
	if in.Reranker != nil {
		c.RerankerEnabled = in.Reranker
	}
	c.DocSets, c.DocSetsExplicit, c.Abbreviations = names, explicit, abbreviations
	return &c
}

// notesOf are what the phases before say of the question.
func notesOf(in contract.SearchInput) []string {
	if in.Context == nil {
		return nil
	}
	return slices.Clone(in.Context.Notes)
}
