package legible

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of a table: further columns are left out, further lines are another table.
const (
	maxColumns = 12
	maxRegion  = 2000 // lines of a table that are read at a time
)

// tableTag reports whether a line begins with a tag of a table.
func tableTag(line string) bool {
	t := strings.ToLower(strings.TrimLeft(line[:min(len(line), 80)], " \t"))
	if !strings.HasPrefix(t, "<") {
		return false
	}
	name := strings.TrimPrefix(t[1:], "/")
	end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(name)
	}
	switch name[:end] {
	case "table", "thead", "tbody", "tfoot", "tr", "td", "th", "colgroup", "caption":
		return true
	}
	return false
}

// tableLines is how many lines a table in HTML, or the rest of a cut one, takes at the
// beginning of some lines; 0: no table begins there. An omission does not end it.
func tableLines(lines []string) int {
	if !tableTag(lines[0]) {
		return 0
	}
	last := 0
	for i, l := range lines[:min(len(lines), maxRegion)] {
		low := strings.ToLower(l)
		if strings.Contains(low, "</table") {
			return i + 1
		}
		blank := i > 0 && strings.TrimSpace(lines[i-1]) == ""
		if blank && strings.TrimSpace(l) != "" && !tableTag(l) && !isOmission(l) {
			return last + 1
		}
		if tableTag(l) || strings.TrimSpace(l) != "" && !blank && !isOmission(l) {
			last = i
		}
	}
	return last + 1
}

// isWholeTable reports whether some lines are a table from its first tag to its last, of
// which nothing is omitted.
func isWholeTable(region []string) bool {
	for _, l := range region {
		if isOmission(l) {
			return false
		}
	}
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(region[0])), "<table") &&
		strings.Contains(strings.ToLower(region[len(region)-1]), "</table")
}

// writeTable writes a table in HTML as one or, where lines were left out, several tables of
// Markdown.
func (w *writer) writeTable(region []string) {
	var head []string
	from := 0
	for i := 0; i <= len(region); i++ {
		if i < len(region) && !isOmission(region[i]) {
			continue
		}
		var text strings.Builder
		for _, l := range region[from:i] {
			text.WriteString(expandMacros(l, ""))
		}
		rows := tableRows(text.String())
		if rows.head == nil {
			rows.head = head
		}
		head = rows.head
		w.writeRows(rows)
		if i < len(region) {
			w.write(strings.TrimSpace(region[i]) + "\n")
			w.write("\n")
		}
		from = i + 1
	}
}

// writeRows writes a table of Markdown, with a blank line around it.
func (w *writer) writeRows(t table) {
	columns := len(t.head)
	for _, r := range t.rows {
		columns = max(columns, len(r))
	}
	if columns == 0 {
		return
	}
	if w.last != "" && w.last != "\n" {
		w.write(strings.Repeat("\n", 2-trailingBreaks(w.last)))
	}
	row := func(cells []string) {
		var b strings.Builder
		for i := range columns {
			b.WriteString("| ")
			if i < len(cells) {
				b.WriteString(cells[i])
			}
			b.WriteByte(' ')
		}
		w.write(b.String() + "|\n")
	}
	row(t.head)
	w.write("|" + strings.Repeat(" --- |", columns) + "\n")
	for _, r := range t.rows {
		row(r)
	}
	w.write("\n")
}

// table is what a table in HTML says.
type table struct {
	head []string
	rows [][]string
}

// cellReader reads the cells of a table.
type cellReader struct {
	table  table
	row    []string
	cell   strings.Builder
	in     bool // in a cell
	header bool // every cell of the row is a header
	span   int
	spans  bool // a cell of the row takes several columns
	label  string
	wasRow bool // label is a row of its own that the next one may explain
}

// tableRows reads the rows of a table, or of a piece of one.
func tableRows(text string) table {
	z := html.NewTokenizer(strings.NewReader(text))
	c := cellReader{header: true}
	for {
		kind := z.Next()
		if kind == html.ErrorToken { // the end: reading a text cannot fail
			break
		}
		t := z.Token()
		switch kind {
		case html.TextToken:
			c.text(t.Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			c.open(t)
		case html.EndTagToken:
			c.close(t.DataAtom)
		}
	}
	c.endRow()
	c.endLabel()
	return c.table
}

func (c *cellReader) text(data string) {
	if strings.TrimSpace(data) == "" && !c.in {
		return
	}
	c.in = true
	c.cell.WriteString(escapeCell(data))
}

func (c *cellReader) open(t html.Token) {
	switch t.DataAtom {
	case atom.Tr:
		c.endRow()
	case atom.Td, atom.Th:
		c.endCell()
		c.in = true
		c.header = c.header && t.DataAtom == atom.Th
		for _, a := range t.Attr {
			if n, err := strconv.Atoi(a.Val); a.Key == "colspan" && err == nil && n > 1 {
				c.span, c.spans = min(n, maxColumns), true
			}
		}
	case atom.Br, atom.P, atom.Div, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Pre:
		c.cell.WriteByte(' ')
	case atom.Li:
		c.cell.WriteString(" \u2022 ")
	case atom.Strong, atom.B:
		c.cell.WriteString("**")
	}
}

func (c *cellReader) close(name atom.Atom) {
	switch name {
	case atom.Td, atom.Th:
		c.endCell()
	case atom.Tr, atom.Table, atom.Thead, atom.Tbody:
		c.endRow()
	case atom.P, atom.Div, atom.Li:
		c.cell.WriteByte(' ')
	case atom.Strong, atom.B:
		c.cell.WriteString("**")
	}
}

func (c *cellReader) endCell() {
	if !c.in {
		c.cell.Reset()
		return
	}
	said := strings.ReplaceAll(strings.Join(strings.Fields(c.cell.String()), " "), "****", "")
	if len(c.row) < maxColumns {
		c.row = append(c.row, said)
	}
	for range c.span - 1 {
		if len(c.row) < maxColumns {
			c.row = append(c.row, "")
		}
	}
	c.in, c.span = false, 0
	c.cell.Reset()
}

// endRow ends a row. One whose only cell takes several columns names what the next row
// explains, as in the lists of flags that programs write: they become one row.
func (c *cellReader) endRow() {
	c.endCell()
	row, header, spans := c.row, c.header, c.spans
	c.row, c.header, c.spans = nil, true, false
	switch {
	case len(row) == 0:
	case header && c.table.head == nil && len(c.table.rows) == 0 && !c.wasRow:
		c.table.head = row
	case spans && strings.Join(row[1:], "") == "":
		c.endLabel()
		c.label, c.wasRow = row[0], true
	case c.wasRow && row[0] == "" && len(row) > 1:
		row[0], c.wasRow = c.label, false
		c.table.rows = append(c.table.rows, row)
	default:
		c.endLabel()
		c.table.rows = append(c.table.rows, row)
	}
}

// endLabel makes a row of a label that nothing explains.
func (c *cellReader) endLabel() {
	if c.wasRow {
		c.table.rows = append(c.table.rows, []string{c.label})
		c.wasRow = false
	}
}

// escapeCell is a text in a cell, with the signs escaped that are markup in Markdown alone.
func escapeCell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '|', '*', '_', '`', '<', '[', '\\':
			b.WriteByte('\\')
		case '\u00a0':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
