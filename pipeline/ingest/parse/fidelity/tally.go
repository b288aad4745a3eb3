package fidelity

import (
	"bytes"
	"html"
	"math/bits"
	"strconv"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// Bounds of the table of words: its memory is four bytes a place.
const (
	leastPlaces = 1 << 12
	mostPlaces  = 1 << 22
)

// tally counts words. It first takes in those of a rendition, and then compares those of
// the source with them.
type tally struct {
	places  []int32 // how often the words of a place may still be found
	shift   int     // of a hash, to the place
	reading bool    // words are those of the rendition
	hyphens bool    // a hyphen at the end of a line divides a word
	count   doc.WordCount
	// lost receives the words that do not arrive, nil: nothing keeps them.
	lost func(word string)
	word []byte // where lost is set

	// The word that is being read.
	hash   uint64
	length int
	letter bool
	hyphen bool // it has a hyphen, behind which nothing but white space was read
}

// newTally is a tally with the words of a rendition.
func newTally(text []byte, hyphens bool) *tally {
	places := min(max(leastPlaces, 2*len(text)), mostPlaces)
	size := bits.Len(uint(places - 1))
	t := &tally{places: make([]int32, 1<<size), shift: 64 - size, hyphens: hyphens, reading: true}
	t.resetWord()
	t.addText(text)
	t.endWord()
	t.reading = false
	return t
}

const (
	hashStart = 14695981039346656037 // FNV-1a
	hashPrime = 1099511628211
	hashMix   = 0x9E3779B97F4A7C15
)

func (t *tally) resetWord() {
	t.hash, t.length, t.letter, t.hyphen, t.word = hashStart, 0, false, false, t.word[:0]
}

// endWord counts the word that is being read.
func (t *tally) endWord() {
	if t.length == 0 {
		t.hyphen = false
		return
	}
	if t.letter || t.length > 1 {
		place := &t.places[(t.hash*hashMix)>>t.shift]
		switch {
		case t.reading:
			*place++
		default:
			t.count.Source++
			if *place > 0 {
				*place--
				t.count.Arrived++
			} else if t.lost != nil {
				t.lost(string(t.word))
			}
		}
	}
	t.resetWord()
}

func (t *tally) addByte(c byte) {
	t.hash = (t.hash ^ uint64(c)) * hashPrime
	t.length++
	if t.lost != nil {
		t.word = append(t.word, c)
	}
}

func (t *tally) addLetter(c byte) {
	t.letter, t.hyphen = true, false
	t.addByte(c)
}

func (t *tally) addString(s string) { t.addText([]byte(s)) }

// addText adds a text; a word may go on in the next one. Character references are read in
// it, in whatever format: both sides have them or neither.
func (t *tally) addText(text []byte) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z':
			t.addLetter(c)
		case c >= 'A' && c <= 'Z':
			t.addLetter(c + 'a' - 'A')
		case c >= '0' && c <= '9':
			t.hyphen = false
			t.addByte(c)
		case c == '*' || c == '_' || c == '`' || c == '\\': // markup in a word
		case c == '&':
			i += t.addReference(text[i:])
			continue
		case c >= utf8.RuneSelf:
			i += t.addRune(text[i:])
			continue
		case t.hyphens && c == '-' && t.length > 0:
			t.hyphen = true
		case t.hyphen && (c == ' ' || c == '\n'): // the word may go on in the next line
		default:
			t.endWord()
		}
		i++
	}
}

// addReference adds the character reference at the beginning of a text, or its "&", and
// returns the bytes that it takes.
func (t *tally) addReference(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), 34)], ';')
	if end < 2 {
		t.endWord()
		return 1
	}
	name := string(text[1:end])
	if name[0] == '#' {
		digits, base := name[1:], 10
		if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(digits, base, 21)
		if err != nil {
			t.endWord()
			return 1
		}
		t.addCharacter(rune(n))
		return end + 1
	}
	switch name {
	case "amp": // "&amp;lt;" is the text "&lt;", and so written in code
		t.endWord()
		if isReference(text[end+1:]) {
			return end + 1 + bytes.IndexByte(text[end+1:], ';')
		}
		return end + 1
	case "lt", "gt", "quot", "apos", "nbsp":
		t.endWord()
		return end + 1
	}
	decoded := html.UnescapeString("&" + name + ";")
	if decoded[0] == '&' {
		t.endWord()
		return 1
	}
	for _, r := range decoded {
		t.addCharacter(r)
	}
	return end + 1
}

// isReference reports whether a text goes on as a character reference does behind its "&".
func isReference(text []byte) bool {
	for i, c := range text[:min(len(text), 32)] {
		if c == ';' {
			return i > 0
		}
		if !isLetterByte(c) && (c < '0' || c > '9') && c != '#' {
			return false
		}
	}
	return false
}

// addRune adds the character at the beginning of a text beyond ASCII, and returns its
// bytes. A byte that is not UTF-8 is read as a western code page has it.
func (t *tally) addRune(text []byte) int {
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		r = rune(text[0])
	}
	t.addCharacter(r)
	return size
}

// addCharacter adds one character.
func (t *tally) addCharacter(r rune) {
	switch {
	case r < utf8.RuneSelf:
		t.addText([]byte{byte(r)})
	case r == 0xad || r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff: // not to be seen
	case r == 0x2010 || r == 0x2011: // hyphens
		t.addText([]byte{'-'})
	case r >= 0xfb00 && r <= 0xfb04: // ligatures of a font
		t.addString([]string{"ff", "fi", "fl", "ffi", "ffl"}[r-0xfb00])
	case unicode.Is(unicode.Mn, r):
	case r >= 0x2e80 && unicode.Is(unicode.Lo, r):
		t.endWord()
		t.addLetters(r)
		t.endWord()
	case unicode.IsLetter(r):
		t.addLetters(unicode.ToLower(r))
	case unicode.IsDigit(r):
		t.addLetters(r)
	default:
		t.endWord()
	}
}

// addLetters adds the bytes of a letter beyond ASCII.
func (t *tally) addLetters(r rune) {
	var b [utf8.UTFMax]byte
	for _, c := range b[:utf8.EncodeRune(b[:], r)] {
		t.addLetter(c)
	}
}
