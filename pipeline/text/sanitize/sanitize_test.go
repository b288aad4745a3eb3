package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, line, plain string }{
		{"plain", "a b", "a b", "a b"},
		{"colour", "a\x1b[31mb\x1b[0m", "ab", "ab"},
		{"clear and move", "a\x1b[2J\x1b[1;1Hb", "ab", "ab"},
		{"title", "a\x1b]0;owned\x07b", "ab", "ab"},
		{"clipboard", "a\x1b]52;c;ZXZpbA==\x1b\\b", "ab", "ab"},
		{"device control", "a\x1bP1$r0m\x1b\\b", "ab", "ab"},
		{"application", "a\x1b_x\x1b\\b", "ab", "ab"},
		{"open string keeps the text", "a\x1b]0;owned\nb", "a]0;owned b", "a]0;owned\nb"},
		{"open sequence keeps the text", "a\x1b[31", "a[31", "a[31"},
		{"lone escape", "a\x1b", "a", "a"},
		{"two escapes", "\x1b\x1b[31mx", "x", "x"},
		{"charset", "a\x1b(0b", "ab", "ab"},
		{"reset", "a\x1bcb", "ab", "ab"},
		{"C1 in UTF-8", "a\u009b31mb", "ab", "ab"},
		{"C1 string", "a\u009d0;x\u009cb", "ab", "ab"},
		{"C1 byte", "a\x9b31mb", "a\uFFFD31mb", "a31mb"},
		{"other invalid byte", "a\xffb", "a\uFFFDb", "a\xffb"},
		{"control characters", "a\x00\x08\x0e\x7fb\r\n", "ab ", "ab\n"},
		{"tab", "a\tb", "a b", "a\tb"},
		{"bidi", "a\u202eb\u2066c\u2069\u200f\u061cd", "abcd", "abcd"},
		{"byte order mark", "\ufeffa", "a", "a"},
		{"joined emoji", "👩\u200d🔧", "👩\u200d🔧", "👩\u200d🔧"},
		{"emoji style", "❤\ufe0f", "❤", "❤\ufe0f"},
		{"CJK", "灯芯", "灯芯", "灯芯"},
		{"line separator", "a\u2028b", "a b", "a\u2028b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Line(tt.in); got != tt.line {
				t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.line)
			}
			if got := Plain(tt.in); got != tt.plain {
				t.Errorf("Plain(%q) = %q, want %q", tt.in, got, tt.plain)
			}
		})
	}
}

func TestTextExpandsTabsAndKeepsLines(t *testing.T) {
	t.Parallel()
	if got := Text("a\tb\r\nc"); got != "a    b\nc" {
		t.Errorf("got %q", got)
	}
}

func TestKeepStyles(t *testing.T) {
	t.Parallel()
	in := "\x1b[1;38;2;1;2;3mx\x1b[0m\x1b[2J\x1b]8;;http://a\x1b\\y\x1b[?25l"
	if got := KeepStyles(in, true); got != "\x1b[1;38;2;1;2;3mx\x1b[0my" {
		t.Errorf("styled: %q", got)
	}
	if got := KeepStyles(in, false); got != "xy" {
		t.Errorf("plain: %q", got)
	}
}

func TestVisibleAndBlank(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, visible, blank string }{
		{"a b", "a b", "a b"},
		{"a\x1b[31mb", "a[31mb", "a [31mb"},
		{"a\n\tb\r", "a\n\tb", "a  b "},
		{"a\u202eb\u061c\ufeffc", "abc", "a b  c"},
		{"a\u2028b\u2029", "a b ", "a b "},
		{"a\U000e0041\U000e007fb", "ab", "a  b"},
		{"a\x9bb", "a\uFFFDb", "a\uFFFDb"},
		{"a\u009bb", "ab", "a b"},
	} {
		if got := Visible(tt.in); got != tt.visible {
			t.Errorf("Visible(%q) = %q, not %q", tt.in, got, tt.visible)
		}
		if got := Blank(tt.in); got != tt.blank {
			t.Errorf("Blank(%q) = %q, not %q", tt.in, got, tt.blank)
		}
	}
}

// checkClean fails when something is left that a terminal would obey.
func checkClean(t interface{ Errorf(string, ...any) }, in, out string, breaks bool) {
	for i, r := range out {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(out[i:]); size == 1 && out[i] < 0xa0 {
				t.Errorf("%q became %q: an 8-bit control character", in, out)
			}
			continue
		}
		if Unsafe(r) || !breaks && (r == '\n' || r == '\t') {
			t.Errorf("%q became %q: it has %U", in, out, r)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]0;x\x07", "\x1bP\x1b\\", "\xc2\x9b1m", "\xff\x9b", "a\u202eb\tc\r\n", "\x1b(0", "plain"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkClean(t, s, Line(s), false)
		checkClean(t, s, Text(s), true)
		plain := Plain(s)
		checkClean(t, s, plain, true)
		if again := Plain(plain); again != plain {
			t.Errorf("cleaning twice differs: %q, %q", plain, again)
		}
		checkClean(t, s, KeepStyles(s, false), true)
		checkClean(t, s, Visible(s), true)
		checkClean(t, s, Blank(s), false)
	})
}

// Clean text must stay unchanged, byte for byte.
func TestPlainKeepsCleanText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return !Unsafe(r) })).Draw(t, "text")
		if got := Plain(s); got != s {
			t.Fatalf("%q became %q", s, got)
		}
		if strings.ContainsAny(Line(s), "\n\t") {
			t.Fatalf("Line(%q) has a line break or a tab", s)
		}
	})
}

func TestReferencesOfControlCharacters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a&#27;[31mb":   "a\uFFFD[31mb",
		"a&#x1B;b":      "a\uFFFDb",
		"a&#x9b;b":      "a\uFFFDb",
		"&#8238;":       "\uFFFD",
		"&#65;&#x41;":   "&#65;&#x41;",
		"&#27":          "&#27",
		"&#x;&#;&# &#a": "&#x;&#;&# &#a",
		"&#10;":         "&#10;",
	} {
		if got := References(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// The last check of a terminal's text: control sequences are removed, from any source.
func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"a\tb\nc", "a\tb\nc"},
		{"\r\x1b[K30%", "\r\x1b[K30%"},
		{"a\rb\x1b[2K", "ab"},
		{"\x1b[1;31mx\x1b[0m", "\x1b[1;31mx\x1b[0m"},
		{"\x1b]52;c;eA==\x07x\x1b]0;t\x1b\\", "x"},
		{"\x1b]8;id=1;https://a.example/b\x07x\x1b]8;;\x07", "\x1b]8;id=1;https://a.example/b\x07x\x1b]8;;\x07"},
		{"\x1b]8;;javascript:alert(1)\x07x", "x"},
		{"\x1b]8;;file:///etc/passwd\x1b\\x", "x"},
		{"\x1b]8;;ssh://host\x07x", "x"},
		{"\x1b]8;;HTTPS:x\x07x", "x"},
		{"a\u202eb\u2028c\U000e0041d\u061ce", "ab cde"},
		{"\x1b]52;c;half", "]52;c;half"},
	} {
		if got := Terminal(tt.in); got != tt.want {
			t.Errorf("Terminal(%q) = %q, not %q", tt.in, got, tt.want)
		}
	}
}
