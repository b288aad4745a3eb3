package mediawiki

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// table is a table while it is read.
type table struct {
	rows    [][]string
	places  []doc.Location
	heads   []bool // of the rows: all cells are heads
	caption line

	row   []string
	at    int
	head  bool
	any   bool
	spans map[int]int // rows below that a column still takes, by column
}

const mostColumns = 64

// writeTable writes the lines of a table: the first one opens it, and the one that closes it
// is not among them.
func (p *page) writeTable(lines []line) {
	if p.depth >= mostNested {
		for _, l := range lines {
			p.addText(l)
		}
		p.endParagraph()
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	t := &table{at: lines[0].at, spans: map[int]int{}}
	depth := 0
	var cell []line
	attrs, isHead := "", false
	open := false
	endCell := func() {
		if open {
			t.addCell(p.cellInline(cell), attrs, isHead)
		}
		cell, open = nil, false
	}
	for _, l := range lines[1:] {
		text := strings.TrimSpace(l.text)
		switch {
		case strings.HasPrefix(text, "{|"):
			depth++
			continue
		case depth > 0 && strings.HasPrefix(text, "|}"):
			depth--
			continue
		case depth > 0: // the cells of a table in a cell are its text
			for _, part := range splitCells(strings.TrimLeft(strings.TrimLeft(text, "|!"), "-+")) {
				if _, inner := cellAttributes(part); strings.TrimSpace(inner) != "" {
					cell = append(cell, line{inner, l.at})
				}
			}
			continue
		case strings.HasPrefix(text, "|-"):
			endCell()
			t.endRow()
			t.at = l.at
		case strings.HasPrefix(text, "|+"):
			endCell()
			_, caption := cellAttributes(text[2:])
			t.caption = line{caption, l.at}
		case strings.HasPrefix(text, "|"), strings.HasPrefix(text, "!"):
			if len(t.row) == 0 && !open {
				t.at = l.at
			}
			kind := text[0]
			for _, part := range splitCells(text[1:]) {
				endCell()
				a, inner := cellAttributes(part)
				attrs, isHead, open = a, kind == '!', true
				cell = append(cell, line{inner, l.at})
			}
		case open:
			cell = append(cell, line{l.text, l.at})
		case text != "" && t.caption.text != "" && len(t.rows) == 0:
			t.caption.text += " " + text
		}
	}
	endCell()
	t.endRow()
	p.finishTable(t)
}

// addCell adds a cell, and empty ones for the columns that it takes.
func (t *table) addCell(inline, attrs string, head bool) {
	t.fillSpans()
	t.head = (t.head || !t.any) && head
	t.any = true
	rows := min(1000, numberOr(attribute(attrs, "rowspan"), 1))
	for i := range min(mostColumns, max(1, numberOr(attribute(attrs, "colspan"), 1))) {
		if len(t.row) >= mostColumns {
			t.row[mostColumns-1] += " " + inline
			return
		}
		if rows > 1 {
			t.spans[len(t.row)] = rows
		}
		if i > 0 {
			inline = ""
		}
		t.row = append(t.row, inline)
	}
}

// fillSpans adds empty cells for the columns that cells of rows above take.
func (t *table) fillSpans() {
	for t.spans[len(t.row)] > 0 && len(t.row) < mostColumns {
		t.row = append(t.row, "")
	}
}

func (t *table) endRow() {
	if t.any {
		t.rows, t.heads, t.places = append(t.rows, t.row), append(t.heads, t.head), append(t.places, doc.Location{Line: t.at})
		for column, left := range t.spans {
			if left > 1 {
				t.spans[column] = left - 1
			} else {
				delete(t.spans, column)
			}
		}
	}
	t.row, t.any, t.head = nil, false, false
}

// finishTable writes a table that was read.
func (p *page) finishTable(t *table) {
	if strings.TrimSpace(t.caption.text) != "" {
		p.place(t.caption.at)
		if inline, _ := build.RawLines(p.inline(t.caption.text)); inline != "" {
			p.w.Paragraph(build.Strong(inline))
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.w.At(t.places[0])
	if len(t.rows) == 1 && len(t.rows[0]) == 1 { // a frame around text
		p.w.Paragraph(t.rows[0][0])
		return
	}
	if t.heads[0] {
		p.w.WriteTable(t.rows[0], t.rows[1:], t.places[1:]...)
		return
	}
	p.w.WriteTable(nil, t.rows, t.places...)
}

// splitCells cuts a line at the marks between cells.
func splitCells(s string) []string {
	return strings.Split(strings.ReplaceAll(s, "!!", "||"), "||")
}

// cellAttributes cuts the attributes of a cell from its text.
func cellAttributes(s string) (attrs, text string) {
	before, after, ok := strings.Cut(s, "|")
	if !ok || strings.ContainsAny(before, "[\x02") {
		return "", s
	}
	return before, after
}

// cellInline is the text of a cell as an inline; items and paragraphs stand on lines of their
// own.
func (p *page) cellInline(lines []line) string {
	var out []string
	var run []string
	end := func() {
		if len(run) > 0 {
			if inline, _ := build.RawLines(p.inline(strings.Join(run, " "))); inline != "" {
				out = append(out, strings.ReplaceAll(inline, "\n", " "))
			}
		}
		run = nil
	}
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		switch {
		case text == "":
			end()
		case strings.IndexByte("*#;:", text[0]) >= 0:
			end()
			run = append(run, strings.TrimLeft(text, "*#;: "))
			end()
		default:
			run = append(run, text)
		}
	}
	end()
	return strings.Join(out, build.Break)
}
