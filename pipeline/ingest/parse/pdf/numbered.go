package pdf

import (
	"strconv"
	"strings"
	"unicode"
)

// Headings of the text's own size are found by their numbers, which follow each other:
// "I. INTRODUCTION", "A. Apparatus", "1 Introduction", "2.3 Details". So many make a file
// one that is numbered, and so many numbers may be missed between two.
const (
	leastNumberedHeadings = 3
	mostSkipped           = 2
)

// heading number is a number as it is read: of which kind its first part is, and its parts.
type headingNumber struct {
	kind  byte // '1', 'I' or 'A'
	parts []int
}

// follows reports whether a number comes after another of its kind: the next at its depth
// or at one above it, or the first below it.
func (n headingNumber) follows(last headingNumber) bool {
	if n.kind != last.kind {
		return false
	}
	if d := len(last.parts); len(n.parts) > d {
		return len(n.parts) == d+1 && n.parts[d] == 1 && samePrefix(n.parts, last.parts, d)
	}
	at := len(n.parts) - 1
	step := n.parts[at] - last.parts[at]
	return step >= 1 && step <= 1+mostSkipped && samePrefix(n.parts, last.parts, at)
}

// begins reports whether a number is the first of its kind.
func (n headingNumber) begins() bool {
	for _, part := range n.parts {
		if part != 1 {
			return false
		}
	}
	return len(n.parts) <= 2
}

func samePrefix(a, b []int, n int) bool {
	for i := range n {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// headingNumbersOf reads a word as a number of headings; "C." is a letter and a Roman number.
func headingNumbersOf(word string) (out []headingNumber) {
	s := strings.TrimRight(word, ".:")
	if s == "" || len(s) > 12 {
		return nil
	}
	texts := strings.Split(s, ".")
	rest := make([]int, 0, len(texts)-1)
	for _, text := range texts[1:] {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || len(text) > 2 {
			return nil
		}
		rest = append(rest, n)
	}
	add := func(kind byte, first int) {
		if first > 0 && first < 100 {
			out = append(out, headingNumber{kind, append([]int{first}, rest...)})
		}
	}
	first := texts[0]
	if n, err := strconv.Atoi(first); err == nil {
		add('1', n)
		return out
	}
	if s == word && len(rest) == 0 { // "A" and "I" are words
		return nil
	}
	add('I', romanNumber(first))
	if len(first) == 1 && first[0] >= 'A' && first[0] <= 'Z' {
		add('A', int(first[0]-'A')+1)
	}
	return out
}

// romanNumber is the value of a Roman number up to 39, 0 of other texts.
func romanNumber(s string) int {
	total := 0
	for tens := 0; tens < 3 && strings.HasPrefix(s, "X"); tens++ {
		total, s = total+10, s[1:]
	}
	for i, ones := range []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"} {
		if s == ones {
			return total + i
		}
	}
	return 0
}

// open is a number that headings below it belong to, and the level of its first part.
type openNumber struct {
	headingNumber
	base int
}

// markNumbered marks the lines whose numbers follow each other, where there are several.
func (l *layout) markNumbered() {
	var open []openNumber
	levels := map[int]int{} // of elements
	for i, e := range l.elements {
		if e.line == nil || e.line.heading > 0 || !l.standsNumbered(i) {
			continue
		}
		for _, n := range headingNumbersOf(e.line.words[0].text) {
			k := len(open) - 1
			for k >= 0 && open[k].kind != n.kind {
				k--
			}
			switch {
			case k >= 0 && n.follows(open[k].headingNumber):
				open = append(open[:k], openNumber{n, open[k].base})
			case k < 0 && n.begins():
				base := 2
				if top := len(open) - 1; top >= 0 {
					base = open[top].base + len(open[top].parts)
				}
				open = append(open, openNumber{n, base})
			default:
				continue
			}
			last := open[len(open)-1]
			levels[i] = min(deepest, last.base+len(n.parts)-1)
			break
		}
	}
	if len(levels) < leastNumberedHeadings {
		return
	}
	for i := range l.elements {
		if level := levels[i]; level > 0 {
			l.elements[i].line.heading = level
			l.joinHeading(i, l.linesLike(i))
		}
	}
	l.markCentred(levels)
}

// linesLike counts the lines from element i on that go on with its heading.
func (l *layout) linesLike(i int) int {
	first, n := l.elements[i].line, 1
	for n < mostHeadingLines && i+n < len(l.elements) && l.elements[i+n].line != nil {
		next := l.elements[i+n].line
		if next.style != first.style || next.heading > 0 || next.page != first.page || next.first || next.gap > 0.5*next.boxHeight() ||
			len(headingNumbersOf(next.words[0].text)) > 0 {
			break
		}
		n++
	}
	return n
}

// standsNumbered reports whether element i looks like a numbered heading: apart from the
// text before and behind, short, and marked by more than its number.
func (l *layout) standsNumbered(i int) bool {
	ln := l.elements[i].line
	if ln.mono || ln.ocr || len(ln.words) < 2 || len(ln.words) > mostHeadingWords || len(headingNumbersOf(ln.words[0].text)) == 0 {
		return false
	}
	title := textOfWords(ln.words[1:])
	last := l.elements[i+l.linesLike(i)-1].line.lineText()
	if !hasLetters(title, 3) || beginsLow(title) && !ln.style.bold || strings.ContainsRune(".,;=", rune(last[len(last)-1])) ||
		!l.standsApart(i, 0.35) {
		return false
	}
	if ln.style.bold && !l.body.bold || l.isCentred(ln) || isUpper(title) || ln.style.size >= larger*l.body.size {
		return ln.style.size >= 0.8*l.body.size
	}
	// In the text's own font: "2.3 Details" and "1 Introduction", but no "1." of a list.
	word := ln.words[0].text
	return strings.ContainsAny(word[:len(word)-1], ".") || !strings.HasSuffix(word, ".") && l.standsApart(i, 0.8)
}

// standsApart reports whether there is so much room, in heights of the line, before element
// i and behind its heading.
func (l *layout) standsApart(i int, room float64) bool {
	ln := l.elements[i].line
	if !ln.first && ln.gap < room*ln.boxHeight() {
		return false
	}
	next := i + l.linesLike(i)
	if next >= len(l.elements) || l.elements[next].line == nil {
		return true
	}
	after := l.elements[next].line
	return after.first || after.page != ln.page || after.gap >= room*ln.boxHeight() || after.style.bold != ln.style.bold
}

// isCentred reports whether a line stands in the middle of its region, and does not fill it.
func (l *layout) isCentred(ln *line) bool {
	width := ln.right - ln.left
	before, behind := ln.x0-ln.left, ln.right-ln.x1
	off := before - behind
	return before > 0.04*width && behind > 0.04*width && off < 0.05*width && off > -0.05*width
}

// isUpper reports whether a text is in capitals.
func isUpper(s string) bool { return s == strings.ToUpper(s) && hasLetters(s, 3) }

// markCentred marks the lines without a number that stand in the middle, with room around
// them, where the numbered headings do: "ACKNOWLEDGMENTS". levels are those of the numbered.
func (l *layout) markCentred(levels map[int]int) {
	centred, first, lowest := 0, len(l.elements), 0
	highest, deep := map[style]int{}, map[style]int{}
	for i, level := range levels {
		ln := l.elements[i].line
		first, lowest = min(first, i), max(lowest, level)
		if l.isCentred(ln) {
			centred++
			deep[ln.style] = max(deep[ln.style], level)
			if high := highest[ln.style]; high == 0 || level < high {
				highest[ln.style] = level
			}
		}
	}
	if 2*centred < len(levels) {
		return
	}
	for i := first; i < len(l.elements); i++ {
		ln := l.elements[i].line
		if ln == nil || ln.heading > 0 || ln.mono || !l.isCentred(ln) || !l.standsApart(i, 0.9) || !isTitle(ln) {
			continue
		}
		switch {
		case highest[ln.style] == 0 && ln.style.bold:
			continue
		case highest[ln.style] == 0:
			ln.heading = min(deepest, lowest+1)
		case isUpper(ln.lineText()):
			ln.heading = highest[ln.style]
		default:
			ln.heading = deep[ln.style]
		}
		l.joinHeading(i, l.linesLike(i))
	}
}

// isTitle reports whether a line is words and no formula: letters for the most part, and
// begun by a capital.
func isTitle(ln *line) bool {
	text := ln.lineText()
	letters, others := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r != ' ':
			others++
		}
	}
	return letters >= 4 && others*4 <= letters && unicode.IsUpper([]rune(text)[0]) && len(ln.words) <= 10 &&
		!endsSentence(text) && !strings.HasSuffix(text, ",") && !caption().MatchString(text)
}
