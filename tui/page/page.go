// Package page shows pages of documentation: it cuts a page into pieces,
// renders them as lines, and looks at them through a window.
//
// It refuses to read files; its caller passes pages. It refuses to render in the
// event loop: a command renders one piece at a time, the visible ones first, then
// those of the next screen. Until a piece is rendered its source text is shown. It
// knows no keys but those that scroll, and nothing of questions and hits.
//
// Terms. A piece is a run of whole blocks of one section, small enough to be
// rendered in a few milliseconds. A window is the visible part of a page: it
// begins at a line of a piece and has a height. A place is a piece and a line in
// it.
package page

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/widget"
)

// Bounds of a piece. glamour takes 1.2 ms for 10 lines of prose, more for
// tables and code: 60 lines stay well under 50 ms.
const (
	maxPieceLines = 60
	maxPieceBytes = 6000
)

// Page is a parsed page and its text, in which the places of Doc are. The text is
// Markdown unless Doc says that it is plain.
type Page struct {
	Doc    *doc.Document
	Source []byte
	// Passages are the places of the passages that are searched, in order; nil where they
	// are not known.
	Passages []doc.Span
	// Summary is the subject of a section in one line, "" where nothing is known. It is
	// quick, reads no file, and is safe for concurrent use. nil: no section has one.
	Summary func(section int) string
}

// Target is a section of a page.
type Target struct {
	DocSet   string
	FilePath string
	Title    string
	Heading  contract.Heading
}

// ID names the target's page.
func (t Target) ID() string { return t.DocSet + "/" + t.FilePath }

// piece is a part of a page that is rendered at once.
type piece struct {
	section          int
	start, end       int // bytes of the source
	fromLine, toLine int
	head, tail       string // put around the text: a table's head, a fence
	markdown         bool   // false: shown unrendered
	gap              bool   // an empty line follows
	note             string // shown instead of the text: that lines are folded
	kind             noteKind
	aside            string // at the right end of the note
}

// Prepared is a page cut into pieces. It is immutable, so that commands may read
// it; the text for searching is made once, at the first search.
type Prepared struct {
	source   []byte
	read     []string // the lines of the source without the frames of dialects, nil for a page that has none
	sections []doc.Section
	passages []doc.Span
	pieces   []piece
	defs     []definition
	lines    int
	hash     string
	url      string

	once    sync.Once
	index   *index
	summary func(section int) string
	opening []string // by section: how its text begins, where that is a paragraph
}

// definition is a link reference definition of the page: [label]: target
type definition struct{ label, line string }

// Summary is the subject of a section in one line; "": nothing more than its heading.
func (p *Prepared) Summary(section int) string {
	if p.summary == nil || section < 0 || section >= len(p.sections) {
		return ""
	}
	if s := sanitize.Line(p.summary(section)); s != sanitize.Line(p.sections[section].Text) {
		return s
	}
	return ""
}

// OpensBySummary reports whether a section begins with its summary: under its heading stands nothing
// else, and then it need not be said twice.
func (p *Prepared) OpensBySummary(section int) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	said := letters(p.Summary(section))
	return said != "" && section < len(p.opening) && strings.HasPrefix(letters(p.opening[section]), said)
}

// openingTexts are the texts that sections begin with.
func openingTexts(sections []doc.Section, blocks map[int][]doc.Block) []string {
	out := make([]string, len(sections))
	for i, all := range blocks {
		for _, b := range all {
			if b.Kind == doc.HeadingRow {
				continue
			}
			if b.Kind == doc.Paragraph {
				out[i] = b.Text
			}
			break
		}
	}
	return out
}

// PreparePage cuts a page into pieces. It reads the whole page: call it in a command.
func PreparePage(page Page) *Prepared {
	out := &Prepared{source: page.Source, lines: doc.CountLines(page.Source)}
	d := page.Doc
	if d == nil {
		d = &doc.Document{Rendition: doc.Rendition{Plain: true}}
	}
	out.hash, out.url, out.summary = d.SHA256, d.URL, page.Summary
	out.sections, out.passages = d.Sections, page.Passages
	markdown := !d.Plain
	if len(d.Sections) == 0 {
		out.cutLines(0, 0, len(page.Source), 1, piece{markdown: markdown})
		return out
	}
	if markdown {
		out.defs = definitions(page.Source)
		out.read = legible.Lines(page.Source)
	}
	blocks := make(map[int][]doc.Block, len(d.Sections))
	for _, b := range d.Blocks {
		if out.isInside(b.Span) {
			blocks[b.Section] = append(blocks[b.Section], b)
		}
	}
	if page.Summary != nil {
		out.opening = openingTexts(d.Sections, blocks)
	}
	for i, s := range d.Sections {
		if !out.isInside(s.Span) {
			continue
		}
		out.addSection(i, s, blocks[i], markdown)
	}
	return out
}

func (p *Prepared) isInside(s doc.Span) bool {
	return s.Start >= 0 && s.Start < s.End && s.End <= len(p.source)
}

// addSection gathers whole blocks into pieces. Front matter, source lines and
// link definitions are not shown.
func (p *Prepared) addSection(i int, s doc.Section, blocks []doc.Block, markdown bool) {
	if len(blocks) == 0 {
		p.cutLines(i, s.Span.Start, s.Span.End, s.Span.StartLine, piece{markdown: markdown, gap: true})
		return
	}
	var cur piece
	flush := func() {
		if cur.end > cur.start {
			p.pieces = append(p.pieces, cur)
		}
		cur = piece{}
	}
	for _, b := range blocks {
		if b.Kind == doc.Meta {
			flush()
			continue
		}
		big := b.Span.Lines() > maxPieceLines && !p.isTableOfTags(b) || b.Span.End-b.Span.Start > maxPieceBytes
		full := cur.end > cur.start && (b.Span.EndLine-cur.fromLine >= maxPieceLines || b.Span.End-cur.start > maxPieceBytes)
		if big || full || b.Span.Start < cur.end {
			flush()
		}
		if big {
			p.cutBlock(i, b, markdown)
			continue
		}
		if cur.end == 0 {
			cur = piece{section: i, start: b.Span.Start, fromLine: b.Span.StartLine, markdown: markdown, gap: true}
		}
		cur.end, cur.toLine = b.Span.End, b.Span.EndLine
	}
	flush()
}

// isTableOfTags reports whether a block is a table in HTML. It has a line or more for each cell,
// so it is rendered quickly for its lines, and a part of it would be shown as its tags.
func (p *Prepared) isTableOfTags(b doc.Block) bool {
	return b.Kind == doc.Table && bytes.HasPrefix(bytes.TrimLeft(p.source[b.Span.Start:b.Span.End], " "), []byte("<"))
}

// cutBlock cuts a block that is too large to be rendered at once. A table's
// head is repeated, a code block is fenced again; everything else is cut where
// a line begins.
func (p *Prepared) cutBlock(section int, b doc.Block, markdown bool) {
	like := piece{markdown: markdown}
	start, line := b.Span.Start, b.Span.StartLine
	first, afterFirst, _ := bytes.Cut(p.source[start:b.Span.End], []byte("\n"))
	from := len(p.pieces)
	switch {
	case !markdown:
	case b.Kind == doc.Table:
		second, _, _ := bytes.Cut(afterFirst, []byte("\n"))
		if bytes.ContainsRune(second, '-') && bytes.ContainsRune(second, '|') {
			like.head = string(first) + "\n" + string(second) + "\n"
			start, line = start+len(like.head), line+2
		} else {
			like.markdown = false
		}
	case b.Kind == doc.Code:
		fence := bytes.TrimLeft(first, " >")
		if bytes.HasPrefix(fence, []byte("```")) || bytes.HasPrefix(fence, []byte("~~~")) {
			like.head, like.tail = string(fence)+"\n", "\n"+string(fence[:3])+"\n"
			start, line = start+len(first)+1, line+1
		} else {
			like.markdown = false
		}
	default:
		like.markdown = b.Kind == doc.List || b.Kind == doc.Procedure
	}
	p.cutLines(section, min(start, b.Span.End), b.Span.End, line, like)
	if n := len(p.pieces); n > from {
		p.pieces[n-1].gap = true
	}
}

// cutLines makes pieces of at most maxPieceLines lines of [start, end). A single line
// that is too long to be rendered quickly is shown unrendered.
func (p *Prepared) cutLines(section, start, end, line int, like piece) {
	for start < end {
		at, lines := start, 0
		for at < end && lines < maxPieceLines && (lines == 0 || at-start < maxPieceBytes) {
			i := bytes.IndexByte(p.source[at:end], '\n')
			if i < 0 {
				at = end
			} else {
				at += i + 1
			}
			lines++
		}
		q := like
		q.section, q.start, q.end = section, start, at
		q.fromLine, q.toLine = line, line+lines-1
		q.markdown = like.markdown && at-start <= 2*maxPieceBytes
		p.pieces = append(p.pieces, q)
		start, line = at, line+lines
	}
}

// rawLines is a piece's source text, wrapped.
func (p *Prepared) rawLines(i, width int) []string {
	q := p.pieces[i]
	text := strings.Trim(sanitize.Text(string(p.source[q.start:q.end])), "\n")
	if q.note != "" {
		text = q.note
	}
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if q.kind == noteName { // it is fitted where it is drawn
			out = append(out, l)
			continue
		}
		out = append(out, widget.Wrap(l, width)...)
	}
	if q.gap {
		out = append(out, "")
	}
	return out
}

// markdownOf is the renderer's input: the cleaned source of the piece, and the
// page's link definitions that the piece uses.
func (p *Prepared) markdownOf(i int) string {
	q := p.pieces[i]
	text := string(p.source[q.start:q.end])
	if q.fromLine > 0 && q.fromLine <= q.toLine && q.toLine <= len(p.read) {
		text = strings.Join(p.read[q.fromLine-1:q.toLine], "")
	}
	text = legible.Markdown(q.head + text + q.tail)
	var b strings.Builder
	b.WriteString(text)
	first := true
	for _, d := range p.defs {
		if strings.Contains(strings.ToLower(text), "["+d.label+"]") {
			if first {
				b.WriteString("\n\n")
				first = false
			}
			b.WriteString(d.line + "\n")
		}
	}
	return sanitize.Text(sanitize.References(b.String()))
}

// definitions are the link reference definitions of a page, each once, since a
// section is rendered without the rest of its page.
func definitions(source []byte) []definition {
	var out []definition
	seen := map[string]bool{}
	for line := range bytes.Lines(source) {
		t := bytes.TrimLeft(line, " ")
		if len(t) < 5 || len(line)-len(t) > 3 || t[0] != '[' || t[1] == '^' {
			continue
		}
		label, rest, ok := bytes.Cut(t[1:], []byte("]:"))
		if !ok || len(bytes.TrimSpace(rest)) == 0 || bytes.ContainsAny(label, "[]") {
			continue
		}
		l := strings.ToLower(string(label))
		if !seen[l] {
			seen[l] = true
			out = append(out, definition{label: l, line: strings.TrimRight(string(t), "\r\n")})
		}
	}
	return out
}

// Section is the index of the section that a hit names: by anchor and line, by
// line, by anchor, by the hit's lines, by text; 0 when nothing fits.
func (p *Prepared) Section(h contract.Heading) int {
	text := strings.TrimSpace(strings.TrimLeft(h.Text, "#"))
	tests := []func(doc.Section) bool{
		func(s doc.Section) bool {
			return h.Anchor != "" && s.Anchor == h.Anchor && s.Span.StartLine == h.Section[0]
		},
		func(s doc.Section) bool { return h.Section[0] > 0 && s.Span.StartLine == h.Section[0] },
		func(s doc.Section) bool { return h.Anchor != "" && s.Anchor == h.Anchor },
		func(s doc.Section) bool {
			return h.Lines[0] > 0 && s.Span.StartLine <= h.Lines[0] && h.Lines[0] <= s.Span.EndLine
		},
		func(s doc.Section) bool { return text != "" && s.Text == text },
	}
	for _, t := range tests {
		if i := slices.IndexFunc(p.sections, t); i >= 0 {
			return i
		}
	}
	return 0
}

// FirstPiece is the first piece of a section, or of the one after it, -1 if none.
func (p *Prepared) FirstPiece(section int) int {
	return slices.IndexFunc(p.pieces, func(q piece) bool { return q.section >= section })
}

// PieceCount is the number of pieces.
func (p *Prepared) PieceCount() int { return len(p.pieces) }

// SectionOf is the index of the section that a piece belongs to.
func (p *Prepared) SectionOf(piece int) int { return p.pieces[piece].section }

// URL is where the page was taken from, "" if unknown.
func (p *Prepared) URL() string { return p.url }

// Lines is the number of lines of the source.
func (p *Prepared) Lines() int { return p.lines }

// Text is a section's source, or the whole page's where it has no sections.
func (p *Prepared) Text(section int) string {
	if section < 0 || section >= len(p.sections) {
		return string(p.source)
	}
	if s := p.sections[section].Span; p.isInside(s) {
		return string(p.source[s.Start:s.End])
	}
	return ""
}

// Passage is a section of a page as it is shown.
type Passage struct {
	Target  // the page
	Section contract.Quote
	Text    string // its source
}

// Name is the section's heading, or the page's title.
func (p Passage) Name() string {
	if n := len(p.Section.Path); n > 0 {
		return p.Section.Path[n-1]
	}
	return p.Title
}

// Quote is what a citation says of a section, or of the whole page where it has no
// sections.
func (p *Prepared) Quote(section int) contract.Quote {
	if section < 0 || section >= len(p.sections) {
		return contract.Quote{Lines: [2]int{1, p.lines}}
	}
	s := p.sections[section]
	return contract.Quote{Path: s.Path, Anchor: s.Anchor, Lines: [2]int{s.Span.StartLine, s.Span.EndLine}}
}

// Sections are the page's sections.
func (p *Prepared) Sections() []doc.Section { return p.sections }

// SectionByAnchor is the index of the section that a link's anchor names, -1 if none.
// Sites make anchors in many ways; where no anchor is equal, one with the same
// letters and digits counts.
func (p *Prepared) SectionByAnchor(anchor string) int {
	if i := slices.IndexFunc(p.sections, func(s doc.Section) bool { return s.Anchor == anchor }); i >= 0 {
		return i
	}
	want := strings.ToLower(firstLetters(anchor, 1000))
	if want == "" {
		return -1
	}
	return slices.IndexFunc(p.sections, func(s doc.Section) bool {
		return strings.ToLower(firstLetters(s.Anchor, 1000)) == want || strings.ToLower(firstLetters(s.Text, 1000)) == want
	})
}

// pieceAt is the piece that shows a line of the source, or the one before it.
func (p *Prepared) pieceAt(line int) int {
	at := 0
	for i, q := range p.pieces {
		if q.fromLine > line {
			break
		}
		at = i
	}
	return at
}
