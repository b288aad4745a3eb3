package asking

import (
	"bytes"
	"strings"
	"testing"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/tui/widget"
)

// On a terminal a hit's text goes on below its beginning; in a pipe it is one line.
func TestHitsAreWrappedOnATerminal(t *testing.T) {
	t.Parallel()
	sim := .5
	out := contract.RerankOutput{Results: []contract.Result{{PageTitle: "Wicks", DocSet: "Lantern@2.1", FilePath: "wicks.md",
		Headings: []contract.Heading{{Text: "## Trim", Lines: [2]int{7, 9}, RerankSim: &sim,
			Snippet: strings.Repeat("Trim the wick before the lamp is lit. ", 4)}}}}}
	for _, terminal := range []bool{true, false} {
		var b bytes.Buffer
		c := &invocation.Call{NoColor: true, IO: console.IO{Out: &b, OutTTY: terminal, Screen: func() (int, int) { return 60, 24 }}}
		printHits(c, out, false)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if !terminal {
			if len(lines) != 3 {
				t.Errorf("in a pipe:\n%s", b.String())
			}
			continue
		}
		for _, l := range lines[2:] {
			if widget.Width(l) > 60 || !strings.HasPrefix(l, strings.Repeat(" ", textIndent)) {
				t.Errorf("a line of %d columns: %q", widget.Width(l), l)
			}
		}
		if len(lines) < 5 || !strings.HasPrefix(lines[1], "     0.500  ## Trim  line 7") {
			t.Errorf("on a terminal:\n%s", b.String())
		}
	}
}
