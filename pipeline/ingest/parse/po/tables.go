package po

import (
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

// drawn is a page of reStructuredText whose drawn tables are written as lists: a translation is
// longer or shorter than the column that is drawn for its text.
type drawn struct {
	text  strings.Builder
	lines []int // for each line of the text, that of the page, from 1
}

// mostColumns and mostTableLines are of tables that are written as lists; others stay as they are,
// without a translation.
const (
	mostColumns    = 100
	mostTableLines = 5000
)

// listTables writes tables that are drawn with "=" or with "+", "-" and "|", and tables of comma-separated
// values, as lists. A cell that spans columns stands in the first of them, and one that spans rows in the first
// of these. Tables in code stay as they are.
func listTables(src string) (string, []int) {
	lines := strings.Split(src, "\n")
	var d drawn
	for i := 0; i < len(lines); {
		end, rows, header := tableAt(lines, i)
		if end == i && strings.Contains(lines[i], "csv-table::") && !stands(lines, i) {
			end, rows, header = csvTableAt(lines, i)
		}
		if end > i {
			d.writeTable(lines[i], rows, header)
			i = end
			continue
		}
		d.addLine(lines[i], i+1)
		i++
	}
	return strings.TrimSuffix(d.text.String(), "\n"), d.lines
}

func (d *drawn) addLine(line string, of int) {
	d.text.WriteString(line)
	d.text.WriteByte('\n')
	d.lines = append(d.lines, of)
}

// cellLine is a line of a cell, and the line of the page in which it stands, from 1.
type cellLine struct {
	text string
	of   int
}

// tableRow are the cells of a row.
type tableRow [][]cellLine

// writeTable writes a table as a list, indented as its top was.
func (d *drawn) writeTable(top string, rows []tableRow, header int) {
	indent := top[:len(top)-len(strings.TrimLeft(top, " "))]
	first := rows[0][0][0].of
	d.addLine(indent+".. list-table::", first)
	if header > 0 {
		d.addLine(indent+"   :header-rows: "+strconv.Itoa(header), first)
	}
	d.addLine("", first)
	for _, row := range rows {
		for i, cell := range row {
			mark := "     - "
			if i == 0 {
				mark = "   * - "
			}
			for _, l := range trimCell(cell) {
				d.addLine(strings.TrimRight(indent+mark+l.text, " "), l.of)
				mark = "       "
			}
		}
	}
	d.addLine("", rows[len(rows)-1][0][0].of)
}

// trimCell leaves out the blank lines around a cell and the indentation that all its lines have. A
// cell without a text is one empty line.
func trimCell(cell []cellLine) []cellLine {
	empty := cell[:1]
	isBlank := func(l cellLine) bool { return strings.TrimSpace(l.text) == "" }
	for len(cell) > 0 && isBlank(cell[0]) {
		cell = cell[1:]
	}
	for len(cell) > 0 && isBlank(cell[len(cell)-1]) {
		cell = cell[:len(cell)-1]
	}
	if len(cell) == 0 {
		return []cellLine{{"", empty[0].of}}
	}
	margin := 1 << 20
	for _, l := range cell {
		if !isBlank(l) {
			margin = min(margin, len(l.text)-len(strings.TrimLeft(l.text, " ")))
		}
	}
	out := make([]cellLine, len(cell))
	for i, l := range cell {
		out[i] = cellLine{l.text[min(margin, len(l.text)):], l.of}
	}
	return out
}

// tableAt reads the table that begins at a line: where it ends, its rows, and how many of them are
// its head. The end is at where no table begins.
func tableAt(lines []string, at int) (end int, rows []tableRow, header int) {
	top := strings.TrimSpace(lines[at])
	simple := strings.HasPrefix(top, "==") && strings.Contains(top, " =") && strings.Trim(top, "= ") == ""
	if !simple && (!strings.HasPrefix(top, "+-") || strings.Trim(top, "+-") != "") || stands(lines, at) {
		return at, nil, 0
	}
	indent := len(lines[at]) - len(strings.TrimLeft(lines[at], " "))
	var body []string
	var n letters
	for _, l := range lines[at:min(len(lines), at+mostTableLines)] {
		if blank := strings.TrimSpace(l) == ""; blank && !simple || !blank && len(l)-len(strings.TrimLeft(l, " ")) < indent {
			break
		}
		l, ok := n.columns(strings.TrimRight(l[min(indent, len(l)):], " \r"))
		if !ok {
			break
		}
		body = append(body, l)
	}
	if simple {
		end, rows, header = simpleTable(body, at)
	} else {
		end, rows, header = gridTable(body, at)
	}
	return end, n.textRows(rows), header
}

// standing are directives whose content is no text with tables.
var standing = pattern.Lazy(`^\.\. [\w:-]*(?:code|literal|raw|math|source|prompt|graph|uml|highlight|csv|list-table|shell|` +
	`console)[\w:-]*::`)

// stands reports whether a line is within code, or continues a paragraph.
func stands(lines []string, at int) bool {
	indent := len(lines[at]) - len(strings.TrimLeft(lines[at], " "))
	if at > 0 && strings.TrimSpace(lines[at-1]) != "" {
		return true
	}
	const far = 2000
	for i := at - 1; i >= max(0, at-far) && indent > 0; i-- {
		t := strings.TrimSpace(lines[i])
		margin := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if t == "" || margin >= indent {
			continue
		}
		indent = margin
		if standing().MatchString(t) || !strings.HasPrefix(t, ".. ") && strings.HasSuffix(t, "::") {
			return true
		}
	}
	return false
}

// simpleTable reads a table whose columns are marked with "=". Its lines begin at a line of the page.
func simpleTable(body []string, at int) (end int, rows []tableRow, header int) {
	from := marked(body[0])
	if len(from) < 2 || len(from) > mostColumns {
		return at, nil, 0
	}
	rules := 1
	for i := 1; i < len(body); i++ {
		l := body[i]
		switch {
		case strings.HasPrefix(l, "=") && strings.Trim(l, "= ") == "":
			if !slices.Equal(marked(l), from) {
				return at, nil, 0
			}
			if i+1 == len(body) || body[i+1] == "" {
				if len(rows) == 0 {
					return at, nil, 0
				}
				return at + i + 1, rows, header
			}
			if rules++; rules > 2 {
				return at, nil, 0
			}
			header = len(rows)
			continue
		}
		row := cutRow(l, from, at+i+1)
		if isSpanRule(body, i+1) { // cells of this line span columns
			begin := marked(strings.ReplaceAll(body[i+1], "-", "="))
			ok := false
			if row, ok = spread(cutRow(l, begin, at+i+1), begin, from, at+i+1); !ok {
				return at, nil, 0
			}
			i++
		}
		if row == nil || len(rows) == 0 && row[0][0].text == "" {
			return at, nil, 0
		}
		if row[0][0].text != "" && l != "" {
			rows = append(rows, row)
			continue
		}
		for c := range row {
			rows[len(rows)-1][c] = append(rows[len(rows)-1][c], row[c][0])
		}
	}
	return at, nil, 0
}

// isSpanRule reports whether a line of a simple table underlines the cells of the line above it.
func isSpanRule(body []string, i int) bool {
	return i < len(body) && strings.HasPrefix(body[i], "--") && strings.Trim(body[i], "- ") == ""
}

// marked are the places at which the columns of a simple table begin.
func marked(rule string) []int {
	var from []int
	for i := range rule {
		if rule[i] == '=' && (i == 0 || rule[i-1] == ' ') {
			from = append(from, i)
		}
	}
	return from
}

// cutRow cuts a line at the columns of a simple table; nil where a text crosses a border.
func cutRow(l string, from []int, of int) tableRow {
	row := make(tableRow, len(from))
	for c, start := range from {
		end := len(l)
		if c+1 < len(from) {
			end = min(end, from[c+1])
			if end == from[c+1] && end > 0 && end < len(l) && l[end-1] != ' ' {
				return nil
			}
		}
		text := ""
		if start < end {
			text = strings.TrimRight(l[start:end], " ")
		}
		row[c] = []cellLine{{text, of}}
	}
	return row
}

// gridTable reads a table that is drawn with "+", "-" and "|". A row may have fewer cells than the table has
// columns, or cells that go on below a border between rows, but not both.
func gridTable(body []string, at int) (end int, rows []tableRow, header int) {
	last := len(body) - 1
	if len(body) < 3 || strings.Trim(body[last], "+-") != "" || body[last][0] != '+' {
		return at, nil, 0
	}
	var from []int // the places of all borders between columns
	for i := range body[0] {
		if slices.ContainsFunc(body, func(l string) bool { return i < len(l) && l[0] == '+' && l[i] == '+' }) {
			from = append(from, i)
		}
	}
	if len(from) < 2 || len(from) > mostColumns+1 {
		return at, nil, 0
	}
	first := 1 // line of the row
	for i, l := range body[1:] {
		i++
		switch {
		case len(l) != len(body[0]):
			return at, nil, 0
		case isPartOfBorder(l, from):
			return tallGrid(body, from, at)
		case l[0] == '|':
			continue
		case l[0] != '+' || strings.Trim(l, "+-=") != "" || i == first:
			return at, nil, 0
		}
		row := gridRow(body[first:i], from, at+first+1)
		if row == nil {
			return at, nil, 0
		}
		rows = append(rows, row)
		if strings.Contains(l, "=") {
			header = len(rows)
		}
		first = i + 1
	}
	return at + len(body), rows, header
}

// gridRow cuts the lines of a row, of which the first is line of the page, at the borders that all of them
// have; nil where the outer ones are missing.
func gridRow(lines []string, from []int, line int) tableRow {
	var begin []int
	for _, i := range from {
		if !slices.ContainsFunc(lines, func(l string) bool { return l[i] != '|' }) {
			begin = append(begin, i)
		}
	}
	if len(begin) < 2 || begin[0] != from[0] || begin[len(begin)-1] != from[len(from)-1] {
		return nil
	}
	row := make(tableRow, len(begin)-1)
	for k, l := range lines {
		for c := range row {
			row[c] = append(row[c], cellLine{strings.TrimRight(l[begin[c]+1:begin[c+1]], " "), line + k})
		}
	}
	out, _ := spread(row, begin[:len(row)], from[:len(from)-1], line)
	return out
}
