package pattern

import "testing"

func TestLazy(t *testing.T) {
	t.Parallel()
	digits := Lazy(`^\d+$`)
	first, again := digits(), digits()
	if !first.MatchString("42") || first.MatchString("x") || first != again {
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
