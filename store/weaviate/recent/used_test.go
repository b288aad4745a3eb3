package recent_test

import (
	"testing"

	"docent/store/weaviate/recent"
)

// Values that are used stay when others come, and there are never more than asked for.
func TestUsed(t *testing.T) {
	t.Parallel()
	u := recent.NewUsed[int, int](8)
	for i := range 100 {
		u.Put(i, -i)
		if v, ok := u.Get(0); !ok || v != 0 {
			t.Fatalf("a value that is always used is gone after %d", i)
		}
		if v, ok := u.Get(i); !ok || v != -i {
			t.Fatalf("%d is %d, %v", i, v, ok)
		}
		if n := u.Len(); n > 8 || i > 8 && n < 4 {
			t.Fatalf("%d values after %d", n, i)
		}
	}
	if _, ok := u.Get(50); ok {
		t.Error("an old value is still there")
	}
}
