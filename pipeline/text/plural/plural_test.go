package plural

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{-1: "-1 entries", 0: "0 entries", 1: "1 entry", 2: "2 entries", 11: "11 entries"} {
		if got := Count(n, "entry", "entries"); got != want {
			t.Errorf("Count(%d): %q, want %q", n, got, want)
		}
	}
}
