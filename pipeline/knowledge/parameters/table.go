package parameters

import (
	"strings"

	"docent/store/doc"
)

// row is a row of a table: its cells as they are written, and its lines.
type row struct {
	cells       []string
	first, last int
	spans       bool // of a table in HTML: its only cell spans all columns
}

// mostTable is how much of a table is read, in bytes.
const mostTable = 8 << 20

// columns says which column of a table holds what; -1: none.
type columns struct{ name, typ, def, req, desc int }

// readTable takes the parameters of a table.
func (r *reader) readTable(b doc.Block) {
	if r.isFull() {
		return
	}
	src := r.spanText(b.Span)
	src = src[:min(len(src), mostTable)]
	indent := strings.TrimLeft(src, " \t\r\n")
	if strings.HasPrefix(indent, "<") {
		r.readRows(b, htmlRows(src, b.Span.StartLine))
		return
	}
	rows := pipeRows(src, b.Span.StartLine)
	if strings.Contains(src, "\n+-") || strings.Contains(src, "\n+=") {
		rows = gridRows(src, b.Span.StartLine)
	}
	r.readRows(b, rows)
}

// readRows takes the parameters of a table's rows; the first is its header.
func (r *reader) readRows(b doc.Block, rows []row) {
	if len(rows) == 0 {
		return
	}
	if len(rows[0].cells) == 0 || r.readPairs(b, rows) || len(rows) < 2 {
		return
	}
	head := make([]string, len(rows[0].cells))
	for i, c := range rows[0].cells {
		head[i] = strings.TrimSpace(strings.ToLower(plainText(c)))
	}
	cols, sure, ok := columnsOf(head)
	if !ok && !r.hasNamesInCode(b, head, rows[1:]) {
		return
	}
	amongNames := ok && mostAreNames(rows[1:], cols.name)
	for _, w := range rows[1:] {
		cell := strings.TrimSpace(cellAt(w.cells, cols.name))
		name, found := readNames(plainText(cell))
		coded := isCoded(cell)
		if !found || !sure && !looksLikeCodeName(name.name) && !(coded && amongNames) || !sure && !ok && !coded {
			continue
		}
		desc := plainText(cellAt(w.cells, cols.desc))
		p := Parameter{Name: name.name, Aliases: name.aliases, Type: plainText(cellAt(w.cells, cols.typ)), Description: desc, Form: Row,
			Section: b.Section, First: w.first, Last: w.last, Header: rows[0].first, Required: name.required ||
				saysRequired(plainText(cellAt(w.cells, cols.req)))}
		if strings.Trim(p.Type, "-–—") == "" { // a dash says that a flag takes no value
			p.Type = name.typ
		}
		if p.Default = plainText(cellAt(w.cells, cols.def)); nothing().MatchString(p.Default) {
			p.Default = ""
		}
		p.fillFromText(desc)
		r.addParameter(p)
	}
}

// columnsOf reads a table's header. sure: all of the rows are parameters; ok: those are
// whose names are telling.
func columnsOf(head []string) (c columns, sure, ok bool) {
	c = columns{-1, -1, -1, -1, -1}
	for i, h := range head {
		switch {
		case c.typ < 0 && typeColumn().MatchString(h):
			c.typ = i
		case c.def < 0 && defaultColumn().MatchString(h):
			c.def = i
		case c.req < 0 && requiredColumn().MatchString(h):
			c.req = i
		case c.desc < 0 && describing().MatchString(h):
			c.desc = i
		case c.name < 0 && i < 2 && nameColumn().MatchString(h):
			c.name, ok = i, true
		}
	}
	sure = c.name >= 0 && (c.typ >= 0 || c.def >= 0 || c.req >= 0)
	if c.name < 0 {
		c.name = 0
		ok = plainName().MatchString(head[0]) && (c.typ >= 0 || c.def >= 0 || c.req >= 0)
		sure = ok
		if c.typ == 0 || c.def == 0 || c.desc == 0 {
			return c, false, false
		}
	}
	if c.desc < 0 { // the first that says nothing else
		for i := range head {
			if i != c.name && i != c.typ && i != c.def && i != c.req {
				c.desc = i
				break
			}
		}
	}
	return c, sure, ok
}

// hasNamesInCode reports whether the first column holds names in code, and its heading does not say
// what else they are. Flags are parameters below any heading, "Value" too.
func (r *reader) hasNamesInCode(b doc.Block, head []string, rows []row) bool {
	if len(head) < 2 {
		return false
	}
	coded, names, flags := 0, 0, 0
	for _, w := range rows[:min(len(rows), 200)] {
		cell := strings.TrimSpace(cellAt(w.cells, 0))
		if isCoded(cell) {
			coded++
		}
		if n, ok := readNames(plainText(cell)); ok && looksLikeCodeName(n.name) {
			names++
			if strings.HasPrefix(n.name, "-") {
				flags++
			}
		}
	}
	all := min(len(rows), 200)
	if head[0] != "" && otherColumn().MatchString(head[0]) && flags*5 < all*4 {
		return false
	}
	return coded*5 >= all*4 && names*5 >= all*3 && (names > 1 || r.announced(b.Section) || announces(r.lead))
}

// mostAreNames reports whether two of three cells of a column are names in code: a plain word in code is one too there,
// heartbeat between channel_max and frame_max.
func mostAreNames(rows []row, column int) bool {
	all, names := min(len(rows), 200), 0
	for _, w := range rows[:all] {
		cell := strings.TrimSpace(cellAt(w.cells, column))
		if n, ok := readNames(plainText(cell)); ok && isCoded(cell) && looksLikeCodeName(n.name) {
			names++
		}
	}
	return names*3 >= all*2
}

// readPairs takes the parameters of tables in which a row holds a flag, over all columns, and
// the next one what it does, as generated references of commands have it.
func (r *reader) readPairs(b doc.Block, rows []row) bool {
	if !rows[0].spans || !isFlagName(firstWord(plainText(cellAt(rows[0].cells, 0)))) {
		return false
	}
	for i, w := range rows {
		if !w.spans {
			continue
		}
		head := plainText(cellAt(w.cells, 0))
		if !strings.HasPrefix(head, "-") {
			continue
		}
		p := Parameter{Form: Row, Section: b.Section, First: w.first, Last: w.last}
		if from, to := defaultAt(head); from > 0 {
			p.Default, head = strings.TrimSpace(head[to:]), strings.TrimSpace(head[:from])
		}
		name, ok := readNames(head)
		if !ok {
			continue
		}
		p.Name, p.Aliases, p.Type = name.name, name.aliases, name.typ
		if i+1 < len(rows) && !rows[i+1].spans {
			next := rows[i+1]
			p.Last = next.last
			p.Description = plainText(cellAt(next.cells, len(next.cells)-1))
			p.fillFromText(p.Description)
		}
		r.addParameter(p)
	}
	return true
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return strings.TrimRight(w, ",")
}

func cellAt(cells []string, i int) string {
	if i < 0 || i >= len(cells) {
		return ""
	}
	return cells[i]
}

// isCoded reports whether a cell, or the head of an item, begins with code.
func isCoded(s string) bool {
	s = strings.TrimLeft(s, " *_[")
	return strings.HasPrefix(s, "`") || strings.HasPrefix(s, "<code") || strings.HasPrefix(s, "<tt") || strings.HasPrefix(s, "<kbd") ||
		strings.HasPrefix(s, "<a ") && strings.Contains(s[:min(len(s), 300)], "<code")
}

// pipeRows are the rows of a Markdown table; the line under the header is none.
func pipeRows(src string, line int) []row {
	var out []row
	for l := range strings.SplitSeq(src, "\n") {
		line++
		t := strings.TrimSpace(l)
		if t == "" || !strings.Contains(t, "|") || len(out) == 1 && strings.Trim(t, "|:- \t") == "" {
			continue
		}
		if len(out) > MostPerPage {
			break
		}
		out = append(out, row{cells: pipeCells(t), first: line - 1, last: line - 1})
	}
	return out
}

// gridRows are the rows of a grid table of Pandoc, whose rows have several lines between two
// borders.
func gridRows(src string, line int) []row {
	var out []row
	begins := true // the next line is the first of a row
	for l := range strings.SplitSeq(src, "\n") {
		line++
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "+"):
			begins = true
		case !strings.HasPrefix(t, "|"):
		case begins && len(out) > MostPerPage:
			return out
		case begins:
			out = append(out, row{cells: pipeCells(t), first: line - 1, last: line - 1})
			begins = false
		default:
			open := &out[len(out)-1]
			open.last = line - 1
			for i, c := range pipeCells(t) {
				if i < len(open.cells) {
					open.cells[i] = strings.TrimRight(open.cells[i], " ") + " " + strings.TrimSpace(c)
				}
			}
		}
	}
	return out
}

// mostColumns is how many columns of a table are read.
const mostColumns = 40

// pipeCells are the cells of a row.
func pipeCells(l string) []string {
	l = strings.TrimPrefix(strings.TrimLeft(l, "> \t"), "|")
	if strings.HasSuffix(l, "|") && !strings.HasSuffix(l, `\|`) {
		l = l[:len(l)-1]
	}
	var out []string
	from := 0
	for i := 0; i < len(l) && len(out) < mostColumns; i++ {
		switch l[i] {
		case '\\':
			i++
		case '|':
			out = append(out, l[from:i])
			from = i + 1
		}
	}
	if len(out) < mostColumns {
		out = append(out, l[from:])
	}
	return out
}

// htmlRows are the rows of a table in HTML.
func htmlRows(src string, line int) []row {
	var out []row
	var cell int // where the open cell begins, 0: none is open
	open := false
	end := func(to int) {
		if cell > 0 && open {
			w := &out[len(out)-1]
			if len(w.cells) < mostColumns {
				w.cells = append(w.cells, src[cell:max(cell, to)])
			}
		}
		cell = 0
	}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\n':
			line++
			continue
		case '<':
		default:
			continue
		}
		name := tagName(src[i:])
		closing := i+1 < len(src) && src[i+1] == '/'
		switch name {
		case "tr", "td", "th":
		default:
			continue
		}
		end(i)
		if open {
			out[len(out)-1].last = line
		}
		if name == "tr" {
			open = !closing
			if open {
				if len(out) > 2*MostPerPage {
					return out
				}
				out = append(out, row{first: line, last: line})
			}
			continue
		}
		stop := strings.IndexByte(src[i:min(len(src), i+2000)], '>')
		if closing || stop < 0 || !open {
			continue
		}
		if strings.Contains(src[i:i+stop], "colspan") && len(out[len(out)-1].cells) == 0 {
			out[len(out)-1].spans = true
		}
		cell = i + stop + 1
		line += strings.Count(src[i:cell], "\n")
		i = cell - 1
	}
	end(len(src))
	return out
}
