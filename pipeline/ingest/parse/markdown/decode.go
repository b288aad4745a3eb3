package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"fmt"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/decode"
)

var bomUTF8 = []byte("\xef\xbb\xbf")

// toUTF8 returns the source as UTF-8 with "\n" line endings and without a byte order
// mark, line for line, and warnings about guesses. If nothing needs to change, it
// returns src or a part of it.
func toUTF8(src []byte) (out []byte, warnings []string) {
	if text, big, ok := decode.DecodeUTF16(src); ok {
		return wideText(src, text, big)
	}
	if bytes.HasPrefix(src, bomUTF8) {
		return decodeBytes(src[len(bomUTF8):], len(bomUTF8))
	}
	return decodeBytes(src, 0)
}

// wideText finishes the decoded text of a page in UTF-16.
func wideText(src, text []byte, big bool) ([]byte, []string) {
	name := "UTF-16LE"
	if big {
		name = "UTF-16BE"
	}
	if len(src)%2 == 1 { // half a unit
		if last := rune(src[len(src)-1]); !big {
			text = utf8.AppendRune(text, last)
		} else if last != 0 {
			text = utf8.AppendRune(text, utf8.RuneError)
		}
	}
	// Elsewhere lines are counted by bytes 0x0A of the source. A character such as
	// U+0A05 has such a byte too, and then the lines do not correspond.
	if bytes.Count(text, []byte{'\n'}) != bytes.Count(src, []byte{'\n'}) {
		out, more := decodeBytes(src[2:], 2)
		return out, append([]string{"the page is " + name + " and could not be decoded line by line; convert it to UTF-8"}, more...)
	}
	out, more := decodeBytes(text, 0)
	return out, append([]string{"the page is " + name + "; convert it to UTF-8 so that offsets in it mean characters"}, more...)
}

// decodeBytes decodes text that is mostly UTF-8 and begins at an offset of the page.
func decodeBytes(in []byte, offset int) ([]byte, []string) {
	if bytes.IndexByte(in, '\r') < 0 && bytes.IndexByte(in, 0) < 0 && utf8.Valid(in) {
		return in, nil
	}
	out := make([]byte, 0, len(in)+len(in)/16)
	var bad, nul, cr oddity
	lineStart := 0 // in out
	lineCR := false
	for i := 0; i < len(in); {
		c := in[i]
		switch {
		case c == '\r':
			j := i
			for j < len(in) && in[j] == '\r' {
				j++
			}
			if j == len(in) || in[j] == '\n' {
				i = j // part of the line's end
				continue
			}
			cr.note(offset + i)
			lineCR = true
			out = append(out, ' ')
			i++
		case c == '\n':
			out = escapeHeading(out, lineStart, lineCR)
			out = append(out, '\n')
			lineStart, lineCR = len(out), false
			i++
		case c == 0:
			nul.note(offset + i)
			out = utf8.AppendRune(out, utf8.RuneError) // as CommonMark 2.3 says
			i++
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(in[i:])
			if r == utf8.RuneError && n <= 1 {
				bad.note(offset + i)
				// Most stray bytes in documentation are Latin-1 letters.
				if c < 0xa0 {
					r = utf8.RuneError
				} else {
					r = rune(c)
				}
				out = utf8.AppendRune(out, r)
				i++
				continue
			}
			out = append(out, in[i:i+n]...)
			i += n
		}
	}
	out = escapeHeading(out, lineStart, lineCR)
	var warnings []string
	warnings = bad.warnOdd(warnings, "not UTF-8")
	warnings = nul.warnOdd(warnings, "NUL")
	warnings = cr.warnOdd(warnings, "a lone carriage return, which ends no line")
	return out, warnings
}

// escapeHeading makes a paragraph of a heading line with lone carriage returns: a page
// with CR line endings would be one heading.
func escapeHeading(out []byte, start int, lineCR bool) []byte {
	if !lineCR {
		return out
	}
	p := start + dialect.IndentBytes(out[start:])
	if p >= len(out) || out[p] != '#' {
		return out
	}
	out = append(out, 0)
	copy(out[p+1:], out[p:])
	out[p] = '\\'
	return out
}

// oddity counts one kind of invalid bytes and keeps the first one's offset.
type oddity struct {
	count, first int
}

func (o *oddity) note(offset int) {
	if o.count == 0 {
		o.first = offset
	}
	o.count++
}

func (o *oddity) warnOdd(warnings []string, what string) []string {
	switch o.count {
	case 0:
		return warnings
	case 1:
		return append(warnings, fmt.Sprintf("the byte at offset %d is %s", o.first, what))
	}
	return append(warnings, fmt.Sprintf("%d bytes are %s, the first at offset %d", o.count, what, o.first))
}
