// Package decode brings the text of files to UTF-8 where it is UTF-16 or in an encoding of
// older systems, over golang.org/x/text/encoding: by what the file declares, else by the
// letters of a few languages. It refuses to warn: each format has its own words for a guess.
package decode

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// DecodeUTF16 decodes a text that begins with the byte order mark of UTF-16, without the mark;
// ok is false for other texts.
func DecodeUTF16(src []byte) (text []byte, big, ok bool) {
	if len(src) < 2 || src[0]^src[1] != 0xff^0xfe || src[0] != 0xff && src[1] != 0xff {
		return nil, false, false
	}
	big = src[0] == 0xfe
	return DecodeUnits(src[2:], big), big, true
}

// DecodeUnits decodes the units of UTF-16, high bytes first if big. What is no character becomes
// U+FFFD, and half a unit at the end is left out.
func DecodeUnits(src []byte, big bool) []byte {
	order := unicode.LittleEndian
	if big {
		order = unicode.BigEndian
	}
	text, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(src[:len(src)&^1])
	if err != nil { // the decoder knows no errors
		return nil
	}
	return text
}

// Western decodes windows-1252. It has letters where ISO 8859-1 has control characters
// that no page means, and is the same elsewhere.
func Western(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/16)
	for _, c := range src {
		out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(c))
	}
	return out
}

// MendWindows1252 decodes UTF-8 in which some bytes are of windows-1252, and counts these.
func MendWindows1252(src []byte) (text []byte, stray int) {
	text = make([]byte, 0, len(src)+len(src)/16)
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			stray++
			r = charmap.Windows1252.DecodeByte(src[0])
		}
		text = utf8.AppendRune(text, r)
		src = src[n:]
	}
	return text, stray
}
