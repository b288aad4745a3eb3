package invocation

import (
	"testing"
)

// Lines with a name in front go on under their text, and a path stays whole.
func TestWrapped(t *testing.T) {
	t.Parallel()
	c := &Call{}
	if got, want := c.Wrapped("oil  ", "which oil it burns", 5), "oil  which oil it burns\n"; got != want {
		t.Errorf("in a pipe %q, want %q", got, want)
	}
	c.IO.OutTTY, c.IO.Screen = true, func() (int, int) { return 16, 24 }
	if got, want := c.Wrapped("oil  ", "which oil it burns: docs/oil-of-lamps.md", 5), "oil  which oil\n     it burns:\n     docs/oil-of-lamps.md\n"; got != want {
		t.Errorf("on a terminal %q, want %q", got, want)
	}
}
