package html

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// Bounds of a table that is written as one.
const (
	maxColumns = 60
	maxCell    = 4000 // bytes
)

// row is a row of a table: its cells as elements.
type row struct {
	cells []*node
	head  bool
	line  int
}

// writeTable writes a table with data as a table. Of other tables it writes the content of the
// cells, since old pages are laid out in tables.
func (r *renderer) writeTable(n *node) {
	r.noteName(n)
	if n.hasClass("highlighttable", "rouge-table", "lntable", "codehilitetable") { // line numbers next to code
		if last := lastCode(n); last != nil {
			r.writeCode(last)
			return
		}
	}
	rows, captions := r.tableRows(n)
	r.strays(n)
	for _, c := range captions {
		if text, line := inlineOf(c); text != "" {
			r.setLine(line)
			r.w.Paragraph(build.Strong(text))
		}
	}
	switch {
	case len(rows) == 0: // cells without rows
		for c := range n.elements() {
			if c.isTag(atom.Td, atom.Th) && !c.out {
				r.writeGroup(c)
			}
		}
	case layout(n, rows):
		for _, row := range rows {
			r.arranged(row)
		}
	case hasRichCells(rows):
		r.writeRichRows(rows)
	default:
		r.writeGrids(rows)
	}
	r.textWritten()
}

// arranged writes a row of a table that arranges a page: words in several cells are one
// paragraph.
func (r *renderer) arranged(row row) {
	row.cells = slices.DeleteFunc(row.cells, func(c *node) bool { return c.out && isMenu(c) })
	var parts []string
	line := 0
	for _, c := range row.cells {
		if c.blocks {
			parts = nil
			break
		}
		r.noteNames(c)
		text, l := inlineOf(c)
		if text != "" {
			parts = append(parts, text)
		}
		if line == 0 {
			line = l
		}
	}
	if len(parts) > 0 {
		r.writeWords(phrase{text: strings.Join(parts, " "), line: line})
		return
	}
	for _, c := range row.cells {
		r.writeGroup(c)
	}
}

func lastCode(n *node) *node {
	var last *node
	n.walkTree(func(c *node) bool {
		if c.tag == atom.Pre && c.size > 0 {
			last = c
		}
		return !c.out
	})
	return last
}

// strays writes the content of a table outside of its cells, as a browser does: before
// the table.
func (r *renderer) strays(n *node) {
	for c := range n.children() {
		switch {
		case c.out || c.size == 0 || c.tag == atom.Caption:
		case c.isTag(atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr):
			r.strays(c)
		case !c.isTag(atom.Td, atom.Th):
			r.writeStray(c)
		}
	}
}

// tableRows are the rows of a table, not those of tables in it. Cells whose row has no tag of its own
// are a row where others have one.
func (r *renderer) tableRows(n *node) (rows []row, captions []*node) {
	tagged := false
	var visit func(n *node, head bool)
	visit = func(n *node, head bool) {
		loose := false // the last row is one of cells without a row
		for c := range n.elements() {
			if c.isTag(atom.Td, atom.Th) && (!c.out || c.size > 0) {
				if !loose {
					rows, loose = append(rows, row{head: head, line: c.line}), true
				}
				last := &rows[len(rows)-1]
				last.cells = append(last.cells, c)
				continue
			}
			loose = loose && !c.isTag(atom.Tr, atom.Thead, atom.Tbody, atom.Tfoot)
			switch {
			case c.out:
			case c.tag == atom.Caption:
				captions = append(captions, c)
			case c.isTag(atom.Thead, atom.Tbody, atom.Tfoot):
				visit(c, c.tag == atom.Thead)
			case c.tag == atom.Tr:
				one := row{head: head, line: c.line}
				heads := 0
				for cell := range c.elements() {
					if cell.isTag(atom.Td, atom.Th) && (!cell.out || cell.size > 0) {
						one.cells = append(one.cells, cell)
						if cell.tag == atom.Th {
							heads++
						}
					}
				}
				one.head = one.head || heads > 0 && heads == len(one.cells)
				if tagged = true; len(one.cells) > 0 {
					rows = append(rows, one)
				}
			}
		}
	}
	visit(n, false)
	if !tagged {
		rows = nil
	}
	return rows, captions
}

// layout reports whether a table only arranges its content.
func layout(n *node, rows []row) bool {
	role := n.attribute("role")
	if role == "presentation" || role == "none" || n.head != nil {
		return true
	}
	if len(rows) == 1 && !rows[0].head && slices.ContainsFunc(rows[0].cells, func(c *node) bool {
		return c.findFirst(func(m *node) bool { return m.isTag(atom.Ul, atom.Ol, atom.Dl) }) != nil
	}) {
		return true // a list in columns
	}
	widest := 0
	for _, row := range rows {
		widest = max(widest, len(row.cells))
		for _, c := range row.cells {
			if c.out && isMenu(c) {
				return true
			}
			if c.findFirst(func(m *node) bool { return m.tag == atom.Table && !m.out && m.size > 0 }) != nil {
				return true
			}
		}
	}
	return widest <= 1 || widest > maxColumns
}

// hasRichCells reports whether cells have more than a line of a table can show: code of several
// lines, long texts.
func hasRichCells(rows []row) bool {
	for _, row := range rows {
		for _, c := range row.cells {
			if c.size > maxCell {
				return true
			}
			if c.blocks && c.findFirst(func(m *node) bool { return m.tag == atom.Pre && severalLines(m) }) != nil {
				return true
			}
		}
	}
	return false
}

func severalLines(n *node) bool {
	text, _ := codeText(n)
	return strings.Contains(strings.TrimSpace(text), "\n")
}

// writeRichRows writes each row as an item that begins with its first cell.
func (r *renderer) writeRichRows(rows []row) {
	for _, row := range rows {
		if row.head {
			continue
		}
		first, _ := r.cellInline(row.cells[0])
		r.setLine(row.line)
		if len(row.cells) == 1 || first == "" || row.cells[0].size > 300 {
			for _, c := range row.cells {
				r.writeGroup(c)
			}
			continue
		}
		r.w.Definition(first)
		r.inside++
		for _, c := range row.cells[1:] {
			r.writeGroup(c)
		}
		r.inside--
		r.w.Close()
	}
}

// cellInline is the content of a cell as an inline on one line.
func (r *renderer) cellInline(n *node) (text string, line int) {
	if !n.blocks {
		return inlineOf(n)
	}
	// Items and paragraphs in a cell are parted by a break.
	var parts []string
	var gather func(n *node)
	gather = func(n *node) {
		var run []*node
		flush := func() {
			if p := inline(run); p.text != "" {
				text, l := p.text, p.line
				parts = append(parts, text)
				if line == 0 {
					line = l
				}
			}
			run = nil
		}
		for c := range n.children() {
			switch {
			case c.out:
			case !c.isText() && (c.blocks || isBlock(c)) && c.tag != atom.Pre:
				flush()
				if c.blocks {
					gather(c)
				} else if text, l := inlineOf(c); text != "" {
					if c.tag == atom.Li {
						text = "• " + text
					}
					parts = append(parts, text)
					if line == 0 {
						line = l
					}
				}
			default:
				run = append(run, c)
			}
		}
		flush()
	}
	gather(n)
	return strings.Join(parts, build.Break), line
}

// writeGrids writes a table as one. Cells that span columns leave those after them empty,
// those that span rows are repeated; several rows of headings are joined.
func (r *renderer) writeGrids(rows []row) {
	type span struct {
		text string
		left int
	}
	var down []span // by column
	var header []string
	var body [][]string
	var places []doc.Location
	cells, widest := 0, 0
	for i, row := range rows {
		if !r.isAlive() {
			return
		}
		var line []string
		next := func() { // takes the cells that rows above left here
			for len(line) < len(down) && down[len(line)].left > 0 {
				down[len(line)].left--
				line = append(line, down[len(line)].text)
			}
		}
		for _, c := range row.cells {
			next()
			text, _ := r.cellInline(c)
			across, tall := spanOf(c, "colspan", maxColumns), spanOf(c, "rowspan", len(rows)-i)
			for k := range across {
				if len(line) >= maxColumns {
					break
				}
				for len(down) <= len(line) {
					down = append(down, span{})
				}
				if k > 0 {
					text = ""
				}
				down[len(line)] = span{text, tall - 1}
				line = append(line, text)
			}
			r.noteNames(c)
		}
		next()
		cells += len(line)
		widest = max(widest, len(line))
		if row.head && len(body) == 0 {
			header = joinHeads(header, line)
			continue
		}
		body = append(body, line)
		places = append(places, r.lineLocation(row.line))
	}
	if widest*len(rows) > 10*cells+10_000 { // hardly any cells, in many columns
		r.writeRichRows(rows)
		return
	}
	if len(body) == 0 && len(header) > 0 {
		header, body = nil, [][]string{header}
	}
	r.setLine(rows[0].line)
	header, body = filled(header, body, widest)
	r.w.WriteTable(header, body, places...)
}

// filled leaves out columns in which no row has anything.
func filled(header []string, body [][]string, widest int) ([]string, [][]string) {
	var keep []int
	for k := range widest {
		full := k < len(header) && header[k] != ""
		for i := 0; i < len(body) && !full; i++ {
			full = k < len(body[i]) && body[i][k] != ""
		}
		if full {
			keep = append(keep, k)
		}
	}
	if len(keep) == widest {
		return header, body
	}
	pick := func(line []string) []string {
		var out []string
		for _, k := range keep {
			if k < len(line) {
				out = append(out, line[k])
			}
		}
		return out
	}
	header = pick(header)
	for i, line := range body {
		body[i] = pick(line)
	}
	return header, body
}

func spanOf(n *node, key string, most int) int {
	v, err := strconv.Atoi(strings.TrimSpace(n.attribute(key)))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, max(1, most))
}

func joinHeads(above, line []string) []string {
	for i := range max(len(above), len(line)) {
		switch {
		case i >= len(above):
			above = append(above, line[i])
		case i < len(line) && line[i] != "" && line[i] != above[i]:
			above[i] = strings.TrimSpace(above[i] + " " + line[i])
		}
	}
	return above
}

// writeSummaryGrid writes the summary tables of javadoc, whose cells are elements with the classes
// col-first to col-last.
func (r *renderer) writeSummaryGrid(n *node) {
	r.noteName(n)
	var header []string
	var body [][]string
	var places []doc.Location
	for c := range n.elements() {
		if c.out && c.size == 0 {
			continue
		}
		text, _ := r.cellInline(c)
		if c.hasClass("table-header") {
			header = append(header, text)
			continue
		}
		// Where there are headers, they say how many cells a row has: not every row begins
		// with a cell of the class col-first.
		begins := c.hasClass("col-first")
		if len(header) > 0 && len(body) > 0 {
			begins = len(body[len(body)-1]) == len(header)
		}
		if begins || len(body) == 0 {
			body = append(body, nil)
			places = append(places, r.lineLocation(c.line))
		}
		last := len(body) - 1
		if len(body[last]) < maxColumns {
			body[last] = append(body[last], text)
		}
	}
	r.setLine(n.line)
	r.w.WriteTable(header, body, places...)
	r.textWritten()
}
