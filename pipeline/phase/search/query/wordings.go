package query

import (
	"math"

	"docent/pipeline/question/thesaurus"
	"docent/store"
)

// wordingWeight is the weight of the query for other wordings, relative to the first
// query's 1. Of 1 176 questions whose doc sets the reranker's weights had not seen, the
// section that answers is among the first five for .689 with .6, .683 with .15, .688 with 1
// and .642 without the query and its measures.
const wordingWeight = 0.6

// otherWords asks for what documentation has in the place of the question's words. A
// passage gets, of each word or phrase, what the best of its wordings scores, the
// question's own among them.
func (m *Maker) otherWords() {
	if m.Empty || len(m.Queries) == 0 {
		return
	}
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	text := m.In.Query[0]
	if c := m.In.Context; c != nil {
		text = thesaurus.Asked(c.Question, c.Language, m.In.Query)
	}
	var groups []store.Group
	for _, c := range thesaurus.Concepts(a, text) {
		var g store.Group
		add := func(terms []string, worth float64) {
			if len(terms) > 0 {
				g = append(g, store.Alternative{Terms: terms, Weight: worth / math.Sqrt(float64(len(terms)))})
			}
		}
		add(c.Terms, 1)
		for _, alt := range c.Alternatives {
			add(alt.Terms, alt.Worth)
		}
		groups = append(groups, g)
	}
	if len(groups) > 0 {
		m.Queries = append(m.Queries, Query{Name: "(other words)", Groups: groups, Weight: wordingWeight, Other: true})
	}
}
