package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func outcome(id, text string, rank int, ndcg float64) Outcome {
	return Outcome{ID: id, Text: text, Rank: rank, NDCG: ndcg}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	before := Report{Metrics: Metrics{Queries: 6, NDCG10: .5}, Outcomes: []Outcome{
		outcome("1", "lost", 1, 1), outcome("2", "won", 4, .4307), outcome("3", "still", 2, .6309),
		outcome("4", "deep", 30, 0), outcome("5", "lost a little", 2, .6309), outcome("6", "gone", 1, 1)}}
	after := Report{Metrics: Metrics{Queries: 6, NDCG10: .6}, Outcomes: []Outcome{
		outcome("7", "new", 1, 1), outcome("2", "won", 1, 1), outcome("1", "lost", 0, 0),
		outcome("5", "lost a little", 3, .5), outcome("3", "still", 2, .6309), outcome("4", "deep", 12, 0)}}
	c := Compare(before, after)
	if c.Before != before.Metrics || c.After != after.Metrics || c.Common != 5 || c.Better != 1 || c.Worse != 2 {
		t.Errorf("%+v", c)
	}
	var moved []string
	for _, m := range c.Moved {
		moved = append(moved, fmt.Sprintf("%s %s %v→%v %v", m.ID, m.Text, m.Before, m.After, m.Ranks))
	}
	// The largest loss comes first. A change of rank below the tenth place is listed.
	want := []string{"1 lost 1→0 [1 0]", "5 lost a little 0.6309→0.5 [2 3]", "4 deep 0→0 [30 12]", "2 won 0.4307→1 [4 1]"}
	if !slices.Equal(moved, want) {
		t.Errorf("moved:\n%s", strings.Join(moved, "\n"))
	}
	raw, err := json.Marshal(Compare(Report{}, Report{}))
	if err != nil || !strings.Contains(string(raw), `"moved":[]`) || !strings.Contains(string(raw), `"common":0`) || !strings.HasSuffix(string(raw), `"p":1}`) {
		t.Errorf("an empty comparison is %s, %v", raw, err)
	}
}

// Queries without an id get their line number. After a line was added at the top,
// no query matched the earlier run, and the comparison reported no change.
func TestCompareAfterALineWasAdded(t *testing.T) {
	t.Parallel()
	before := Report{Outcomes: []Outcome{outcome("1", "trim", 1, 1), outcome("2", "oil", 2, .6309), outcome("3", "trim", 3, .5)}}
	after := Report{Outcomes: []Outcome{outcome("1", "new", 1, 1), outcome("2", "trim", 1, 1), outcome("3", "oil", 1, 1), outcome("4", "trim", 0, 0)}}
	c := Compare(before, after)
	if c.Common != 3 || c.Better != 1 || c.Worse != 1 || c.Moved[0].ID != "4" || c.Moved[0].Ranks != [2]int{3, 0} || c.Moved[1].Text != "oil" {
		t.Errorf("%+v", c)
	}
}

// Calculated by hand: the differences 1, 0, 0 and 0 have the mean 1/4 and the
// standard deviation 1/2, so t is 1. A normal variable exceeds ±1 with probability
// 0.3173.
func TestPValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		diffs []float64
		p     float64
	}{
		"none":                         {nil, 1},
		"one says nothing":             {[]float64{1}, 1},
		"nothing moved":                {[]float64{0, 0, 0}, 1},
		"t = 1":                        {[]float64{1, 0, 0, 0}, 0.3173},
		"either way":                   {[]float64{-1, 0, 0, 0}, 0.3173},
		"as much lost as won":          {[]float64{.5, -.5}, 1},
		"all by the same":              {[]float64{.5, .5, .5, .5}, 0}, // it was 1
		"all by the same, not exactly": {[]float64{.1, .1, .1, .1, .1, .1, .1}, 0},
	} {
		if got := pairedT(c.diffs); got != c.p {
			t.Errorf("%s: p is %v, want %v", name, got, c.p)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		diffs := rapid.SliceOf(rapid.Float64Range(-1, 1)).Draw(t, "diffs")
		p := pairedT(diffs)
		if !(p >= 0 && p <= 1) {
			t.Fatalf("p is %v", p)
		}
		for i := range diffs {
			diffs[i] = -diffs[i]
		}
		if back := pairedT(diffs); math.Abs(back-p) > 1e-4 {
			t.Fatalf("p is %v one way, %v the other", p, back)
		}
	})
}

func TestWriteRun(t *testing.T) {
	t.Parallel()
	a := &answers{stages: map[string][]Stage{
		"trim": {{"lexical", hits("z.md")}, {"reranked", hits("a page.md#A#a", "a page.md#B#b", "c.md#C#c")}},
		"none": {{"lexical", nil}, {"reranked", nil}},
	}}
	q := func(id, text string) Query {
		return Query{ID: id, Text: text, Documents: map[string]int{"c.md": 1}, Sections: []Section{{Doc: "c.md", Heading: "C", Grade: 1}}}
	}
	for by, want := range map[bool]string{
		false: "q_1 Q0 a_page.md 1 1000 docent\nq_1 Q0 c.md 2 999 docent\n",
		// trec_eval rejects a ranking with a duplicate document.
		true: "q_1 Q0 a_page.md#a 1 1000 docent\nq_1 Q0 a_page.md#b 2 999 docent\nq_1 Q0 c.md#c 3 998 docent\n",
	} {
		rep, err := RunQueries(context.Background(), []Query{q("q 1", "trim"), q("q2", "none")}, a, Options{BySection: by})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := rep.WriteRun(&b, "docent"); err != nil || b.String() != want {
			t.Errorf("by section %v: %v\n%s", by, err, b.String())
		}
	}
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprint(i))
	}
	var b strings.Builder
	if err := (Report{Outcomes: []Outcome{{ID: "1", ranked: many}}}).WriteRun(&b, "x"); err != nil || strings.Count(b.String(), "\n") != 100 {
		t.Errorf("%d lines, %v", strings.Count(b.String(), "\n"), err)
	}
	if err := (Report{Outcomes: []Outcome{{ID: "1", ranked: many}}}).WriteRun(full{}, "x"); err == nil {
		t.Error("a full disk is no error")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }
