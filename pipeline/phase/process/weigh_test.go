package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/phase/process/gain"
)

// weighing is a Builtin with one weight.
func weighing(feature string, weight float64) *Builtin {
	g, err := gain.Read(fmt.Appendf(nil, `{"version": 1, "weights": {%q: %g}}`, feature, weight))
	if err != nil {
		panic(err)
	}
	return New(Options{Structure: structure, Gains: g})
}

// lamps is a page with two sections of many paragraphs: those of the second have more words of
// a question about trimming wicks, its last paragraph has the most.
func lamps() string {
	var b strings.Builder
	b.WriteString("# Lamps\n\n## Care\n\n")
	for i := range 20 {
		fmt.Fprintf(&b, "Dust settles on shelf %d.\n\n", i)
	}
	b.WriteString("## Wicks\n\n")
	for i := range 20 {
		fmt.Fprintf(&b, "Wicks of kind %d are short.\n\n", i)
	}
	b.WriteString("Trim the wicks with sharp scissors.\n")
	return b.String()
}

// The weights decide which units a block has: where words count, the paragraphs that have them;
// where the beginning of a section counts, its beginning.
func TestWeightsDecide(t *testing.T) {
	t.Parallel()
	ex := kept15(extraction("trim wicks with scissors", lamps()), map[string]float64{"Care": .9, "Wicks": .7})
	byWords := run(t, weighing("words", 1), ex, bySections(20)).Contents["a"]
	if !strings.Contains(byWords, "Trim the wicks") {
		t.Errorf("by words:\n%s", byWords)
	}
	byPlace := run(t, weighing("place", -1), ex, bySections(20)).Contents["a"]
	if !strings.Contains(byPlace, "shelf 0.") || !strings.Contains(byPlace, "kind 0 ") {
		t.Errorf("by place:\n%s", byPlace)
	}
	if strings.Contains(byWords, "kind 0 ") {
		t.Errorf("by words:\n%s", byWords)
	}
	byRank := run(t, weighing("rank", -9), ex, bySections(20)).Contents["a"]
	if strings.Contains(byRank, "Wicks of") || strings.Count(byRank, "Dust") < 5 {
		t.Errorf("by rank:\n%s", byRank)
	}
}

// Little of a page stands before the first hit: it is read before the answer.
func TestLittleBeforeTheFirstHit(t *testing.T) {
	t.Parallel()
	page := "# Lamps\n\n## Trim the wicks\n\n" + strings.Repeat("Trim the wicks with scissors, wicks of lamps.\n\n", 20) +
		"## Care of wicks\n\nScissors trim wicks best when they are sharp.\n"
	ex := kept15(extraction("trim the wicks with scissors", page), map[string]float64{"Trim the wicks": .7, "Care of wicks": .9})
	got := run(t, builtin(0), ex, bySections(30)).Contents["a"]
	if n := strings.Count(got, "wicks of lamps"); n == 0 || n > mostBefore || !strings.Contains(got, "when they are sharp") {
		t.Errorf("%d paragraphs before the answer:\n%s", n, got)
	}
}

// What the weights are learned from are the units of the sections that phase 1.5 kept and of
// those right below them.
func TestUnitsToLearnFrom(t *testing.T) {
	t.Parallel()
	page := "# Lamps\n\n## Wicks\n\nTrim the wicks.\n\n### Long ones\n\n```\ntrim --long\n```\n\n## Oil\n\nFill in oil.\n"
	ex := kept15(extraction("trim the wicks", page), map[string]float64{"Wicks": .9})
	b := builtin(0)
	ck, err := b.Check(ex, bySections(0))
	if err != nil {
		t.Fatal(err)
	}
	units, err := b.Units(t.Context(), ck)
	if err != nil || len(units) != 2 {
		t.Fatalf("%+v, %v", units, err)
	}
	feature := func(u Unit, name string) float64 { return u.Features[slices.Index(gain.Names(), name)] }
	if u := units[0]; u.Document != "a" || u.Lines != [2]int{5, 5} || feature(u, "words") != 1 || feature(u, "unranked") != 0 {
		t.Errorf("of the section: %+v", u)
	}
	if u := units[1]; u.Lines != [2]int{9, 11} || feature(u, "code") != 1 || feature(u, "unranked") != 1 {
		t.Errorf("of the one below: %+v", u)
	}
}
