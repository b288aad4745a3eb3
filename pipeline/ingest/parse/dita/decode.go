package dita

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"docent/pipeline/text/pattern"
)

// declaration is the XML declaration at the beginning of a file.
var declaration = pattern.Lazy(`^\s*<\?xml\s[^>]*?\?>`)

// declared is the encoding that an XML declaration names.
var declared = pattern.Lazy(`encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// decode gives the text of a file as UTF-8 without a byte order mark and without
// characters that XML does not allow, line for line, and a warning about a guess. It
// returns a part of src where nothing needs to change.
func decode(src []byte) (text []byte, warning string) {
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}):
		return clean(utf16Text(src[2:], binary.LittleEndian)), ""
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		return clean(utf16Text(src[2:], binary.BigEndian)), ""
	case bytes.HasPrefix(src, []byte{'<', 0}):
		return clean(utf16Text(src, binary.LittleEndian)), ""
	case bytes.HasPrefix(src, []byte{0, '<'}):
		return clean(utf16Text(src, binary.BigEndian)), ""
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	name := ""
	if m := declared().FindSubmatch(declaration().Find(src[:min(len(src), 1000)])); m != nil {
		name = strings.ToLower(string(m[1]))
	}
	switch name {
	case "iso-8859-1", "iso8859-1", "latin1", "iso-8859-15", "windows-1252", "cp1252":
		return clean(westernText(src)), ""
	}
	if utf8.Valid(src) {
		return clean(src), ""
	}
	if name == "" || name == "utf-8" || name == "utf8" || name == "us-ascii" {
		return clean(westernText(src)), "it is not UTF-8 and is read as Windows-1252; save it as UTF-8"
	}
	return clean(westernText(src)), "its encoding " + name + " is not known here and it is read as Windows-1252; save it as UTF-8"
}

func utf16Text(src []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(src)/2)
	for i := 0; i+1 < len(src); i += 2 {
		units = append(units, order.Uint16(src[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// western has the characters 0x80 to 0x9f of Windows-1252, of which ISO 8859-1 makes
// control characters that no page means.
const western = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func westernText(src []byte) []byte {
	high := []rune(western)
	out := make([]byte, 0, len(src)+len(src)/16)
	for _, c := range src {
		switch {
		case c < 0x80:
			out = append(out, c)
		case c < 0xa0:
			out = utf8.AppendRune(out, high[c-0x80])
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return out
}

// forbidden reports whether XML does not allow a character.
func forbidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// clean puts spaces in place of the characters that XML does not allow.
func clean(text []byte) []byte {
	if bytes.IndexFunc(text, forbidden) < 0 {
		return text
	}
	return bytes.Map(func(r rune) rune {
		if forbidden(r) {
			return ' '
		}
		return r
	}, text)
}
