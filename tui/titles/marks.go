package titles

import (
	"slices"
	"unicode"
)

// MarkedLetters are the characters of a name, counted from 0, that words match, for
// showing them. Names are matched here character by character: small letters may
// have other lengths.
func MarkedLetters(name string, words []string) []int {
	text := []rune(name)
	for i, r := range text {
		text[i] = unicode.ToLower(r)
	}
	var out []int
	for _, w := range words {
		word := []rune(w)
		if at := indexOfWord(text, word); at >= 0 {
			for i := range word {
				out = append(out, at+i)
			}
			continue
		}
		var at []int
		k := 0
		for i, r := range text {
			if k < len(word) && r == word[k] && (k > 0 || i == 0 || !unicode.IsLetter(text[i-1]) && !unicode.IsDigit(text[i-1])) {
				at = append(at, i)
				k++
			}
		}
		if k == len(word) {
			out = append(out, at...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// indexOfWord is where a word stands, at the beginning of a word if it does so anywhere.
func indexOfWord(text, word []rune) int {
	at := -1
	for i := 0; i+len(word) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(word)], word) {
			continue
		}
		if i == 0 || !unicode.IsLetter(text[i-1]) && !unicode.IsDigit(text[i-1]) {
			return i
		}
		if at < 0 {
			at = i
		}
	}
	return at
}
