// Package merge joins the outputs of phases 0a and 0b into phase 1's input.
//
// Models and people may have written these outputs, so every value is checked, and
// an error names the wrong field. It refuses to correct values.
package merge

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// Builtin merges; it has no model.
type Builtin struct{}

// Merge is the function Merge.
func (Builtin) Merge(o contract.Optimized, r contract.Routed) (contract.SearchInput, error) {
	return mergePhases(o, r)
}

// mergePhases joins the outputs of phases 0a and 0b: the queries in the order of
// their ranks, the doc sets joined by commas. Errors are INVALID_REQUEST with
// the path of the field, as in "0a.optimized_queries[2].query".
func mergePhases(o contract.Optimized, r contract.Routed) (contract.SearchInput, error) {
	queries, err := checkQueries(o.OptimizedQueries)
	if err != nil {
		return contract.SearchInput{}, err
	}
	sets, err := checkDocSets("0a.query_analysis.doc_set", o.QueryAnalysis.DocSet)
	if err != nil {
		return contract.SearchInput{}, err
	}
	if err := checkRouted(r); err != nil {
		return contract.SearchInput{}, err
	}
	c := joinContexts(o, r)
	c.Queries, c.DomainNouns = queries, o.QueryAnalysis.DomainNouns
	if len(sets) > 0 {
		c.DocSets = sets
	} else if c.DocSets, err = checkDocSets("context.doc_sets", c.DocSets); err != nil {
		return contract.SearchInput{}, err
	}
	if len(c.DocSets) == 0 {
		c.DocSetsExplicit = false
	}
	return contract.SearchInput{
		Query:             slices.Clone(queries),
		DocSets:           strings.Join(c.DocSets, ","),
		DomainNouns:       append([]string{}, o.QueryAnalysis.DomainNouns...),
		PredicateVerbs:    append([]string{}, o.QueryAnalysis.PredicateVerbs...),
		RerankerThreshold: r.RerankerThreshold,
		Scene:             r.Scene,
		Context:           &c,
	}, nil
}

// checkQueries checks 0a's queries and puts them in order.
func checkQueries(qs []contract.OptimizedQuery) ([]string, error) {
	const path = "0a.optimized_queries"
	switch {
	case len(qs) == 0:
		return nil, contract.Invalid(path, "%s is empty; phase 0a writes %d to %d queries", path, contract.MinQueries, contract.MaxQueries)
	case len(qs) > contract.MaxQueries:
		return nil, contract.Invalid(path, "%s has %d queries; at most %d are allowed", path, len(qs), contract.MaxQueries)
	}
	ranks := map[int]int{}
	for i, q := range qs {
		at := fmt.Sprintf("%s[%d]", path, i)
		if strings.TrimSpace(q.Query) == "" {
			return nil, contract.Invalid(at+".query", "%s.query is empty; every query needs a text", at)
		}
		if q.Rank < 1 {
			return nil, contract.Invalid(at+".rank", "%s.rank is %d; ranks count from 1", at, q.Rank)
		}
		if j, ok := ranks[q.Rank]; ok {
			return nil, contract.Invalid(at+".rank", "%s.rank is %d, as is that of query %d; give each query its own rank", at, q.Rank, j)
		}
		ranks[q.Rank] = i
		if q.Strategy != "" && !slices.Contains(contract.Strategies(), q.Strategy) {
			return nil, contract.Invalid(at+".strategy", "%s.strategy is %q; it is one of %s", at, q.Strategy,
				strings.Join(contract.Strategies(), ", "))
		}
	}
	ordered := slices.Clone(qs)
	slices.SortStableFunc(ordered, func(a, b contract.OptimizedQuery) int { return a.Rank - b.Rank })
	texts := make([]string, len(ordered))
	for i, q := range ordered {
		texts[i] = q.Query
	}
	return texts, nil
}

// checkDocSets checks the names of doc sets and removes repeats.
func checkDocSets(path string, names []string) ([]string, error) {
	var out []string
	for i, n := range names {
		if _, err := doc.ParseRef(n); err != nil {
			at := fmt.Sprintf("%s[%d]", path, i)
			return nil, contract.Invalid(at, "%s: %v", at, err)
		}
		if n = strings.TrimSpace(n); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

func checkRouted(r contract.Routed) error {
	if !slices.Contains(contract.Scenes(), r.Scene) {
		return contract.Invalid("0b.scene", "0b.scene is %q; it is one of %s", r.Scene, strings.Join(contract.Scenes(), ", "))
	}
	if r.Intent != "" && !slices.Contains(contract.Intents(), r.Intent) {
		return contract.Invalid("0b.intent", "0b.intent is %q; it is one of %s", r.Intent, strings.Join(contract.Intents(), ", "))
	}
	if !isUnitRange(r.RerankerThreshold) {
		return contract.Invalid("0b.reranker_threshold", "0b.reranker_threshold is %v; it lies between 0 and 1", r.RerankerThreshold)
	}
	if !isUnitRange(r.Confidence) {
		return contract.Invalid("0b.confidence", "0b.confidence is %v; it lies between 0 and 1", r.Confidence)
	}
	return nil
}

func isUnitRange(f float64) bool { return !math.IsNaN(f) && f >= 0 && f <= 1 }

// joinContexts joins two contexts: question and doc sets are phase 0a's, scene, intent and
// threshold phase 0b's. An empty question, language, intent or list of doc sets is
// taken from the other context.
func joinContexts(o contract.Optimized, r contract.Routed) contract.Context {
	var a, b contract.Context
	if o.Context != nil {
		a = *o.Context
	}
	if r.Context != nil {
		b = *r.Context
	}
	threshold, enabled := r.RerankerThreshold, r.RerankerEnabled
	c := contract.Context{
		Question: a.Question, Language: a.Language, Translations: a.Translations, Hypothetical: a.Hypothetical,
		Kind: a.Kind, Subjects: a.Subjects, Parts: a.Parts, Reading: a.Reading, Notes: a.Notes, DocSets: slices.Clone(a.DocSets),
		DocSetsExplicit: a.DocSetsExplicit,
		Scene:           r.Scene, Intent: r.Intent, Confidence: r.Confidence, RerankerThreshold: &threshold, RerankerEnabled: &enabled,
	}
	if c.Question == "" {
		c.Question = b.Question
	}
	if c.Language == "" {
		c.Language = b.Language
	}
	if c.Language == "" {
		c.Language = o.QueryAnalysis.Language
	}
	if c.Intent == "" {
		c.Intent = b.Intent
	}
	if len(c.DocSets) == 0 {
		c.DocSets, c.DocSetsExplicit = slices.Clone(b.DocSets), b.DocSetsExplicit
	}
	return c
}
