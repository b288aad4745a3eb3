package dita

import (
	"cmp"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// The bounds of tables.
const (
	maxColumns = 100
	// maxRepeated is the longest cell, in bytes, that is repeated in each row that it
	// spans.
	maxRepeated = 80
	// longCell is the length of a cell, in bytes, beyond which its row is no line of a
	// table any more.
	longCell = 1200
)

// cell is a cell of a table.
type cell struct {
	kids  []*node
	line  int
	fixed bool
}

// newCell makes a cell. Of one that is pushed elsewhere (conaction) the id of that place
// says what it is about.
func newCell(n *node) *cell {
	c := &cell{kids: n.kids, line: n.line, fixed: n.fixed}
	if to := cmp.Or(n.attribute("conkeyref"), n.attribute("conref")); to != "" && strings.HasPrefix(n.attribute("conaction"), "push") {
		id := &node{name: "codeph", line: n.line, file: n.file, fixed: true,
			kids: []*node{{text: to[strings.LastIndexAny(to, "/#")+1:], line: n.line, file: n.file, fixed: true}}}
		c.kids = append([]*node{id, {text: ": ", line: n.line, file: n.file, fixed: true}}, n.kids...)
	}
	return c
}

// grid is a table whose cells stand in columns.
type grid struct {
	header [][]*cell
	rows   [][]*cell
}

// writeTable writes a table of the exchange model (CALS), with its spans.
func (p tableWriter) writeTable(n *node) {
	if t := n.firstChild("title"); t != nil {
		p.blockWriter().writeBoldLine(t.line, p.inlineOnOneLine(t.kids))
	}
	if d := n.firstChild("desc"); d != nil {
		p.blockWriter().writeFlow(d.kids)
	}
	for _, group := range n.childrenNamed("tgroup") {
		columns := map[string]int{}
		next := 0
		for _, c := range group.childrenNamed("colspec") {
			if at, err := strconv.Atoi(c.attribute("colnum")); err == nil && at > 0 && at <= maxColumns {
				next = at - 1
			}
			columns[c.attribute("colname")] = next
			next++
		}
		var g grid
		for _, part := range group.childrenNamed("thead", "tbody", "tfoot") {
			rows := inColumns(part.childrenNamed("row"), columns)
			if part.name == "thead" {
				g.header = rows
			} else {
				g.rows = append(g.rows, rows...)
			}
		}
		p.writeGrid(g)
	}
}

// inColumns puts the cells of rows in their columns.
func inColumns(rows []*node, columns map[string]int) [][]*cell {
	out := make([][]*cell, len(rows))
	type span struct {
		rows int
		cell *cell
	}
	var above []span // by column: a cell that goes on from the row before
	for i, r := range rows {
		var line []*cell
		put := func(at int, c *cell) {
			for len(line) <= at {
				line = append(line, nil)
			}
			line[at] = c
		}
		for at := range above {
			if above[at].rows > 0 {
				above[at].rows--
				put(at, above[at].cell)
			}
		}
		at := 0
		for _, e := range r.childrenNamed("entry") {
			if c, ok := columns[cmp.Or(e.attribute("colname"), e.attribute("namest"))]; ok {
				at = c
			}
			for at < len(line) && line[at] != nil {
				at++
			}
			if at >= maxColumns {
				break
			}
			c := newCell(e)
			put(at, c)
			if more, err := strconv.Atoi(e.attribute("morerows")); err == nil && more > 0 {
				for len(above) <= at {
					above = append(above, span{})
				}
				again := c
				if textSize(e.kids) > maxRepeated {
					again = &cell{line: e.line, fixed: true}
				}
				above[at] = span{rows: more, cell: again}
			}
			if end, ok := columns[e.attribute("nameend")]; ok && end > at && end < maxColumns {
				for at < end {
					at++
					put(at, &cell{line: e.line, fixed: e.fixed})
				}
			}
			at++
		}
		out[i] = line
	}
	return out
}

// simpleTable writes a table without spans: of choices, of properties, or a plain one.
func (p tableWriter) simpleTable(n *node) {
	if t := n.firstChild("title"); t != nil {
		p.blockWriter().writeBoldLine(t.line, p.inlineOnOneLine(t.kids))
	}
	cells := func(row *node) []*cell {
		var out []*cell
		for _, k := range row.kids {
			if k.name == "" || len(out) >= maxColumns {
				continue
			}
			at := len(out)
			if n.name == "properties" { // a row may leave the first ones out
				switch k.name {
				case "propvalue", "propvaluehd":
					at = 1
				case "propdesc", "propdeschd":
					at = 2
				}
			}
			for len(out) < at {
				out = append(out, nil)
			}
			out = append(out, newCell(k))
		}
		return out
	}
	var g grid
	for _, k := range n.kids {
		switch k.name {
		case "sthead", "prophead", "chhead":
			g.header = append(g.header, cells(k))
		case "strow", "property", "chrow":
			g.rows = append(g.rows, cells(k))
		}
	}
	if len(g.header) == 0 {
		if names := headers[n.name]; names != nil {
			var row []*cell
			for _, s := range names {
				row = append(row, &cell{kids: []*node{{text: s, line: n.line, fixed: true, file: n.file}}, line: n.line, fixed: true})
			}
			g.header = [][]*cell{row}
		}
	}
	p.writeGrid(g)
}

// headers are the columns of tables that say none.
var headers = map[string][]string{"choicetable": {"Option", "Description"}, "properties": {"Type", "Value", "Description"}}

// writeGrid writes a table: as one where each cell is a line, else row by row.
func (p tableWriter) writeGrid(g grid) {
	if g.dropEmpty() == 1 {
		p.writeColumnAsList(g)
		return
	}
	for _, r := range g.rows {
		for _, c := range r {
			if c != nil && (needsBlocks(c.kids) || boundedSize(c.kids, longCell) > longCell) {
				p.rowByRow(g)
				return
			}
		}
	}
	header := p.cellAsInline(g)
	rows := make([][]string, len(g.rows))
	places := make([]doc.Location, len(g.rows))
	for i, r := range g.rows {
		rows[i] = make([]string, len(r))
		places[i] = doc.Location{Element: p.element}
		for k, c := range r {
			if c == nil {
				continue
			}
			if places[i].Line == 0 {
				places[i].Line = c.line
			}
			rows[i][k] = p.flatCell(c.kids)
		}
	}
	if len(places) > 0 {
		p.placeText(places[0].Line, true)
	}
	if h := g.header; len(h) > 0 && len(h[0]) > 0 && h[0][0] != nil && h[0][0].line > 0 {
		p.placeText(h[0][0].line, true)
	}
	p.w.WriteTable(header, rows, places...)
}

// writeColumnAsList writes a table of one column as a list.
func (p tableWriter) writeColumnAsList(g grid) {
	for _, h := range p.cellAsInline(g) {
		p.blockWriter().writeBoldLine(p.w.Place().Line, h)
	}
	for _, r := range g.rows {
		for _, c := range r {
			if c != nil {
				p.blockWriter().writeInContainer(c.line, build.Bullet, c.kids)
			}
		}
	}
}

// dropEmpty leaves out columns that have no cells, and says how many there are.
func (g *grid) dropEmpty() int {
	used := make([]bool, maxColumns)
	for _, rows := range [][][]*cell{g.header, g.rows} {
		for _, r := range rows {
			for i, c := range r {
				used[i] = used[i] || c != nil
			}
		}
	}
	for _, rows := range [][][]*cell{g.header, g.rows} {
		for k, r := range rows {
			var kept []*cell
			for i, c := range r {
				if used[i] {
					kept = append(kept, c)
				}
			}
			rows[k] = kept
		}
	}
	columns := 0
	for _, u := range used {
		if u {
			columns++
		}
	}
	return columns
}

// cellAsInline joins the rows of a table's header.
func (p tableWriter) cellAsInline(g grid) []string {
	var out []string
	for _, r := range g.header {
		for i, c := range r {
			for len(out) <= i {
				out = append(out, "")
			}
			if c == nil {
				continue
			}
			if text := p.flatCell(c.kids); text != "" && out[i] != text {
				out[i] = strings.TrimSpace(out[i] + " " + text)
			}
		}
	}
	return out
}

// rowByRow writes the rows of a table whose cells hold code, tables or long texts: the
// first cell as a term, and the others under it.
func (p tableWriter) rowByRow(g grid) {
	header := p.cellAsInline(g)
	for _, r := range g.rows {
		open := false
		for i, c := range r {
			if c == nil || textSize(c.kids) == 0 && !needsBlocks(c.kids) {
				continue
			}
			p.placeText(c.line, true)
			if !open {
				open = true
				p.w.Definition(p.flatCell(c.kids))
				if !needsBlocks(c.kids) {
					continue
				}
			}
			if i < len(header) && header[i] != "" && len(r) > 2 {
				p.w.Paragraph(build.Emphasis(header[i]))
			}
			p.blockWriter().writeFlow(c.kids)
		}
		if open {
			p.w.Close()
		}
	}
}

// needsBlocks reports whether text would lose its lines on a line of a table.
func needsBlocks(kids []*node) bool {
	for _, k := range kids {
		switch {
		case isPre[k.name]:
			if strings.Contains(strings.TrimSpace(rawText(k)), "\n") || k.firstChild("coderef") != nil {
				return true
			}
		case k.name == "table" || k.name == "simpletable" || k.name == "properties" || k.name == "choicetable" || k.name == "steps":
			return true
		case k.name != "" && needsBlocks(k.kids):
			return true
		}
	}
	return false
}

func rawText(n *node) string {
	if n.name == "" {
		return n.text
	}
	var b strings.Builder
	for _, k := range n.kids {
		b.WriteString(rawText(k))
	}
	return b.String()
}

// flatCell is the text of a cell as one inline: blocks stand on lines of their own, items
// of lists behind a bullet.
func (p tableWriter) flatCell(kids []*node) string {
	var out []string
	var run []*node
	flush := func() {
		if text := p.inlineOnOneLine(run); text != "" {
			out = append(out, text)
		}
		run = nil
	}
	for _, k := range kids {
		name := baseElement(event{name: k.name, attrs: k.attrs})
		if name == "" || isInline(name) || !isBlock(name) && !hasBlock(k) {
			run = append(run, k)
			continue
		}
		flush()
		switch {
		case isPre[name]:
			if s := build.CodeInline(p.plainWords(k)); s != "" {
				out = append(out, s)
			}
		case name == "li" || name == "sli" || name == "choice":
			if text := p.flatCell(k.kids); text != "" {
				out = append(out, "• "+text)
			}
		default:
			if text := p.flatCell(k.kids); text != "" {
				out = append(out, text)
			}
		}
	}
	flush()
	return strings.Join(out, "\n")
}
