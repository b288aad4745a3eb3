package dita

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/text/pattern"
)

// declaration is the XML declaration at the beginning of a file.
var declaration = pattern.Lazy(`^\s*<\?xml\s[^>]*?\?>`)

// declared is the encoding that an XML declaration names.
var declared = pattern.Lazy(`encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// toUTF8 gives the text of a file as UTF-8 without a byte order mark and without
// characters that XML does not allow, line for line, and a warning about a guess. It
// returns a part of src where nothing needs to change.
func toUTF8(src []byte) (text []byte, warning string) {
	if wide, _, ok := decode.DecodeUTF16(src); ok {
		return cleanXML(wide), ""
	}
	if big := bytes.HasPrefix(src, []byte{0, '<'}); big || bytes.HasPrefix(src, []byte{'<', 0}) {
		return cleanXML(decode.DecodeUnits(src, big)), ""
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	name := ""
	if m := declared().FindSubmatch(declaration().Find(src[:min(len(src), 1000)])); m != nil {
		name = strings.ToLower(string(m[1]))
	}
	switch name {
	case "iso-8859-1", "iso8859-1", "latin1", "iso-8859-15", "windows-1252", "cp1252":
		return cleanXML(decode.Western(src)), ""
	}
	if utf8.Valid(src) {
		return cleanXML(src), ""
	}
	if text, as, known := decode.ToUTF8(src); known && as != "utf-8" {
		return cleanXML(text), ""
	}
	if name == "" || name == "utf-8" || name == "utf8" || name == "us-ascii" {
		return cleanXML(decode.Western(src)), "it is not UTF-8 and is read as Windows-1252; save it as UTF-8"
	}
	return cleanXML(decode.Western(src)), "its encoding " + name + " is not known here and it is read as Windows-1252; save it as UTF-8"
}

// forbidden reports whether XML does not allow a character.
func forbidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// cleanXML puts spaces in place of the characters that XML does not allow.
func cleanXML(text []byte) []byte {
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
