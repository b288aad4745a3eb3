package vectors

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/phase/rerank"
)

// linked is pages that link to each other by texts of two words and more.
func linked(pages int) map[string]string {
	colours, things := []string{"red", "green", "blue", "amber", "white"}, []string{"lamp", "wick", "mantle", "shade", "burner", "tank"}
	name := func(i int) string {
		return colours[i%len(colours)] + " " + things[i%len(things)] + " " + fmt.Sprint(i)
	}
	out := map[string]string{}
	for i := range pages {
		next := (i + 1) % pages
		out[fmt.Sprintf("p%02d.md", i)] = fmt.Sprintf("# The %s\n\nHow the %s is kept. See [care of the %s](p%02d.md#care), [here](p%02d.md), [the site](https://example.org/a) and [this place](p%02d.md).\n\n## Care\n\nOil for the %s.\n",
			name(i), name(i), name(next), next, next, i%2, name(i))
	}
	return out
}

// The links between pages are questions whose answer is known.
func TestLinkQuestions(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Linked@1", linked(30))
	questions, err := linkQuestions(t.Context(), h.Corpus, set)
	if err != nil || len(questions) != 30 {
		t.Fatalf("%d questions: %v", len(questions), err)
	}
	for _, q := range questions {
		// A link text of one word, a text with two targets, and a link that leads outside
		// make no question.
		if !strings.HasPrefix(q.text, "care of the ") || q.anchor != "care" || q.path == q.from {
			t.Errorf("a question is %+v", q)
		}
	}
}

// Where the vectors know better, their weight moves the answer up; the page with the link
// is skipped, and a section counts as well as its page.
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
		if got := q.reciprocalRank(rerank.WeighVectors(results, tt.weight)); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("at %v, anchor %q: %v, not %v", tt.weight, tt.anchor, got, tt.want)
		}
	}
	if *results[0].Headings[0].RerankSim != .9 || results[1].FilePath != "words.md" {
		t.Error("the input was changed")
	}
}
