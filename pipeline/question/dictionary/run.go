package dictionary

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a stretch of text is to a dictionary.
type kind uint8

const (
	gap        kind = iota // punctuation, space, bytes that are not UTF-8
	ideographs             // text without spaces between its words
	letters                // one word or identifier, with the marks inside it
)

// unspacedScript is the characters that a language writes without spaces, nil for one
// that has spaces.
func (d *Dictionary) unspacedScript() func(rune) bool {
	switch d.language {
	case "zh":
		return isHanRune
	case "ja":
		return isJapanese
	}
	return nil
}

func isHanRune(r rune) bool { return r >= 0x2e80 && (unicode.Is(unicode.Han, r) || r == '〇') }

func isJapanese(r rune) bool {
	return isHanRune(r) || r == 'ー' || r == '々' || unicode.In(r, unicode.Hiragana, unicode.Katakana)
}

// scriptRun says where the stretch that begins at i ends, and what it is.
func scriptRun(text string, i int, script func(rune) bool) (int, kind) {
	r, size := utf8.DecodeRuneInString(text[i:])
	if script != nil && script(r) {
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !script(r) {
				break
			}
			end += size
		}
		return end, ideographs
	}
	if isWord(r, script) {
		return wordEnd(text, i, script), letters
	}
	// --flag, $VAR, .gitignore, /path, @scope: the mark belongs to what follows.
	if strings.ContainsRune("-$./@~", r) && !wordBefore(text, i) {
		j := i + size
		for j < len(text) && strings.IndexByte("-./", text[j]) >= 0 {
			j++
		}
		if next, _ := utf8.DecodeRuneInString(text[j:]); j < len(text) && isWord(next, script) {
			if j-i == 1 && r == '-' { // a dash before a word, not a flag
				return j, gap
			}
			return wordEnd(text, j, script), letters
		}
	}
	return i + size, gap
}

func wordBefore(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return i > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isJapanese(r)
}

func isWord(r rune, script func(rune) bool) bool {
	if script != nil && script(r) {
		return false
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}

// wordEnd is where the word at i ends: marks that join identifiers belong to
// it between two letters.
func wordEnd(text string, i int, script func(rune) bool) int {
	end := i
	for j := i; j < len(text); {
		r, size := utf8.DecodeRuneInString(text[j:])
		switch {
		case isWord(r, script) || r == '\u00ad':
			j += size
			end = j
			continue
		case strings.ContainsRune("-_./:@$'’ʼ#=", r):
			j += size
			if strings.HasPrefix(text[j:], ":") {
				j++
			}
			if next, _ := utf8.DecodeRuneInString(text[j:]); j < len(text) && isWord(next, script) {
				continue
			}
		case r == '+' && strings.HasPrefix(text[j:], "++"):
			return j + 2
		}
		break
	}
	return end
}

// isIdentifier reports whether a word is written as code is and prose is not.
func isIdentifier(w string) bool {
	if strings.ContainsAny(w, "_./:@$#=+0123456789") || strings.HasPrefix(w, "-") {
		return true
	}
	lower := false
	for _, r := range w {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
