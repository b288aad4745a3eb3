package docbook

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// Bounds of tables.
const (
	mostColumns = 100
	mostSpan    = 1000   // rows
	mostEmpty   = 10_000 // cells that spans add
)

// tableWriter places the cells of a table.
type tableWriter struct {
	*page
	columns map[string]int // by name, from 0
	below   []int          // by column: rows that a cell from above still takes
	empty   int            // cells that spans added
}

// writeTable writes the rows of a tgroup, or of a table as HTML has it.
func (p *page) writeTable(n *node) {
	t := &tableWriter{page: p, columns: map[string]int{}}
	for _, k := range n.kids {
		if k.name == "colspec" {
			t.columns[k.attribute("colname")] = len(t.columns)
		}
	}
	var header []string
	var rows [][]string
	var places []doc.Location
	var add func(n *node, head bool)
	add = func(n *node, head bool) {
		for _, k := range n.kids {
			switch k.name {
			case "thead":
				add(k, true)
			case "tbody", "tfoot":
				add(k, false)
			case "row", "tr":
				cells := t.cellsOf(k)
				if head && header == nil && rows == nil {
					header = cells
					continue
				}
				rows, places = append(rows, cells), append(places, doc.Location{Line: k.line})
			}
		}
	}
	add(n, false)
	if header == nil && len(rows) == 0 {
		return
	}
	p.place(n)
	p.w.WriteTable(header, rows, places...)
}

// cellsOf are the cells of a row.
func (t *tableWriter) cellsOf(row *node) []string {
	var cells []string
	fill := func(to int) {
		for len(cells) < min(to, mostColumns) && t.empty < mostEmpty {
			cells = append(cells, "")
			t.empty++
		}
	}
	skip := func() {
		for len(cells) < len(t.below) && t.below[len(cells)] > 0 && t.empty < mostEmpty {
			t.below[len(cells)]--
			fill(len(cells) + 1)
		}
	}
	for _, k := range row.kids {
		if k.name != "entry" && k.name != "td" && k.name != "th" && k.name != "entrytbl" || len(cells) >= mostColumns {
			continue
		}
		skip()
		if at, ok := t.columns[k.attribute("namest")]; ok {
			fill(at)
		}
		from := len(cells)
		cells = append(cells, t.cellText(k))
		fill(from + min(t.spanOf(k), mostColumns))
		if more := rowSpan(k); more > 0 {
			for len(t.below) < len(cells) {
				t.below = append(t.below, 0)
			}
			for c := from; c < len(cells); c++ {
				t.below[c] = more
			}
		}
	}
	skip()
	return cells
}

// spanOf is over how many columns a cell goes.
func (t *tableWriter) spanOf(n *node) int {
	if from, ok := t.columns[n.attribute("namest")]; ok {
		if to, ok := t.columns[n.attribute("nameend")]; ok {
			return to - from + 1
		}
	}
	span, _ := strconv.Atoi(n.attribute("colspan"))
	return max(1, span)
}

// rowSpan is over how many further rows a cell goes.
func rowSpan(n *node) int {
	more, _ := strconv.Atoi(n.attribute("morerows"))
	if rows, err := strconv.Atoi(n.attribute("rowspan")); err == nil {
		more = rows - 1
	}
	return min(max(0, more), mostSpan)
}

// cellText is the content of a cell as an inline: its blocks are lines of it.
func (t *tableWriter) cellText(n *node) string {
	var parts []string
	var run []*node
	flush := func() {
		if text := t.oneLine(run); text != "" {
			parts = append(parts, text)
		}
		run = nil
	}
	var add func(kids []*node)
	add = func(kids []*node) {
		for _, k := range kids {
			switch {
			case isHidden[k.name]:
			case isInlineElement(k):
				run = append(run, k)
			case isListing[k.name]:
				flush()
				for line := range strings.SplitSeq(k.rawText(), "\n") {
					if code := build.CodeInline(line); code != "" {
						parts = append(parts, code)
					}
				}
			default:
				flush()
				add(k.kids)
				flush()
			}
		}
	}
	add(n.kids)
	flush()
	return strings.Join(parts, build.Break)
}

// rawText is the text of an element with its line breaks.
func (n *node) rawText() string {
	if n.name == "" {
		return n.text
	}
	var b strings.Builder
	for _, k := range n.kids {
		b.WriteString(k.rawText())
	}
	return b.String()
}
