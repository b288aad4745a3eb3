package query

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/question/synonym"
	"docent/pipeline/text/sanitize"
	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// The weights of synonyms relative to the original words: those of the user's own lists,
// and those of the built-in list, which are less certain.
const (
	ownSynonymWeight     = 0.4
	builtinSynonymWeight = 0.2
	mostListFaults       = 3 // that an answer tells
)

// builtinSynonyms is the book of the built-in list.
var builtinSynonyms = sync.OnceValue(func() *synonym.Book { return synonym.New(synonym.Builtin()) })

// synonyms adds the synonyms of the parts of the question. The built-in list is English
// of the field, so it is left out where the documentation is in the question's own
// language, and for queries that are not questions: a user who looks for a page by its
// name knows its words. With it the texts of links of two development sets lost .003 of
// nDCG@10.
func (m *Maker) synonyms(ctx context.Context, s wordsearch.Searcher, sets []store.Set, native bool) error {
	if m.Empty || len(m.Queries) == 0 {
		return nil
	}
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	text, words := m.asWords()
	if m.Synonyms != nil {
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
				m.alternatives(f, alts, ownSynonymWeight)
				m.Note("%s was also looked for as %s (%s)", sanitize.Line(f.Words), sanitize.Line(strings.Join(f.Also, ", ")),
					sanitize.Line(f.Group.Place()))
			}
		}
	}
	if native || m.NoBuiltinSynonyms || m.In.Context == nil || m.In.Context.Kind == "" {
		return nil
	}
	for _, f := range builtinSynonyms().In(text, words) {
		alts, err := m.preferred(ctx, s, a, f, alternatives(a, f))
		if err != nil {
			return err
		}
		m.alternatives(f, alts, builtinSynonymWeight)
	}
	return nil
}

// alternative is another term for a part of the question.
type alternative struct {
	text  string
	terms []string
}

// alternatives are the other terms that can be asked for. Of "turn off" only "turn"
// would be left, which says nothing.
func alternatives(a *analysis.Analyzer, f synonym.Found) []alternative {
	var out []alternative
	for _, also := range f.Also {
		if terms := a.Terms(also); len(terms) > 1 || len(terms) == 1 && (!strings.Contains(also, " ") || f.Group.File != "") {
			out = append(out, alternative{also, terms})
		}
	}
	return out
}

// preferred are the alternatives that more passages have than have the question's own
// words: where the documentation has a word of its own for something, that is asked for;
// where it speaks as the question does, nothing needs to be added. Without this rule the
// texts of links on the development sets lost up to .01 of their sections' nDCG@10.
func (m *Maker) preferred(ctx context.Context, s wordsearch.Searcher, a *analysis.Analyzer, f synonym.Found,
	alts []alternative) ([]alternative, error) {
	if len(alts) == 0 {
		return alts, nil
	}
	own := a.Terms(f.Words)
	terms := slices.Clone(own)
	for _, alt := range alts {
		terms = append(terms, alt.terms...)
	}
	counts, err := s.ApproxFrequencies(ctx, terms)
	if err != nil {
		return nil, err
	}
	rarest := func(n int) (least float64) {
		least = math.Inf(1)
		for _, c := range counts[:n] {
			least = min(least, float64(c))
		}
		counts = counts[n:]
		return least
	}
	have := rarest(len(own))
	if len(own) < len(strings.Fields(f.Words)) {
		have = 0 // "turn off": its words say nothing without the particle
	}
	return slices.DeleteFunc(alts, func(alt alternative) bool { return rarest(len(alt.terms)) <= have }), nil
}

// alternatives asks for other terms of a part of the question: a passage gets the score
// of the best of them. The later phases get them too.
func (m *Maker) alternatives(f synonym.Found, alts []alternative, weight float64) {
	if len(alts) == 0 {
		return
	}
	var g store.Group
	for _, alt := range alts {
		g = append(g, store.Alternative{Terms: alt.terms, Weight: 1 / math.Sqrt(float64(len(alt.terms)))})
		m.Abbreviations = append(m.Abbreviations, contract.Abbreviation{Words: f.Words, Also: alt.text})
	}
	m.Queries = append(m.Queries, Query{Name: "(other words for " + f.Words + ")", Groups: []store.Group{g}, Weight: weight})
}
