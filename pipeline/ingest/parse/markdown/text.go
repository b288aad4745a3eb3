package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"docent/store/doc"
)

// extractor extracts plain text and code from pieces. All blocks share its two buffers,
// which become two strings at the end.
type extractor struct {
	page    *page
	src     []byte // the shape's text
	section int
	text    []byte
	code    []byte
	from    int        // where the block's text begins
	codeAt  int        // where the block's code begins
	pos     int        // offset in src of the last text seen
	marks   []doc.Mark // of the block, Source an offset in src
	anchors []openAnchor
}

// openAnchor is an <a href> without its </a> so far.
type openAnchor struct {
	href string
	at   int // in text
	line int
}

func (e *extractor) extractPiece(pc *piece) {
	e.from, e.codeAt = len(e.text), len(e.code)
	e.marks = e.marks[:0]
	if pc.kind == doc.Meta {
		return
	}
	for _, pt := range e.page.parts[pc.parts[0]:pc.parts[1]] {
		e.newline()
		if pt.node == nil {
			o := e.page.shape.Opaques[pt.opaque]
			first, last := e.page.lines[o.First], e.page.lines[o.Last+1]
			e.appendHTML(e.page.text[first:last], func(at int) int { return dialect.LineIn(e.page.lines, first+at) })
		} else {
			e.extractBlock(pt.node)
		}
		e.anchors = e.anchors[:0]
	}
}

// trimBuffers removes white space from both ends of the buffers' contents after the given
// offsets.
func (e *extractor) trimBuffers(text, code int) {
	e.text = e.text[:text+len(bytes.TrimRight(e.text[text:], " \t\n"))]
	e.code = e.code[:code+len(bytes.TrimRight(e.code[code:], " \t\n"))]
}

// newline begins a new line of text, unless the text is at the beginning of one.
func (e *extractor) newline() {
	for len(e.text) > e.from && (e.text[len(e.text)-1] == ' ' || e.text[len(e.text)-1] == '\t') {
		e.text = e.text[:len(e.text)-1]
	}
	if len(e.text) > e.from && e.text[len(e.text)-1] != '\n' {
		e.text = append(e.text, '\n')
	}
}

func (e *extractor) addSpace() {
	if len(e.text) > e.from {
		if c := e.text[len(e.text)-1]; c != ' ' && c != '\n' && c != '\t' {
			e.text = append(e.text, ' ')
		}
	}
}

// separateCell separates the cells of a row.
func (e *extractor) separateCell() {
	for len(e.text) > e.from && e.text[len(e.text)-1] == ' ' {
		e.text = e.text[:len(e.text)-1]
	}
	if len(e.text) > e.from && e.text[len(e.text)-1] != '\n' && e.text[len(e.text)-1] != '\t' {
		e.text = append(e.text, '\t')
	}
}

// extractBlock extracts a block node and its children.
func (e *extractor) extractBlock(n ast.Node) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		e.fenceTitle(n)
		e.codeLines(n)
	case *ast.CodeBlock:
		e.codeLines(n)
	case *ast.HTMLBlock:
		e.newline()
		e.htmlBlock(n)
	case *east.Table:
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			e.newline()
			for c := row.FirstChild(); c != nil; c = c.NextSibling() {
				e.separateCell()
				e.inlines(c)
			}
		}
	case *ast.ThematicBreak, *ast.LinkReferenceDefinition:
	case *ast.List, *ast.ListItem, *ast.Blockquote:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			e.extractBlock(c)
		}
	default:
		e.newline()
		e.inlines(n)
	}
}

func (e *extractor) codeLines(n ast.Node) {
	if len(e.code) > e.codeAt && e.code[len(e.code)-1] != '\n' {
		e.code = append(e.code, '\n')
	}
	lines := n.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		for range seg.Padding {
			e.code = append(e.code, ' ')
		}
		e.code = append(e.code, e.src[seg.Start:seg.Stop]...)
	}
}

// fenceTitle is the words of an info string that name something: the title, file or
// tab of the code, and behind a comma the names and numbers ("E0716" of
// "rust,compile_fail,E0716"), but not the ways in which examples are treated.
func (e *extractor) fenceTitle(n *ast.FencedCodeBlock) {
	if n.Info == nil {
		return
	}
	first, info, _ := bytes.Cut(bytes.TrimSpace(n.Info.Segment.Value(e.src)), []byte{' '})
	e.newline()
	_, options, _ := bytes.Cut(first, []byte{','})
	for option := range bytes.SplitSeq(options, []byte{','}) {
		if bytes.ContainsFunc(option, func(r rune) bool { return r >= '0' && r <= '9' || unicode.IsUpper(r) }) &&
			!bytes.ContainsAny(option, "{}[]=") {
			e.addSpace()
			e.text = append(e.text, option...)
		}
	}
	if len(info) == 0 {
		e.newline()
		return
	}
	for len(info) > 0 {
		info = info[dialect.SpaceBytes(info):]
		key, value, n := dialect.ScanAttr(info)
		switch {
		case n == 0 && len(info) > 0 && info[0] == '{':
			n = max(1, dialect.Braces(info))
		case n == 0:
			n = min(1, len(info))
		case key == "title" || key == "file" || key == "filename" || key == "name":
			e.addSpace()
			e.text = append(e.text, value...)
		case !strings.ContainsAny(key, "{}[]") && bytes.IndexByte(info[:n], '=') < 0:
			e.addSpace()
			e.text = append(e.text, key...)
		}
		info = info[n:]
	}
	e.newline()
}

func (e *extractor) htmlBlock(n *ast.HTMLBlock) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	stop := lines.At(lines.Len() - 1).Stop
	if n.HasClosure() {
		stop = max(stop, n.ClosureLine.Stop)
	}
	start := lines.At(0).Start
	e.appendHTML(e.src[start:stop], func(at int) int { return e.page.lineOf(start + at) })
}

// inlines extracts the inline nodes in n.
func (e *extractor) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			e.pos = c.Segment.Start
			e.literal(e.src[c.Segment.Start:c.Segment.Stop], c.Segment.Start)
			switch {
			case c.HardLineBreak():
				e.newline()
			case c.SoftLineBreak():
				e.softBreak(c)
			}
		case *ast.String:
			e.unmarked()
			e.literal(c.Value, -1)
		case *ast.CodeSpan:
			e.codeSpan(c)
		case *ast.Link:
			at, line := len(e.text), e.lineAt(c)
			e.inlines(c)
			if !e.isInFormula(c) {
				e.addLink(at, string(c.Destination), line)
			}
		case *ast.AutoLink:
			at := len(e.text)
			e.text = append(e.text, c.Label(e.src)...)
			e.addLink(at, string(c.URL(e.src)), e.lineAt(c))
		case *ast.RawHTML:
			e.rawHTML(c)
		case *east.TaskCheckBox:
		default: // emphasis, strikethrough, images
			e.inlines(c)
		}
	}
}

// lineAt is the line of an inline node, from 0.
func (e *extractor) lineAt(n ast.Node) int {
	pos := n.Pos()
	if pos < 0 {
		pos = e.pos
	}
	return e.page.lineOf(min(pos, len(e.src)-1))
}

func (e *extractor) addLink(at int, target string, line int) {
	if target == "" || len(e.page.links) >= maxNodes {
		return
	}
	text := e.text[min(at, len(e.text)):]
	if len(text) > maxLinkText {
		text = bytes.ToValidUTF8(text[:maxLinkText], nil)
	}
	e.page.links = append(e.page.links, doc.Link{
		Text:    strings.TrimSpace(string(text)),
		Target:  target,
		Section: e.section,
		Line:    line + 1,
	})
}

// softBreak appends a space, except between two characters of a script without spaces.
func (e *extractor) softBreak(c *ast.Text) {
	if n := c.NextSibling(); n != nil && len(e.text) > e.from {
		if next, ok := n.(*ast.Text); ok && next.Segment.Start < len(e.src) {
			before, _ := utf8.DecodeLastRune(e.text)
			after, _ := utf8.DecodeRune(e.src[next.Segment.Start:])
			if unspaced(before) && unspaced(after) {
				return
			}
		}
	}
	e.addSpace()
}

func unspaced(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 &&
		r <= 0xff65)
}

func (e *extractor) codeSpan(n *ast.CodeSpan) {
	if len(e.code) > e.codeAt && e.code[len(e.code)-1] != '\n' {
		e.code = append(e.code, '\n')
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		var value []byte
		switch c := c.(type) {
		case *ast.Text:
			e.pos = c.Segment.Start
			value = c.Segment.Value(e.src)
			e.marks = append(e.marks, doc.Mark{Text: len(e.text) - e.from, Source: c.Segment.Start})
		case *ast.String:
			value = c.Value
		}
		for _, b := range value {
			if b == '\n' {
				b = ' '
			}
			e.text = append(e.text, b)
			e.code = append(e.code, b)
		}
	}
}

// literal appends text with escapes and entities resolved and white space collapsed.
// at is its offset in src, -1 if it is not from there.
func (e *extractor) literal(b []byte, at int) {
	end := at + len(b)
	for len(b) > 0 {
		if at >= 0 {
			e.marks = append(e.marks, doc.Mark{Text: len(e.text) - e.from, Source: end - len(b)})
		}
		n := oddByte(b)
		e.text = append(e.text, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return
		}
		switch b[0] {
		case '\\':
			if len(b) > 1 && isPunct(b[1]) {
				b = b[1:]
			}
			e.text = append(e.text, b[0])
			b = b[1:]
		case '&':
			b = b[e.entity(b):]
		case 0xc2: // U+00A0
			e.addSpace()
			b = b[2:]
		default:
			e.addSpace()
			b = b[1:]
		}
	}
}

// oddByte is the offset of the first byte that is not copied as it is: an escape, an
// entity, a blank after a blank, U+00A0.
func oddByte(b []byte) int {
	for i, c := range b {
		if c > '\\' && c != 0xc2 {
			continue
		}
		switch c {
		case ' ':
			if i == 0 || b[i-1] == ' ' {
				return i
			}
		case '\\', '&', '\t', '\n':
			return i
		case 0xc2:
			if i+1 < len(b) && b[i+1] == 0xa0 {
				return i
			}
		}
	}
	return len(b)
}

// entity appends the character of the entity at b[0], or "&" without an entity, and
// returns the number of bytes read.
func (e *extractor) entity(b []byte) int {
	if bytes.HasPrefix(b, []byte("&nbsp;")) {
		e.addSpace()
		return len("&nbsp;")
	}
	end := bytes.IndexByte(b[:min(len(b), 40)], ';')
	if end > 1 {
		if s := html.UnescapeString(string(b[:end+1])); s[0] != '&' || s == "&" {
			if dialect.IsBlank([]byte(s)) {
				e.addSpace()
			} else {
				e.text = append(e.text, s...)
			}
			return end + 1
		}
	}
	e.text = append(e.text, '&')
	return 1
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !dialect.IsLetter(c) && !dialect.IsDigit(c)
}

// unmarked notes that the block's text has words that differ from the source: it gets
// no marks.
func (e *extractor) unmarked() { e.marks = append(e.marks, doc.Mark{Source: -1}) }

// longText is the least bytes of a paragraph with marks.
const longText = 400

// sourceMarks are the marks of a paragraph with places in the source. A paragraph with
// words that are not in the source, or with a rewritten line, has none.
func (e *extractor) sourceMarks(length int) []doc.Mark {
	if length < longText {
		return nil
	}
	p := e.page
	marks := make([]doc.Mark, 0, len(e.marks))
	for _, m := range e.marks {
		if m.Source < 0 {
			return nil
		}
		i := p.lineOf(m.Source)
		shaped := bytes.TrimRight(p.shape.Text[p.shaped[i]:p.shaped[i+1]], "\n")
		written := bytes.TrimRight(p.src[p.srcLines[i]:p.srcLines[i+1]], "\r\n")
		if !bytes.HasSuffix(written, shaped) {
			return nil // rewritten
		}
		m.Source += p.srcLines[i] + len(written) - len(shaped) - p.shaped[i]
		m.Line = i + 1
		if n := len(marks); n > 0 && marks[n-1].Text == m.Text {
			marks[n-1] = m
		} else if m.Text < length && (n == 0 || marks[n-1].Source < m.Source) {
			marks = append(marks, m)
		}
	}
	return marks
}

// headingAnchor takes a trailing {#anchor} off a heading's text.
func (e *extractor) headingAnchor(s *doc.Section, from int) {
	text := e.text[from:]
	if n := len(text); n == 0 || text[n-1] != '}' {
		return
	}
	open := bytes.LastIndex(text, []byte("{#"))
	if open < 0 || open > 0 && text[open-1] != ' ' {
		return
	}
	fields := strings.Fields(string(text[open+2 : len(text)-1]))
	if len(fields) == 0 {
		return
	}
	if s.Anchor == "" {
		s.Anchor = fields[0]
	}
	e.text = e.text[:from+open]
	e.trimBuffers(from, len(e.code))
}

// admonition turns a paragraph or quote that begins with a label, "Warning:" or
// "[!WARNING]", into an admonition. The second kind of label is no word.
func (e *extractor) admonition(b *doc.Block, pc *piece, from int) {
	text := e.text[from:]
	if b.Kind == doc.Quote && bytes.HasPrefix(text, []byte("[!")) {
		end := bytes.IndexByte(text, ']')
		if end < 0 {
			return
		}
		if is, warns := dialect.Admonition(string(text[2:end]), ""); is {
			b.Kind, b.Warning = doc.Admonition, warns
			rest := text[end+1:]
			if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') { // folded or not
				rest = rest[1:]
			}
			rest = bytes.TrimLeft(rest, " \n")
			e.text = append(e.text[:from], rest...)
		}
		return
	}
	label := text[:min(len(text), 48)]
	for len(label) > 0 { // a sign such as U+26A0 may stand before
		r, n := utf8.DecodeRune(label)
		if unicode.IsLetter(r) {
			break
		}
		if unicode.IsDigit(r) || len(text)-len(label) > 12 {
			return
		}
		label = label[n:]
	}
	if end := bytes.IndexAny(label, ":：\n"); end >= 0 && label[end] != '\n' {
		label = label[:end]
	} else if label = e.boldLabel(b, pc); label == nil {
		return
	}
	word := strings.ToLower(strings.TrimSpace(string(label)))
	switch word {
	case "error", "warn", "critical":
		return
	}
	if warns := dialect.WarningWord(word); warns || dialect.NoteWord(word) {
		b.Kind, b.Warning = doc.Admonition, warns
	}
}

// boldLabel is the bold text that a quote begins with, or nil.
func (e *extractor) boldLabel(b *doc.Block, pc *piece) []byte {
	if b.Kind != doc.Quote || pc.parts[0] == pc.parts[1] {
		return nil
	}
	n := e.page.parts[pc.parts[0]].node
	for range 2 { // the quote, its paragraph
		if n == nil {
			return nil
		}
		n = n.FirstChild()
	}
	if em, ok := n.(*ast.Emphasis); ok {
		if t, ok := em.FirstChild().(*ast.Text); ok {
			return t.Segment.Value(e.src)
		}
	}
	return nil
}
