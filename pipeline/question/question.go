// Package question reads a question: it cleans and shortens it, and finds its
// language, its tokens, the doc sets that it names, and its preferences about the
// length of the answer. All phases share it, so that they read a question alike.
//
// Everything here is by rule: the same question gives the same result. It refuses
// to decide what to search for (optimize), how to rank (route) and what to leave
// out (process).
//
// Terms. A mention is a place where a question names a doc set. A preference is an
// instruction about the answer's length: in full, or compressed. A question whose
// subject is full text or compression has none.
package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/contract"
)

// CleanQuestion makes a question valid UTF-8 without control characters, invisible formatting
// characters and surrounding white space. Line breaks stay. A question of more than
// contract.MaxQuestion bytes is cut between two characters; cut says so.
func CleanQuestion(text string) (clean string, cut bool) {
	if len(text) > contract.MaxQuestion {
		text, cut = prefixOfBytes(text, contract.MaxQuestion), true
	}
	if strings.IndexByte(text, 0x1b) >= 0 {
		text = ansi.Strip(text) // "\x1b[31mhooks" is hooks, not "31mhooks"
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == utf8.RuneError, unicode.Is(unicode.Cc, r), unicode.IsSpace(r):
			b.WriteByte(' ')
		case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r):
			b.WriteRune(r) // parts of one emoji
		case unicode.Is(unicode.Cf, r):
			// A word with a soft hyphen, a zero-width space or a direction mark
			// would not match the same word in the documents.
		default:
			b.WriteRune(r)
		}
	}
	clean = strings.TrimSpace(b.String())
	if strings.Trim(clean, "\u200d\ufe0e\ufe0f \n") == "" {
		return "", cut
	}
	return clean, cut
}

// prefixOfBytes is the longest prefix of text of at most n bytes that does not end inside a
// character.
func prefixOfBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// OneLine is text on one line, with runs of white space replaced by one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Shorten cuts text to at most n characters (code points), at the last white
// space among them where there is one in their second half.
func Shorten(text string, n int) string {
	end, count := len(text), 0
	for i := range text {
		if count == n {
			end = i
			break
		}
		count++
	}
	if end == len(text) {
		return text
	}
	short := text[:end]
	if i := strings.LastIndexByte(short, ' '); i >= len(short)/2 {
		short = short[:i]
	}
	return strings.TrimSpace(short)
}
