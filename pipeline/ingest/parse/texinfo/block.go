package texinfo

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// maxBlocks is how deep blocks are nested; the text of deeper ones stays.
const maxBlocks = 40

var (
	listings = spacing.WordSet("example smallexample lisp smalllisp display smalldisplay format smallformat verbatim")
	frames   = spacing.WordSet("group cartouche raggedright flushleft flushright indentedblock smallindentedblock float")
	tables   = spacing.WordSet("table ftable vtable")
	// silent are commands whose lines are not shown.
	silent = spacing.WordSet(`setfilename settitle finalout setchapternewpage paragraphindent exampleindent
		footnotestyle afourpaper smallbook
		headings everyheading everyfooting evenheading oddheading evenfooting oddfooting contents shortcontents summarycontents
		printindex synindex syncodeindex defindex defcodeindex cindex findex vindex kindex pindex tindex page need sp vskip noindent
		indent refill dircategory direntry documentencoding documentlanguage title subtitle author shorttitlepage insertcopying
		kbdinputstyle allowcodebreaks xrefautomaticsectiontitle firstparagraphindent novalidate alias definfoenclose clickstyle
		microtype codequoteundirected codequotebacktick deftypefnnewline fonttextsize pagesizes unmacro lowersections
		raisesections listoffloats caption shortcaption exdent end anchor nodedescription frenchspacing urefbreakstyle`)
)

// flush writes the paragraph that is collected.
func (p *page) flush() {
	if len(p.para) == 0 {
		return
	}
	var b strings.Builder
	places := make([]int, 0, len(p.para))
	for i, l := range p.para {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
		places = append(places, l.at)
	}
	p.para = p.para[:0]
	text, lines := build.RawLines(p.inline(b.String(), places))
	if text == "" {
		return
	}
	p.w.At(doc.Location{Line: places[0]})
	p.w.Places(lines)
	p.w.Paragraph(text)
}

// divides reports whether a command begins a node or a section, which no block contains. The headings that are no
// sections may stand in a block.
func divides(command string) bool {
	return command == "node" || levels[command] > 0 && !strings.HasSuffix(command, "heading")
}

// writeBlocks writes lines up to the end of a block, to an item of the list around, or to the section behind a
// block without an end.
func (p *page) writeBlocks(block string) {
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		name, rest := commandOf(l.text)
		if block != "" && (name == "end" && rest == block || divides(name)) {
			return
		}
		if (name == "item" || name == "itemx" || name == "headitem" || name == "tab") && block != "" && isList(block) {
			return
		}
		p.at++
		switch {
		case name == "" && strings.TrimSpace(l.text) == "":
			p.flush()
		case name == "":
			p.para = append(p.para, l)
		case name == "node":
			p.flush()
			node, _, _ := strings.Cut(rest, ",")
			p.anchor = nodeID(p.plain(node))
		case levels[name] > 0:
			p.writeHeading(l, levels[name], rest)
		case silent[name] || strings.HasSuffix(name, "index"):
			if name == "exdent" || name == "caption" {
				p.para = append(p.para, line{rest, l.at})
			}
		default:
			p.writeBlock(l, name, rest)
		}
	}
}

func isList(block string) bool {
	return tables[block] || block == "itemize" || block == "enumerate" || block == "multitable"
}

// writeBlock writes a block that a command begins.
func (p *page) writeBlock(l line, name, rest string) {
	if p.depth >= maxBlocks {
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	switch {
	case listings[name]:
		p.flush()
		p.writeListing(name)
	case frames[name]:
		p.flush()
		p.writeBlocks(name)
		p.endBlock()
	case name == "quotation" || name == "smallquotation":
		p.writeQuotation(l, name, rest)
	case tables[name]:
		p.flush()
		p.writeTable(name, rest)
	case name == "itemize" || name == "enumerate":
		p.flush()
		p.writeList(name, rest)
	case name == "multitable":
		p.flush()
		p.writeCells(l)
	case strings.HasPrefix(name, "def"):
		p.flush()
		p.writeDefinition(l, name, rest)
	case name == "center":
		p.flush()
		p.para = append(p.para, line{rest, l.at})
		p.flush()
	case name == "item" || name == "itemx" || name == "headitem" || name == "tab": // outside of a list
		p.para = append(p.para, line{rest, l.at})
	default: // an unknown command, or one that stands within a line
		p.para = append(p.para, l)
	}
}

// endBlock passes the line that ends a block.
func (p *page) endBlock() {
	p.flush()
	if p.at < len(p.lines) {
		if name, _ := commandOf(p.lines[p.at].text); !divides(name) {
			p.at++
		}
	}
}

// writeListing writes lines as code.
func (p *page) writeListing(block string) {
	var code []build.Line
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		name, rest := commandOf(l.text)
		if block != "verbatim" && divides(name) {
			break
		}
		p.at++
		switch {
		case name == "end" && rest == block:
			p.w.Listing("", code)
			return
		case block == "verbatim":
			code = append(code, build.Line{Text: l.text, At: doc.Location{Line: l.at}})
			continue
		case name == "end" || frames[name] || silent[name] && name != "exdent" || strings.HasSuffix(name, "index"):
			continue
		}
		text := l.text
		if name == "exdent" {
			text = rest
		}
		code = append(code, build.Line{Text: p.plain(text), At: doc.Location{Line: l.at}})
	}
	p.w.Listing("", code)
}

func (p *page) writeQuotation(l line, name, rest string) {
	p.flush()
	c := build.Quote
	if word := strings.Trim(p.plain(rest), ": "); word != "" && len(word) < 40 {
		c = build.NoteContainer(word, "")
	}
	p.place(l)
	p.w.Open(c)
	p.writeBlocks(name)
	p.flush()
	p.w.Close()
	p.endBlock()
}

// writeTable writes the terms of a table with their texts.
func (p *page) writeTable(block, format string) {
	format = strings.TrimPrefix(format, "@")
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		name, rest := commandOf(l.text)
		if name != "item" && name != "itemx" {
			if name == "end" && rest == block || divides(name) {
				break
			}
			from := p.at
			p.writeBlocks(block) // text before the first term
			p.flush()
			if p.at == from {
				p.at++
			}
			continue
		}
		terms := []string{p.term(format, rest, l)}
		for p.at++; p.at < len(p.lines); p.at++ {
			name, rest := commandOf(p.lines[p.at].text)
			if name == "itemx" {
				terms = append(terms, p.term(format, rest, p.lines[p.at]))
			} else if !strings.HasSuffix(name, "index") && !strings.HasPrefix(rest, "@anchor{") {
				break
			}
		}
		p.place(l)
		p.w.Definition(strings.Join(terms, ", "))
		p.writeBlocks(block)
		p.flush()
		p.w.Close()
	}
	p.endBlock()
}

// term is the term of a table as an inline.
func (p *page) term(format, text string, l line) string {
	switch {
	case format == "asis" || format == "":
	case !isFormat[format] && strings.HasPrefix(text, "-"): // an option, which two dashes are a part of
		text = "@code{" + text + "}"
	default:
		text = "@" + format + "{" + text + "}"
	}
	inline, _ := build.RawLines(p.inline(text, []int{l.at}))
	return inline
}

// writeList writes a list.
func (p *page) writeList(block, start string) {
	number := 1
	if n, err := strconv.Atoi(strings.TrimSpace(start)); err == nil && n >= 0 {
		number = n
	}
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		name, rest := commandOf(l.text)
		if name == "end" && rest == block || divides(name) {
			break
		}
		if name != "item" && name != "itemx" {
			from := p.at
			p.writeBlocks(block)
			p.flush()
			if p.at == from {
				p.at++
			}
			continue
		}
		p.at++
		c := build.Bullet
		if block == "enumerate" {
			c = build.Number(number)
			number++
		}
		p.place(l)
		p.w.Open(c)
		if rest != "" {
			p.para = append(p.para, line{rest, l.at})
		}
		p.writeBlocks(block)
		p.flush()
		p.w.Close()
	}
	p.endBlock()
}

// writeCells writes a table of cells.
func (p *page) writeCells(first line) {
	var header []string
	var rows [][]string
	var places []doc.Location
	var row, cell []string
	open, head, at := false, false, first.at
	endCell := func() {
		if open {
			inline, _ := build.RawLines(p.inline(strings.Join(cell, " "), nil))
			row = append(row, inline)
		}
		cell = nil
	}
	endRow := func() {
		endCell()
		switch {
		case !open:
		case head && header == nil:
			header = row
		default:
			rows, places = append(rows, row), append(places, doc.Location{Line: at})
		}
		row, open = nil, false
	}
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		name, rest := commandOf(l.text)
		if divides(name) {
			break
		}
		p.at++
		if name == "end" && rest == "multitable" {
			break
		}
		if name == "item" || name == "headitem" {
			endRow()
			open, head, at = true, name == "headitem", l.at
		} else {
			rest = l.text
			if name != "" && name != "tab" && (silent[name] || strings.HasSuffix(name, "index") || frames[name]) {
				continue
			}
		}
		for i, part := range strings.Split(rest, "@tab") {
			if i > 0 {
				endCell()
			}
			cell = append(cell, strings.TrimSpace(part))
		}
	}
	endRow()
	p.place(first)
	p.w.WriteTable(header, rows, places...)
}

// isDefinitionLine reports whether a command is the head of a definition in a @defblock.
func isDefinitionLine(command string) bool { return command == "defline" || command == "deftypeline" }

// writeDefinition writes the definition of a function, a variable and the like. A second head, which has no text of
// its own, ends at its line where no definition stands before it.
func (p *page) writeDefinition(l line, name, rest string) {
	var terms []string
	if name != "defblock" {
		terms = append(terms, p.signature(strings.TrimSuffix(name, "x"), rest))
	}
	for ; p.at < len(p.lines); p.at++ {
		next, rest := commandOf(p.lines[p.at].text)
		if next == name+"x" || name == "defblock" && isDefinitionLine(next) {
			terms = append(terms, p.signature(strings.TrimSuffix(next, "x"), rest))
		} else if !strings.HasSuffix(next, "index") {
			break
		}
	}
	p.place(l)
	p.w.Definition(strings.Join(terms, ", "))
	if strings.HasSuffix(name, "x") || isDefinitionLine(name) {
		p.w.Close()
		return
	}
	p.writeBlocks(name)
	p.flush()
	p.w.Close()
	p.endBlock()
}

// signature is the line of a definition as an inline: without its category, which stands behind it.
func (p *page) signature(name, rest string) string {
	category := ""
	switch name {
	case "deffn", "deftypefn", "defvr", "deftypevr", "deftp", "defcv", "defop", "deftypecv", "deftypeop", "defline",
		"deftypeline":
		if strings.HasPrefix(rest, "{") {
			if end := closingBrace(rest, 0); end > 0 {
				category, rest = rest[1:end], rest[end+1:]
			}
		} else {
			category, rest, _ = strings.Cut(rest, " ")
		}
	}
	out := build.CodeInline(p.plain(strings.NewReplacer("@dots{}", "...", "{", "\x02", "}", "\x02").Replace(p.unwrap(rest))))
	if category != "" {
		out += build.TextInline(" (" + strings.TrimSpace(p.plain(category)) + ")")
	}
	return strings.ReplaceAll(out, "\x02", "")
}

// unwrap takes the commands with braces out of a line.
func (p *page) unwrap(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	return p.plain(s)
}
