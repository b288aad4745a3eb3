package parameters_test

import (
	"fmt"
	"slices"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/knowledge/parameters"
	"docent/store/doc"
)

// Names of an index are documented at their anchors, with the paragraph behind the line that
// declares them; what the page documents already, as lantern.trim,
// is not listed twice.
func TestReadNames(t *testing.T) {
	t.Parallel()
	page := "# Wicks\n\n## lantern.trim(level)\n\nTrims the wick. Defaults to `3`.\n\nlantern.cut(how)\n\nCuts it off. It burns no more.\n\n## Options\n\n" +
		"- `--oil NAME`: which oil\n\n## The end\n"
	d, err := markdown.ParseMarkdown([]byte(page), parse.Options{Path: "wick.md"})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{"trim": 3, "cut": 7, "oil": 13, "end": 15}
	d.Names = []doc.Name{{Text: "lantern.trim()", Kind: "function", Anchor: "trim"}, {Text: "lantern.cut", Kind: "function", Anchor: "cut"},
		{Text: "--oil", Kind: "cmdoption", Anchor: "oil"}, {Text: "lantern.gone", Kind: "data", Anchor: "gone"},
		{Text: "lantern.end", Kind: "data", Anchor: "end"}, {Text: "lantern.cut", Kind: "function", Anchor: "end"}}
	known := parameters.ReadParameters(d)
	var got []string
	for _, p := range parameters.ReadNames(d, known, func(anchor string) (int, bool) { n, ok := lines[anchor]; return n, ok }) {
		got = append(got, fmt.Sprintf("%s %s %q in %d at %d-%d: %s", p.Name, p.Type, p.Default, p.Section, p.First, p.Last, p.Description))
	}
	want := []string{
		`lantern.cut function "" in 1 at 7-9: Cuts it off. It burns no more.`,
		`lantern.end data "" in 3 at 15-15: `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d known, names:\n%q\nwant\n%q", len(known), got, want)
	}
}
