package uploads

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// longestWord is the length of the longest word in a script that parts words by spaces.
// Longer runs of letters are keys, hashes or coded data.
const longestWord = 40

// unspaced are scripts that write words without spaces between them.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar}

// measure counts the visible characters of a text, and measures its noise: the share of
// them that belong to no word. A word is a run of letters, digits and their marks of at
// most 40 characters, or of any length in scripts that write without spaces. Characters
// that could not be read (U+FFFD) and those of private use are in no word. Prose has a
// noise of .03, program text .3, a page of rules and boxes over .9.
func measure(text []byte) (visible int, noise float64) {
	words, run, long := 0, 0, false
	end := func() {
		if run <= longestWord || long {
			words += run
		}
		run, long = 0, false
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if unicode.IsSpace(r) {
			end()
			continue
		}
		if !unicode.IsGraphic(r) && r != utf8.RuneError && !unicode.Is(unicode.Co, r) {
			continue // not visible
		}
		visible++
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) {
			run++
			long = long || unicode.In(r, unspaced...)
			continue
		}
		end()
	}
	end()
	if visible == 0 {
		return 0, 1
	}
	return visible, 1 - float64(words)/float64(visible)
}

// innerSpaces counts the runs of white space within a text: however long one is, it parts
// two words.
func innerSpaces(text []byte) int { return max(0, len(bytes.Fields(text))-1) }

// CheckText reports whether a file's text is enough to be a page: MinText characters, with
// the spaces between them. The error is a *FormatError.
func CheckText(text []byte) error {
	visible, noise := measure(text)
	length := 0
	if visible > 0 {
		length = visible + innerSpaces(text)
	}
	switch {
	case length < MinText:
		return &FormatError{fmt.Sprintf("it has %d characters of text, and a document has at least %d", length, MinText)}
	case noise > MaxNoise:
		return &FormatError{fmt.Sprintf("%.0f %% of its text is noise: characters that belong to no word; at most %.0f %% may be",
			100*noise, 100*MaxNoise)}
	}
	return nil
}
