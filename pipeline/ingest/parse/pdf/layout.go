package pdf

import (
	"math"
	"slices"
	"unicode/utf8"
)

// layout finds the lines, tables and code of pages in the order of reading.
type layout struct {
	pages    []page
	titles   map[string]bool // the lines of the outline, letter by letter
	repeated map[string]int  // how often a text stands at the edge of a page
	exactly  map[string]int  // with the same numbers in it
	offsets  map[int]int     // how often a number there is so much more than the page's
	body     style           // of most of the text
	elements []element
	scanned  bool    // most pages were read by OCR
	retries  int     // of false tables, on the current page
	gutter   float64 // between the columns of many pages; 0: none
	// twoColumns says that half of the pages have it.
	twoColumns bool
}

// mostRetries bounds how often a table is sought in rows in which none was found.
const mostRetries = 50

func (l *layout) runLayout() {
	for i := range l.pages {
		l.pages[i].segments = withoutNoise(&l.pages[i])
	}
	ocr := 0
	for _, p := range l.pages {
		if p.ocr {
			ocr++
		}
	}
	l.scanned = 2*ocr > len(l.pages)
	l.measureBodyStyle()
	l.findRepeated()
	inner := make([][]segment, len(l.pages))
	var gutters []float64
	for i := range l.pages {
		inner[i] = l.innerSegments(&l.pages[i])
		if x, ok := gutterBetweenColumns(inner[i], 0); ok {
			gutters = append(gutters, x)
		}
	}
	if slices.Sort(gutters); 3*len(gutters) >= len(l.pages) && len(gutters) > 0 {
		l.gutter = gutters[len(gutters)/2]
		l.twoColumns = 2*len(gutters) >= len(l.pages)
	}
	for i := range l.pages {
		l.layOutPage(&l.pages[i], inner[i])
	}
}

// measureBodyStyle finds the style of most of the text.
func (l *layout) measureBodyStyle() {
	count := map[style]int{}
	mono, all := 0, 0
	fonts := map[*font]bool{}
	for i := range l.pages {
		p := &l.pages[i]
		for _, s := range p.segments {
			st := lineOf(row{s.box, []segment{s}}, p)
			for _, w := range s.words {
				n := utf8.RuneCountInString(w.text)
				if all += n; w.font == nil || !w.font.mono {
					count[st.style] += n
				} else {
					mono, fonts[w.font] = mono+n, true
				}
			}
		}
	}
	if mono*10 > all*6 { // a file in one font of equal widths, which says nothing then
		for f := range fonts {
			f.mono = false
		}
		if len(fonts) > 0 {
			l.measureBodyStyle()
		}
		return
	}
	most := 0
	for s, n := range count {
		if n > most || n == most && (s.size > l.body.size || s.size == l.body.size && !s.bold) {
			most, l.body = n, s
		}
	}
}

// mostDivisions is how often a page is divided into columns, and they again.
const mostDivisions = 2

// layOutPage finds the elements of one page inside its edges.
func (l *layout) layOutPage(p *page, inner []segment) {
	l.retries = 0
	if len(inner) == 0 {
		return
	}
	regions := regionsInOrder(inner, mostDivisions, l.gutter)
	if len(regions) == 1 && l.gutter > 0 &&
		(isContentsColumns(inner, l.gutter, len(l.pages)) || l.twoColumns && keepsApart(inner, l.gutter)) {
		regions = splitBands(inner, l.gutter, 1)
	}
	for _, segments := range regions {
		l.layOutRegion(groupIntoRows(segments), p)
	}
}

// layOutRegion finds the elements of one region.
func (l *layout) layOutRegion(rows []row, p *page) {
	rows = withoutContents(rows, len(l.pages))
	if len(rows) == 0 {
		return
	}
	lines := make([]*line, len(rows))
	all := rows[0].box
	for i, r := range rows {
		lines[i] = lineOf(r, p)
		all = all.unionWith(r.box)
	}
	pitch := usualLinePitch(lines)
	for i, ln := range lines {
		ln.left, ln.right, ln.pitch, ln.first = usualLeftEdge(lines, all), all.x1, pitch, i == 0
		if i > 0 {
			ln.gap = ln.y0 - lines[i-1].y1
		}
		if i+1 < len(lines) {
			next := lines[i+1]
			ln.indented = next.x0 < ln.x0-0.6*ln.boxHeight() && next.y0-ln.y1 < ln.boxHeight()
		}
	}
	for i := 0; i < len(rows); {
		if lines[i].mono && !l.titles[comparableText(lines[i].lineText())] {
			n := i
			c := &code{box: lines[i].box, page: p.number}
			for n < len(rows) && lines[n].mono && (n == i || lines[n].gap < 3*lines[n].boxHeight()) {
				c.lines, c.box = append(c.lines, lines[n]), c.unionWith(lines[n].box)
				n++
			}
			if c.isCode() {
				l.elements = append(l.elements, element{code: c})
				i = n
				continue
			}
		}
		if hasSeveralCells(rows[i]) && l.retries < mostRetries {
			if t, n := tableAt(rows, i, all.boxWidth()); t != nil {
				if t.isContents(len(l.pages)) {
					i += n
					continue
				}
				for range t.rows {
					t.pages = append(t.pages, p.number)
				}
				l.elements = append(l.elements, element{table: t})
				i += n
				continue
			}
			l.retries++
		}
		l.elements = append(l.elements, element{line: lines[i]})
		i++
	}
}

// usualLinePitch is the usual distance of two lines.
func usualLinePitch(lines []*line) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		if d := lines[i].boxMiddle() - lines[i-1].boxMiddle(); d > 0 && d < 4*lines[i].boxHeight() && !lines[i].mono && !lines[i-1].mono {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return 1.3 * lines[0].boxHeight()
	}
	slices.Sort(all)
	return all[len(all)/3]
}

// usualLeftEdge is where most lines begin, or more to the left where several do.
func usualLeftEdge(lines []*line, all box) float64 {
	count := map[int]int{}
	for _, l := range lines {
		count[int(math.Round(l.x0/3))]++
	}
	least := max(2, len(lines)/6)
	left, found := 0, false
	for x, n := range count {
		if n >= least && (!found || x < left) {
			left, found = x, true
		}
	}
	if !found {
		return all.x0
	}
	return float64(left) * 3
}
