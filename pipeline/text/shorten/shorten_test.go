package shorten

import "testing"

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in           string
		most         int
		bytes, runes string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc…", "abc…"},
		{"aéb", 3, "aé…", "aéb"},
		{"aéb", 2, "a…", "aé…"},
		{"日本語", 4, "日…", "日本語"},
		{"日本語", 2, "…", "日本…"},
		{"a\xffbcd", 3, "ab…", "a\uFFFDb…"},
	} {
		if got := Bytes(c.in, c.most); got != c.bytes {
			t.Errorf("Bytes(%q, %d) is %q, want %q", c.in, c.most, got, c.bytes)
		}
		if got := Runes(c.in, c.most); got != c.runes {
			t.Errorf("Runes(%q, %d) is %q, want %q", c.in, c.most, got, c.runes)
		}
	}
}

func TestALineHasNoBreaks(t *testing.T) {
	t.Parallel()
	if got := Line(" a\n\tbc  d ", 4); got != "a bc…" {
		t.Errorf("%q", got)
	}
}
