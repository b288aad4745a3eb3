package query

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/measure"
	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// Analysed gives queries as terms of the index. A query of stop words alone has
// none and finds nothing.
func Analysed(a *analysis.Analyzer, queries []Query) []store.Query {
	out := make([]store.Query, len(queries))
	for i, q := range queries {
		words := a.Terms(Sought(q.Text))
		terms := make([]store.WeightedTerm, len(words), len(words)+len(q.Terms))
		for k, t := range words {
			terms[k] = store.WeightedTerm{Term: t, Weight: 1}
		}
		out[i] = store.Query{Weight: q.Weight, Terms: append(terms, q.Terms...), Groups: q.Groups, Aside: q.Aside}
	}
	return out
}

// Sought is the text of a query without the words that only open a question for an amount: "long"
// in "how long" is found in pages that have nothing to do with the question, and in no answer.
func Sought(text string) string { return measure.WithoutOpening(text) }

// BeginSearch begins a search for queries.
func (m *Maker) BeginSearch(ctx context.Context, s wordsearch.Searcher, queries []Query) (*wordsearch.Search, error) {
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	return s.Search(ctx, Analysed(a, queries)...)
}

// CountMatches begins to count the passages with a word of the question, in any rendering. The number is there when
// the returned function returns, which has to be called.
func (m *Maker) CountMatches(ctx context.Context, s wordsearch.Searcher) (matches func() (int, error)) {
	a := m.Analyzers.Get()
	defer m.Analyzers.Put(a)
	own := Analysed(a, slices.DeleteFunc(slices.Clone(m.Queries), func(q Query) bool { return !q.Own }))
	var counting sync.WaitGroup
	var n int
	var err error
	counting.Go(func() { n, err = s.Matches(ctx, own...) })
	return func() (int, error) {
		counting.Wait()
		return n, err
	}
}

// BestHits gives the best passages for queries.
func (m *Maker) BestHits(ctx context.Context, s wordsearch.Searcher, queries []Query, limit int) ([]store.Hit, error) {
	search, err := m.BeginSearch(ctx, s, queries)
	if err != nil {
		return nil, err
	}
	return search.BestHits(ctx, limit, nil)
}

// MakeQueries makes the queries of a search in doc sets, the question first.
func (m *Maker) MakeQueries(ctx context.Context, s wordsearch.Searcher, sets []store.Set) error {
	native, err := m.native(ctx, s)
	if err != nil {
		return err
	}
	finished, err := m.unfinished(ctx, s)
	if err != nil {
		return err
	}
	var repairs []repair
	if !native {
		if repairs, err = m.repairs(ctx, s); err != nil {
			return err
		}
		m.applyRepairs(repairs)
	}
	m.Queries = Weigh(m.In, native)
	if m.Empty {
		// Only a heading that is the question answers it; what phase 0a suggests
		// instead does not.
		m.Queries = []Query{{Text: m.In.Query[0], Weight: 1, Own: true}}
		if c := m.In.Context; c != nil && c.Question != "" {
			m.Queries[0].Text = c.Question
		}
		m.Queries[0].Terms = headingTerms(m.In)
	}
	if err := m.abbreviations(ctx, s, native); err != nil {
		return err
	}
	if !native {
		m.expressions()
		m.besides(repairs)
	}
	m.synonyms(ctx, sets)
	if !native {
		if err := m.otherWords(ctx, s); err != nil {
			return err
		}
	}
	if finished != nil {
		m.Queries = append(m.Queries, Query{Groups: []store.Group{finished}, Weight: 1, Own: true})
	}
	return nil
}

// native reports whether the doc sets are written in the language of a question that was
// translated: they contain enough of its words that are not English, and not only in a
// passage that quotes it. Enough is a sixteenth of the pairs of characters of text
// without spaces, and of other text a third of the words that mean something and have
// another name in English. Pairs of hiragana are endings and particles: documentation of
// something else in Japanese has them too.
func (m *Maker) native(ctx context.Context, s wordsearch.Searcher) (bool, error) {
	c := m.In.Context
	if c == nil || len(c.Translations) == 0 {
		return false, nil
	}
	a := analysis.New()
	var wanted []string
	for _, t := range a.Tokens(question.Shorten(c.Question, nativeRunes)) {
		if t.Kind == analysis.Bigram && !isHiragana(t.Term) {
			wanted = append(wanted, t.Term)
		}
	}
	share := 16 // of pairs many are of two words, and rare
	if len(wanted) == 0 {
		share = 3
		for _, tr := range c.Translations[:min(len(c.Translations), mostGroups)] {
			own := slices.ContainsFunc(tr.Terms, func(t contract.Rendering) bool {
				return t.Weight == 1 &&
					strings.EqualFold(t.Text, tr.Word)
			})
			if !own || !isLatin(tr.Word) {
				wanted = append(wanted, a.Terms(tr.Word)...)
			}
		}
	}
	least := 1
	if n := s.Statistics().Passages; n >= quotingPassages {
		least = max(3, n/quotingPassages/10)
	}
	counts, err := s.ApproxFrequencies(ctx, wanted)
	if err != nil {
		return false, err
	}
	there := 0
	for _, n := range counts {
		if n >= least {
			there++
		}
	}
	return len(wanted) > 0 && share*there >= len(wanted), nil
}

func isHiragana(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
}

func isLatin(w string) bool { return strings.IndexFunc(w, func(r rune) bool { return r > 0x24f }) < 0 }

// Weigh gives the queries their weights, and asks once more for the domain
// nouns alone: "how do I create a hook" is about hooks, and a page that is about
// creating something else is no answer. A question that was translated is asked
// in every rendering of its words besides; where the documentation is in the
// question's own language, the question as asked comes first and the renderings
// count little (nDCG@10 on Chinese passages .59 without this rule, .98 with it).
func Weigh(in contract.SearchInput, native bool) []Query {
	texts, nouns, renderings := slices.Clone(in.Query), in.DomainNouns, groupWeight
	if native {
		texts, nouns, renderings = asAsked(texts, in.Context.Question)[:1], nil, nativeWeight
		for _, tr := range in.Context.Translations {
			nouns = append(nouns, tr.Word)
		}
	}
	var out []Query
	for i, q := range texts {
		if strings.TrimSpace(q) != "" {
			out = append(out, Query{Text: q, Weight: rankWeight(i)})
		}
	}
	if len(out) == 0 {
		return nil
	}
	out[0].Terms, out[0].Own = headingTerms(in), true
	if text := strings.Join(nouns, " "); text != "" {
		out = append(out, Query{Text: text, Weight: nounWeight})
	}
	if c := in.Context; c != nil {
		if groups := groups(c.Translations); len(groups) > 0 {
			out = append(out, Query{Groups: groups, Weight: renderings, Own: true})
		}
	}
	return out
}

// headingTerms are the terms of headings that are the question, as it was put or as it
// is asked, word for word.
func headingTerms(in contract.SearchInput) []store.WeightedTerm {
	var out []store.WeightedTerm
	asked := []string{in.Query[0]}
	if in.Context != nil {
		asked = append(asked, in.Context.Question)
	}
	for _, q := range asked {
		t := analysis.NameTerm(q)
		if t != "" && !slices.ContainsFunc(out, func(o store.WeightedTerm) bool { return o.Term == t }) {
			out = append(out, store.WeightedTerm{Term: t, Weight: 1})
		}
	}
	return out
}

// rankWeight is what the query at i of the list weighs.
func rankWeight(i int) float64 {
	if i == 0 {
		return 1
	}
	return rewriting / float64((i+1)*(i+1))
}

// asAsked moves the question itself to the front of its queries.
func asAsked(queries []string, question string) []string {
	i := slices.IndexFunc(queries, func(q string) bool { return strings.EqualFold(strings.TrimSpace(q), strings.TrimSpace(question)) })
	if i < 0 {
		return slices.Insert(queries, 0, question)
	}
	first := queries[i]
	return slices.Insert(slices.Delete(queries, i, i+1), 0, first)
}

// groups makes the terms of translations. A word with many renderings is vague and counts
// less.
func groups(translations []contract.Translation) []store.Group {
	a := analysis.New()
	var out []store.Group
	for _, tr := range translations[:min(len(translations), mostGroups)] {
		var g store.Group
		n := 0.0
		for _, r := range tr.Terms[:min(len(tr.Terms), mostRenderings)] {
			terms := a.Terms(r.Text)
			if len(terms) == 0 || !(r.Weight > 0 && r.Weight <= 1) {
				continue
			}
			n += r.Weight
			g = append(g, store.Alternative{Terms: terms, Weight: r.Weight / math.Sqrt(float64(len(terms)))})
		}
		for i := range g {
			g[i].Weight /= math.Sqrt(max(1, n))
		}
		if len(g) > 0 {
			out = append(out, g)
		}
	}
	return out
}
