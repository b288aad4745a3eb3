package tokens

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "日本": 2, "日本x": 3, "éé": 1, "–": 1, "\xff\xfe": 2, "пример": 3, "😀": 1} {
		if got := Count(in); got != want {
			t.Errorf("Count(%q) = %d, want %d", in, got, want)
		}
	}
}
