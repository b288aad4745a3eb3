package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in      string
		from, w int
		want    string
	}{
		{"abcdef", 0, 3, "abc"},
		{"abcdef", 2, 3, "cde"},
		{"abcdef", 4, 9, "ef"},
		{"abcdef", 9, 9, ""},
		{"灯芯灯", 1, 3, " 芯"},
		{"灯芯灯", 2, 3, "芯"},
		{"e\u0301xe\u0301", 1, 2, "xe\u0301"},
		{"\x1b[31mabc\x1b[mdef", 2, 2, "\x1b[31mc\x1b[md"},
	} {
		if got := Columns(tt.in, tt.from, tt.w); got != tt.want {
			t.Errorf("%q from %d, %d wide: %q, want %q", tt.in, tt.from, tt.w, got, tt.want)
		}
	}
}

func TestMarkAndPut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{Mark("abcdef", "7", Range{1, 3}, Range{4, 6}), "a\x1b[7mbc\x1b[md\x1b[7mef\x1b[m"},
		{Mark("a\x1b[31mbc\x1b[md", "7", Range{0, 4}), "\x1b[7ma\x1b[31m\x1b[7mbc\x1b[m\x1b[7md\x1b[m"},
		{Mark("\x1b[31mabc", "7", Range{0, 1}), "\x1b[31m\x1b[7ma\x1b[m\x1b[31mbc"},
		{Mark("abc", "7"), "abc"},
		{Overwrite("abcdef", 2, "12", "7"), "ab\x1b[7m12\x1b[mef"},
		{Overwrite("灯芯", 1, "1", "7"), " \x1b[7m1\x1b[m芯"},
		{Overwrite("ab", 4, "1", "7"), "ab  \x1b[7m1\x1b[m"},
		{Overwrite("\x1b[31mab", 0, "1", "7"), "\x1b[31m\x1b[7m1\x1b[m\x1b[31mb"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// Whatever the line: a cut fits, marks change no text, and an inserted text stands
// at its place.
func TestColumnsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "bc ", "灯", "e\u0301", "\x1b[31m", "\x1b[m", "\x1b[1m", "👩‍🔧", "→",
			"ß"})).Draw(t, "parts"), "")
		from, w := rapid.IntRange(0, 30).Draw(t, "from"), rapid.IntRange(0, 30).Draw(t, "w")
		if n := Width(Columns(s, from, w)); n > w {
			t.Fatalf("Columns(%q, %d, %d) has %d columns", s, from, w, n)
		}
		if got := Mark(s, "7", Range{from, from + w}); ansi.Strip(got) != ansi.Strip(s) {
			t.Fatalf("Mark changed %q to %q", s, got)
		}
		put := ansi.Strip(Overwrite(s, from, "12", "7"))
		at := -1
		LettersOf(put, func(text string, r Range) bool {
			if text == "1" {
				at = r.From
			}
			return at < 0
		})
		if at != from {
			t.Fatalf("Put(%q, %d) stands at %d: %q", s, from, at, put)
		}
	})
}
