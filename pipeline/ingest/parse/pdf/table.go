package pdf

import (
	"slices"
	"strconv"
	"strings"
)

// table is a table as it was found: its rows have one cell for each column.
type table struct {
	rows  [][]string
	pages []int // of each row
}

// What makes a table: so many rows with several cells, not more columns than this, and
// so many cells that are not empty.
const (
	leastTableRows = 3
	mostColumns    = 24
	leastFilled    = 0.4
)

// element is a line of text, a table or code, in the order of reading.
type element struct {
	line  *line
	table *table
	code  *code
}

// hasSeveralCells reports whether a row has several cells: segments apart from each other, not
// the number of a list or heading before its text.
func hasSeveralCells(r row) bool {
	return len(r.segments) > 2 || len(r.segments) == 2 && !isLabel(textOfWords(r.segments[0].words))
}

// tableAt finds a table that begins at row i; n is the number of its rows.
func tableAt(rows []row, i int, width float64) (t *table, n int) {
	last, multi, single := i, 0, 0
	for j := i; j < len(rows); j++ {
		if j > i {
			gap := (rows[j].y0 - rows[j-1].y1) / rows[j-1].boxHeight()
			alike := len(rows[j].segments) == len(rows[j-1].segments) && hasSeveralCells(rows[j]) // below a header
			if gap > 3 || gap > 1.6 && !alike {
				break
			}
		}
		if hasSeveralCells(rows[j]) {
			multi, single, last = multi+1, 0, j
			continue
		}
		if single++; single > 3 || rows[j].boxWidth() > 0.55*width {
			break
		}
	}
	run := rows[i : last+1]
	for last+1 < len(rows) && !hasSeveralCells(rows[last+1]) && rows[last+1].y0-rows[last].y1 < 0.5*rows[last].boxHeight() &&
		rows[last+1].x0 > run[0].x0+rows[last].boxHeight() && rows[last+1].boxWidth() < 0.55*width {
		last++ // the end of the last row's last cell
		run = rows[i : last+1]
	}
	columns := columnsOf(run)
	if len(columns) < 2 || len(columns) > mostColumns || multi < 2 || multi < leastTableRows && len(columns) < 3 {
		return nil, 0
	}
	t = &table{}
	filled := 0
	for k, r := range run {
		cells := make([]string, len(columns))
		for _, s := range r.segments {
			c := slices.IndexFunc(columns, func(b box) bool { return s.x0 < b.x1 })
			if c < 0 {
				c = len(columns) - 1
			}
			cells[c] = strings.TrimSpace(cells[c] + " " + inlineOf(s.words))
		}
		if k > 0 && cells[0] == "" && r.y0-run[k-1].y1 < 0.6*r.boxHeight() {
			above := t.rows[len(t.rows)-1]
			for c, text := range cells {
				above[c] = strings.TrimSpace(above[c] + " " + text)
			}
			continue
		}
		t.rows = append(t.rows, cells)
	}
	labels, firsts := 0, 0
	for _, cells := range t.rows {
		for c, text := range cells {
			if text != "" {
				filled++
				if c == 0 {
					firsts++
					if isLabel(cells[0]) {
						labels++
					}
				}
			}
		}
	}
	if len(t.rows) < 2 || float64(filled) < leastFilled*float64(len(t.rows)*len(columns)) || len(columns) == 2 && labels == firsts {
		return nil, 0
	}
	return t, len(run)
}

// columnsOf are the columns of rows: where no segment of them reaches.
func columnsOf(rows []row) []box {
	var all []box
	height := 0.0
	for _, r := range rows {
		height = max(height, r.boxHeight())
		for _, s := range r.segments {
			all = append(all, s.box)
		}
	}
	slices.SortFunc(all, func(a, b box) int {
		switch {
		case a.x0 < b.x0:
			return -1
		case a.x0 > b.x0:
			return 1
		}
		return 0
	})
	var columns []box
	for _, b := range all {
		if n := len(columns); n > 0 && b.x0 < columns[n-1].x1+min(4, 0.4*height) {
			columns[n-1] = columns[n-1].unionWith(b)
			continue
		}
		columns = append(columns, b)
	}
	return columns
}

// leastContents is how many lines of a table of contents there are.
const leastContents = 8

// isContents reports whether a table is one of contents, whose headings stand in the text: the
// numbers of pages in its last column grow.
func (t *table) isContents(pages int) bool {
	if len(t.rows) < leastContents {
		return false
	}
	last, bad := 0, 0
	for _, cells := range t.rows {
		n, err := strconv.Atoi(cells[len(cells)-1])
		if err != nil || n < last || n > pages+50 || !hasLetters(strings.Join(cells[:len(cells)-1], ""), 2) {
			bad++
			continue
		}
		last = n
	}
	return 10*bad <= len(t.rows)
}
