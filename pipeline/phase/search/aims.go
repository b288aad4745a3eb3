package search

import (
	"context"
	"errors"
	"slices"

	"docent/pipeline/phase/search/query"
	"docent/store"
	"docent/store/parallel"
	"docent/store/wordsearch"
)

// An aim of a question is searched for by itself, and its best passages are candidates
// whatever the whole question scores them. Their scores are the whole question's.
const (
	aimedPassages  = 8  // of each aim and way of searching
	statingWeight  = .5 // of the words that sentences which state a measure are likely to have
	nameSaturation = 20 // so high that the share of a name that is asked for counts
)

// nameParams score a passage by its page's title or its headings alone: one that has
// other words too counts less, however often it has those asked for.
func nameParams(field store.Field) store.Params {
	p := store.Params{K1: nameSaturation}
	p.Weight[field], p.B[field] = 1, 1
	return p
}

// aimedPassages are the best passages of each aim, by reader; nil where there are none.
func (r *run) aimedPassages(ctx context.Context, sc scope, said *remarks) ([]map[store.Key]bool, error) {
	out, err := r.parameters(ctx, sc, said)
	if err != nil {
		return nil, err
	}
	list := r.Aims()
	if len(list) == 0 || r.Empty {
		return out, nil
	}
	if out == nil {
		out = make([]map[store.Key]bool, len(sc.indexes))
	}
	ways := r.b.waysOf(list)
	found, failed := make([][]store.Hit, len(ways)), make([]error, len(ways))
	parallel.Ask(len(ways), func(i int) {
		found[i], failed[i] = r.bestPassages(ctx, sc, ways[i])
	})
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	for _, h := range slices.Concat(found...) {
		if out[h.Reader] == nil {
			out[h.Reader] = map[store.Key]bool{}
		}
		out[h.Reader][h.Key] = true
	}
	return out, nil
}

// way is one way of searching for an aim.
type way struct {
	params  store.Params
	queries []store.Query
	names   bool // by titles or headings alone
}

// waysOf are the ways in which aims are searched for, but for aims without a word to look for. All of them are
// searched at once: one after the other, each would wait for an engine.
func (b *Builtin) waysOf(aims []query.Aim) (ways []way) {
	a := b.analyzers.Get()
	defer b.analyzers.Put(a)
	for _, x := range aims {
		q := query.Query{Text: x.Text, Weight: 1}
		for _, t := range a.Terms(x.Also) {
			q.Terms = append(q.Terms, store.WeightedTerm{Term: t, Weight: statingWeight})
		}
		queries := query.Analysed(a, []query.Query{q})
		switch {
		case len(queries[0].Terms) == 0:
		case x.Named:
			ways = append(ways, way{nameParams(store.Title), queries, true}, way{nameParams(store.Heading), queries, true})
		default:
			ways = append(ways, way{b.Params, queries, false})
		}
	}
	return ways
}

// bestPassages are the best passages of a way: aimedPassages and those that tie with the last of them, or where
// names count, the first passages of aimedPassages pages or sections.
func (r *run) bestPassages(ctx context.Context, sc scope, w way) ([]store.Hit, error) {
	search, err := wordsearch.Searcher{Indexes: sc.indexes, Params: w.params}.Search(ctx, w.queries...)
	if err != nil || !w.names {
		if err != nil {
			return nil, err
		}
		return search.BestHits(ctx, aimedPassages, nil)
	}
	all, err := search.BestHits(ctx, 6*aimedPassages, nil)
	if err != nil {
		return nil, err
	}
	// All passages of a page have its title, and score alike.
	type place struct {
		reader int
		doc    int64
		score  float64
	}
	seen := map[place]bool{}
	var out []store.Hit
	for _, h := range all {
		if k := (place{h.Reader, h.Doc, h.Score}); !seen[k] && len(seen) < aimedPassages {
			seen[k] = true
			out = append(out, h)
		}
	}
	return out, nil
}

// joined are the passages of either.
func joined(a, b []map[store.Key]bool) []map[store.Key]bool {
	if a == nil {
		return b
	}
	for i := range b {
		for k := range b[i] {
			if a[i] == nil {
				a[i] = map[store.Key]bool{}
			}
			a[i][k] = true
		}
	}
	return a
}
