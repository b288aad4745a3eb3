package gain

import (
	"errors"
	"testing"
)

// The weights that ship can be read, and have all features.
func TestShipped(t *testing.T) {
	t.Parallel()
	g, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		if g.Weights[name] == 0 {
			t.Errorf("%s weighs nothing", name)
		}
	}
	if len(Names()) != features {
		t.Errorf("%d names of %d features", len(Names()), features)
	}
}

// A file of weights that is broken, of another version or for another program is refused.
func TestWeightsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "{", `{"version": 9, "weights": {"words": 1}}`, `{"version": 1, "weights": {"colour": 1}}`} {
		if _, err := Read([]byte(raw)); !errors.Is(err, Err) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}
