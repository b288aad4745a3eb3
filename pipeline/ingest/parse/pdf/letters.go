package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters puts what PDFs write for typography into plain characters.
var letters = strings.NewReplacer(
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st",
	"\u0131\u0308", "ï", "\u0131\u0301", "í", "\u0131\u0300", "ì", "\u0131\u0302", "î", // accents on the dotless i
	"\uf0b7", "•", "\uf0a7", "▪", "\uf0d8", "➢", "\uf0fc", "✓", "\uf02d", "-", // bullets of the font Symbol
	"\u00a0", " ", "\u2009", " ", "\u200b", "", "\ufeff", "",
)

// cleanWord is a word without control characters, its ligatures taken apart.
func cleanWord(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] < 0x20 || s[i] == 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	s = letters.Replace(strings.ToValidUTF8(s, "\uFFFD"))
	if n := strings.IndexRune(s, '\u00ad'); n >= 0 && len(s) > 2 { // one at the end of a word divides it
		body, end := strings.CutSuffix(s, "\u00ad")
		if s = strings.ReplaceAll(body, "\u00ad", ""); end {
			s += "\u00ad"
		}
	} else if n >= 0 { // some programs write minus so
		s = "-"
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(norm.NFC.String(s))
}

// oddLetters counts the characters of a word, and those that stand for glyphs whose
// meaning the file does not say: a text of those is none.
func oddLetters(s string) (all, odd int) {
	for _, r := range s {
		all++
		if r == utf8.RuneError || r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 {
			odd++
		}
	}
	return all, odd
}

// comparableText is a text as headings and lines of an outline are compared: its letters and
// digits in lower case.
func comparableText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// hasLetters reports whether a text has at least n letters.
func hasLetters(s string, n int) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			if n--; n <= 0 {
				return true
			}
		}
	}
	return n <= 0
}
