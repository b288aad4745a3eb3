package process

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
)

// Tokens estimates how many tokens of a language model a text takes: an ASCII
// byte counts a quarter; a letter of another alphabet (accented Latin, Greek,
// Cyrillic, Arabic …) a half; a Han, Kana or Hangul character, any other sign
// and any byte that is no UTF-8 one. The sum is rounded up.
//
// Models differ by a third in either direction. All budgets use this estimate, so
// that equal inputs give equal answers with every model.
func Tokens(s string) int { return (quarters(s) + 3) / 4 }

// quarters is Tokens in quarters, which add up without rounding.
func quarters(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if (unicode.IsLetter(r) || unicode.IsMark(r)) && !isCJK(r) {
			n += 2
		} else {
			n += 4
		}
		i += size
	}
	return n
}

// estimateOverhead is the default for Options.Overhead: the fixed text of the final
// block and each document's names, twice where the header may repeat them, with
// control characters in their longest form.
func estimateOverhead(docs []contract.Extracted) int {
	const fixed, each = 100, 40
	n := fixed
	for _, d := range docs {
		n += each + Tokens(d.URL) + Tokens(d.FilePath) + 2*Tokens(d.DocSet+d.Version+d.FilePath+d.Title)
	}
	return n
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
