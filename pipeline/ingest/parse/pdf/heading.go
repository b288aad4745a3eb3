package pdf

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/text/pattern"
)

// What a heading looks like: so much larger than the text, or bold and apart from it, and
// not longer than this.
const (
	larger           = 1.12
	mostHeadingWords = 20
	mostHeadingLines = 4
	deepest          = 5
)

// markHeadings marks the lines that are headings: those of the outline, and those that look
// like it. missing are the lines of the outline that stand nowhere on their page, by
// page.
func (l *layout) markHeadings(outline []entry, title string) (missing map[int][]entry) {
	byPage := map[int][]int{} // indexes of elements that are lines
	for i, e := range l.elements {
		if e.line != nil {
			byPage[e.line.page] = append(byPage[e.line.page], i)
		}
	}
	l.markTitle(title, byPage[1])
	missing = l.markOutline(outline, byPage)
	styles := map[style]int{} // levels by the outline
	below := 1
	for _, e := range l.elements {
		if e.line != nil && e.line.heading > 1 {
			if was, ok := styles[e.line.style]; !ok || e.line.heading > was {
				styles[e.line.style] = e.line.heading
			}
			below = max(below, e.line.heading)
		}
	}
	switch {
	case below > 1 && l.isStructure(outline):
		l.markFew(len(outline), missing, styles)
	case below > 1:
		l.markAlike(levelsBelow(styles, below))
	default:
		l.markNumbered()
		l.markByStyle()
	}
	return missing
}

// levelsBelow gives a line the level of the outline's entries that look like it, and
// another one below all of them.
func levelsBelow(styles map[style]int, below int) func(*line) int {
	return func(ln *line) int {
		if level, ok := styles[ln.style]; ok {
			return level
		}
		return min(deepest, below+1)
	}
}

// What makes an outline the structure of its file: so many entries, so many pages for one
// of them at most; then so many other lines are headings too, for each entry.
const (
	leastOutline   = 8
	mostEntryPages = 10
	mostOthers     = 0.3
)

// isStructure reports whether an outline is that dense.
func (l *layout) isStructure(outline []entry) bool {
	return len(outline) >= leastOutline && len(l.pages) <= mostEntryPages*len(outline)
}

// markFew marks the lines that look like headings of an outline which is the structure, if
// they are few: those of any look, or those that look like its entries. Where they are many,
// they are examples, prompts and names, and no headings.
func (l *layout) markFew(entries int, missing map[int][]entry, styles map[style]int) {
	marked := 0
	for _, list := range missing {
		marked += len(list)
	}
	for _, e := range l.elements {
		if e.line != nil && e.line.heading > 0 {
			marked++
		}
	}
	below, all, alike := 1, 0, 0
	for _, level := range styles {
		below = max(below, level)
	}
	for i := 0; i < len(l.elements); i++ {
		ln := l.elements[i].line
		if ln == nil {
			continue
		}
		if ln.heading > 0 {
			i += ln.joined
			continue
		}
		if n := l.looksLikeOne(i); n > 0 {
			all++
			if _, ok := styles[ln.style]; ok {
				alike++
			}
			i += n - 1
		}
	}
	level := levelsBelow(styles, below)
	room := int((1 + mostOthers) * float64(entries))
	switch {
	case marked+all <= room:
		l.markAlike(level)
	case marked+alike <= room:
		l.markAlike(func(ln *line) int {
			if _, ok := styles[ln.style]; !ok {
				return 0
			}
			return level(ln)
		})
	}
}

// markTitle makes a heading of level 1 of the title, where it stands on the first page.
func (l *layout) markTitle(title string, on []int) {
	want := comparableText(title)
	if want == "" {
		return
	}
	for k := range on {
		if n := l.matches(on[k:], want); n > 0 {
			l.elements[on[k]].line.heading = 1
			l.joinHeading(on[k], n)
			return
		}
	}
}

// matches says how many lines from the first on have a text, letter by letter; 0: it
// stands not there.
func (l *layout) matches(on []int, want string) int {
	got := ""
	for n, i := range on {
		if n >= mostHeadingLines || n > 0 && i != on[n-1]+1 || l.elements[i].line.heading > 0 {
			return 0
		}
		got += comparableText(l.elements[i].line.lineText())
		if got == want || strings.HasSuffix(got, want) && len(got)-len(want) <= 12 && n == 0 {
			return n + 1
		}
		if !strings.HasPrefix(want, got) && !strings.HasPrefix(strings.TrimLeft(got, "0123456789"), want[:min(len(want), 4)]) {
			return 0
		}
	}
	return 0
}

// joinHeading makes one heading of n lines.
func (l *layout) joinHeading(first, n int) { l.elements[first].line.joined = n - 1 }

// markOutline marks the lines of the outline, each on its page.
func (l *layout) markOutline(outline []entry, byPage map[int][]int) (missing map[int][]entry) {
	missing = map[int][]entry{}
	tops := 0
	for _, e := range outline {
		if e.depth == 1 {
			tops++
		}
	}
	shift := 1
	if tops == 1 && len(outline) > 1 { // all of it stands below the title
		shift = 0
	}
	from := map[int]int{} // of a page, where the next line is sought first
	for _, e := range outline {
		want := comparableText(e.title)
		if want == "" || e.page < 1 || e.depth+shift < 2 {
			continue
		}
		on := byPage[e.page]
		found := false
		for try := 0; try < 2 && !found; try++ {
			start, end := from[e.page], len(on)
			if try == 1 {
				start, end = 0, from[e.page]
			}
			for k := start; k < end; k++ {
				if n := l.matches(on[k:], want); n > 0 {
					l.elements[on[k]].line.heading = min(6, e.depth+shift)
					l.joinHeading(on[k], n)
					l.nameHeading(on[k], e.title)
					from[e.page], found = k+n, true
					break
				}
			}
		}
		if !found && hasLetters(e.title, 2) && len(missing[e.page]) < 20 {
			missing[e.page] = append(missing[e.page], entry{e.title, e.page, e.depth + shift})
		}
	}
	return missing
}

// nameHeading gives a heading the title that the outline has for it, behind its number: the
// outline has signs that are drawn, as TeX draws "_".
func (l *layout) nameHeading(first int, title string) {
	ln := l.elements[first].line
	var words []word
	for k := 0; k <= ln.joined; k++ {
		words = append(words, l.elements[first+k].line.words...)
	}
	want := comparableText(title)
	for n := range words {
		if comparableText(textOfWords(words[n:])) == want {
			ln.title = strings.TrimSpace(textOfWords(words[:n]) + " " + title)
			return
		}
	}
}

// markAlike marks the lines that look like headings, with the levels that level gives; 0 is
// no heading.
func (l *layout) markAlike(level func(*line) int) {
	for i := 0; i < len(l.elements); i++ {
		ln := l.elements[i].line
		if ln == nil || ln.heading > 0 {
			if ln != nil {
				i += ln.joined
			}
			continue
		}
		n := l.looksLikeOne(i)
		if n == 0 {
			continue
		}
		under := level(ln)
		if under == 0 {
			continue
		}
		ln.heading = min(6, max(under, depthByNumber(ln.words)+1))
		l.joinHeading(i, n)
		i += n - 1
	}
}

// looksLikeOne counts the lines from element i on that look like one heading, or 0.
func (l *layout) looksLikeOne(i int) int {
	first := l.elements[i].line
	if !l.standsAsHeading(first) {
		return 0
	}
	n, words := 1, len(first.words)
	for i+n < len(l.elements) && l.elements[i+n].line != nil {
		next := l.elements[i+n].line
		if next.style != first.style || next.heading > 0 || next.page != first.page || next.first || next.gap > 0.9*next.boxHeight() ||
			depthByNumber(next.words) > 0 {
			break
		}
		n, words = n+1, words+len(next.words)
	}
	last := l.elements[i+n-1].line.lineText()
	if n > mostHeadingLines || words > mostHeadingWords || strings.HasSuffix(last, ".") && words > 5 || strings.HasSuffix(last, ",") ||
		strings.HasSuffix(last, ";") {
		return 0
	}
	return n
}

// caption is what a figure or table is called by, which is no heading of what follows.
var caption = pattern.Lazy(`^(?i:figure|fig\.|table|listing|abbildung|abb\.|tabelle|hình|bảng) ?[0-9A-Z]`)

// division is the heading of a part of a book.
var division = pattern.Lazy(`^(?i:chapter|annex|appendix|part|kapitel|anhang|teil|chapitre|annexe|chương|phụ lục|phần) [0-9A-Z]{1,4}\b`)

// standsAsHeading reports whether a line stands as headings do: larger than the text, or bold and
// apart, with letters, and not next to other text.
func (l *layout) standsAsHeading(ln *line) bool {
	text := ln.lineText()
	if !hasLetters(text, 3) || ln.mono || ln.segments > 2 || ln.segments == 2 && !isLabel(ln.words[0].text) &&
		depthByNumber(ln.words) == 0 {
		return false
	}
	if caption().MatchString(text) {
		return false
	}
	if kind, _ := ln.itemLabel(); kind == "bullet" || kind == "letter" {
		return false
	}
	if beginsLow(text) && depthByNumber(ln.words) == 0 {
		return false
	}
	if ln.ocr {
		return l.scanned && ln.style.size >= 1.3*l.body.size && len(ln.words) <= 12 && (ln.first || ln.gap > 0.35*ln.boxHeight())
	}
	if ln.style.size >= larger*l.body.size {
		return true
	}
	apart := ln.first || ln.gap > 0.35*ln.boxHeight() || ln.boxMiddle() == 0
	return ln.style.bold && !l.body.bold && ln.style.size >= 0.95*l.body.size && apart
}

// markByStyle marks headings of a file without an outline: the larger, the higher; a
// number says more than the size.
func (l *layout) markByStyle() {
	count := map[style]int{}
	numbered := map[style]map[int]int{}
	titled := false
	for i, e := range l.elements {
		if e.line == nil {
			continue
		}
		titled = titled || e.line.heading == 1
		if e.line.heading > 0 || l.looksLikeOne(i) == 0 {
			continue
		}
		count[e.line.style]++
		if d := depthByNumber(e.line.words); d > 0 {
			if numbered[e.line.style] == nil {
				numbered[e.line.style] = map[int]int{}
			}
			numbered[e.line.style][d]++
		}
	}
	var styles []style
	for s := range count {
		styles = append(styles, s)
	}
	slices.SortFunc(styles, func(a, b style) int {
		bold := 0
		if a.bold != b.bold {
			bold = 1
			if a.bold {
				bold = -1
			}
		}
		return cmp.Or(cmp.Compare(b.size, a.size), bold)
	})
	levels := map[style]int{}
	for i, s := range styles {
		levels[s] = min(deepest, i+2)
		most := 0
		for d := 1; d <= 4; d++ {
			if n := numbered[s][d]; n > most && 2*n >= count[s] {
				most, levels[s] = n, d+1
			}
		}
	}
	l.markAlike(func(ln *line) int {
		if d := depthByNumber(ln.words); d > 0 {
			return min(deepest, d+1)
		}
		if division().MatchString(ln.lineText()) {
			return 2
		}
		return levels[ln.style]
	})
}
