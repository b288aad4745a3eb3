package process

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// A page longer than anybody writes is cut into few units, of which those that were
// found are lines; its words are compared up to a limit, and that is said.
func TestVeryLongPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Lamps\n\n")
	lines := 2
	for b.Len() <= mostParsed {
		fmt.Fprintf(&b, "lamp%d burns\n\n", lines)
		lines += 2
	}
	at := lines - 99 // a line with text, near the end
	p := newPage("a", b.String(), blocks, budget{lines: 20, quarters: unlimited}, [2]int{at, at + 4})
	if n := len(p.units); n > 2*mostUnits {
		t.Errorf("%d units", n)
	}
	covered, single := 0, false
	for i, u := range p.units {
		if i > 0 && u.first <= p.units[i-1].last || p.isBlank(u.first) || p.isBlank(u.last) {
			t.Fatalf("unit %d is lines %d to %d", i, u.first, u.last)
		}
		covered += u.last - u.first + 1
		single = single || u.first == at && u.last == at
	}
	if !single || covered < lines/2 {
		t.Errorf("what was found is a unit: %v; %d of %d lines are covered", single, covered, lines)
	}
	bu := New(Options{})
	if err := bu.scorePages(context.Background(), []*page{p}, wanted{query: []queryTerm{{"burns", 1}}}); err != nil {
		t.Fatal(err)
	}
	said := reportUnread([]*page{p})
	if p.unread == 0 || len(said) != 1 || said[0].Phase != contract.PhaseProcess || !strings.Contains(said[0].Reason, "32 MB") {
		t.Errorf("%d bytes were not compared, and it says %v", p.unread, said)
	}
	if short := newPage("a", "# Lamps\n\nThey burn.\n", blocks, budget{lines: 20, quarters: unlimited}); len(reportUnread([]*page{short})) > 0 {
		t.Error("a short page is not compared whole")
	}
}
