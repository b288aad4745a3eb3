package repeat

import (
	"fmt"
	"testing"
)

func linesOf(list ...string) Lines {
	l := Lines{}
	for _, line := range list {
		l.Add(line)
	}
	return l
}

func TestStandIn(t *testing.T) {
	t.Parallel()
	text := []string{"The hose is checked for holes each morning.", "Its length is measured too.", "Holes are written down in the book.",
		"The book lies beside the pump.", "  ", "short"}
	all, four := linesOf(text...), linesOf(text[:4]...)
	part := linesOf(append([]string{"Only the large pump has another line here."}, text[:3]...)...)
	kind := linesOf("**Type:** integer", "**Since:** 2.1.0")
	for name, x := range map[string]struct {
		of, in  Lines
		onePage bool
		want    bool
	}{
		"the same": {all, four, false, true}, "the same on a page": {all, four, true, true},
		"most": {part, four, false, true}, "most on a page": {part, four, true, false},
		"few": {part, linesOf(text[0]), false, false}, "nothing": {linesOf("short"), four, false, false},
		"a type": {kind, kind, false, true}, "a type on a page": {kind, kind, true, false},
	} {
		if got := x.of.StandIn(x.in, x.onePage); got != x.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	many := Lines{}
	for i := range 2 * most {
		many.Add(fmt.Sprintf("line number %d of a long table", i))
	}
	if len(many) != most {
		t.Errorf("%d lines are compared", len(many))
	}
}
