package spacing

import "testing"

func TestSpacing(t *testing.T) {
	t.Parallel()
	const in = " The\tQuick\u00a0Pump\n\n Ä "
	if got := Single(in); got != "The Quick Pump Ä" {
		t.Errorf("Single: %q", got)
	}
	if got := Folded(in); got != "the quick pump ä" {
		t.Errorf("Folded: %q", got)
	}
}
