package lexical

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"docent/store/analysis"
)

// Definitions count the passages that there are, whatever the history, and the
// spelling that most of them use is told.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	define := func(dir string, fresh bool, remove []int64, docs map[int64][]Abbreviation, order ...int64) {
		t.Helper()
		u, err := Begin(dir, fresh)
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
			p := Prepare(a, []Passage{{Fields: [NumFields]string{Body: fmt.Sprintf("lamp %d", id)}, Abbreviations: docs[id]}})
			p.SetID(id)
			if err := u.Add(p); err != nil {
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
	docs := map[int64][]Abbreviation{
		1: {{"LVC", "LampVolumeClaim"}, {"LVC", "LampVolumeClaim"}},
		2: {{"LVCs", "lamp volume claims"}, {"WO", "wick order"}},
		3: {{"LVC", "LampVolumeClaim"}},
		4: {{"LVC", "late valve check"}},
		5: {{"", "nothing"}, {"NN", "the of"}}, // no key, no words
		9: {{"WO", "wick order"}, {"GONE", "going on never ending"}},
	}
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	define(one, true, nil, docs, 1, 2, 3, 4, 5)
	define(two, true, nil, docs, 9, 4, 3)
	define(two, false, []int64{9}, docs, 5, 2, 1)
	for _, dir := range []string{one, two} {
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		got, err := Searcher{Readers: []*Reader{r}}.Definitions(ctx, func(string, string) bool { return true })
		want := "[{{LVC LampVolumeClaim} lvc lamp volum claim 3} {{LVC late valve check} lvc late valv check 1} {{WO wick order} wo wick order 1}]"
		if s := fmt.Sprint(got); s != want || err != nil {
			t.Errorf("%s, %v; want %s", s, err, want)
		}
		got, err = Searcher{Readers: []*Reader{r, r}}.Definitions(ctx, func(key, _ string) bool { return key == "wo" })
		if s := fmt.Sprint(got); s != "[{{WO wick order} wo wick order 2}]" || err != nil {
			t.Errorf("%s, %v", s, err)
		}
	}
}

func TestAbbreviationKey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"HPA": "hpa", "PVCs": "pvc", "dns": "dns", "as": "as", "As": "as", "GIs": "gi", "": "", "Äs": "äs", "s": "s"} {
		if got := AbbreviationKey(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
