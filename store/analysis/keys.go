package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	leastNameWords = 4
	mostNameWords  = 24
	mostNameBytes  = 512
	namePrefix     = "="
	mostShortBytes = 24
)

// NameTerm is the one term of a whole heading: its words unchanged, stop words too,
// without the signs between them. A question that is a heading word for word finds it by
// this term, even where all its words are stop words. It is empty for a text without
// words or with too few or too many, and equal to no other term.
func NameTerm(text string) string {
	if len(text) > mostNameBytes {
		return ""
	}
	var b strings.Builder
	n := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n++; n > mostNameWords {
			return ""
		}
		if n > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(w))
	}
	if n < leastNameWords {
		return ""
	}
	return namePrefix + b.String()
}

// IsNameTerm reports whether a term is one of NameTerm's.
func IsNameTerm(term string) bool { return strings.HasPrefix(term, namePrefix) }

// AbbreviationKey is what a short form is looked up by: its lower case, without a
// plural's s; empty for a word that is too long.
func AbbreviationKey(short string) string {
	if len(short) > mostShortBytes {
		return ""
	}
	if n := len(short) - 1; utf8.RuneCountInString(short) > 2 && short[n] == 's' {
		if r, _ := utf8.DecodeLastRuneInString(short[:n]); unicode.IsUpper(r) {
			short = short[:n]
		}
	}
	return strings.ToLower(short)
}

// LongFormKey is what a long form is looked up by: the terms of its words, which
// "PersistentVolumeClaims" shares with "persistent volume claim".
func LongFormKey(a *Analyzer, long string) string {
	var words []string
	a.EachToken(long, func(t Token) {
		if t.Kind == Word {
			words = append(words, t.Term)
		}
	})
	return strings.Join(words, " ")
}
