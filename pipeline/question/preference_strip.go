package question

import (
	"strings"
	"unicode"

	"docent/pipeline/question/wordlist"
)

// preferring matches words of a preference, each with the words that negate or introduce it.
var preferring = wordlist.Compile("preference", `(?i)<strip>`)

// WithoutPreference removes from a question the words that ask for the full or the
// compressed text: they are about the form of the answer, not its subject. A question
// that asks for neither, or that is about compression, is unchanged.
func WithoutPreference(text string) string {
	if full, compress := Preference(text); !full && !compress {
		return text
	}
	rest := strings.TrimFunc(preferring().ReplaceAllString(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:，；：、", r)
	})
	if r, ok := strings.CutPrefix(rest, "of "); ok {
		rest = r // of "summary of hooks"
	}
	if !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return text
	}
	if full, compress := Preference(rest); full || compress {
		return text
	}
	return rest
}
