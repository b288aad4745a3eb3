package usage

import (
	"strings"
	"unicode"
)

// strength says how much a name tells by itself.
type strength int

const (
	single  strength = iota // a word that anything may be called
	double                  // two words, which several products may have
	several                 // more words, all of them short
	telling                 // a long name of several words
)

// The letters from which a name of as many words is telling, and those from which it is
// several words and not as short as isNaN.
const (
	shortTriple = 9

	longSingle = 18
	longDouble = 16
	longTriple = 16
)

// strengthOf is the strength of a name.
func strengthOf(name string) strength {
	words, letters := wordsOf(name)
	switch {
	case words >= 3 && letters >= longTriple, words == 2 && letters >= longDouble, letters >= longSingle:
		return telling
	case words >= 3 && letters >= shortTriple:
		return several
	case words >= 2:
		return double
	}
	return single
}

// wordsOf counts the words of a name, which signs and capitals part, and its letters.
func wordsOf(name string) (words, letters int) {
	before := ' '
	for _, r := range name {
		isLetter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if isLetter {
			letters++
		}
		begins := isLetter && !unicode.IsLetter(before) && !unicode.IsDigit(before) || unicode.IsUpper(r) && unicode.IsLower(before)
		if begins {
			words++
		}
		before = r
	}
	return words, letters
}

// lastPart is the last part of a dotted name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
