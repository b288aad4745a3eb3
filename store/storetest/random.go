package storetest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
	"docent/store/wordsearch"
)

// compareWith compares an index with the reference in everything that it is asked.
func compareWith(t fataler, what string, r store.Index, ref *Reference, terms []string, queries []store.Query) {
	t.Helper()
	ctx := context.Background()
	got, want := r.Statistics(), ref.Statistics()
	got.Bytes, want.Bytes = 0, 0
	if got != want {
		t.Fatalf("%s: the statistics are %+v, want %+v", what, got, want)
	}
	for name, ask := range map[string]func(wordsearch.Index) (any, error){
		"frequencies":        func(x wordsearch.Index) (any, error) { return x.Frequencies(ctx, terms) },
		"matches":            func(x wordsearch.Index) (any, error) { return x.Matches(ctx, terms) },
		"approx frequencies": func(x wordsearch.Index) (any, error) { return x.ApproxFrequencies(ctx, terms) },
		"evidence":           func(x wordsearch.Index) (any, error) { return x.Evidence(ctx, terms, ref.allKeys(99)) },
		"fuzzy":              func(x wordsearch.Index) (any, error) { return x.Fuzzy(ctx, terms[0], 1) },
		"prefix":             func(x wordsearch.Index) (any, error) { return x.Prefix(ctx, terms[1][:1]) },
		"definitions": func(x wordsearch.Index) (any, error) {
			list, err := x.Definitions(ctx, []string{"hpa", "none"}, []string{"wick order"})
			slices.SortFunc(list, func(a, b store.Definition) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			return list, err
		},
	} {
		got, err := ask(r)
		if err != nil {
			t.Fatalf("%s: %s: %v", what, name, err)
		}
		want, _ := ask(ref)
		if g, w := fmt.Sprintf("%v", got), fmt.Sprintf("%v", want); g != w {
			t.Fatalf("%s: %s are\n%s, want\n%s", what, name, g, w)
		}
	}
	// Terms of deleted passages may be among the terms.
	all, err := r.Terms(ctx, store.Title, store.Body)
	if err != nil || !slices.IsSorted(all) {
		t.Fatalf("%s: the terms are %q, %v", what, all, err)
	}
	wanted, _ := ref.Terms(ctx, store.Title, store.Body)
	for _, term := range wanted {
		if _, ok := slices.BinarySearch(all, term); !ok {
			t.Fatalf("%s: %q is not among the terms %q", what, term, all)
		}
	}
	for _, limit := range []int{0, 1, 3, 10} {
		likeReference(t, fmt.Sprintf("%s, the best %d", what, limit), r, ref, limit, queries)
	}
}

// likeReference compares a search. The reference as an engine must give the same
// to the last bit, since both are scored from their evidence; its own naive
// scores are the same but for rounding.
func likeReference(t fataler, what string, r store.Index, ref *Reference, limit int, queries []store.Query) {
	t.Helper()
	ctx := context.Background()
	also := map[store.Key]bool{}
	for i, k := range ref.allKeys(0) {
		also[k] = i%3 == 0
	}
	maps.DeleteFunc(also, func(_ store.Key, in bool) bool { return !in })
	also[store.Key{Doc: 1 << 40}] = true // of no generation
	got, err := search(ctx, r, limit, also, queries...)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, err := search(ctx, ref, limit, also, queries...)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s: found\n%v, another engine\n%v, %v", what, got, want, err)
	}
	got, err = search(ctx, r, limit, nil, queries...)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	const eps = 1e-12
	naive := ref.Scores(bm25f.Defaults(), queries)
	best := slices.SortedFunc(maps.Values(naive), func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	})
	fewest := len(best)
	if limit > 0 && len(best) > limit {
		// Passages as good as the last, except for rounding, may be there or not.
		least := best[limit-1]
		best = slices.DeleteFunc(best, func(x float64) bool { return x < least*(1-eps) })
		fewest = limit
	}
	if len(got) < fewest || len(got) > len(best) {
		t.Fatalf("%s: %d hits, want %d to %d: %v", what, len(got), fewest, len(best), got)
	}
	for i, h := range got {
		if close := func(a, b float64) bool { return math.Abs(a-b) <= eps*b }; !close(h.Score, naive[h.Key]) || !close(h.Score, best[i]) {
			t.Fatalf("%s: hit %d is %v, its score %v, the one in its place %v", what, i, h, naive[h.Key], best[i])
		}
		if i > 0 && h.Score == got[i-1].Score && got[i-1].Key.Compare(h.Key) >= 0 {
			t.Fatalf("%s: %v stands before %v", what, got[i-1], h)
		}
	}
}

// indexReference makes small random corpora by random changes, and asks random
// queries.
func indexReference(t *testing.T, fresh func(testing.TB) Index) {
	words := []string{"pod", "pods", "node", "volume", "the", "of", "hook", "agent", "--dry-run", "kubeSecret", "label", "deploy", "港口"}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), " ")
	})
	passage := rapid.Custom(func(t *rapid.T) store.Passage {
		var p store.Passage
		for f := range store.NumFields {
			if rapid.Bool().Draw(t, "field") {
				p.Fields[f] = text.Draw(t, f.String())
			}
		}
		p.Abbreviations = rapid.SliceOfN(rapid.SampledFrom([]store.Abbreviation{{Short: "HPA", Long: "Horizontal Pod Autoscaler"},
			{Short: "HPAs", Long: "horizontal pod autoscalers"}, {Short: "WO", Long: "wick order"}, {Short: "", Long: "nothing"}}), 0,
			3).Draw(t, "abbreviations")
		return p
	})
	terms := analysis.New().Terms(strings.Join(words, " "))
	weighted := rapid.Custom(func(t *rapid.T) store.WeightedTerm {
		return store.WeightedTerm{Term: rapid.SampledFrom(terms).Draw(t, "term"),
			Weight: rapid.SampledFrom([]float64{1, .5, .1}).Draw(t, "weight")}
	})
	alternative := rapid.Custom(func(t *rapid.T) store.Alternative {
		return store.Alternative{Terms: rapid.SliceOfN(rapid.SampledFrom(terms), 0, 2).Draw(t, "terms"),
			Weight: rapid.SampledFrom([]float64{1, .7}).Draw(t, "weight")}
	})
	ask := rapid.Custom(func(t *rapid.T) store.Query {
		q := store.Query{Weight: rapid.SampledFrom([]float64{1, .15, 3}).Draw(t, "weight"), Aside: rapid.Bool().Draw(t, "aside")}
		q.Terms = rapid.SliceOfN(weighted, 0, 6).Draw(t, "terms")
		for range rapid.IntRange(0, 2).Draw(t, "groups") {
			q.Groups = append(q.Groups, rapid.SliceOfN(alternative, 0, 3).Draw(t, "group"))
		}
		return q
	})
	rapid.Check(t, func(rt *rapid.T) {
		x, ref := fresh(t), NewReference()
		next := int64(1)
		for i := range rapid.IntRange(1, 3).Draw(rt, "changes") {
			var c Change
			if ids := ref.documentIDs(); len(ids) > 0 {
				c.Delete = rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, len(ids)/2+1, rapid.ID[int64]).Draw(rt, "delete")
			}
			for range rapid.IntRange(0, 4).Draw(rt, "add") {
				d := Document{ID: next, Passages: rapid.SliceOfN(passage, 0, 4).Draw(rt, "passages")}
				next++
				for k := range d.Passages { // two chunks, of which the second has the parts
					d.Passages[k].Chunk, d.Passages[k].Part = min(k, 1), max(0, k-1)
				}
				c.Add = append(c.Add, d)
			}
			publish(rt, x, c)
			ref.Publish(c)
			withIndex(rt, x, func(r store.Index) {
				compareWith(rt, fmt.Sprintf("after change %d", i), r, ref, append(terms, "nowhere", ""),
					rapid.SliceOfN(ask, 1, 4).Draw(rt, "queries"))
			})
		}
	})
}
