package rerank

import (
	"context"
	"testing"

	"docent/pipeline/contract"
)

// A proposal has more of the question's words than the page that tells how the lamp is lit,
// and comes after it, unless the question asks for it or the doc set has nothing else.
func TestAPlanComesAfterTheManual(t *testing.T) {
	t.Parallel()
	const manual, plan = "A timer is set, and by it the lamp is lit.", "The lamp may be lit by a timer. Whoever lights the lamp sets the timer."
	for _, c := range []struct{ question, other, manual, first string }{
		{"lamp lit by a timer", "docs/proposals/timer.md", "docs/lamp.md", "docs/lamp.md"},
		{"lamp lit by a timer", "docs/timer.md", "docs/lamp.md", "docs/timer.md"},
		{"lamp lit by a timer", "proposals", "docs/lamp.md", "proposals"}, // a page, no folder
		{"proposal of a lamp lit by a timer", "docs/proposals/timer.md", "docs/lamp.md", "docs/proposals/timer.md"},
		{"lamp lit by a timer", "docs/proposals/timer.md", "docs/rfcs/lamp.md", "docs/proposals/timer.md"},
	} {
		x := texts{passages: map[string]string{"A@1/" + c.other + ":1": plan, "A@1/" + c.manual + ":1": manual}}
		in := input(c.question, page(c.other, "Lamps", head("Dusk", 9, 0)), page(c.manual, "Lamps", head("Night", 8.9, 0)))
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil || len(out.Results) != 2 {
			t.Fatalf("%v: %+v", err, out)
		}
		if got := out.Results[0].FilePath; got != c.first {
			t.Errorf("%q: %s comes first, want %s", c.question, got, c.first)
		}
	}
}
