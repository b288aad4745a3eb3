package process

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// The row of the parameter that is asked for comes before rows that speak of it more
// often, with the header that names the columns, and without the rest of the table.
func TestTheRowOfAParameter(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Options\n\n## Flags\n\n| Flag | Default | Description |\n| --- | --- | --- |\n")
	for i := range 100 {
		name, words := fmt.Sprintf("--flag-%d", i), fmt.Sprintf("See --wick: the wick, and the default of the wick, number %d.", i)
		if i == 60 {
			name, words = "--wick", "How long it is."
		}
		fmt.Fprintf(&b, "| `%s` | `%d` | %s |\n", name, i, words)
	}
	page := b.String()
	row := strings.Count(page[:strings.Index(page, "| `--wick`")], "\n") + 1
	ask := func(found *contract.Documented, w contract.Preferences) string {
		ex := kept15(extraction("default of the wick --wick", page), map[string]float64{"Flags": .9})
		ex.Documents[0].Headings[0].Parameter = found
		return run(t, builtin(0), ex, w).Contents["a"]
	}
	found := &contract.Documented{Name: "--wick", Match: "exact", Lines: [2]int{row, row}, Header: 5}
	for _, w := range []contract.Preferences{bySections(10), {MaxTokens: 260}, {Extent: contract.ExtentSections, MaxTokens: 260}} {
		got := ask(found, w)
		if !strings.Contains(got, "| `--wick` | `60` |") || !strings.Contains(got, "| Flag | Default |") {
			t.Errorf("%+v: the row is not there:\n%s", w, got)
		}
		if n := strings.Count(got, "| `--flag-"); n > 10 {
			t.Errorf("%+v: %d other rows", w, n)
		}
	}
	// Lines that do not have the name any more do not document it.
	moved := &contract.Documented{Name: "--gone", Match: "exact", Lines: [2]int{row - 30, row - 30}}
	if a, b := ask(moved, bySections(10)), ask(nil, bySections(10)); a != b {
		t.Errorf("lines without the name count:\n%s", a)
	}
	for _, lines := range [][2]int{{0, 0}, {-5, 3}, {1 << 30, 1 << 30}, {row, 1 << 30}, {row, 2}} {
		ask(&contract.Documented{Name: "--wick", Lines: lines}, bySections(10)) // from a file that a person wrote
	}
}
