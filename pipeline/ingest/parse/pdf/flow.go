package pdf

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// flow writes the elements: lines become headings, lists and paragraphs.
type flow struct {
	w       *build.Writer
	missing map[int][]entry // headings that only the outline has, by page
	known   map[string]bool // words of the file in lower case, for those that a line's end divides
	page    int

	para  []*line // the paragraph that is collected
	items []listItem
}

// listItem is an open item of a list.
type listItem struct {
	label, text float64 // where its label and its text begin
	number      int
	region      *line // the first line of it
}

// labelOffset is where the item's label would begin on the page of a line: left and right pages
// have other margins.
func (i listItem) labelOffset(l *line) float64 {
	if i.region.page == l.page {
		return i.label
	}
	return i.label - i.region.left + l.left
}

// writeElements writes all elements.
func (f *flow) writeElements(elements []element) {
	for i := 0; i < len(elements); i++ {
		switch e := elements[i]; {
		case e.table != nil:
			f.endParagraph()
			f.turnPage(e.table.pages[0])
			f.addTable(e.table)
		case e.code != nil:
			f.flush()
			if n := len(f.items); n > 0 && e.code.x0 < f.items[n-1].text-6 {
				f.closeItems(0)
			}
			f.turnPage(e.code.page)
			f.w.At(doc.Location{Page: e.code.page})
			f.w.WriteCode("", e.code.codeText())
		case e.line.heading > 0:
			f.endParagraph()
			f.turnPage(e.line.page)
			var words []word
			for k := 0; k <= e.line.joined; k++ {
				words = append(words, elements[i+k].line.words...)
			}
			i += e.line.joined
			f.w.At(doc.Location{Page: e.line.page})
			f.w.Heading(e.line.heading, build.TextInline(cmp.Or(e.line.title, textOfWords(words))), "")
		default:
			f.addLine(e.line)
		}
	}
	f.endParagraph()
	f.turnPage(1 << 30)
}

// turnPage writes the headings of the pages up to this one that only the outline has.
func (f *flow) turnPage(page int) {
	for len(f.missing) > 0 && f.page < page && f.page < mostPages {
		f.page++
		for _, e := range f.missing[f.page] {
			f.endParagraph()
			f.w.At(doc.Location{Page: f.page})
			f.w.Heading(e.depth, build.TextInline(e.title), "")
		}
		delete(f.missing, f.page)
	}
}

func (f *flow) addTable(t *table) {
	places := make([]doc.Location, len(t.rows))
	for i := range t.rows {
		places[i] = doc.Location{Page: t.pages[i]}
	}
	f.w.At(places[0])
	f.w.WriteTable(t.rows[0], t.rows[1:], places[1:]...)
}

// addLine adds a line of text.
func (f *flow) addLine(l *line) {
	if len(f.missing) > 0 && l.page > f.page {
		if len(f.missing[l.page]) > 0 || f.page == 0 {
			f.endParagraph()
		}
		f.turnPage(l.page)
	}
	if f.beginListItem(l) {
		return
	}
	if n := len(f.para); n > 0 {
		if !f.continuesParagraph(f.para[n-1], l) {
			f.flush()
		}
	}
	if len(f.para) == 0 && len(f.items) > 0 && !f.continuesItem(l) {
		f.closeItems(0)
	}
	f.para = append(f.para, l)
}

// beginListItem begins an item of a list, where the line is one.
func (f *flow) beginListItem(l *line) bool {
	kind, number := l.itemLabel()
	if kind == "" {
		return false
	}
	if n := len(f.para); kind == "letter" && n > 0 && f.continuesParagraph(f.para[n-1], l) && !endsSentence(f.para[n-1].lineText()) {
		return false
	}
	for len(f.items) > 0 && (f.items[len(f.items)-1].labelOffset(l) > l.x0+0.7*l.boxHeight() ||
		!areNear(f.items[len(f.items)-1].region, l)) {
		f.closeItems(len(f.items) - 1)
	}
	n := len(f.items)
	sibling := n > 0 && f.items[n-1].labelOffset(l) > l.x0-0.7*l.boxHeight()
	if kind == "number" && number != 1 && (!sibling || number != f.items[n-1].number+1) {
		return false // a line that happens to begin with a number
	}
	if sibling {
		f.closeItems(n - 1)
	}
	f.flush()
	f.w.At(doc.Location{Page: l.page})
	if kind == "number" {
		f.w.Open(build.Number(number))
	} else {
		f.w.Open(build.Bullet)
	}
	f.items = append(f.items, listItem{label: l.x0, text: l.words[1].x0, number: number, region: l})
	rest := *l
	if kind != "letter" {
		rest.words = l.words[1:]
	}
	f.para = append(f.para, &rest)
	return true
}

// areNear reports whether two lines may be of one list: in columns that begin at about the
// same place, or on different pages.
func areNear(a, b *line) bool { return a.page != b.page || a.left < b.right && b.left < a.right }

// continuesItem reports whether a line that begins a paragraph is of the last item.
func (f *flow) continuesItem(l *line) bool {
	item := f.items[len(f.items)-1]
	return !l.indented && l.x0 > item.text-0.6*l.boxHeight() && l.gap < 2*l.boxHeight() && l.page == item.region.page && !l.first &&
		areNear(item.region, l)
}

// continuesParagraph reports whether line b goes on with the paragraph that ends with line a.
func (f *flow) continuesParagraph(a, b *line) bool {
	if a.style.bold != b.style.bold && a.style.size != b.style.size {
		return false
	}
	if d := a.style.size - b.style.size; !a.ocr && (d > 0.09*a.style.size || d < -0.09*a.style.size) {
		return false
	}
	text := a.lineText()
	if b.first { // the next column or page
		return !endsSentence(text) && beginsLow(b.lineText()) && b.x0 < b.left+2*b.boxHeight()
	}
	if b.boxMiddle()-a.boxMiddle() > 1.3*b.pitch && b.gap > 0.45*b.boxHeight() {
		return false
	}
	if len(f.items) > 0 {
		item := f.items[len(f.items)-1]
		if b.x0 < item.text-0.6*b.boxHeight() && endsSentence(text) {
			return false
		}
		return b.x0 > item.label-0.5*b.boxHeight()
	}
	if (b.indented || b.x0 > a.x0+0.8*b.boxHeight()) && a.x0 < b.left+0.4*b.boxHeight() &&
		(endsSentence(text) || a.x1 < b.right-0.1*(b.right-b.left)) {
		return false // an indented first line
	}
	return !endsSentence(text) || a.x1 > b.right-0.25*(b.right-b.left)
}

// mostLine is the length up to which lines of a file are put together on one.
const mostLine = 100

// flush writes the paragraph that is collected. Short lines are put together, words that
// the end of a line divides joined.
func (f *flow) flush() {
	if len(f.para) == 0 {
		return
	}
	var lines []string
	var places []doc.Location
	length := 0
	divided := false
	for i, l := range f.para {
		words := l.words
		if divided {
			words = words[1:]
		}
		if divided = false; i+1 < len(f.para) {
			if joined, ok := f.joinDividedWord(words, f.para[i+1].words); ok {
				words = append(words[:len(words)-1:len(words)-1], joined)
				divided = true
			}
		}
		if len(words) == 0 {
			continue
		}
		inline := inlineOf(words)
		n := utf8.RuneCountInString(inline)
		if k := len(lines); k > 0 && length+1+n <= mostLine && places[k-1].Page == l.page {
			lines[k-1] += " " + inline
			length += 1 + n
			continue
		}
		lines, places, length = append(lines, inline), append(places, doc.Location{Page: l.page}), n
	}
	f.para = nil
	if len(lines) == 0 {
		return
	}
	f.w.At(places[0])
	f.w.Places(places)
	f.w.Paragraph(strings.Join(lines, "\n"))
}

// joinDividedWord joins the last word of a line and the first of the next where a hyphen divides
// them. The hyphen stays where the file has the word with it elsewhere.
func (f *flow) joinDividedWord(a, b []word) (word, bool) {
	if len(a) == 0 || len(b) == 0 {
		return word{}, false
	}
	last := a[len(a)-1]
	body, ok := strings.CutSuffix(last.text, "-")
	soft := false
	if !ok {
		if body, ok = strings.CutSuffix(last.text, "\u00ad"); ok {
			soft = true
		}
	}
	r, _ := utf8.DecodeLastRuneInString(body)
	next, _ := utf8.DecodeRuneInString(b[0].text)
	if !ok || !unicode.IsLetter(r) || !unicode.IsLower(next) {
		return word{}, false
	}
	if !soft && f.known[wordKey(body+"-"+b[0].text)] && !f.known[wordKey(body+b[0].text)] {
		last.text += b[0].text
	} else {
		last.text = body + b[0].text
	}
	return last, true
}

// wordKey is a word without the signs around it, in lower case.
func wordKey(s string) string {
	return strings.ToLower(strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// endParagraph ends the paragraph and all lists.
func (f *flow) endParagraph() {
	f.flush()
	f.closeItems(0)
}

func (f *flow) closeItems(n int) {
	f.flush()
	for len(f.items) > n {
		f.w.Close()
		f.items = f.items[:len(f.items)-1]
	}
}

// knownWords are the words of the lines that stand whole.
func knownWords(elements []element) map[string]bool {
	known := map[string]bool{}
	for _, e := range elements {
		if e.line == nil {
			continue
		}
		for i, w := range e.line.words {
			if i > 0 && i+1 < len(e.line.words) {
				known[wordKey(w.text)] = true
			}
		}
	}
	return known
}
