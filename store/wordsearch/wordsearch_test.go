package wordsearch_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"docent/store"
	"docent/store/bm25f"
	"docent/store/storetest"
	"docent/store/wordsearch"
)

// engine is an index that gives as few candidates as it may, with bounds as close
// as it likes: loose is added to each, by its place.
type engine struct {
	*storetest.Reference
	loose func(i int) float64
	asked *atomic.Int64 // keys whose evidence was read
}

func (e engine) Candidates(ctx context.Context, r *store.Ranking, limit int) ([]store.Candidate, error) {
	all, err := e.Reference.Candidates(ctx, r, 0)
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		all[i].Bound = e.score(ctx, r, c.Key)
	}
	all = slices.DeleteFunc(all, func(c store.Candidate) bool { return c.Bound == 0 })
	slices.SortStableFunc(all, func(a, b store.Candidate) int { return cmp.Compare(b.Bound, a.Bound) })
	n := len(all)
	if limit > 0 && limit < n {
		for n = limit; n < len(all) && all[n].Bound == all[n-1].Bound; n++ {
		}
	}
	for i := range all[:n] {
		all[i].Bound += e.loose(i)
	}
	return all[:n], nil
}

// score adds a ranking's weights up, as an engine does.
func (e engine) score(ctx context.Context, r *store.Ranking, k store.Key) (score float64) {
	value := func(term string) float64 {
		ev, _ := e.Reference.Evidence(ctx, []string{term}, []store.Key{k})
		tf := 0.0
		for _, o := range ev[0].Occurrences {
			tf += bm25f.FieldFrequency(&r.Params, r.Average[o.Field], o.Field, int(o.Frequency), int(o.Length))
		}
		return bm25f.Saturate(tf, r.Params.K1)
	}
	for _, st := range r.Stages {
		for _, t := range st.Terms {
			score += float64(t.Weight * value(t.Term))
		}
		for _, g := range st.Groups {
			best := 0.0
			for _, alt := range g {
				sum := 0.0
				for _, t := range alt {
					sum += float64(t.Weight * value(t.Term))
				}
				best = max(best, sum)
			}
			score += best
		}
	}
	return score
}

func (e engine) Evidence(ctx context.Context, terms []string, keys []store.Key) ([]store.Evidence, error) {
	e.asked.Add(int64(len(keys))) // indexes are asked several at a time
	return e.Reference.Evidence(ctx, terms, keys)
}

// drawDocuments makes documents of few words, so that scores tie.
func drawDocuments(t *rapid.T, first int64) storetest.Change {
	words := []string{"pod", "node", "volume", "hook"}
	var c storetest.Change
	for i := range rapid.IntRange(0, 8).Draw(t, "documents") {
		d := storetest.Document{ID: first + int64(i)}
		for k := range rapid.IntRange(0, 2).Draw(t, "passages") {
			p := store.Passage{Chunk: k}
			p.Fields[store.Body] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(t, "body"), " ")
			p.Fields[store.Title] = rapid.SampledFrom(append(words, "")).Draw(t, "title")
			d.Passages = append(d.Passages, p)
		}
		c.Add = append(c.Add, d)
	}
	return c
}

func drawQueries(t *rapid.T) []store.Query {
	terms := []string{"pod", "node", "volum", "hook", "nowher"}
	var out []store.Query
	for range rapid.IntRange(1, 3).Draw(t, "queries") {
		q := store.Query{Weight: rapid.SampledFrom([]float64{1, .15}).Draw(t, "weight"), Aside: rapid.Bool().Draw(t, "aside")}
		for _, term := range rapid.SliceOfN(rapid.SampledFrom(terms), 0, 4).Draw(t, "terms") {
			q.Terms = append(q.Terms, store.WeightedTerm{Term: term, Weight: 1})
		}
		if rapid.Bool().Draw(t, "group") {
			q.Groups = []store.Group{{{Terms: []string{"pod"}, Weight: 1}, {Terms: []string{"node", "hook"}, Weight: .7}}}
		}
		out = append(out, q)
	}
	return out
}

// Whatever an engine knows of the scores beforehand, the hits are the same, and
// close bounds have less evidence read.
func TestBoundsDoNotShow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one, two := storetest.NewReference(), storetest.NewReference()
		one.Publish(drawDocuments(t, 1))
		two.Publish(drawDocuments(t, 100))
		queries, limit := drawQueries(t), rapid.IntRange(0, 12).Draw(t, "limit")
		var want []store.Hit
		var least int64
		for i, loose := range []func(int) float64{
			func(int) float64 { return 0 },
			func(i int) float64 { return float64(i%3) / 4 },
			func(int) float64 { return math.Inf(1) },
		} {
			var asked atomic.Int64
			s := wordsearch.Searcher{Params: bm25f.Defaults(), Indexes: []wordsearch.Index{engine{one, loose, &asked}, engine{two, loose, &asked}}}
			search, err := s.Search(context.Background(), queries...)
			if err != nil {
				t.Fatal(err)
			}
			hits, err := search.BestHits(context.Background(), limit, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want, least = hits, asked.Load()
				checkHits(t, search, hits)
			}
			if !slices.Equal(hits, want) || asked.Load() < least {
				t.Fatalf("way %d: after reading %d passages\n%v, with exact bounds after %d\n%v", i, asked.Load(), hits, least, want)
			}
		}
	})
}

// checkHits looks whether the parts of each hit add up to its score, and those of
// the queries with Aside to that part of it.
func checkHits(t *rapid.T, search *wordsearch.Search, hits []store.Hit) {
	for i, h := range hits {
		parts, err := search.Explain(context.Background(), h)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range parts {
			sum += p.Value
		}
		if math.Abs(sum-h.Score) > 1e-9 || h.Aside > h.Score || i > 0 && h.Score > hits[i-1].Score {
			t.Fatalf("hit %d is %+v, its parts add up to %v: %+v", i, h, sum, parts)
		}
	}
}

// Two doc sets that are searched together give each passage the score that it has
// in one doc set of all.
func TestSeveralIndexesScoreAsOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, second := drawDocuments(t, 1), drawDocuments(t, 100)
		one, two, all := storetest.NewReference(), storetest.NewReference(), storetest.NewReference()
		one.Publish(first)
		two.Publish(second)
		all.Publish(first)
		all.Publish(second)
		queries := drawQueries(t)
		scores := func(indexes ...wordsearch.Index) map[store.Key]string {
			search, err := wordsearch.Searcher{Params: bm25f.Defaults(), Indexes: indexes}.Search(context.Background(), queries...)
			if err != nil {
				t.Fatal(err)
			}
			hits, err := search.BestHits(context.Background(), 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			out := map[store.Key]string{}
			for _, h := range hits {
				out[h.Key] = fmt.Sprint(h.Score, h.Aside)
			}
			return out
		}
		if apart, together := scores(one, two), scores(all); fmt.Sprint(apart) != fmt.Sprint(together) {
			t.Fatalf("apart %v, together %v", apart, together)
		}
	})
}
