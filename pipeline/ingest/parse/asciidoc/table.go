package asciidoc

import (
	"strings"

	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

var cellSpec = pattern.Lazy(`(?:^|\s)(?:\d{0,3}(?:\.\d{1,3})?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?$`)

// cellAt is a cell and the line on which it begins.
type cellAt struct {
	text string
	line line
}

// writeTable writes a table.
func (p *page) writeTable(open line, in []line, a ahead) {
	sep := open.text[:1]
	if sep == "," || sep == ":" {
		p.writeCode(in, "")
		return
	}
	var cells []cellAt
	columns := p.columns(a)
	header := strings.Contains(a.options, "header") || strings.Contains(a.style, "header")
	first := -1 // how many cells the first line has
	for i, l := range in {
		if strings.TrimSpace(l.text) == "" || strings.HasPrefix(l.text, "//") {
			if first > 0 && i == 1 && a.options == "" {
				header = true // a blank line behind the first
			}
			continue
		}
		parts := splitCells(l.text, sep[0])
		if len(cells) > 0 {
			cells[len(cells)-1].text += "\n" + parts[0]
		}
		for k, part := range parts[1:] {
			if k+1 < len(parts)-1 {
				part = strings.TrimRight(cellSpec().ReplaceAllString(part, ""), " ")
			}
			cells = append(cells, cellAt{part, l})
		}
		if first < 0 {
			first = len(parts) - 1
		}
	}
	if columns == 0 {
		columns = max(1, first)
	}
	var rows [][]string
	var places []doc.Location
	for i := 0; i < len(cells); i += columns {
		var row []string
		for _, c := range cells[i:min(len(cells), i+columns)] {
			row = append(row, p.inline(p.expand(strings.TrimSpace(c.text))))
		}
		rows, places = append(rows, row), append(places, doc.Location{Line: cells[i].line.num})
	}
	if len(rows) == 0 {
		return
	}
	p.placeLine(open)
	if header {
		p.w.WriteTable(rows[0], rows[1:], places[1:]...)
		return
	}
	p.w.WriteTable(nil, rows, places...)
}

// mostColumns is how many columns a table may say that it has.
const mostColumns = 60

// columns is how many columns a table says it has, 0 where it does not.
func (p *page) columns(a ahead) int {
	cols := strings.TrimSpace(a.cols)
	if cols == "" {
		return 0
	}
	n := 0
	for part := range strings.SplitSeq(cols, ",") {
		times := 1
		if k, _, ok := strings.Cut(strings.TrimSpace(part), "*"); ok {
			times = 0
			for _, c := range k {
				if c >= '0' && c <= '9' && times < mostColumns {
					times = times*10 + int(c-'0')
				}
			}
		}
		if n += max(1, times); n >= mostColumns {
			return mostColumns
		}
	}
	return n
}

// splitCells cuts a line at the signs between cells.
func splitCells(t string, sep byte) []string {
	var out []string
	start := 0
	for i := 0; i < len(t); i++ {
		if t[i] == sep && (i == 0 || t[i-1] != '\\') {
			out = append(out, t[start:i])
			start = i + 1
		}
	}
	out = append(out, t[start:])
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], `\`+string(sep), string(sep))
	}
	return out
}
