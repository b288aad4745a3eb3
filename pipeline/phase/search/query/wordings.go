package query

import (
	"context"
	"math"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/question/thesaurus"
	"docent/store"
	"docent/store/wordsearch"
)

// wordingWeight is the weight of the query for other wordings, relative to the first
// query's 1. Of 1 176 questions whose doc sets the reranker's weights had not seen, the
// section that answers is among the first five for .689 with .6, .683 with .15, .688 with 1
// and .642 without the query and its measures.
const wordingWeight = 0.6

// In doc sets of many passages a wording is not asked for that more than one passage in
// mostFrequent has: reading where it stands takes most of the time. The reranker looks for
// it all the same. In smaller doc sets it is asked for: without it .568 of 1 762 questions
// are answered where .573 are, and .416 in the first 24 lines where .428 are.
const (
	manyPassages = 50_000
	mostFrequent = 20
)

// otherWords asks for what documentation has in the place of the question's words. A
// passage gets, of each word or phrase, what the best of its wordings scores, the
// question's own among them.
func (m *Maker) otherWords(ctx context.Context, s wordsearch.Searcher) error {
	if m.Empty || len(m.Queries) == 0 {
		return nil
	}
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	text := m.In.Query[0]
	if c := m.In.Context; c != nil {
		text = thesaurus.Asked(c.Question, c.Language, m.In.Query)
	}
	concepts := thesaurus.Concepts(a, text)
	alone := len(concepts) // the words of the others are asked for as parts of these, or by the first query
	concepts = append(concepts, thesaurus.Needs(a, text)...)
	var terms []string
	for _, c := range concepts {
		for _, alt := range c.Alternatives {
			terms = append(terms, alt.Terms...)
		}
	}
	frequent, err := frequentTerms(ctx, s, terms)
	if err != nil {
		return err
	}
	var groups []store.Group
	for i, c := range concepts {
		var g store.Group
		add := func(terms []string, worth float64) {
			if len(terms) > 0 {
				g = append(g, store.Alternative{Terms: terms, Weight: worth / math.Sqrt(float64(len(terms)))})
			}
		}
		if i < alone {
			add(c.Terms, 1)
		}
		for _, alt := range c.Alternatives {
			if !slices.ContainsFunc(alt.Terms, func(t string) bool { return frequent[t] }) {
				add(alt.Terms, alt.Worth)
			}
		}
		if len(g) > 0 {
			groups = append(groups, g)
		}
	}
	if len(groups) > 0 {
		m.Queries = append(m.Queries, Query{Name: contract.OtherWords, Groups: groups, Weight: wordingWeight, Other: true})
	}
	return nil
}

// frequentTerms returns those of some terms that are too frequent to be asked for.
func frequentTerms(ctx context.Context, s wordsearch.Searcher, terms []string) (map[string]bool, error) {
	all := s.Statistics().Passages
	if all < manyPassages {
		return nil, nil
	}
	counts, err := s.ApproxFrequencies(ctx, terms)
	if err != nil {
		return nil, err
	}
	frequent := map[string]bool{}
	for i, t := range terms {
		frequent[t] = counts[i] > all/mostFrequent
	}
	return frequent, nil
}
