package dialect

import (
	"bytes"
	"slices"
	"strings"
)

// Limits of a grid table.
const (
	mostGridLines   = 4000
	mostGridColumns = 60
)

// GridRow is a row of a grid table of Pandoc. Its cells are their lines, joined.
type GridRow struct {
	Cells       []string
	First, Last int // lines, from the upper border on, which is 0
	Head        bool
}

// readGrid reads the grid table that begins with the first of some lines, and gives the number of
// its lines, 0 for other lines.
func readGrid(lines []string) (rows []GridRow, n int) {
	if len(lines) < 3 || !isGridBorder(lines[0]) {
		return nil, 0
	}
	margin := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	columns := gridColumns([]rune(strings.TrimRight(lines[0][margin:], " \t")))
	if len(columns) > mostGridColumns {
		return nil, 0
	}
	var row GridRow
	for k, line := range lines[:min(len(lines), mostGridLines)] {
		line = strings.TrimRight(strings.TrimPrefix(line, lines[0][:margin]), " \t")
		switch {
		case isGridBorder(line):
			n = k + 1
			if row.Cells == nil {
				continue
			}
			row.Last = k - 1
			if rows = append(rows, row); strings.Contains(line, "=") {
				for i := range rows {
					rows[i].Head = true
				}
			}
			row = GridRow{}
		case len(line) < 2 || strings.IndexByte("|+", line[0]) < 0 || strings.IndexByte("|+", line[len(line)-1]) < 0:
			if row.Cells != nil || n != k {
				return nil, 0 // a row without its border
			}
			return rows, n
		default:
			row.addLine(gridCells([]rune(line), columns), k)
		}
	}
	if n < 3 {
		return nil, 0
	}
	return rows, n
}

// addLine adds a line of cells to the row.
func (r *GridRow) addLine(cells []string, line int) {
	if r.Cells == nil {
		r.First, r.Cells = line, make([]string, len(cells))
	}
	for i, c := range cells {
		if i < len(r.Cells) {
			r.Cells[i] = strings.TrimSpace(r.Cells[i] + " " + c)
		}
	}
}

// isGridBorder reports whether a line is a border between rows: +---+===+:--:+.
func isGridBorder(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 4 && line[0] == '+' && line[len(line)-1] == '+' && strings.Trim(line, "+-=:") == "" &&
		(strings.Contains(line, "--") || strings.Contains(line, "=="))
}

// gridColumns are the places of the signs between the columns of a border.
func gridColumns(border []rune) []int {
	var out []int
	for i, r := range border {
		if r == '+' {
			out = append(out, i)
		}
	}
	return out
}

// gridCells are the cells of a line. Where the signs do not stand below those of the border, as
// with wide characters, the line is parted at its signs.
func gridCells(line []rune, columns []int) []string {
	isSign := func(at int) bool { return at < len(line) && (line[at] == '|' || line[at] == '+') }
	if !isSign(columns[len(columns)-1]) || len(line) != columns[len(columns)-1]+1 {
		parts := strings.Split(strings.Trim(string(line), "|"), "|")
		out := make([]string, len(columns)-1)
		for i := range min(len(out), len(parts)) {
			out[i] = strings.TrimSpace(parts[i])
		}
		return out
	}
	out := make([]string, len(columns)-1)
	from := 0 // of the columns: a cell over several goes on
	for i := 1; i < len(columns); i++ {
		if !isSign(columns[i]) {
			continue
		}
		text := strings.TrimSpace(string(line[columns[from]+1 : columns[i]]))
		if strings.Trim(text, "-=+:") != "" { // else a border within the row
			out[from] = text
		}
		from = i
	}
	return out
}

// grids shapes grid tables.
type grids struct{ *shaper }

// table takes a grid table and makes a table of its rows. A row stands on its first line; its
// other lines become rows without text.
func (g grids) table(i int, body []byte, cols int) int {
	if !g.blank || !isGridBorder(string(body)) {
		return i
	}
	var lines []string
	for k := i; k < len(g.lines)-1 && len(lines) < mostGridLines && !IsBlank(g.lineAt(k)); k++ {
		lines = append(lines, string(g.lineAt(k)))
	}
	rows, n := readGrid(lines)
	if n == 0 || len(rows) == 0 {
		return i
	}
	indent := spaces(max(0, cols-g.strip))
	width := len(rows[0].Cells)
	head := slices.IndexFunc(rows, func(r GridRow) bool { return !r.Head })
	if head < 0 {
		head = len(rows)
	}
	said := make([]string, n)
	first := 0 // the line of the header
	if head > 0 {
		first = rows[head-1].Last
		for _, r := range rows[:head] {
			said[first] = strings.TrimSpace(said[first] + " " + pipeRow(r.Cells))
		}
		if head > 1 { // several rows of headers are one
			said[first] = pipeRow(joinedCells(rows[:head]))
		}
	}
	for _, r := range rows[head:] {
		at := r.First
		if head == 0 && r.First == 1 {
			at = 2 // behind the lines of an empty header
		}
		said[at] = pipeRow(r.Cells)
	}
	for k := range n {
		switch {
		case k < first:
			g.emitParts(i + k)
		case k == first && said[k] == "", k > first+1 && said[k] == "" && k < n-1:
			g.emitParts(i+k, indent, []byte(pipeRow(make([]string, width))))
		case k == first+1:
			g.emitParts(i+k, indent, []byte("|"+strings.Repeat(" --- |", width)))
		case said[k] == "":
			g.emitParts(i + k)
		default:
			line, _ := withoutAttributes([]byte(said[k]))
			line, _ = g.guard.guardLine(line)
			g.emitParts(i+k, indent, line)
		}
	}
	g.apart = true
	return i + n
}

// joinedCells are the cells of several rows, column by column.
func joinedCells(rows []GridRow) []string {
	var all GridRow
	for _, r := range rows {
		all.addLine(r.Cells, 0)
	}
	return all.Cells
}

// pipeRow is a row of a Markdown table.
func pipeRow(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + string(bytes.ReplaceAll([]byte(c), []byte("|"), []byte(`\|`))) + " |")
	}
	return b.String()
}
