package rst

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Limits of a page. Deeper and longer structures are plain text.
const (
	maxDepth    = 24      // blocks in blocks
	maxIncludes = 8       // files that files include
	maxIncluded = 4 << 20 // bytes of all included files
	maxCells    = 200_000 // of all tables
	maxColumns  = 400     // of a table
	maxStyles   = 64      // adornments of sections
	maxTitle    = 500     // bytes of a heading; a longer one is a paragraph
	maxLabel    = 300     // bytes of the name of a target
	// maxSubstitution is the length of a substitution, and maxOption that of an option
	// of a directive, in bytes.
	maxSubstitution = 4 << 10
	maxOption       = 64 << 10
)

// reader reads the blocks of one page.
type reader struct {
	page    *page
	styles  []string // adornments of sections, from the outermost
	level   int      // of the section that is read
	depth   int
	cells   int
	globbed int      // pages that patterns gave
	files   []string // included files that are open, the page first
	parts   []string // the parts of files that are included, while they are
	size    int      // of included files
	at      int      // line of the page where an included file stands, 0 in the page itself
	pythonScope
}

func (r *reader) warnAt(num int, format string, args ...any) {
	if r.at > 0 {
		num = r.at
	}
	r.page.warnings = append(r.page.warnings, fmt.Sprintf("line %d: ", num)+fmt.Sprintf(format, args...))
}

func (r *reader) lineNumber(v view, i int) int {
	if r.at > 0 {
		return r.at
	}
	return v.sourceLine(i)
}

func (r *reader) newNode(k kind, v view, i int) *node {
	return &node{kind: k, line: r.lineNumber(v, i), still: r.at > 0}
}

// run is the state of one run of blocks.
type run struct {
	view
	out     []*node
	titles  bool // sections may stand here
	literal bool // the paragraph before ended in "::"
	noTable bool // no simple table ends in the rest of these lines
}

// blocks reads a run of lines. titles says that sections may stand in it.
func (r *reader) blocks(v view, titles bool) []*node {
	v = v.trimBlank()
	if v.lineCount() == 0 {
		return nil
	}
	if r.depth >= maxDepth {
		r.warnAt(v.sourceLine(0), "blocks lie more than %d deep in blocks: the inner ones are shown as they stand", maxDepth)
		n := r.newNode(code, v, 0)
		n.text = v.commonText()
		return []*node{n}
	}
	r.depth++
	defer func() { r.depth-- }()
	b := &run{view: v, titles: titles}
	for i := 0; i < b.lineCount(); {
		if b.isBlank(i) {
			i++
			continue
		}
		i = r.readBlock(b, i)
	}
	return b.out
}

// readBlock reads the block that begins at line i, and returns the line after it.
func (r *reader) readBlock(b *run, i int) int {
	t := b.lineAt(i)
	if b.literal {
		b.literal = false
		if j := r.literalBlock(b, i); j > i {
			return j
		}
	}
	if t[0] == ' ' {
		return r.readQuote(b, i)
	}
	switch t[0] {
	case '.':
		if beginsWithMark(t, "..") {
			return r.explicit(b, i)
		}
	case '_':
		if beginsWithMark(t, "__") {
			return r.anonymous(b, i)
		}
	case '>':
		if beginsWithMark(t, ">>>") {
			return r.doctest(b, i)
		}
	case '|':
		if beginsWithMark(t, "|") {
			return r.lineBlock(b, i)
		}
	case ':':
		if name, _ := fieldMark(t); name != "" {
			return r.fields(b, i)
		}
	case '+':
		if gridTop(t) {
			if j := r.tableReader().gridTable(b, i); j > i {
				return j
			}
		}
	case '=':
		if simpleTop(t) && !b.noTable {
			if j := r.tableReader().simpleTable(b, i); j > i {
				return j
			}
		}
	}
	if mark, _ := bulletMark(t); mark != 0 {
		return r.bullets(b, i)
	}
	if j := r.numbers(b, i); j > i {
		return j
	}
	if optionMark(t) > 0 {
		if j := r.options(b, i); j > i {
			return j
		}
	}
	if c := adornment(t); c != 0 {
		if j := r.overlined(b, i, c); j > i {
			return j
		}
	}
	return r.readText(b, i)
}

// beginsWithMark reports whether a line begins with a mark, alone or before a blank.
func beginsWithMark(t, mark string) bool {
	return strings.HasPrefix(t, mark) && (len(t) == len(mark) || t[len(mark)] == ' ')
}

// adornment is the character of a line that repeats one punctuation mark, or 0.
func adornment(t string) byte {
	if t == "" || !punctuation(t[0]) {
		return 0
	}
	for i := 1; i < len(t); i++ {
		if t[i] != t[0] {
			return 0
		}
	}
	return t[0]
}

func punctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// readQuote reads an indented block.
func (r *reader) readQuote(b *run, i int) int {
	end := b.indented(i, 1)
	v := b.linesBetween(i, end)
	n := r.newNode(quote, b.view, i)
	n.kids = r.blocks(v.inner(v.margin()), false)
	if len(n.kids) > 0 {
		b.out = append(b.out, n)
	}
	return end
}

// literalBlock reads the block that "::" announces: indented, or quoted by one
// punctuation mark. It returns i without one.
func (r *reader) literalBlock(b *run, i int) int {
	end := i
	t := b.lineAt(i)
	if t[0] == ' ' {
		end = b.indented(i, 1)
	} else if punctuation(t[0]) {
		for end < b.lineCount() && !b.isBlank(end) && b.lineAt(end)[0] == t[0] {
			end++
		}
	}
	if end == i {
		r.warnAt(b.sourceLine(i), "no literal block after \"::\"; indent it")
		return i
	}
	n := r.newNode(code, b.view, i)
	n.text, n.name = b.linesBetween(i, end).commonText(), r.page.highlight
	b.out = append(b.out, n)
	return end
}

// doctest reads an interactive session up to a blank line.
func (r *reader) doctest(b *run, i int) int {
	end := i
	for end < b.lineCount() && !b.isBlank(end) {
		end++
	}
	n := r.newNode(code, b.view, i)
	n.text, n.name = b.linesBetween(i, end).commonText(), "pycon"
	b.out = append(b.out, n)
	return end
}

// lineBlock reads lines that begin with "|" and keep their line ends.
func (r *reader) lineBlock(b *run, i int) int {
	n := r.newNode(lineBlock, b.view, i)
	var lines []string
	for ; i < b.lineCount(); i++ {
		t := b.lineAt(i)
		switch {
		case beginsWithMark(t, "|"):
			lines = append(lines, strings.TrimPrefix(t[1:], " "))
			continue
		case t != "" && t[0] == ' ' && len(lines) > 0:
			lines[len(lines)-1] += " " + strings.TrimLeft(t, " ")
			continue
		}
		break
	}
	n.text = strings.Join(lines, "\n")
	b.out = append(b.out, n)
	return i
}

// overlined reads a section title between two lines, or a transition. It returns i
// where the line is neither.
func (r *reader) overlined(b *run, i int, c byte) int {
	over := b.lineAt(i)
	alone := i+1 >= b.lineCount() || b.isBlank(i+1)
	if alone && len(over) >= 4 {
		b.out = append(b.out, r.newNode(transition, b.view, i))
		return i + 1
	}
	if alone || i+2 >= b.lineCount() {
		return i
	}
	title, under := strings.TrimSpace(b.lineAt(i+1)), b.lineAt(i+2)
	if adornment(under) != c || len(over) < 4 && len(over) < textWidth(title) || adornment(title) == c || len(title) > maxTitle {
		return i
	}
	b.out = append(b.out, r.section(b, i+1, title, string([]byte{c, c})))
	return i + 3
}

// textWidth is the columns of a text, roughly: a wide character takes two.
func textWidth(s string) int {
	n := 0
	for _, c := range s {
		n++
		if isWide(c) {
			n++
		}
	}
	return n
}

// isWide reports whether a character takes two columns: one of East Asia, or a sign such
// as those for "yes" and "no", by the property of Unicode that docutils goes by.
func isWide(c rune) bool {
	if c < firstWide {
		return false
	}
	k := width.LookupRune(c).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

const firstWide = 0x1100 // of all characters

// underlined reports whether line i is a section title: the line after it underlines it.
func (b *run) underlined(i int) bool {
	if i+1 >= b.lineCount() {
		return false
	}
	t, under := b.lineAt(i), b.lineAt(i+1)
	return adornment(under) != 0 && (len(under) >= 4 || len(under) >= textWidth(t)) && len(t) <= maxTitle && under != "::"
}

// section makes a heading of a title by its adornment. Where no section may stand, it
// is a title without a section.
func (r *reader) section(b *run, i int, title, style string) *node {
	n := r.newNode(heading, b.view, i)
	n.text = title
	if !b.titles {
		n.kind = rubric
		return n
	}
	at := 0
	for at < len(r.styles) && r.styles[at] != style {
		at++
	}
	if at == len(r.styles) && at < maxStyles {
		r.styles = append(r.styles, style)
	}
	n.level = min(at+1, r.level+1) // a heading path never jumps
	r.level = n.level
	r.objectReader().endSection(n.level)
	return n
}

// readText reads a section title, a definition list or a paragraph.
func (r *reader) readText(b *run, i int) int {
	if b.underlined(i) {
		b.out = append(b.out, r.section(b, i, b.lineAt(i), string(b.lineAt(i + 1)[0])))
		return i + 2
	}
	if i+1 < b.lineCount() && !b.isBlank(i+1) && b.lineAt(i + 1)[0] == ' ' && !strings.HasSuffix(b.lineAt(i), "::") {
		return r.definition(b, i)
	}
	end := i + 1
	for end < b.lineCount() && !b.isBlank(end) && b.lineAt(end)[0] != ' ' {
		end++
	}
	return r.paragraph(b, i, end)
}

// paragraph reads lines up to end. "::" at its end announces a literal block.
func (r *reader) paragraph(b *run, i, end int) int {
	n := r.newNode(paragraph, b.view, i)
	t := b.joined(i, end)
	if strings.HasSuffix(t, "::") && !strings.HasSuffix(t, "\\::") {
		b.literal = true
		switch rest := t[:len(t)-2]; {
		case rest == "":
			return end
		case strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\n"):
			t = strings.TrimRight(rest, " \n")
		default:
			t = rest + ":"
		}
	}
	n.text = t
	b.out = append(b.out, n)
	return end
}

// joined is the text of lines.
func (v view) joined(i, end int) string {
	if end == i+1 {
		return v.lineAt(i)
	}
	var b strings.Builder
	for k := i; k < end; k++ {
		if k > i {
			b.WriteByte('\n')
		}
		b.WriteString(v.lineAt(k))
	}
	return b.String()
}

// definition reads one item of a definition list: a term with its indented text.
func (r *reader) definition(b *run, i int) int {
	end := b.indented(i+1, 1)
	n := r.newNode(definition, b.view, i)
	n.text = b.lineAt(i)
	v := b.linesBetween(i+1, end)
	n.kids = r.blocks(v.inner(v.margin()), false)
	b.out = append(b.out, n)
	return end
}

// fieldMark reads ":name:" at the beginning of a line, and the column of its text.
func fieldMark(t string) (name string, column int) {
	if len(t) < 3 || t[0] != ':' || t[1] == ' ' || t[1] == ':' {
		return "", 0
	}
	for i := 1; i < len(t); i++ {
		switch {
		case t[i] == '\\':
			i++
		case t[i] == ':' && (i+1 == len(t) || t[i+1] == ' '):
			if t[i-1] == ' ' || i > maxLabel {
				return "", 0
			}
			return t[1:i], i + 1
		case t[i] == ':' && t[i+1] == '`':
			return "", 0 // a role
		}
	}
	return "", 0
}

// fields reads one field of a field list.
func (r *reader) fields(b *run, i int) int {
	name, column := fieldMark(b.lineAt(i))
	n := r.newNode(field, b.view, i)
	n.name = strings.ReplaceAll(name, "\\", "")
	v, end := b.hanging(i, column)
	n.text = v.commonText()
	n.kids = r.blocks(v, false)
	b.out = append(b.out, n)
	return end
}

// hanging is the text behind a mark of n bytes in line i with the indented lines after
// it, and the line after them.
func (b *run) hanging(i, n int) (view, int) {
	end := b.indented(i+1, 1)
	column := 1
	if end > i+1 {
		column = max(1, b.linesBetween(i+1, end).margin())
	}
	b.moveToColumn(i, n, column)
	return b.linesBetween(i, end).inner(column), end
}

// optionMark is the end of the options at the beginning of a line ("-a, --all=NAME"), or
// 0.
func optionMark(t string) int {
	if t[0] != '-' && t[0] != '/' || len(t) < 2 || t[1] == ' ' {
		return 0
	}
	end := strings.Index(t, "  ")
	if end < 0 {
		end = len(t)
	}
	for o := range strings.SplitSeq(t[:end], ", ") {
		name, arg, _ := strings.Cut(o, " ")
		if strings.IndexByte(name, '=') > 0 {
			name, _, _ = strings.Cut(name, "=")
		}
		bare := strings.TrimLeft(name, "-/+")
		if name == bare || bare == "" || len(name)-len(bare) > 2 || strings.ContainsAny(bare, " ,;:()\"`") || strings.Contains(arg, " ") {
			return 0
		}
		if name[0] == '/' && strings.Contains(bare, "/") {
			return 0 // a path
		}
		if arg != "" && !(arg[0] == '<' || arg[0] >= 'A' && arg[0] <= 'Z' || arg[0] >= 'a' && arg[0] <= 'z') {
			return 0
		}
	}
	return end
}

// options reads one item of an option list. It returns i where no text belongs to it.
func (r *reader) options(b *run, i int) int {
	t := b.lineAt(i)
	end := optionMark(t)
	if end == len(t) && (i+1 >= b.lineCount() || b.isBlank(i+1) || b.lineAt(i + 1)[0] != ' ') {
		return i
	}
	n := r.newNode(option, b.view, i)
	n.text = t[:end]
	v, next := b.hanging(i, end)
	n.kids = r.blocks(v, false)
	b.out = append(b.out, n)
	return next
}

// bulletMark is the mark of a list item at the beginning of a line, and the column of
// its text.
func bulletMark(t string) (rune, int) {
	c, n := utf8.DecodeRuneInString(t)
	switch c {
	case '*', '+', '-', '•', '‣', '⁃':
	default:
		return 0, 0
	}
	if len(t) == n {
		return c, n + 1
	}
	if t[n] != ' ' {
		return 0, 0
	}
	return c, n + indentOf(t[n:])
}
