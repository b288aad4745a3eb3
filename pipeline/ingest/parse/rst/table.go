package rst

import (
	"strings"
)

// tableOf makes a table of cells that are runs of lines, row by row.
func (r tableReader) tableOf(b *run, i int, rows [][][]line, header int) *node {
	n := r.newNode(table, b.view, i)
	n.header = header
	for _, row := range rows {
		cells := make([]cell, len(row))
		for k, lines := range row {
			if lines != nil {
				v := view{lines: lines}
				v = v.trimBlank()
				cells[k].kids = r.blocks(v.inner(v.margin()), false)
			}
		}
		n.rows = append(n.rows, cells)
	}
	return n
}

// countCells counts cells, and reports whether there may be as many.
func (r tableReader) countCells(num, cells int) bool {
	r.cells += cells
	if r.cells > maxCells {
		r.warnAt(num, "the page's tables have more than %d cells: this one is shown as it stands", maxCells)
		return false
	}
	return true
}

// asText adds lines that could not be read as a table, unchanged.
func (r tableReader) asText(b *run, i, end int) int {
	n := r.newNode(code, b.view, i)
	n.text = b.linesBetween(i, end).commonText()
	b.out = append(b.out, n)
	return end
}

// simpleTop reports whether a line may be the top of a simple table: "==== ===".
func simpleTop(t string) bool {
	return strings.Contains(t, "= =") || strings.Contains(t, "=  ") && strings.Trim(t, "= ") == "" && strings.Contains(t, " =")
}

// columns are the places of the columns of a simple table, by a line of marks; nil
// where the line has others.
func columns(t string, mark byte) (from, to []int) {
	for i := 0; i < len(t); {
		switch t[i] {
		case ' ':
			i++
		case mark:
			from = append(from, i)
			for i < len(t) && t[i] == mark {
				i++
			}
			to = append(to, i)
		default:
			return nil, nil
		}
	}
	return from, to
}

// simpleTable reads a table whose columns are marked by "=". It returns i without one.
func (r tableReader) simpleTable(b *run, i int) int {
	from, _ := columns(b.lineAt(i), '=')
	if len(from) < 2 {
		return i
	}
	end, head := 0, 0
	for k := i + 1; k < b.lineCount(); k++ {
		t := b.lineAt(k)
		if t == "" || t[0] != '=' {
			continue
		}
		if f, _ := columns(t, '='); len(f) < 1 {
			continue
		}
		if k+1 >= b.lineCount() || b.isBlank(k+1) {
			end = k + 1
			break
		}
		if head == 0 {
			head = k
		}
	}
	if end == 0 {
		b.noTable = true
		r.warnAt(b.sourceLine(i), "the table has no line of \"=\" at its end: it is shown as it stands")
		for end = i + 1; end < b.lineCount() && !b.isBlank(end); end++ {
		}
		return r.asText(b, i, end)
	}
	if len(from) > maxColumns || !r.countCells(b.sourceLine(i), len(from)*(end-i)) {
		return r.asText(b, i, end)
	}
	rows, header := b.simpleRows(i, end, head, from)
	b.out = append(b.out, r.tableOf(b, i, rows, header))
	return end
}

// simpleRows cuts the lines of a simple table into cells. Columns begin at the bytes of
// from where all characters before are narrow, else at the characters.
func (b *run) simpleRows(i, end, head int, from []int) (rows [][][]line, header int) {
	var row [][]line
	flush := func() {
		if row != nil {
			rows = append(rows, row)
		}
		row = nil
	}
	for k := i + 1; k < end-1; k++ {
		t := b.lineAt(k)
		if k == head {
			flush()
			header = len(rows)
			continue
		}
		if t == "" {
			flush() // a blank line may end a row; what follows in no first column goes on
			continue
		}
		if f, _ := columns(t, '-'); len(f) > 0 && len(t) >= 3 && strings.Trim(t, "- ") == "" && f[0] == from[0] {
			b.spanCells(&row, t, from)
			flush()
			continue
		}
		cells := cutColumns(t, from)
		if cells[0] != "" || row == nil && len(rows) == 0 {
			flush()
		} else if row == nil {
			row, rows = rows[len(rows)-1], rows[:len(rows)-1]
			if len(rows) < header {
				rows, row = append(rows, row), nil
			}
		}
		if row == nil {
			row = make([][]line, len(from))
			for c := range row {
				row[c] = []line{}
			}
		}
		for c, s := range cells {
			row[c] = append(row[c], line{s, b.sourceLine(k)})
		}
	}
	flush()
	return rows, header
}

// spanCells joins the cells of a row whose columns a line of "-" joins. The text was cut at
// the columns: it is put together again.
func (b *run) spanCells(row *[][]line, under string, from []int) {
	if *row == nil {
		return
	}
	starts, ends := columns(under, '-')
	for k := range starts {
		first := -1
		for c, at := range from {
			switch {
			case at < starts[k] || at >= ends[k]:
			case first < 0:
				first = c
			default:
				for n := range (*row)[first] {
					if n < len((*row)[c]) {
						l := &(*row)[first][n]
						pad := max(0, at-from[first]-len(l.text))
						l.text = strings.TrimRight(l.text+strings.Repeat(" ", pad)+(*row)[c][n].text, " ")
					}
				}
				(*row)[c] = nil
			}
		}
	}
}

// cutColumns cuts a line at the columns of a simple table; the last one takes the rest.
func cutColumns(t string, from []int) []string {
	cells := make([]string, len(from))
	at, c, start := 0, 0, 0
	put := func(end int) {
		if start < end && c >= 0 {
			cells[c] = strings.TrimRight(t[start:end], " ")
		}
	}
	for i, r := range t {
		if c+1 < len(from) && at >= from[c+1] {
			put(i)
			start, c = i, c+1
		}
		at++
		if isWide(r) {
			at++
		}
	}
	put(len(t))
	return cells
}

// gridTop reports whether a line is the top of a grid table: "+---+---+".
func gridTop(t string) bool {
	if len(t) < 3 || t[len(t)-1] != '+' || t[1] != '-' {
		return false
	}
	return strings.Trim(t, "+-") == ""
}

// gridTable reads a table that is drawn with "+", "-" and "|". It returns i without one.
func (r tableReader) gridTable(b *run, i int) int {
	end := i
	for end < b.lineCount() && !b.isBlank(end) && (b.lineAt(end)[0] == '+' || b.lineAt(end)[0] == '|') {
		end++
	}
	if end-i < 3 {
		return i
	}
	g := newGrid(b.linesBetween(i, end))
	if len(g.columns) > maxColumns || !r.countCells(b.sourceLine(i), 1+len(g.rows)*len(g.columns)) {
		return r.asText(b, i, end)
	}
	if !g.traceCells() {
		r.warnAt(b.sourceLine(i), "the lines of the table do not meet: it is shown as it stands")
		return r.asText(b, i, end)
	}
	b.out = append(b.out, r.tableOf(b, i, g.readCells(), g.header))
	return end
}
