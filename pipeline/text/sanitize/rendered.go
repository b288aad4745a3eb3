package sanitize

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// KeepStyles cleans the output of a renderer, which may hold control characters
// again: the renderer turns Markdown's character references into characters.
// Sequences that style text (SGR) stay when styled is set; all others go.
func KeepStyles(s string, styled bool) string {
	return keepSafe(s, func(seq string) bool { return styled && IsStyle(seq) }, "    "[:tabWidth])
}

// Terminal is the last look at what a command prints on a terminal, whatever made it:
// styles, links to web pages and the erasing of a line pass, and every other sequence
// and unsafe character goes. Tabs stay.
func Terminal(s string) string {
	return keepSafe(s, func(seq string) bool { return IsStyle(seq) || isLink(seq) }, "\t")
}

// erase goes back to the beginning of the line and erases it.
const erase = "\r\x1b[K"

// keepSafe drops unsafe characters and the sequences that pass does not want.
func keepSafe(s string, pass func(seq string) bool, tab string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if tab == "\t" && strings.HasPrefix(s[i:], erase) {
			b.WriteString(erase)
			i += len(erase)
			continue
		}
		if n := Sequence(s[i:]); n > 0 {
			if seq := s[i : i+n]; pass(seq) {
				b.WriteString(seq)
			}
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\t':
			b.WriteString(tab)
		case separator(r):
			b.WriteByte(' ')
		case !Unsafe(r):
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// isLink reports whether a sequence begins or ends a hyperlink (OSC 8) that leads to a web
// page. A terminal may run a program for another scheme: javascript:, file:, ssh:.
func isLink(seq string) bool {
	body, ok := strings.CutPrefix(seq, "\x1b]8;")
	if !ok {
		return false
	}
	body = strings.TrimSuffix(strings.TrimSuffix(body, "\x07"), "\x1b\\")
	_, target, ok := strings.Cut(body, ";")
	if !ok || strings.ContainsFunc(target, Unsafe) {
		return false
	}
	if target == "" {
		return true
	}
	u, err := url.Parse(target)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// References replaces numeric character references to characters that Text removes by
// U+FFFD. A Markdown renderer would turn them into those characters again.
func References(s string) string {
	if !strings.Contains(s, "&#") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "&#")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		n, r := reference(s[i:])
		if text := string(r); n > 0 && r != '\n' && r != '\t' && Line(text) != text {
			b.WriteString("\uFFFD")
			s = s[i+n:]
			continue
		}
		b.WriteString("&#")
		s = s[i+2:]
	}
}

// reference reads a reference such as "&#27;" or "&#x1b;". It returns its length, or 0,
// and its character.
func reference(s string) (int, rune) {
	i, base := 2, rune(10)
	if i < len(s) && (s[i] == 'x' || s[i] == 'X') {
		i, base = 3, 16
	}
	from, r := i, rune(0)
	for ; i < len(s) && i-from < 8; i++ {
		d := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if s[i] < '0' || d < 0 || rune(d) >= base {
			break
		}
		r = min(r*base+rune(d), 0x110000)
	}
	if i == from || i >= len(s) || s[i] != ';' {
		return 0, 0
	}
	return i + 1, r
}
