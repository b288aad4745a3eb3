package query

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// A question none of whose words stands in the documentation is not answered
// with nothing: the nearest headings are those with words that are spelled most
// like its words.
const (
	spellingLeast = 0.15 // Dice's coefficient of letter trigrams, at least
	spellingTerms = 3    // for each word of the question
	spellingWords = 12   // of a question
)

// NearestBySpelling is a query for the terms of titles and headings that are
// spelled most like the question's, or for those of the text where none is; it
// has no terms where that has none either.
func (m *Maker) NearestBySpelling(ctx context.Context, s wordsearch.Searcher) (Query, error) {
	q := Query{Weight: 1, Own: true}
	for _, fields := range [][]store.Field{{store.Title, store.Heading}, {store.Body}} {
		vocabulary, err := s.Terms(ctx, fields...)
		if err != nil {
			return q, err
		}
		if q.Terms = m.likeOnes(vocabulary); len(q.Terms) > 0 {
			// Terms of deleted pages score nothing and are no match.
			hits, err := m.BestHits(ctx, s, []Query{q}, 1)
			if err != nil || len(hits) > 0 {
				return q, err
			}
		}
	}
	q.Terms = nil
	return q, nil
}

// likeOnes are the terms of a vocabulary that are spelled most like the words of
// the question.
func (m *Maker) likeOnes(vocabulary []string) []store.WeightedTerm {
	type near struct {
		term string
		dice float64
	}
	asked := analysis.New().Terms(m.Queries[0].Text)
	asked = asked[:min(len(asked), spellingWords)]
	own := make([]map[trigram]bool, len(asked))
	for i, t := range asked {
		own[i] = map[trigram]bool{}
		for _, g := range trigrams(nil, t) {
			own[i][g] = true
		}
	}
	best := make([][]near, len(asked))
	var of []trigram
	for _, v := range vocabulary {
		of = trigrams(of[:0], v)
		for i := range asked {
			both := 0
			for _, g := range of {
				if own[i][g] {
					both++
				}
			}
			if d := 2 * float64(both) / float64(len(own[i])+len(of)); d >= spellingLeast {
				best[i] = append(best[i], near{v, d})
			}
		}
	}
	var out []store.WeightedTerm
	for _, best := range best {
		slices.SortFunc(best, func(x, y near) int { return cmp.Or(cmp.Compare(y.dice, x.dice), strings.Compare(x.term, y.term)) })
		for _, b := range best[:min(len(best), spellingTerms)] {
			// Once, though two words of the question are like it.
			if !slices.ContainsFunc(out, func(o store.WeightedTerm) bool { return o.Term == b.term }) {
				out = append(out, store.WeightedTerm{Term: b.term, Weight: b.dice * b.dice})
			}
		}
	}
	return out
}

// trigram is three letters in a row.
type trigram [3]rune

// trigrams appends the trigrams of a term, its ends marked, each once.
func trigrams(to []trigram, term string) []trigram {
	g, n := trigram{0, 0, '_'}, 1
	add := func(r rune) {
		g = trigram{g[1], g[2], r}
		if n++; n >= 3 && !slices.Contains(to, g) {
			to = append(to, g)
		}
	}
	for _, r := range term {
		add(r)
	}
	add('_')
	return to
}
