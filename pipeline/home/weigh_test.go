package home

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/model"
	"docent/pipeline/parse/formats"
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

// noModels has no model for anything.
type noModels struct{}

func (noModels) Vectors(context.Context, string) (model.Vectors, error) {
	return model.Vectors{}, model.ErrNone
}
func (noModels) Required() bool                   { return false }
func (noModels) Servers() ([]*ModelServer, error) { return nil, nil }
func (noModels) Preload()                         {}

// opened opens a home without a manual, models and pipelines.
func opened(t *testing.T) *Home {
	t.Helper()
	parsers, err := formats.All()
	if err != nil {
		t.Fatal(err)
	}
	h, err := Open(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "home"), Parsers: parsers, Models: noModels{}, Wire: func(*Home) Pipelines { return Pipelines{} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// added adds a folder of pages.
func added(t *testing.T, h *Home, dir string) {
	t.Helper()
	found, err := Discover(t.Context(), AddRequest{Paths: []string{dir}}, h.Parsers, Watch{})
	if err == nil {
		_, err = h.Add(t.Context(), found, Watch{Note: t.Logf})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The links between pages are questions whose answer is known.
func TestLinkQuestions(t *testing.T) {
	t.Parallel()
	h := opened(t)
	added(t, h, linked(t, 30))
	sets, err := h.Library.Sets(t.Context())
	if err != nil || len(sets) != 1 {
		t.Fatal(sets, err)
	}
	questions, err := h.linkQuestions(t.Context(), sets[0])
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
