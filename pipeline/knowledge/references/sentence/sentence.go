// Package sentence cuts the text of a block into sentences, with the links and the code that
// stand in each. It refuses to know what a sentence says.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// Sentence is a sentence of a block's text, or an item of a list.
type Sentence struct {
	Text  string
	At    int   // in the block's text
	Links []int // indices into the block's links
	Code  []Stretch
	Line  int
	Item  bool // it begins an item of a list
}

// Stretch is a part of a text, from a byte to another.
type Stretch struct{ From, To int }

// mostSentence is the most bytes of a sentence that patterns look at.
const mostSentence = 1000

// MostBlock is the most bytes of a block's text that are read. A longer block is data
// without sentences; its links are references all the same.
const MostBlock = 64 << 10

// mostMissed is how many links or pieces of code of a block may not be found in its text
// before the search ends: each costs a look at all of it.
const mostMissed = 50

// Split cuts the text of a block. An item of a list and a cell of a table end a
// sentence too.
func Split(b doc.Block, links []doc.Link) []Sentence {
	text := b.Text
	if len(text) > MostBlock {
		text = strings.ToValidUTF8(text[:MostBlock], "")
	}
	places, code := placeLinks(text, links), inlineCodeIn(text, b.Code)
	var out []Sentence
	next, firstCode := 0, 0
	add := func(from, to int, item bool) {
		for from < to && isSpace(text[from]) {
			from++
		}
		for to > from && isSpace(text[to-1]) {
			to--
		}
		if from == to {
			return
		}
		s := Sentence{Text: text[from:to], At: from, Item: item, Line: b.Span.StartLine}
		for ; next < len(places) && places[next].From < to; next++ {
			s.Links = append(s.Links, next)
		}
		for ; firstCode < len(code) && code[firstCode].To <= to; firstCode++ {
			if c := code[firstCode]; c.From >= from {
				s.Code = append(s.Code, Stretch{c.From - from, c.To - from})
			}
		}
		if len(s.Links) > 0 {
			s.Line = links[s.Links[0]].Line
		}
		if len(s.Text) > mostSentence {
			s.Text = strings.ToValidUTF8(s.Text[:mostSentence], "")
		}
		out = append(out, s)
	}
	from, item := 0, true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' || c == '\t':
			add(from, i, item)
			from, item = i+1, true
		case (c == '.' || c == '!' || c == '?') && endsSentence(text, i):
			add(from, i+1, item)
			from, item = i+1, false
		}
	}
	add(from, len(text), item)
	if n := len(out); n > 0 {
		for ; next < len(links); next++ {
			out[n-1].Links = append(out[n-1].Links, next)
		}
	}
	for i := range out {
		if b.Kind == doc.Paragraph && len(b.Marks) > 0 && len(out[i].Links) == 0 {
			out[i].Line = lineOfByte(b.Marks, out[i].At)
		}
	}
	return out
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// lineOfByte is the line of a byte of a paragraph's text.
func lineOfByte(marks []doc.Mark, at int) int {
	line := marks[0].Line
	for _, m := range marks {
		if m.Text > at {
			break
		}
		line = m.Line
	}
	return line
}

// endsSentence reports whether the sign at i ends a sentence: behind it comes a blank and
// something that begins one, and before it is no abbreviation.
func endsSentence(text string, i int) bool {
	j := i + 1
	for j < len(text) && strings.IndexByte(`)"'*`, text[j]) >= 0 {
		j++
	}
	if j >= len(text) || text[j] != ' ' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[j+1:])
	if unicode.IsLower(r) {
		return false
	}
	word := text[strings.LastIndexAny(text[:i], " \n\t(")+1 : i]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "etc", "vs", "cf", "fig", "no", "incl", "approx", "resp", "a.k.a", "e.g.", "i.e.":
		return false
	}
	return true
}

// placeLinks finds where the texts of links stand, in their order. A link that is not
// found stands where the one before it ends.
func placeLinks(text string, links []doc.Link) []Stretch {
	out := make([]Stretch, len(links))
	at, missed := 0, 0
	for i, l := range links {
		out[i] = Stretch{at, at}
		if l.Text == "" || at >= len(text) {
			continue
		}
		if k := strings.Index(text[at:], l.Text); k >= 0 {
			out[i] = Stretch{at + k, at + k + len(l.Text)}
			at = out[i].To
		} else if missed++; missed > mostMissed {
			at = len(text)
		}
	}
	return out
}

// inlineCodeIn finds the inline code of a text, in its order.
func inlineCodeIn(text, code string) []Stretch {
	var out []Stretch
	at, missed := 0, 0
	for c := range strings.SplitSeq(code, "\n") {
		if c == "" {
			continue
		}
		k := strings.Index(text[at:], c)
		if k < 0 {
			if missed++; missed > mostMissed {
				break
			}
			continue
		}
		out = append(out, Stretch{at + k, at + k + len(c)})
		at += k + len(c)
	}
	return out
}

// IsInlineCode reports whether a byte of the sentence is inline code.
func (s Sentence) IsInlineCode(at int) bool {
	for _, c := range s.Code {
		if c.From <= at && at < c.To {
			return true
		}
	}
	return false
}
