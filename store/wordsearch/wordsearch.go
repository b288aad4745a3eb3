// Package wordsearch searches the words of several doc sets as if they were one.
// It asks each doc set's index, in this process or elsewhere, for candidates
// and their evidence, and scores these with package bm25f over the statistics of
// all.
//
// It refuses to analyse texts: queries are terms.
package wordsearch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"docent/store"
	"docent/store/bm25f"
	"docent/store/parallel"
)

// Index is what this package asks of each doc set.
type Index interface {
	store.Words
	store.Vocabulary
}

// Searcher searches the doc sets whose indexes it has. It is safe for concurrent
// use.
type Searcher struct {
	Indexes []Index
	Params  store.Params
}

// Stats says what a search looked at.
type Stats struct {
	Documents int
	Passages  int
	Terms     []bm25f.TermStat // of the queries at the beginning of the search
}

// Search is a search with its queries so far. One may Add queries and look at
// the Hits again. It is not safe for concurrent use.
type Search struct {
	Stats Stats

	s      Searcher
	scorer *bm25f.Scorer
}

// Statistics are those of all doc sets together.
func (s Searcher) Statistics() (sum store.Statistics) {
	for _, x := range s.Indexes {
		sum.Add(x.Statistics())
	}
	return sum
}

// Search begins a search.
func (s Searcher) Search(ctx context.Context, queries ...store.Query) (*Search, error) {
	sum := s.Statistics()
	a := &Search{s: s, scorer: bm25f.New(s.Params, sum), Stats: Stats{Documents: sum.Documents, Passages: sum.Passages}}
	var err error
	a.Stats.Terms, err = a.addQueries(ctx, queries)
	return a, err
}

// Add adds further queries.
func (a *Search) Add(ctx context.Context, queries ...store.Query) error {
	_, err := a.addQueries(ctx, queries)
	return err
}

func (a *Search) addQueries(ctx context.Context, queries []store.Query) ([]bm25f.TermStat, error) {
	frequencies, err := a.s.frequencies(ctx, bm25f.Distinct(queries...))
	if err != nil {
		return nil, err
	}
	return a.scorer.Add(queries, frequencies), nil
}

// eachIndex calls f for every index, several at a time, and gives the first error.
func (s Searcher) eachIndex(f func(i int, x Index) error) error {
	errs := make([]error, len(s.Indexes))
	parallel.Ask(len(s.Indexes), func(i int) { errs[i] = f(i, s.Indexes[i]) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sumCounts adds up what every index counts for each of n things.
func (s Searcher) sumCounts(n int, count func(Index) ([]int, error)) ([]int, error) {
	counts := make([][]int, len(s.Indexes))
	err := s.eachIndex(func(i int, x Index) (err error) {
		if counts[i], err = count(x); err == nil && len(counts[i]) != n {
			err = fmt.Errorf("an index counts %d things where %d were asked for", len(counts[i]), n)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]int, n)
	for _, list := range counts {
		for i, k := range list {
			out[i] += k
		}
	}
	return out, nil
}

func (s Searcher) frequencies(ctx context.Context, terms []string) ([]int, error) {
	return s.sumCounts(len(terms), func(x Index) ([]int, error) { return x.Frequencies(ctx, terms) })
}

// Matches gives the number of passages that have at least one term of some queries.
func (s Searcher) Matches(ctx context.Context, queries ...store.Query) (int, error) {
	terms := bm25f.Distinct(queries...)
	counts, err := s.sumCounts(1, func(x Index) ([]int, error) {
		n, err := x.Matches(ctx, terms)
		return []int{n}, err
	})
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// BestHits gives the best passages so far, best first, at least limit of them where
// so many match: all that tie with the last one are given too, so that the caller
// can break ties by what it knows of them. One term is enough to match. A limit
// of 0 or less gives all.
//
// The passages of also, by index, are given with their scores wherever they
// stand, even without any of the terms.
func (a *Search) BestHits(ctx context.Context, limit int, also []map[store.Key]bool) ([]store.Hit, error) {
	best, err := a.BestPassages(ctx, limit)
	if err != nil {
		return nil, err
	}
	return a.Complete(ctx, best, also)
}

// Complete is the second half of BestHits: what BestPassages gave, with the passages of also, in
// their order.
func (a *Search) Complete(ctx context.Context, best []store.Hit, also []map[store.Key]bool) ([]store.Hit, error) {
	// Passages among the best are not asked for again.
	have := make([]map[store.Key]bool, len(also))
	for _, h := range best {
		if h.Reader < len(also) && also[h.Reader][h.Key] {
			if have[h.Reader] == nil {
				have[h.Reader] = map[store.Key]bool{}
			}
			have[h.Reader][h.Key] = true
		}
	}
	keys := make([][]store.Key, len(a.s.Indexes))
	for i, m := range also {
		for k := range m {
			if !have[i][k] {
				keys[i] = append(keys[i], k)
			}
		}
	}
	more, err := a.scorePassages(ctx, keys)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(best, more) // best stays as it is: the caller may look at it
	slices.SortFunc(all, compareHits)
	return all, nil
}

// compareHits orders hits: best first, then by place.
func compareHits(a, b store.Hit) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Reader, b.Reader), a.Key.Compare(b.Key))
}

// candidate is one index's candidate.
type candidate struct {
	index int
	store.Candidate
}

// BestPassages is the first half of BestHits: the limit best passages with all that tie with the
// last of them, in no order. Exact scores are computed for the candidates with the highest bounds
// first; a candidate whose bound is below the limit-th best score cannot be among
// the best (Fagin, Lotem, Naor, "Optimal Aggregation Algorithms for Middleware",
// 2003).
func (a *Search) BestPassages(ctx context.Context, limit int) ([]store.Hit, error) {
	ranking := a.scorer.Ranking()
	by := make([][]store.Candidate, len(a.s.Indexes))
	if err := a.s.eachIndex(func(i int, x Index) (err error) {
		by[i], err = x.Candidates(ctx, ranking, limit)
		return err
	}); err != nil {
		return nil, err
	}
	var all []candidate
	for i, list := range by {
		for _, c := range list {
			all = append(all, candidate{i, c})
		}
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.Bound, x.Bound), cmp.Compare(x.index, y.index), x.Key.Compare(y.Key))
	})
	var hits []store.Hit
	least := math.SmallestNonzeroFloat64 // a passage without a score is no hit
	for len(all) > 0 && all[0].Bound >= least {
		n := len(all)
		if limit > 0 {
			n = min(limit, n)
		}
		for n < len(all) && all[n].Bound == all[n-1].Bound {
			n++
		}
		keys := make([][]store.Key, len(a.s.Indexes))
		for _, c := range all[:n] {
			if c.Bound >= least {
				keys[c.index] = append(keys[c.index], c.Key)
			}
		}
		all = all[n:]
		more, err := a.scorePassages(ctx, keys)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
		if limit > 0 && len(hits) >= limit {
			slices.SortFunc(hits, compareHits)
			least = max(least, hits[limit-1].Score)
		}
	}
	return slices.DeleteFunc(hits, func(h store.Hit) bool { return h.Score < least }), nil
}

// scorePassages computes the scores of passages, given by index. Those that an index
// does not have are left out: they are of another generation.
func (a *Search) scorePassages(ctx context.Context, keys [][]store.Key) ([]store.Hit, error) {
	hits := make([][]store.Hit, len(a.s.Indexes))
	err := a.s.eachIndex(func(i int, x Index) error {
		if len(keys[i]) == 0 {
			return nil
		}
		evidence, err := x.Evidence(ctx, a.scorer.Terms(), keys[i])
		if err != nil {
			return err
		}
		for k, e := range evidence {
			if e.Known {
				h := store.Hit{Reader: i, Key: keys[i][k]}
				h.Score, h.Aside = a.scorer.ScorePassage(e.Occurrences)
				hits[i] = append(hits[i], h)
			}
		}
		return nil
	})
	return slices.Concat(hits...), err
}

// Explain takes a hit's score apart.
func (a *Search) Explain(ctx context.Context, h store.Hit) ([]store.Part, error) {
	evidence, err := a.s.Indexes[h.Reader].Evidence(ctx, a.scorer.Terms(), []store.Key{h.Key})
	if err != nil {
		return nil, err
	}
	return a.scorer.Explain(evidence[0].Occurrences), nil
}

// IDF gives the inverse document frequency of single terms, in their order.
func (s Searcher) IDF(ctx context.Context, terms []string) ([]float64, error) {
	frequencies, err := s.frequencies(ctx, terms)
	return s.inverseFrequencies(frequencies), err
}

// ApproxIDF is as IDF from approximate frequencies: nearly the same, and read
// from dictionaries alone.
func (s Searcher) ApproxIDF(ctx context.Context, terms []string) ([]float64, error) {
	frequencies, err := s.ApproxFrequencies(ctx, terms)
	return s.inverseFrequencies(frequencies), err
}

func (s Searcher) inverseFrequencies(frequencies []int) []float64 {
	passages := s.Statistics().Passages
	out := make([]float64, len(frequencies))
	for i, n := range frequencies {
		out[i] = bm25f.IDF(passages, n)
	}
	return out
}

// ApproxFrequencies gives the approximate number of passages of each term.
func (s Searcher) ApproxFrequencies(ctx context.Context, terms []string) ([]int, error) {
	return s.sumCounts(len(terms), func(x Index) ([]int, error) { return x.ApproxFrequencies(ctx, terms) })
}

// Fuzzy gives the terms of at most distance edits (Levenshtein, 1 or 2) from a
// term that begin with its first letter, with their numbers of passages.
func (s Searcher) Fuzzy(ctx context.Context, term string, distance int) (map[string]int, error) {
	return s.counts(func(x Index) (map[string]int, error) { return x.Fuzzy(ctx, term, distance) })
}

func (s Searcher) counts(count func(Index) (map[string]int, error)) (map[string]int, error) {
	by := make([]map[string]int, len(s.Indexes))
	err := s.eachIndex(func(i int, x Index) (err error) { by[i], err = count(x); return err })
	out := map[string]int{}
	for _, m := range by {
		for t, n := range m {
			out[t] += n
		}
	}
	return out, err
}

// Prefix gives the terms with a prefix, those of most passages first, at most
// limit of them.
func (s Searcher) Prefix(ctx context.Context, prefix string, limit int) ([]string, error) {
	counts, err := s.counts(func(x Index) (map[string]int, error) { return x.Prefix(ctx, prefix) })
	if err != nil {
		return nil, err
	}
	terms := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return terms[:min(limit, len(terms))], nil
}

// Terms gives every term of some fields, sorted. Terms of deleted passages may be
// among them.
func (s Searcher) Terms(ctx context.Context, fields ...store.Field) ([]string, error) {
	by := make([][]string, len(s.Indexes))
	err := s.eachIndex(func(i int, x Index) (err error) { by[i], err = x.Terms(ctx, fields...); return err })
	all := slices.Concat(by...)
	slices.Sort(all)
	return slices.Compact(all), err
}

// Definitions gives the abbreviations that passages define with one of the short
// forms' keys or one of the long forms' stems, but not with both: where both are
// asked for, all is said. Those that most passages define come first, in the
// spelling that most of them have.
func (s Searcher) Definitions(ctx context.Context, keys, stems []string) ([]store.Definition, error) {
	by := make([][]store.Definition, len(s.Indexes))
	if err := s.eachIndex(func(i int, x Index) (err error) { by[i], err = x.Definitions(ctx, keys, stems); return err }); err != nil {
		return nil, err
	}
	spellings := map[store.Definition]int{} // passages by spelling; Passages is 0 in these
	for _, d := range slices.Concat(by...) {
		if slices.Contains(keys, d.Key) != slices.Contains(stems, d.Stems) {
			n := d.Passages
			d.Passages = 0
			spellings[d] += n
		}
	}
	type meaning struct{ key, stems string }
	best := map[meaning]store.Definition{} // Passages are of its spelling
	total := map[meaning]int{}
	for d, n := range spellings {
		m := meaning{d.Key, d.Stems}
		total[m] += n
		b := best[m]
		if n > b.Passages || n == b.Passages && (d.Long < b.Long || d.Long == b.Long && d.Short < b.Short) {
			d.Passages = n
			best[m] = d
		}
	}
	out := make([]store.Definition, 0, len(best))
	for m, d := range best {
		d.Passages = total[m]
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b store.Definition) int {
		return cmp.Or(cmp.Compare(b.Passages, a.Passages), strings.Compare(a.Key, b.Key), strings.Compare(a.Stems, b.Stems))
	})
	return out, nil
}
