package chunk

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// CountWords counts the words of a text: runs of letters and digits, punctuation inside
// them included ("--cgroup-root" is one word). Two characters of a script without
// spaces are one word.
func CountWords(s string) int {
	words, halves := 0, 0
	in := false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if c <= ' ' {
				in = false
			} else if !in && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9') {
				in = true
				words++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case isUnspacedScript(r):
			halves++
			in = false
		case unicode.IsSpace(r):
			in = false
		case !in && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			in = true
			words++
		}
	}
	return words + (halves+1)/2
}

// isUnspacedScript reports whether a character belongs to a script that is written
// without spaces.
func isUnspacedScript(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// sentences cuts a paragraph at ends of sentences into pieces of at most max
// words. A longer sentence is a piece of its own, unless it is so long that it is cut
// between words. A paragraph without marks stays whole: the places of its sentences are
// unknown.
func sentences(b doc.Block, max int) []doc.Block {
	var pieces []doc.Block
	rest := b // not in pieces yet
	rest.Text, rest.Code, rest.Marks = "", "", nil
	code := b.Code
	start, last, words := 0, 0, 0 // of rest, of the sentence, in rest
	for _, end := range ends(b.Text, max) {
		n := CountWords(b.Text[last:end])
		if words > 0 && words+n > max {
			if source, line := placeOfByte(b.Marks, last); source > rest.Span.Start && source < b.Span.End {
				piece := rest
				piece.Text = strings.TrimSpace(b.Text[start:last])
				piece.Code, code = splitInlineCode(piece.Text, code)
				piece.Span.End, piece.Span.EndLine = source, line
				if end, l := endOfParagraph(b, last); l < line && end < source && end > piece.Span.Start {
					piece.Span.End, piece.Span.EndLine = end, l // the indentation between them belongs to neither
				}
				pieces = append(pieces, piece)
				rest.Span.Start, rest.Span.StartLine = source, line
				start, words = last, 0
			}
		}
		words += n
		last = end
	}
	rest.Text = strings.TrimSpace(b.Text[start:])
	rest.Code = code
	return append(pieces, rest)
}

// longSentence is the most words of a sentence that is not cut between words. No longer
// one was written by hand.
const longSentence = 10 * defaultMaxWords

// ends gives the offsets after the sentences of a text, and in a very long one those
// after every max words.
func ends(text string, max int) []int {
	var out []int
	last := 0
	for _, end := range sentenceEnds(text) {
		if sentence := text[last:end]; len(sentence) > longSentence && CountWords(sentence) > longSentence {
			for _, at := range wordEnds(sentence, max) {
				out = append(out, last+at)
			}
		}
		out = append(out, end)
		last = end
	}
	return out
}

// wordEnds gives the offsets in a text at which it can be cut into pieces of at most max
// words: between words, and between the characters of a script without spaces.
func wordEnds(text string, max int) []int {
	var out []int
	halves, in := 0, false // half words so far
	for i, r := range text {
		switch {
		case isUnspacedScript(r):
			if halves >= 2*max {
				out, halves = append(out, i), 0
			}
			halves++
			in = false
		case unicode.IsSpace(r):
			in = false
		case !in:
			if halves+2 > 2*max {
				out, halves = append(out, i), 0
			}
			halves += 2
			in = true
		}
	}
	return out
}

// splitInlineCode splits inline code, one span a line and in order, into the spans that
// occur in text and the ones after them.
func splitInlineCode(text, code string) (in, after string) {
	for at := 0; at < len(code); {
		line, _, more := strings.Cut(code[at:], "\n")
		i := strings.Index(text, line)
		if i < 0 {
			return strings.TrimSuffix(code[:at], "\n"), code[at:]
		}
		text = text[i+len(line):]
		at += len(line)
		if more {
			at++
		}
	}
	return strings.TrimSuffix(code, "\n"), ""
}

// placeOfByte maps byte at of a paragraph's text to the page's text; -1 where the marks
// do not cover it.
func placeOfByte(marks []doc.Mark, at int) (source, line int) {
	i := sort.Search(len(marks), func(i int) bool { return marks[i].Text > at }) - 1
	if i < 0 {
		return -1, 0
	}
	m := marks[i]
	source = m.Source + at - m.Text
	if i+1 < len(marks) && source > marks[i+1].Source {
		return -1, 0
	}
	return source, m.Line
}

// endOfParagraph maps the end of a paragraph's text before byte at to the page's text.
func endOfParagraph(b doc.Block, at int) (source, line int) {
	text := strings.TrimRight(b.Text[:at], " \n")
	_, n := utf8.DecodeLastRuneInString(text)
	source, line = placeOfByte(b.Marks, len(text)-n)
	return source + n, line
}

// sentenceEnds gives the offsets after the sentences of a text.
func sentenceEnds(s string) []int {
	var ends []int
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch r {
		case '。', '！', '？', '｡':
			for i < len(s) { // closing quotes and brackets belong to it
				r, n := utf8.DecodeRuneInString(s[i:])
				if !strings.ContainsRune("」』”’）)】", r) {
					break
				}
				i += n
			}
			ends = append(ends, i)
		case '\n':
			ends = append(ends, i)
		case '.', '!', '?':
			j := i
			for j < len(s) {
				r, n := utf8.DecodeRuneInString(s[j:])
				if !strings.ContainsRune(".!?\"')]”’", r) {
					break
				}
				j += n
			}
			if j < len(s) && s[j] == ' ' && !abbreviated(s[:i], s[j+1:]) {
				ends = append(ends, j+1)
				i = j + 1
			} else {
				i = j
			}
		}
	}
	if n := len(ends); n == 0 || ends[n-1] != len(s) {
		ends = append(ends, len(s))
	}
	return ends
}

// abbreviated reports whether the full stop at the end of before ends no sentence: the
// next word begins with a small letter, or the last one is an abbreviation or a
// single letter.
func abbreviated(before, after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	if unicode.IsLower(r) {
		return true
	}
	word := before[strings.LastIndexAny(before, " \n(")+1:]
	switch strings.ToLower(strings.TrimRight(word, ".")) {
	case "e.g", "i.e", "etc", "vs", "cf", "mr", "mrs", "ms", "dr", "no", "fig", "sec", "ch", "approx", "st", "inc", "ltd":
		return word[len(word)-1] == '.'
	}
	return len(word) == 2 && word[1] == '.' && unicode.IsUpper(rune(word[0]))
}

// joiner joins texts with newlines.
type joiner struct{ parts []string }

func (j *joiner) addText(s string) {
	if s != "" {
		j.parts = append(j.parts, s)
	}
}

func (j *joiner) String() string { return strings.Join(j.parts, "\n") }
