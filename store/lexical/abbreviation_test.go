package lexical

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// Definitions count the current passages, whatever the history, and have the spelling
// that most of them use.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	define := func(dir string, fresh bool, remove []int64, docs map[int64][]store.Abbreviation, order ...int64) {
		t.Helper()
		u, err := BeginUpdate(dir, fresh)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range remove {
			if err := u.Delete(id); err != nil {
				t.Fatal(err)
			}
		}
		a := analysis.New()
		for _, id := range order {
			p := Analyze(a, []store.Passage{{Fields: [store.NumFields]string{store.Body: fmt.Sprintf("lamp %d", id)}, Abbreviations: docs[id]}})
			p.SetID(id)
			if err := u.Add(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if err := u.Prepare(ctx); err != nil {
			t.Fatal(err)
		}
		if err := u.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	docs := map[int64][]store.Abbreviation{
		1: {{Short: "LVC", Long: "LampVolumeClaim"}, {Short: "LVC", Long: "LampVolumeClaim"}},
		2: {{Short: "LVCs", Long: "lamp volume claims"}, {Short: "WO", Long: "wick order"}},
		3: {{Short: "LVC", Long: "LampVolumeClaim"}},
		4: {{Short: "LVC", Long: "late valve check"}},
		5: {{Short: "", Long: "nothing"}, {Short: "NN", Long: "the of"}}, // no key, no words
		9: {{Short: "WO", Long: "wick order"}, {Short: "GONE", Long: "going on never ending"}},
	}
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	define(one, true, nil, docs, 1, 2, 3, 4, 5)
	define(two, true, nil, docs, 9, 4, 3)
	define(two, false, []int64{9}, docs, 5, 2, 1)
	for _, dir := range []string{one, two} {
		r, err := OpenReader(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		keys := []string{"lvc", "wo", "gone"}
		got, err := wordsearch.Searcher{Indexes: []wordsearch.Index{r}}.Definitions(ctx, keys, nil)
		want := "[{{LVC LampVolumeClaim} lvc lamp volum claim 3} {{LVC late valve check} lvc late valv check 1} {{WO wick order} wo wick order 1}]"
		if s := fmt.Sprint(got); s != want || err != nil {
			t.Errorf("%s, %v; want %s", s, err, want)
		}
		got, err = wordsearch.Searcher{Indexes: []wordsearch.Index{r, r}}.Definitions(ctx, nil, []string{"wick order"})
		if s := fmt.Sprint(got); s != "[{{WO wick order} wo wick order 2}]" || err != nil {
			t.Errorf("%s, %v", s, err)
		}
		// A question with both forms needs no definition.
		if got, err := (wordsearch.Searcher{Indexes: []wordsearch.Index{r}}).Definitions(ctx, []string{"wo"}, []string{"wick order"}); len(got) != 0 || err != nil {
			t.Errorf("%v, %v", got, err)
		}
	}
}
