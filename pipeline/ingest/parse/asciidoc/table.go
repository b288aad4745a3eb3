package asciidoc

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// The specification of a cell, before its sign: how often it is repeated or how far it
// spans, its alignment and its style. At the beginning of a line it is alone; behind another
// cell a blank precedes it.
var (
	firstSpec = pattern.Lazy(`^\s*(?:(\d{1,3})?(?:\.(\d{1,3}))?([+*]))?(?:[<^>]?(?:\.[<^>])?)([adehlmsv])?$`)
	laterSpec = pattern.Lazy(`\s+(?:(\d{1,3})?(?:\.(\d{1,3}))?([+*]))?(?:[<^>]?(?:\.[<^>])?)([adehlmsv])?$`)
)

// tableCell is a cell, the line on which it begins, and what its specification says.
type tableCell struct {
	text         []string // its lines
	line         line
	times        int // it is repeated
	across, down int // columns and rows that it spans
	style        byte
}

// table is a table while its lines are read.
type table struct {
	columns int
	styles  []byte // of the columns
	cells   []tableCell
	first   int  // cells of the first line
	header  bool // the first row is the head
}

// writeTable writes a table.
func (p *page) writeTable(open line, in []line, a ahead) {
	var t table
	t.styles = columnStyles(a.cols)
	t.columns = len(t.styles)
	first := 0
	for first < len(in) && strings.TrimSpace(in[first].text) == "" {
		first++
	}
	t.header = strings.Contains(a.options, "header") && !strings.Contains(a.options, "noheader") || strings.Contains(a.style, "header") ||
		first == 0 && len(in) > 1 && strings.TrimSpace(in[1].text) == "" && !strings.Contains(a.options, "noheader")
	if sep := separatorOfValues(open.text, a); sep != 0 {
		t.addValues(in[first:], sep)
	} else {
		for _, l := range in[first:] {
			t.addLine(l, separatorOfCells(open.text, a))
		}
	}
	rows, places := p.layOutRows(&t)
	if len(rows) == 0 {
		return
	}
	p.placeLine(open)
	if t.header {
		p.w.WriteTable(rows[0], rows[1:], places[1:]...)
		return
	}
	p.w.WriteTable(nil, rows, places...)
}

// separatorOfCells is the sign before a cell.
func separatorOfCells(open string, a ahead) string {
	if a.separator != "" {
		return a.separator
	}
	return open[:1]
}

// separatorOfValues is the sign between values of a table of CSV, TSV or DSV, 0 for others.
func separatorOfValues(open string, a ahead) rune {
	sep := map[string]rune{"csv": ',', "tsv": '\t', "dsv": ':'}[a.format]
	if sep == 0 {
		sep = map[byte]rune{',': ',', ':': ':'}[open[0]]
	}
	if given := []rune(a.separator); sep != 0 && len(given) == 1 && !strings.ContainsRune("\"\r\n\uFFFD", given[0]) {
		sep = given[0] // a quote separates nothing
	}
	return sep
}

// addValues adds the records of a table of values, each a line.
func (t *table) addValues(in []line, sep rune) {
	var b strings.Builder
	for _, l := range in {
		b.WriteString(l.text + "\n")
	}
	r := csv.NewReader(strings.NewReader(b.String()))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = sep, true, -1, true
	for {
		record, err := r.Read()
		if err != nil {
			return // the end: quotes within a value are no error
		}
		n, _ := r.FieldPos(0)
		for _, value := range record {
			c := cellOf(nil, in[min(n, len(in))-1])
			c.text = strings.Split(value, "\n")
			t.cells = append(t.cells, c)
		}
		t.first = max(t.first, len(record))
	}
}

// addLine adds the cells of a line; text before the first belongs to the cell of the line before.
func (t *table) addLine(l line, sep string) {
	if strings.HasPrefix(l.text, "//") {
		return
	}
	began := len(t.cells)
	rest, spec := l.text, firstSpec()
	for i := 0; i < len(rest); {
		if !strings.HasPrefix(rest[i:], sep) || i > 0 && rest[i-1] == '\\' {
			i++
			continue
		}
		before := rest[:i]
		m := spec.FindStringSubmatch(before)
		if m == nil {
			m = laterSpec().FindStringSubmatch(before)
		}
		if m != nil {
			before = strings.TrimSuffix(before, m[0])
		}
		if before != "" {
			t.addText(before, l, sep)
		}
		t.cells = append(t.cells, cellOf(m, l))
		rest, spec, i = rest[i+len(sep):], laterSpec(), 0
	}
	t.addText(rest, l, sep)
	if began == 0 {
		for _, c := range t.cells {
			t.first += c.times * c.across
		}
	}
}

// addText adds a line to the cell that is open.
func (t *table) addText(text string, l line, sep string) {
	if len(t.cells) == 0 {
		if strings.TrimSpace(text) == "" {
			return
		}
		t.cells = append(t.cells, cellOf(nil, l))
	}
	c := &t.cells[len(t.cells)-1]
	c.text = append(c.text, strings.ReplaceAll(text, `\`+sep, sep))
}

// cellOf is the cell of a specification, which may be nil.
func cellOf(spec []string, l line) tableCell {
	c := tableCell{line: l, times: 1, across: 1, down: 1}
	if spec == nil {
		return c
	}
	if spec[4] != "" {
		c.style = spec[4][0]
	}
	n, _ := strconv.Atoi(spec[1])
	down, _ := strconv.Atoi(spec[2])
	switch spec[3] {
	case "*":
		c.times = min(max(1, n), mostColumns)
	case "+":
		c.across, c.down = min(max(1, n), mostColumns), max(1, down)
	}
	return c
}

// layOutRows gives the rows of a table with its cells in their columns: what a cell spans further is empty.
func (p *page) layOutRows(t *table) ([][]string, []doc.Location) {
	columns := t.columns
	if columns == 0 {
		columns = max(1, t.first)
	}
	g := grid{taken: make([]int, columns)}
	for _, c := range t.cells {
		for range c.times {
			if c.times > 1 && p.expanded > maxExpanded {
				break
			}
			g.skipTaken(c.line)
			style := c.style
			if style == 0 && len(g.row) < len(t.styles) {
				style = t.styles[len(g.row)]
			}
			if t.header && len(g.rows) == 0 {
				style = 0
			}
			text := p.cellInline(c, style)
			if c.times > 1 {
				p.expanded += len(text)
			}
			g.addCell(text, c)
		}
	}
	if len(g.row) > 0 {
		g.rows = append(g.rows, g.row)
	}
	return g.rows, g.places
}

// grid has the rows of a table, of which the last is not yet full.
type grid struct {
	taken  []int // by column, the rows that a cell above still spans
	row    []string
	rows   [][]string
	places []doc.Location
}

// skipTaken leaves the columns empty that a cell above spans. A row of nothing else is none.
func (g *grid) skipTaken(l line) {
	if len(g.row) == 0 && !slices.Contains(g.taken, 0) {
		clear(g.taken)
	}
	for g.taken[len(g.row)] > 0 {
		g.taken[len(g.row)]--
		if g.add("", l) && !slices.Contains(g.taken, 0) {
			clear(g.taken)
		}
	}
}

// addCell adds a cell with the columns that it spans.
func (g *grid) addCell(text string, c tableCell) {
	for range min(c.across, len(g.taken)-len(g.row)) {
		g.taken[len(g.row)] += c.down - 1
		g.add(text, c.line)
		text = ""
	}
}

// add adds a column to the row, and reports whether that is full.
func (g *grid) add(text string, l line) bool {
	if len(g.row) == 0 {
		g.places = append(g.places, doc.Location{Line: l.num})
	}
	if g.row = append(g.row, text); len(g.row) < len(g.taken) {
		return false
	}
	g.rows, g.row = append(g.rows, g.row), nil
	return true
}

// mostColumns is how many columns a table may say that it has.
const mostColumns = 60

// columnStyles are the styles of the columns that a table says it has; 0 is a column without one.
func columnStyles(cols string) []byte {
	var styles []byte
	if cols = strings.TrimSpace(cols); cols == "" {
		return nil
	}
	if n, err := strconv.Atoi(cols); err == nil { // a number alone is how many there are
		return make([]byte, max(0, min(n, mostColumns)))
	}
	separator := ";"
	if strings.Contains(cols, ",") {
		separator = ","
	}
	for part := range strings.SplitSeq(cols, separator) { // one that is empty is a column like others
		part = strings.TrimSpace(part)
		times := 1
		if k, _, ok := strings.Cut(part, "*"); ok {
			n, _ := strconv.Atoi(k)
			times = max(1, n)
		}
		var style byte
		if part != "" && strings.IndexByte("adehlmsv", part[len(part)-1]) >= 0 {
			style = part[len(part)-1]
		}
		for range min(times, mostColumns-len(styles)) {
			styles = append(styles, style)
		}
	}
	return styles
}
