package app

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/llm/llmtest"
	"docent/pipeline/contract"
	"docent/pipeline/embed"
	"docent/pipeline/rerank"
)

// linked is pages that link to each other by texts of two words and more.
func linked(t *testing.T, pages int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Linked@1")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	colours, things := []string{"red", "green", "blue", "amber", "white"}, []string{"lamp", "wick", "mantle", "shade", "burner", "tank"}
	name := func(i int) string {
		return colours[i%len(colours)] + " " + things[i%len(things)] + " " + fmt.Sprint(i)
	}
	for i := range pages {
		next := (i + 1) % pages
		text := fmt.Sprintf("# The %s\n\nHow the %s is kept. See [care of the %s](p%02d.md#care), [here](p%02d.md), [the site](https://example.org/a) and [this place](p%02d.md).\n\n## Care\n\nOil for the %s.\n",
			name(i), name(i), name(next), next, next, i%2, name(i))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%02d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A doc set's own links say how much a model's vectors count; it is measured once
// for a model, a given weight is stronger, and what is forgotten leaves nothing.
func TestWeightIsMeasured(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	a := opened(t, s.URL)
	if err := os.WriteFile(filepath.Join(a.Home, "docent.toml"), []byte("[models]\nnum_thread = 1\nphases = [\"vectors\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	found, err := Discover(ctx, []string{linked(t, 30)}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Add(ctx, found, As{}, Watch{Note: t.Logf}); err != nil {
		t.Fatal(err)
	}
	sets, err := a.Library.Sets(ctx)
	if err != nil || len(sets) != 1 {
		t.Fatal(sets, err)
	}
	questions, err := a.linkQuestions(ctx, sets[0])
	if err != nil || len(questions) != 30 {
		t.Fatalf("%d questions: %v", len(questions), err)
	}
	for _, q := range questions {
		// One word asks for nothing, a text of two places neither, and what leads
		// outside is nobody's question.
		if !strings.HasPrefix(q.text, "care of the ") || q.anchor != "care" || q.path == q.from {
			t.Errorf("a question is %+v", q)
		}
	}
	by, err := a.Library.VectorsBy(ctx, sets[0])
	if err != nil {
		t.Fatal(err)
	}
	w, ok := a.ReadWeight(sets[0], by.Model)
	if !ok || w.Questions != 30 || len(w.MRR) != len(Weights()) || !slices.Contains(Weights(), w.Weight) || w.Passages != by.Passages {
		t.Fatalf("measured was %+v", w)
	}
	best := slices.Max(w.MRR)
	for i, weight := range Weights() {
		if free := w.MRR[i] >= best-costless; weight == w.Weight && !free || weight > w.Weight && free {
			t.Errorf("the weight %v was chosen of %v", w.Weight, w.MRR)
		}
	}
	if got := a.dense(sets[0], by); got != w.Weight {
		t.Errorf("the weight that counts is %v, not %v", got, w.Weight)
	}
	if got := a.dense(sets[0], embed.By{Model: "another"}); got != a.Config.DenseShare() {
		t.Errorf("another model counts %v", got)
	}
	before, err := os.Stat(a.weightPath(sets[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.weigh(ctx, sets[0]); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(a.weightPath(sets[0].ID)); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was measured again: %v", err)
	}
	if err := a.Forget(ctx, sets); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(a.weightPath(sets[0].ID)); !os.IsNotExist(err) {
		t.Errorf("the weight of what was forgotten: %v", err)
	}
}

// Where the vectors know better, their weight moves the answer up; the page with
// the link is passed over, and a section counts beside its page.
func TestReciprocalRank(t *testing.T) {
	t.Parallel()
	page := func(path string, sim, cosine float64) contract.Result {
		return contract.Result{DocSet: "L@1", FilePath: path, Headings: []contract.Heading{
			{Text: "# " + path, Anchor: "top", RerankSim: &sim, Signals: contract.Signals{Model: cosine}}}}
	}
	results := []contract.Result{page("from.md", .9, .9), page("words.md", .8, .1), page("answer.md", .6, .8)}
	q := linkQuestion{from: "from.md", path: "answer.md"}
	for _, tt := range []struct {
		weight float64
		anchor string
		want   float64
	}{
		{0, "", .5}, {0, "top", .5}, {0, "elsewhere", .25}, {.5, "", 1}, {.5, "elsewhere", .5},
	} {
		q.anchor = tt.anchor
		if got := q.reciprocalRank(rerank.Weigh(results, tt.weight)); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("at %v, anchor %q: %v, not %v", tt.weight, tt.anchor, got, tt.want)
		}
	}
	if *results[0].Headings[0].RerankSim != .9 || results[1].FilePath != "words.md" {
		t.Error("the input was changed")
	}
}
