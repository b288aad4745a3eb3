package man

import (
	"cmp"
	"strings"
)

// readTable reads a table of tbl: rows of cells, up to .TE.
func (p *page) readTable() {
	p.flush()
	p.placeLine(p.at + 1)
	sep := "\t"
	var rows [][]string
	form := true // the lines before the data
	for line, ok := p.nextLine(); ok && !strings.HasPrefix(line, ".TE"); line, ok = p.nextLine() {
		switch {
		case form:
			sep = cmp.Or(separatorOf(line), sep)
			form = !strings.HasSuffix(strings.TrimSpace(line), ".")
		case strings.HasPrefix(line, ".T&"):
			form = true
		case strings.HasPrefix(line, ".") || line == "_" || line == "=" || strings.TrimSpace(line) == "":
		default:
			rows = append(rows, p.tableRow(line, sep))
		}
	}
	if len(rows) > 0 {
		p.w.WriteTable(rows[0], rows[1:])
		p.blocks++
	}
}

// separatorOf is what stands between the cells of a table by its options, "tab(:);"; ""
// where they do not say it.
func separatorOf(options string) string {
	_, rest, ok := strings.Cut(options, "tab")
	rest, open := strings.CutPrefix(strings.TrimLeft(rest, " "), "(")
	if !ok || !open || rest == "" {
		return ""
	}
	return rest[:1]
}

// tableRow reads the cells of a row. One that begins with T{ is of several lines, and
// behind its end T} the row goes on.
func (p *page) tableRow(line, sep string) (cells []string) {
	for {
		texts := strings.Split(line, sep)
		last := len(texts) - 1
		for _, text := range texts[:last] {
			cells = append(cells, p.inline(text))
		}
		if strings.TrimSpace(texts[last]) != "T{" {
			return append(cells, p.inline(texts[last]))
		}
		cell, end := p.longCell()
		cells = append(cells, cell)
		rest := strings.TrimPrefix(end, "T}")
		if !strings.HasPrefix(rest, sep) {
			return cells
		}
		line = rest[len(sep):]
	}
}

// longCell reads a cell of several lines, and gives the line that ends it. Of macros it
// reads those that mark words: a cell has no blocks, and a macro of a block may be indented.
func (p *page) longCell() (cell, end string) {
	para, where, term := p.para, p.where, p.term
	p.para, p.where, p.term = nil, nil, false
	defer func() { p.para, p.where, p.term = para, where, term }()
	for line, ok := p.nextLine(); ok; line, ok = p.nextLine() {
		switch {
		case strings.HasPrefix(line, "T}"):
			return strings.Join(p.para, " "), line
		case strings.HasPrefix(line, ".TE"):
			return strings.Join(p.para, " "), ""
		case strings.HasPrefix(line, "."):
			cellMacro(p, strings.TrimLeft(line[1:], " \t"))
		case isBlockMacro(strings.TrimSpace(line)):
		default:
			p.addText(p.inline(line))
		}
	}
	return strings.Join(p.para, " "), ""
}

// cellMacro reads a macro in a cell.
func cellMacro(p *page, line string) {
	name, rest := splitMacro(line)
	name, rest = p.aliasOf(name), withoutComment(rest)
	_, encloses := enclosures[name]
	switch {
	case name == "SY" || name == "YS":
	case p.mdoc.is && (encloses || fontOf(name) != 0):
		mdocReader{p}.mdocMacro(name, rest)
	case !p.fontMacro(name, rest):
		p.expandMacro(name, rest)
	}
}

// isBlockMacro reports whether a line is a macro of man(7) between paragraphs and nothing else.
func isBlockMacro(line string) bool {
	switch line {
	case ".PP", ".P", ".LP", ".sp", ".br":
		return true
	}
	return false
}

// columnList reads a list of mdoc(7) in columns as a table, where each of its rows is a
// line; it reads nothing and reports false where one is not.
func (p *page) columnList() bool {
	const end = ".El"
	n := p.at + 1
	for ; n < len(p.lines) && strings.HasPrefix(p.lines[n], ".It "); n++ {
	}
	if len(p.calls) > 0 || n == p.at+1 || n == len(p.lines) || strings.TrimSpace(p.lines[n]) != end {
		return false
	}
	p.placeLine(p.at + 2)
	var rows [][]string
	for p.at+1 < n {
		line, _ := p.nextLine()
		var cells []string
		args := splitArguments(withoutComment(line[len(".It "):]))
		for from, i := 0, 0; i <= len(args); i++ {
			if i == len(args) || args[i] == "Ta" {
				cells = append(cells, p.inlineOf(mdocReader{p}.readWords(args[from:i])))
				from = i + 1
			}
		}
		rows = append(rows, cells)
	}
	p.nextLine() // .El
	p.w.WriteTable(rows[0], rows[1:])
	p.blocks++
	return true
}

// inlineOf is runs as an inline.
func (p *page) inlineOf(runs []run) string {
	var b strings.Builder
	for _, r := range joined(runs) {
		was, before := p.font, p.before
		p.font = r.font
		b.WriteString(p.inline(r.text))
		p.font, p.before = was, before
	}
	return b.String()
}
