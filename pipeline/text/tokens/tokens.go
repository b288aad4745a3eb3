// Package tokens estimates how many tokens of a language model a text takes. It refuses to
// know any model: all budgets use one estimate, so that equal inputs give equal answers.
package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count estimates the tokens of a text: an ASCII byte counts a quarter; a letter of
// another alphabet (accented Latin, Greek, Cyrillic, Arabic …) a half; a Han, Kana or
// Hangul character, any other sign and any byte that is no UTF-8 one. The sum is rounded
// up. Models differ by a third in either direction.
func Count(s string) int { return (Quarters(s) + 3) / 4 }

// Quarters is Count in quarters, which add up without rounding.
func Quarters(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if (unicode.IsLetter(r) || unicode.IsMark(r)) && !IsEastAsian(r) {
			n += 2
		} else {
			n += 4
		}
		i += size
	}
	return n
}

// IsEastAsian reports whether a rune is of the Chinese, Japanese or Korean scripts.
func IsEastAsian(r rune) bool {
	return r >= 0x1100 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) ||
		unicode.Is(unicode.Katakana, r) || unicode.Is(unicode.Hangul, r))
}

// ShortenTo is the beginning of a text that takes so many tokens at most.
func ShortenTo(text string, most int) string {
	for Count(text) > most {
		text = strings.ToValidUTF8(text[:len(text)*7/8], "")
	}
	return text
}
