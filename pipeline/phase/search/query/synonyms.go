package query

import (
	"context"
	"math"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/synonym"
	"docent/pipeline/text/sanitize"
	"docent/store"
	"docent/store/analysis"
)

const (
	synonymWeight  = 0.4 // of a synonym relative to the original words
	mostListFaults = 3   // that an answer tells
)

// synonyms adds the synonyms of the parts of the question, from the user's own lists.
func (m *Maker) synonyms(ctx context.Context, sets []store.Set) {
	if m.Empty || len(m.Queries) == 0 || m.Synonyms == nil {
		return
	}
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	text, words := m.asWords()
	own, faults := m.Synonyms(ctx, sets)
	for i, f := range faults {
		if i == mostListFaults {
			m.Note("%d more lines of lists of synonyms do not count; the check of the configuration names them", len(faults)-i)
			break
		}
		m.Note("%s", sanitize.Line(f.Error()))
	}
	for _, f := range own.In(text, words) {
		if alts := alternatives(a, f); len(alts) > 0 {
			m.alternatives(f, alts)
			m.Note("%s was also looked for as %s (%s)", sanitize.Line(f.Words), sanitize.Line(strings.Join(f.Also, ", ")),
				sanitize.Line(f.Group.Place()))
		}
	}
}

// alternative is another term for a part of the question.
type alternative struct {
	text  string
	terms []string
}

// alternatives are the other terms that can be asked for.
func alternatives(a *analysis.Analyzer, f synonym.Found) []alternative {
	var out []alternative
	for _, also := range f.Also {
		if terms := a.Terms(also); len(terms) > 0 {
			out = append(out, alternative{also, terms})
		}
	}
	return out
}

// alternatives asks for other terms of a part of the question: a passage gets the score
// of the best of them. The later phases get them too.
func (m *Maker) alternatives(f synonym.Found, alts []alternative) {
	var g store.Group
	for _, alt := range alts {
		g = append(g, store.Alternative{Terms: alt.terms, Weight: 1 / math.Sqrt(float64(len(alt.terms)))})
		m.Abbreviations = append(m.Abbreviations, contract.Abbreviation{Words: f.Words, Also: alt.text})
	}
	m.Queries = append(m.Queries, Query{Name: "(other words for " + f.Words + ")", Groups: []store.Group{g}, Weight: synonymWeight})
}
