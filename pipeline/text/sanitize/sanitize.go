// Package sanitize removes from text what would steer a terminal: control
// sequences, control characters, and characters that change the direction of
// writing. Text from documents, paths, errors and models passes through it
// before a door shows it to a person.
//
// It refuses to know where the text goes: the caller chooses the function.
// Line and Text are for screens that lay text out themselves. Plain is for the
// clipboard. Visible is for lines that a command prints: of a sequence, only
// the characters that a terminal obeys are removed, so that a person sees that
// something was there. Blank keeps the number of characters, for reports that
// compare lines.
//
// Markdown, HTML and prompts have other dangers; their own packages deal with
// those.
package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Line makes one clean line: line breaks and tabs become spaces. Invalid UTF-8
// becomes U+FFFD.
func Line(s string) string {
	if plainLine(s) {
		return s
	}
	return cleanRunes(s, func(b *strings.Builder, r rune) {
		switch r {
		case '\n', '\t', '\u2028', '\u2029':
			b.WriteByte(' ')
		case emojiStyle:
		default:
			b.WriteRune(r)
		}
	}, false)
}

// tabWidth is what a tab becomes on the screen; the columns of a terminal's own
// tabs do not survive being put into a pane.
const tabWidth = 4

// emojiStyle is the variation selector that asks for a coloured, wide glyph.
// Terminals disagree about its width, so the screen does without it.
const emojiStyle = '\ufe0f'

// Text makes clean text of several lines for the screen: tabs become spaces.
func Text(s string) string {
	return cleanRunes(s, func(b *strings.Builder, r rune) {
		switch r {
		case '\t':
			b.WriteString("    "[:tabWidth])
		case emojiStyle:
		case '\u2028', '\u2029':
			b.WriteByte('\n')
		default:
			b.WriteRune(r)
		}
	}, false)
}

// Plain removes what Text removes and changes nothing else: line feeds, tabs
// and every other byte stay.
func Plain(s string) string {
	return cleanRunes(s, func(b *strings.Builder, r rune) { b.WriteRune(r) }, true)
}

// Visible removes unsafe characters only. The printable rest of a control
// sequence stays. Unicode's line separators become spaces, invalid UTF-8 U+FFFD.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case Unsafe(r):
			return -1
		case separator(r):
			return ' '
		}
		return r
	}, s)
}

// Blank replaces unsafe characters, line breaks and tabs by spaces. Invalid
// UTF-8 becomes U+FFFD.
func Blank(s string) string {
	return strings.Map(func(r rune) rune {
		if Unsafe(r) || r == '\n' || r == '\t' || separator(r) {
			return ' '
		}
		return r
	}, s)
}

// plainLine reports whether nothing can need cleaning: the fast way out for the
// thousands of titles and headings that are printable ASCII.
func plainLine(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// cleanRunes drops terminal control sequences and unsafe characters and gives the
// rest to put. Bytes that are no UTF-8 are kept when keepInvalid is set, except
// those that an 8-bit terminal takes for control characters.
func cleanRunes(s string, put func(*strings.Builder, rune), keepInvalid bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if n := Sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			if !keepInvalid {
				b.WriteRune(utf8.RuneError)
			} else if s[i] >= 0xa0 {
				b.WriteByte(s[i])
			}
		case Unsafe(r):
		default:
			put(&b, r)
		}
		i += size
	}
	return b.String()
}

// Unsafe reports whether a character must not reach a terminal: control characters except
// line feed and tab, and the characters that turn the direction of writing (Boucher and
// Anderson, "Trojan Source", 2021). A byte order mark is dropped too, and so are tag
// characters, which write invisible text. Joiners and variation selectors are text and
// stay.
func Unsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c || r == 0x200e || r == 0x200f || r == 0xfeff:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// separator reports whether a character is a line break that not every program takes for
// one.
func separator(r rune) bool { return r == '\u2028' || r == '\u2029' }

// Sequence is the length of the terminal control sequence that s begins with, 0 for none
// (ECMA-48, sections 5.3 to 5.6). A sequence that does not end on its line does not
// count: only its first character is unsafe, and the text behind it is kept rather than
// swallowed.
func Sequence(s string) int {
	if s == "" {
		return 0
	}
	kind, start := byte(0), 0
	switch {
	case s[0] == 0x1b && len(s) > 1:
		kind, start = s[1], 2
	case s[0] == 0xc2 && len(s) > 1 && s[1] >= 0x80 && s[1] < 0xa0: // C1 in UTF-8
		kind, start = s[1]-0x40, 2
		if kind != '[' && !opensString(kind) {
			return 0
		}
	default:
		return 0
	}
	switch {
	case kind == '[':
		return controlSequence(s, start)
	case opensString(kind):
		return controlString(s, start)
	case kind >= 0x20 && kind <= 0x2f: // intermediates, then a final character
		for i := start; i < len(s); i++ {
			switch {
			case s[i] >= 0x20 && s[i] <= 0x2f:
			case s[i] >= 0x30 && s[i] <= 0x7e:
				return i + 1
			default:
				return 0
			}
		}
		return 0
	case kind >= 0x30 && kind <= 0x7e:
		return start
	}
	return 0
}

// opensString reports whether ESC and this character open DCS, SOS, OSC, PM, APC.
func opensString(kind byte) bool { return strings.IndexByte("PX]^_", kind) >= 0 }

func controlSequence(s string, i int) int {
	for i < len(s) && s[i] >= 0x30 && s[i] <= 0x3f {
		i++
	}
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		return i + 1
	}
	return 0
}

func controlString(s string, i int) int {
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			return 0
		case s[i] == 0x07:
			return i + 1
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
			return i + 2
		case s[i] == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			return i + 2
		}
	}
	return 0
}

// IsStyle reports whether a control sequence styles text (SGR) and does nothing else.
func IsStyle(seq string) bool {
	if len(seq) < 3 || seq[0] != 0x1b || seq[1] != '[' || seq[len(seq)-1] != 'm' {
		return false
	}
	for _, c := range []byte(seq[2 : len(seq)-1]) {
		if (c < '0' || c > '9') && c != ';' && c != ':' {
			return false
		}
	}
	return true
}
