package dialect

import (
	"bytes"
	"strings"
	"testing"
)

func TestRewriteKeepsEachLineInItsPlace(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]struct{ in, want string }{
		"a component": {"<Callout>\n  Mind the step.\n</Callout>\n", "***\nMind the step.\n***\n"},
		"a container": {":::tip Short cut\nTake the bridge.\n:::\n", "###### Short cut\nTake the bridge.\n***\n"},
		"an import":   {"import Boat from './boat'\n\n# Boats\n", "\n\n# Boats\n"},
		"an id":       {"## The lock {#lock}\n", "## The lock \n"},
		"comments":    {"The {/* old */}lock {/* of */}shuts, `{/*not*/}`.\n", "The lock shuts, `{/*not*/}`.\n"},
		"no end":      {"The {/* lock `{` shuts.\n", "The {/* lock `{` shuts.\n"},
		"a table":     {"<table>\n<tr><td>1</td></tr>\n</table>\nAfter.\n", "***\n\n\nAfter.\n"},
		"plain":       {"# Weir\n\n- one\n- two\n", "# Weir\n\n- one\n- two\n"},
	} {
		in := []byte(page.in)
		got := Rewrite(in, LineStarts(in), 0)
		if string(got.Text) != page.want {
			t.Errorf("%s: the shape is\n%q, want\n%q", name, got.Text, page.want)
		}
		if bytes.Count(got.Text, []byte{'\n'}) != strings.Count(page.in, "\n") {
			t.Errorf("%s: the shape has another number of lines", name)
		}
	}
}
