package vectors_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/vectors"
	"docent/store"
	"docent/store/embedded"
)

// linked is pages that link to each other by texts of two words and more.
func linked(pages int) map[string]string {
	out := map[string]string{}
	colours, things := []string{"red", "green", "blue", "amber", "white"}, []string{"lamp", "wick", "mantle", "shade", "burner", "tank"}
	name := func(i int) string {
		return colours[i%len(colours)] + " " + things[i%len(things)] + " " + fmt.Sprint(i)
	}
	for i := range pages {
		next := (i + 1) % pages
		text := fmt.Sprintf("# The %s\n\nHow the %s is kept. See [care of the %s](p%02d.md#care), [here](p%02d.md), [the site](https://example.org/a) and [this place](p%02d.md).\n\n## Care\n\nOil for the %s.\n",
			name(i), name(i), name(next), next, next, i%2, name(i))
		out[fmt.Sprintf("p%02d.md", i)] = text
	}
	return out
}

// A doc set's own links determine the weight of a model's vectors; it is measured once
// for a model, a configured weight overrides it, and a removed doc set leaves no weight.
func TestWeightIsMeasured(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	a, _ := opened(t)
	ctx := t.Context()
	a.Add("Linked@1", linked(20))
	sets, err := a.Home.Corpus.Sets(ctx)
	if err != nil || len(sets) != 1 {
		t.Fatal(sets, err)
	}
	weightPath := embedded.IndexesInFolder(filepath.Join(a.Dir, "index")).RecordFile(sets[0].ID, store.WeightRecord)
	by, err := a.Home.Corpus.VectorsBy(ctx, sets[0])
	if err != nil {
		t.Fatal(err)
	}
	w, ok := a.Vectors.ReadWeight(sets[0], by.Model)
	if !ok || w.Questions != 20 || len(w.MRR) != len(vectors.Weights()) || !slices.Contains(vectors.Weights(), w.Weight) || w.Passages != by.Passages {
		t.Fatalf("measured was %+v", w)
	}
	best := slices.Max(w.MRR)
	for i, weight := range vectors.Weights() {
		if free := w.MRR[i] >= best-0.005; weight == w.Weight && !free || weight > w.Weight && free {
			t.Errorf("the weight %v was chosen of %v", w.Weight, w.MRR)
		}
	}
	if got := a.Vectors.WeightOf(sets[0], by); got != w.Weight {
		t.Errorf("the weight that counts is %v, not %v", got, w.Weight)
	}
	if got := a.Vectors.WeightOf(sets[0], embed.By{Model: "another"}); got != a.Home.Settings.DenseWeight {
		t.Errorf("another model counts %v", got)
	}
	before, err := os.Stat(weightPath)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Vectors.Embed(ctx, sets, false, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(weightPath); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was measured again: %v", err)
	}
	if _, err := a.Library.Remove(ctx, library.RemoveRequest{Sets: []string{sets[0].Ref.String()}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(weightPath); !os.IsNotExist(err) {
		t.Errorf("the weight of what was forgotten: %v", err)
	}
}
