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

func TestIndent(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{"": 0, "x": 0, "  x": 2, "\tx": 8, "  \t x": 9, " \t": 8, "\u00a0x": 0} {
		if got := Indent(line); got != want {
			t.Errorf("%q is indented by %d, want %d", line, got, want)
		}
	}
	if got := WordSet(" a b\na"); len(got) != 2 || !got["a"] || !got["b"] {
		t.Errorf("WordSet: %v", got)
	}
}
