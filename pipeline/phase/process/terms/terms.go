// Package terms cuts text into the words by which phase 3 scores the parts of a page, where no
// analyzer is given, and tells those that mean nothing for the score. It refuses to stem, and to know
// an index.
package terms

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/wordlist"
	"docent/pipeline/text/tokens"
)

// Split gives the terms of a text. Words are lower-cased and lose a plural s.
// An identifier (letters and digits joined by one of _ . - / : @, a flag's leading
// dashes included) gives the whole identifier and its parts. A run of Han, Kana or
// Hangul gives overlapping bigrams; a single character is a term.
func Split(text string) []string {
	out := make([]string, 0, len(text)/6)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case tokens.IsEastAsian(r):
			i, out = wordBigrams(text, i, out)
		case isWordRune(r):
			start := i
			i, out = identifier(text, i, out)
			if flag := strings.TrimRight(text[:start], "-"); len(flag) < start && start-len(flag) <= 2 &&
				(flag == "" || strings.HasSuffix(flag, " ") || strings.HasSuffix(flag, "`")) {
				out = append(out, strings.ToLower(text[len(flag):i]))
			}
		default:
			i += n
		}
	}
	return out
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !tokens.IsEastAsian(r)
}

func wordBigrams(text string, i int, out []string) (int, []string) {
	before, start := -1, i
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !tokens.IsEastAsian(r) {
			break
		}
		if before >= 0 {
			out = append(out, text[before:i+n])
		}
		before = i
		i += n
	}
	if before == start {
		out = append(out, text[start:i])
	}
	return i, out
}

// identifier reads from i, where a word begins.
func identifier(text string, i int, out []string) (int, []string) {
	start, part, parts := i, i, 0
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if isWordRune(r) {
			i += n
			continue
		}
		if next, _ := utf8.DecodeRuneInString(text[min(i+n, len(text)):]); strings.ContainsRune("_.-/:@", r) && isWordRune(next) {
			out = append(out, normalWord(text[part:i]))
			parts++
			i += n
			part = i
			continue
		}
		break
	}
	out = append(out, normalWord(text[part:i]))
	if parts > 0 {
		out = append(out, strings.ToLower(text[start:i]))
	}
	return i, out
}

// normalWord lower-cases a word and removes a plural s, so that "hooks" matches "hook".
func normalWord(w string) string {
	w = strings.ToLower(w)
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' {
		return w[:n-1]
	}
	return w
}

// stopWord are words without meaning for the score, in the forms that word returns.
const stopWord wordlist.Rule = "process/stop"

// IsStop reports whether a term means nothing for the score.
func IsStop(term string) bool { return stopTerms()[term] }

var stopTerms = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range stopWord.Phrases() {
		out[w] = true
	}
	return out
})
