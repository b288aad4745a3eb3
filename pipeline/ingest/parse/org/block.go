package org

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// deepest is how deep lists and blocks are read in each other; the text of deeper ones stays.
const deepest = 30

var (
	blockStart  = pattern.Lazy(`(?i)^[ \t]*#\+begin_(\S+)(?:[ \t]+(.*))?$`)
	blockEnd    = pattern.Lazy(`(?i)^[ \t]*#\+end_(\S+)[ \t]*$`)
	itemStart   = pattern.Lazy(`^([ \t]*)([-+]|\*|\d{1,9}[.)])(?:[ \t]+(.*))?$`)
	itemCount   = pattern.Lazy(`^\[@(\d{1,9})\][ \t]*`)
	itemTerm    = pattern.Lazy(`^(.*?)[ \t]+::(?:[ \t]+(.*))?$`)
	noteStart   = pattern.Lazy(`^\[fn:([\pL\pN_-]+)\][ \t]*(.*)$`)
	latexStart  = pattern.Lazy(`^[ \t]*\\begin\{([A-Za-z]+\*?)\}`)
	ruleLine    = pattern.Lazy(`^[ \t]*-{5,}[ \t]*$`)
	tableFormat = pattern.Lazy(`^<[lcr]?\d*>$`)
)

// writeBlocks writes lines.
func (p *page) writeBlocks(lines []line) {
	if p.depth > deepest {
		p.para = append(p.para, lines...)
		p.endParagraph()
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		trimmed := strings.TrimSpace(l.text)
		switch {
		case l.head != nil:
			p.endParagraph()
			p.place(l.at)
			inline, _ := build.RawLines(p.inline(l.head.text))
			p.w.Heading(min(6, l.head.level+p.shift), inline, l.head.anchor)
		case trimmed == "":
			p.endParagraph()
		case trimmed[0] == '#' && (len(trimmed) == 1 || trimmed[1] == ' '): // a comment
			p.endParagraph()
		case strings.HasPrefix(trimmed, "#+"):
			i = p.writeKeyword(lines, i)
		case drawerStart().MatchString(l.text):
			i = p.writeDrawer(lines, i)
		case trimmed[0] == ':' && (len(trimmed) == 1 || trimmed[1] == ' '):
			p.endParagraph()
			i = p.writeLines(lines, i, func(s string) (string, bool) {
				s = strings.TrimSpace(s)
				return strings.TrimPrefix(strings.TrimPrefix(s, ":"), " "), s == ":" || strings.HasPrefix(s, ": ")
			})
		case trimmed[0] == '|':
			p.endParagraph()
			i = p.writeTable(lines, i)
		case strings.HasPrefix(trimmed, "+-") && strings.HasSuffix(trimmed, "+"):
			p.endParagraph()
			i = p.writeLines(lines, i, func(s string) (string, bool) {
				t := strings.TrimSpace(s)
				return s, strings.HasPrefix(t, "+-") || strings.HasPrefix(t, "|")
			})
		case ruleLine().MatchString(l.text):
			p.endParagraph()
			p.place(l.at)
			p.w.WriteRule()
		case isItem(l.text):
			p.endParagraph()
			i = p.writeList(lines, i)
		case l.text[0] == '[' && noteStart().MatchString(l.text):
			p.endParagraph()
			m := noteStart().FindStringSubmatch(l.text)
			p.para = append(p.para, line{text: "[" + m[1] + "] " + m[2], at: l.at})
		case latexStart().MatchString(l.text):
			i = p.writeLatex(lines, i)
		default:
			p.para = append(p.para, l)
		}
	}
	p.endParagraph()
}

// endParagraph writes the paragraph that is collected.
func (p *page) endParagraph() {
	if len(p.para) == 0 {
		return
	}
	var b strings.Builder
	for i, l := range p.para {
		build.MarkLine(&b, l.at, i > 0)
		text := strings.TrimSpace(l.text)
		if l.head != nil {
			text = l.head.text
		}
		b.WriteString(text)
	}
	first := p.para[0].at
	p.para = p.para[:0]
	text, places := build.RawLines(p.inline(b.String()))
	if text == "" {
		return
	}
	p.place(first)
	p.w.Places(places)
	p.w.Paragraph(text)
}

// writeKeyword writes a keyword or a block; it returns its last line.
func (p *page) writeKeyword(lines []line, i int) int {
	if m := blockStart().FindStringSubmatch(lines[i].text); m != nil {
		return p.writeBlock(lines, i, strings.ToLower(m[1]), strings.TrimSpace(m[2]))
	}
	if blockEnd().MatchString(lines[i].text) {
		p.endParagraph()
		return i
	}
	m := keyword().FindStringSubmatch(lines[i].text)
	if m == nil {
		if trimmed := strings.TrimSpace(lines[i].text); !strings.HasPrefix(trimmed, "#+") || strings.ContainsAny(trimmed, " ") {
			p.para = append(p.para, lines[i])
		}
		return i
	}
	switch name := strings.ToLower(m[1]); {
	case name == "caption" && strings.TrimSpace(m[2]) != "":
		p.endParagraph()
		p.place(lines[i].at)
		inline, _ := build.RawLines(p.inline(strings.TrimSpace(m[2])))
		p.w.Paragraph(build.Strong(inline))
	case name == "subtitle":
		p.endParagraph()
		p.para = append(p.para, line{text: m[2], at: lines[i].at})
		p.endParagraph()
	case strings.HasSuffix(name, "index"): // of terms, within a paragraph too
		p.w.AddMetadata(p.plain(m[2]))
	}
	return i
}

// endOfBlock is the line that ends a block, -1 without one.
func (p *page) endOfBlock(lines []line, i int, name string) int {
	if lines[i].at < p.unended[name] || p.ends[name] < lines[i].at {
		return -1
	}
	for j := i + 1; j < len(lines); j++ {
		if lines[j].head != nil {
			p.unended[name] = lines[j].at
			return -1
		}
		if strings.HasPrefix(strings.TrimSpace(lines[j].text), "#+") {
			if m := blockEnd().FindStringSubmatch(lines[j].text); m != nil && strings.EqualFold(m[1], name) {
				return j
			}
		}
	}
	p.unended[name] = lines[len(lines)-1].at + 1
	return -1
}

// notices are the names of blocks that are notes.
var notices = map[string]bool{"note": true, "tip": true, "warning": true, "caution": true, "important": true, "info": true, "hint": true,
	"danger": true, "attention": true}

// writeBlock writes a block; it returns its last line. Of one without an end only its first
// line is left out.
func (p *page) writeBlock(lines []line, i int, name, args string) int {
	p.endParagraph()
	end := p.endOfBlock(lines, i, name)
	if end < 0 {
		return i
	}
	inside := lines[i+1 : end]
	p.place(lines[i].at)
	switch {
	case name == "comment" || name == "export":
	case name == "src" || name == "example":
		lang := ""
		if name == "src" {
			lang, _, _ = strings.Cut(args, " ")
		}
		p.writeCode(languageOf(lang), inside)
	case name == "quote":
		p.w.Open(build.Quote)
		p.writeBlocks(inside)
		p.w.Close()
	case name == "verse":
		for _, l := range inside {
			if strings.TrimSpace(l.text) == "" {
				p.endParagraph()
				continue
			}
			p.para = append(p.para, l)
		}
		p.endParagraph()
	case notices[name]:
		p.w.Open(build.NoteContainer(name, ""))
		p.writeBlocks(inside)
		p.w.Close()
	case strings.HasPrefix(name, "def") && args != "":
		p.w.Definition(build.CodeInline(p.plain(args)))
		p.writeBlocks(inside)
		p.w.Close()
	default:
		p.writeBlocks(inside)
	}
	return end
}

// languageOf is a language as it is written behind a fence.
func languageOf(name string) string {
	switch name {
	case "emacs-lisp":
		return "elisp"
	case "shell":
		return "sh"
	}
	return name
}

// writeCode writes the lines of a block as code, without the indentation that they share
// and the commas that guard them.
func (p *page) writeCode(lang string, lines []line) {
	least := -1
	for _, l := range lines {
		if text := strings.TrimLeft(l.text, " \t"); text != "" {
			if n := len(l.text) - len(text); least < 0 || n < least {
				least = n
			}
		}
	}
	var code []build.Line
	for _, l := range lines {
		text := l.text
		if l.head != nil {
			text = strings.Repeat("*", l.head.level) + " " + l.head.text
		}
		text = text[min(max(0, least), len(text)):]
		bare := strings.TrimLeft(text, " \t")
		if rest := strings.TrimLeft(bare, ","); rest != bare && (strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "#+")) {
			text = text[:len(text)-len(bare)] + bare[1:]
		}
		code = append(code, build.Line{Text: text, At: doc.Location{Line: l.at}})
	}
	p.w.Listing(lang, code)
}

// writeLines writes successive lines as code; take says which, and gives their text. It
// returns the last one.
func (p *page) writeLines(lines []line, i int, take func(string) (string, bool)) int {
	var code []build.Line
	for ; i < len(lines); i++ {
		text, ok := take(lines[i].text)
		if !ok || lines[i].head != nil {
			break
		}
		code = append(code, build.Line{Text: text, At: doc.Location{Line: lines[i].at}})
	}
	p.w.Listing("", code)
	return i - 1
}

// writeDrawer writes the text of a drawer, unless that is Org's own; it returns the
// drawer's last line.
func (p *page) writeDrawer(lines []line, i int) int {
	name := strings.ToLower(matchOf(drawerStart(), lines[i].text))
	for j := i + 1; j < len(lines) && j < i+2000 && lines[j].head == nil; j++ {
		if !drawerEnd().MatchString(lines[j].text) {
			continue
		}
		p.endParagraph()
		if name != "properties" && name != "logbook" {
			p.writeBlocks(lines[i+1 : j])
		}
		return j
	}
	p.para = append(p.para, lines[i])
	return i
}

// writeLatex writes an environment of LaTeX as code; it returns its last line.
func (p *page) writeLatex(lines []line, i int) int {
	end := `\end{` + matchOf(latexStart(), lines[i].text) + "}"
	for j := i; j < len(lines) && j < i+500 && lines[j].head == nil; j++ {
		if strings.Contains(lines[j].text, end) {
			p.endParagraph()
			p.writeCode("latex", lines[i:j+1])
			return j
		}
	}
	p.para = append(p.para, lines[i])
	return i
}

// isItem reports whether a line begins an item of a list.
func isItem(text string) bool {
	m := itemStart().FindStringSubmatch(text)
	return m != nil && (m[2] != "*" || m[1] != "")
}

// writeList writes a list; it returns its last line. Two empty lines end it.
func (p *page) writeList(lines []line, i int) int {
	indent := spacing.Indent(lines[i].text)
	number := 0
	for i < len(lines) && lines[i].head == nil && isItem(lines[i].text) && spacing.Indent(lines[i].text) == indent {
		m := itemStart().FindStringSubmatch(lines[i].text)
		rest := strings.TrimSpace(m[3])
		c := build.Bullet
		if n, err := strconv.Atoi(strings.TrimRight(m[2], ".)")); err == nil {
			if number++; number == 1 {
				number = n
			}
			if at := itemCount().FindStringSubmatch(rest); at != nil {
				number, _ = strconv.Atoi(at[1])
				rest = rest[len(at[0]):]
			}
			c = build.Number(number)
		}
		next, last := p.itemEnd(lines, i, indent)
		p.place(lines[i].at)
		term := itemTerm().FindStringSubmatch(rest)
		switch {
		case term != nil && c == build.Bullet && strings.TrimSpace(term[1]) != "":
			inline, _ := build.RawLines(p.inline(term[1]))
			p.w.Definition(inline)
			rest = term[2]
		default:
			p.w.Open(c)
		}
		inside := append([]line{{text: strings.Repeat(" ", min(200, indent+2)) + rest, at: lines[i].at}}, lines[i+1:last]...)
		if isItem(inside[0].text) || strings.HasPrefix(rest, "#") || rest == "" { // it is text where a line begins anew
			if rest != "" {
				p.para = append(p.para, inside[0])
			}
			inside = inside[1:]
		}
		p.writeBlocks(inside)
		p.w.Close()
		if i = next; i < len(lines) && next-last >= 2 {
			break
		}
	}
	return i - 1
}

// itemEnd is the line behind an item and the empty lines below it; last is that behind its
// text. A block that begins in the item is part of it, wherever the lines within stand.
func (p *page) itemEnd(lines []line, i, indent int) (next, last int) {
	last = i + 1
	for j := i + 1; j < len(lines); j++ {
		if lines[j].head != nil {
			return last, last
		}
		if strings.TrimSpace(lines[j].text) == "" {
			if j+1 < len(lines) && strings.TrimSpace(lines[j+1].text) == "" {
				return j + 1, last
			}
			continue
		}
		if spacing.Indent(lines[j].text) <= indent {
			return j, last
		}
		if m := blockStart().FindStringSubmatch(lines[j].text); m != nil {
			if end := p.endOfBlock(lines, j, strings.ToLower(m[1])); end > 0 {
				j = end
			}
		}
		last = j + 1
	}
	return len(lines), last
}

// writeTable writes a table; it returns its last line.
func (p *page) writeTable(lines []line, i int) int {
	var rows [][]string
	var places []doc.Location
	var header []string
	first := lines[i].at
	for ; i < len(lines) && lines[i].head == nil; i++ {
		text := strings.TrimSpace(lines[i].text)
		if !strings.HasPrefix(text, "|") {
			break
		}
		if strings.HasPrefix(text, "|-") {
			if len(rows) == 1 && header == nil {
				header, rows, places = rows[0], nil, nil
			}
			continue
		}
		text = strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|")
		var row []string
		formats := true
		for cell := range strings.SplitSeq(text, "|") {
			cell = strings.TrimSpace(cell)
			formats = formats && (cell == "" || tableFormat().MatchString(cell))
			inline, _ := build.RawLines(p.inline(strings.ReplaceAll(cell, `\vert`, "|")))
			row = append(row, inline)
		}
		if formats && strings.Contains(text, "<") {
			continue
		}
		rows, places = append(rows, row), append(places, doc.Location{Line: lines[i].at})
	}
	p.place(first)
	if len(rows) > 0 || header != nil {
		p.w.WriteTable(header, rows, places...)
	}
	return i - 1
}

// writeNotes writes the footnotes that stand in the text.
func (p *page) writeNotes() {
	for k := 0; k < len(p.noted) && k < 10_000; k++ { // a note may have others
		n := p.noted[k]
		p.para = append(p.para, line{text: "[" + n.name + "] " + n.text, at: n.at})
		p.endParagraph()
	}
}
