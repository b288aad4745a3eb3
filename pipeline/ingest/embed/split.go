package embed

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenThirds is how many thirds of a token a character is reckoned with. No model
// tells how it counts; this is more than those that people use make of
// documentation: three letters a token, where English has more than four, and a
// token for every sign and every Chinese or Japanese character or Korean
// syllable.
func tokenThirds(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		if r <= ' ' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return 1
		}
		return 3
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return 3
	case r > 0xffff:
		return 6
	case unicode.IsLetter(r):
		return 2
	}
	return 3
}

// estimateTokens is about how many tokens a text has, rather too many than too few.
func estimateTokens(text string) int {
	n := 0
	for _, r := range text {
		n += tokenThirds(r)
	}
	return (n + 2) / 3
}

// splitText cuts a text into parts of at most so many tokens and about the same
// size: between lines where that is possible, or else between words, or else
// anywhere. Joined, the parts are the text.
func splitText(text string, most int) []string {
	most = max(most, 2) // a character's most
	all := estimateTokens(text)
	if all <= most {
		return []string{text}
	}
	n := (all + most - 1) / most
	even := (all + n - 1) / n
	// Somewhat more than an equal share, so that the last part is no crumb.
	return packPieces(text, min(most, even+even/8), strings.SplitAfter(text, "\n"), func(line string) []string {
		return packPieces(line, most, strings.SplitAfter(line, " "), func(word string) []string {
			return packPieces(word, most, strings.Split(word, ""), nil)
		})
	})
}

// packPieces joins pieces as long as they have at most so many tokens together; a
// piece that has more by itself is cut by smaller.
func packPieces(text string, most int, pieces []string, smaller func(string) []string) []string {
	var out []string
	start, at, sum := 0, 0, 0
	end := func() {
		if at > start {
			out = append(out, text[start:at])
		}
		start, sum = at, 0
	}
	for _, p := range pieces {
		n := 0
		for _, r := range p {
			n += tokenThirds(r)
		}
		switch {
		case n > 3*most && smaller != nil:
			end()
			out = append(out, smaller(p)...)
			at += len(p)
			start = at
			continue
		case sum+n > 3*most:
			end()
		}
		sum += n
		at += len(p)
	}
	end()
	return out
}

// weightedMean is the mean of vectors by their weights, of length 1.
func weightedMean(vectors [][]float32, weights []int) []float32 {
	if len(vectors) == 1 {
		return vectors[0]
	}
	sums := make([]float64, len(vectors[0]))
	for i, v := range vectors {
		for j, x := range v {
			// The conversion keeps the product from being fused with the sum, which
			// not every machine does.
			sums[j] += float64(float64(x) * float64(weights[i]))
		}
	}
	squares := 0.0
	for _, x := range sums {
		squares += float64(x * x)
	}
	if squares == 0 { // the parts are opposites
		return vectors[0]
	}
	out := make([]float32, len(sums))
	for j, x := range sums {
		out[j] = float32(x / math.Sqrt(squares))
	}
	return out
}

// cosineOfUnitVectors is that of the angle between two vectors of length 1; -1 where they
// have not the same dimension.
func cosineOfUnitVectors(a, b []float32) float64 {
	if len(a) != len(b) {
		return -1
	}
	sum := 0.0
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return sum
}
