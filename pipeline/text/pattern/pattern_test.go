package pattern

import "testing"

func TestLazy(t *testing.T) {
	t.Parallel()
	digits := Lazy(`^\d+$`)
	if !digits().MatchString("42") || digits().MatchString("x") || digits() != digits() {
		t.Error("the pattern is compiled wrongly, or twice")
	}
	faulty := Lazy(`(`) // nothing happens yet
	defer func() {
		if recover() == nil {
			t.Error("a faulty pattern is compiled")
		}
	}()
	faulty()
}
