package po

import (
	"slices"
	"strings"
)

// bordersOf reports for each column of a drawn table whether a line is a border between two rows there.
func bordersOf(l string, from []int) []bool {
	out := make([]bool, len(from)-1)
	for c := range out {
		part := l[from[c]+1 : from[c+1]]
		out[c] = part != "" && strings.Trim(part, "-=") == "" && isSide(l[from[c]]) && isSide(l[from[c+1]])
	}
	return out
}

// isSide reports whether a sign may stand at the side of a cell.
func isSide(c byte) bool { return c == '+' || c == '|' }

// isPartOfBorder reports whether a line is a border between two rows in some columns, and text in the others.
func isPartOfBorder(l string, from []int) bool {
	return strings.Contains(l, "+-") && strings.Contains(l, "-+") && strings.Trim(l, "+-=") != "" &&
		slices.Contains(bordersOf(l, from), true)
}

// tallGrid reads a drawn table with cells that go on below a border between rows. Such a cell has its text in its first
// row, and is empty in the others. A cell that spans columns too ends the reading.
func tallGrid(body []string, from []int, at int) (end int, rows []tableRow, header int) {
	columns := len(from) - 1
	home := make([]int, columns) // the row in which the cell of a column began
	rows = []tableRow{make(tableRow, columns)}
	for i, l := range body[1 : len(body)-1] {
		line := at + i + 2
		if len(l) != len(body[0]) {
			return at, nil, 0
		}
		borders := bordersOf(l, from)
		if slices.Contains(borders, true) {
			if !slices.Contains(borders, false) && strings.Contains(l, "=") {
				header = len(rows)
			}
			rows = append(rows, make(tableRow, columns))
		}
		for c, border := range borders {
			switch {
			case border:
				home[c] = len(rows) - 1
			case !isSide(l[from[c]]) || !isSide(l[from[c+1]]):
				return at, nil, 0
			default:
				text := strings.TrimRight(l[from[c]+1:from[c+1]], " ")
				rows[home[c]][c] = append(rows[home[c]][c], cellLine{text, line})
			}
		}
		for c := range rows[len(rows)-1] {
			if row := rows[len(rows)-1]; home[c] < len(rows)-1 && row[c] == nil {
				row[c] = []cellLine{{"", line}}
			}
		}
	}
	for _, row := range rows {
		if slices.ContainsFunc(row, func(cell []cellLine) bool { return cell == nil }) {
			return at, nil, 0
		}
	}
	return at + len(body), rows, header
}
