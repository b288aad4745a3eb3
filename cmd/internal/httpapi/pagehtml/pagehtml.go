// Package pagehtml makes HTML of pages for a browser: of Markdown as Markdown, of other
// text as plain text.
//
// The text of a page is data. What a browser would run or load is taken out: scripts,
// styles, events, forms, frames, pictures, addresses that are neither http, https nor
// mailto. No element has a name or an id of the page's choice, so that none can take the
// place of one of the dashboard. The package refuses to read files, and to write whole
// documents of HTML: what it writes belongs into an element of another page.
//
// Terms. A piece is a run of whole blocks of one section that is parsed by itself. A part
// is a run of pieces that is shown at a time.
package pagehtml

import (
	"bytes"
	"context"
	"html"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/knowledge/graph"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
)

// Limits of the text that is parsed at a time. Markdown can be written that takes a
// parser quadratic time: 80 kB of "[a](" take 2.5 s, 6 kB of it 15 ms.
const (
	maxPiece = 6_000   // bytes of a piece of several blocks, and of a paragraph
	maxList  = 32_000  // bytes of a list or a table
	maxPart  = 128_000 // bytes of a part, unless one piece has more
	maxCode  = 512_000 // bytes of a block of code, and of text that is not parsed
)

// Page is a page as it is shown. The places of its sections and blocks are in Text.
type Page struct {
	Text     []byte
	Plain    bool   // Text is no Markdown
	URL      string // of the page on the web, or any other text that its author gave
	Sections []doc.Section
	Blocks   []doc.Block
	// Link gives the address of a link's target, or ""; nil: links to the web alone are
	// kept.
	Link func(target string) string
}

// IDPrefix begins the id of a section's element, before the section's anchor.
const IDPrefix = "s-"

// piece is a run of whole blocks of one section.
type piece struct {
	section    int // -1: there are no sections
	start, end int
	from, to   int // lines
	markdown   bool
}

// Cut is a page cut into parts.
type Cut struct {
	page  Page
	lines []string // of the text without the frames of dialects, nil for a page that has none
	parts [][]piece
	defs  []definition
}

// URL is the page's address on the web, "" where a browser must not open it.
func (c *Cut) URL() string { return graph.WebURL(c.page.URL) }

// New cuts a page. There is at least one part.
func New(p Page) *Cut {
	c := &Cut{page: p}
	var pieces []piece
	add := func(q piece) { pieces = append(pieces, q) }
	if !p.Plain {
		c.defs = definitions(p.Text)
		c.lines = legible.Lines(p.Text)
	}
	if len(p.Sections) == 0 && len(p.Text) > 0 {
		cutLines(p.Text, piece{section: -1, start: 0, end: len(p.Text), from: 1}, maxPiece, add)
		for i := range pieces {
			pieces[i].markdown = !p.Plain
		}
	}
	blocks := make(map[int][]doc.Block, len(p.Sections))
	for _, b := range p.Blocks {
		if c.isInsideText(b.Span) {
			blocks[b.Section] = append(blocks[b.Section], b)
		}
	}
	for i, s := range p.Sections {
		if c.isInsideText(s.Span) {
			c.cutSection(i, s, blocks[i], add)
		}
	}
	c.parts = joinPieces(pieces)
	return c
}

func (c *Cut) isInsideText(s doc.Span) bool {
	return s.Start >= 0 && s.Start < s.End && s.End <= len(c.page.Text)
}

// cutSection makes pieces of a section. Front matter and definitions of links are not shown.
func (c *Cut) cutSection(i int, s doc.Section, blocks []doc.Block, add func(piece)) {
	whole := piece{section: i, start: s.Span.Start, end: s.Span.End, from: s.Span.StartLine, to: s.Span.EndLine}
	if c.page.Plain || len(blocks) == 0 {
		whole.markdown = !c.page.Plain && whole.end-whole.start <= maxPiece
		cutLines(c.page.Text, whole, maxCode, add)
		return
	}
	var now piece
	flush := func() {
		if now.end > now.start {
			add(now)
		}
		now = piece{}
	}
	for _, b := range blocks {
		if b.Kind == doc.Meta {
			flush()
			continue
		}
		size := b.Span.End - b.Span.Start
		if now.end > 0 && (b.Span.End-now.start > maxPiece || b.Span.Start < now.end) {
			flush()
		}
		if now.end == 0 {
			now = piece{section: i, start: b.Span.Start, from: b.Span.StartLine, markdown: true}
		}
		now.end, now.to = b.Span.End, b.Span.EndLine
		if size > maxPiece {
			now.markdown = isParsedWhenLarge(b.Kind, size)
			q := now
			now = piece{}
			cutLines(c.page.Text, q, maxCode, add)
		}
	}
	flush()
}

// isParsedWhenLarge reports whether a block that is larger than a piece is parsed all the same.
func isParsedWhenLarge(kind doc.BlockKind, size int) bool {
	switch kind {
	case doc.Code:
		return size <= maxCode
	case doc.List, doc.Procedure, doc.Table:
		return size <= maxList
	}
	return false
}

// cutLines cuts a piece that is larger than most where lines begin.
func cutLines(text []byte, q piece, most int, add func(piece)) {
	if q.end-q.start <= most {
		if q.to == 0 {
			q.to = q.from + doc.CountLines(text[q.start:q.end]) - 1
		}
		add(q)
		return
	}
	line := q.from
	for start := q.start; start < q.end; {
		end := min(start+most, q.end)
		if end < q.end {
			if i := bytes.LastIndexByte(text[start:end], '\n'); i > 0 {
				end = start + i + 1
			}
		}
		n := bytes.Count(text[start:end], []byte("\n"))
		part := q
		part.start, part.end, part.from, part.to = start, end, line, max(line, line+n-1)
		add(part)
		start, line = end, line+n
	}
}

// joinPieces makes parts of pieces.
func joinPieces(pieces []piece) [][]piece {
	var out [][]piece
	size := 0
	for _, q := range pieces {
		n := q.end - q.start
		if len(out) == 0 || size+n > maxPart {
			out, size = append(out, nil), 0
		}
		last := len(out) - 1
		out[last], size = append(out[last], q), size+n
	}
	if len(out) == 0 {
		return [][]piece{nil}
	}
	return out
}

// Len is the number of parts.
func (c *Cut) Len() int { return len(c.parts) }

// PartOf is the part that shows a line, or the one before it.
func (c *Cut) PartOf(line int) int {
	at := 0
	for i, part := range c.parts {
		if len(part) > 0 && part[0].from > line {
			break
		}
		at = i
	}
	return at
}

// WriteHTML writes a part. Each section is an element section, with the id IDPrefix and its
// anchor, and its lines in data-from and data-to. The error is ctx's.
func (c *Cut) WriteHTML(ctx context.Context, part int) (string, error) {
	var b strings.Builder
	open := -2 // no section
	for i, q := range c.parts[part] {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if q.section != open {
			if i > 0 {
				b.WriteString("</section>\n")
			}
			c.openElement(&b, q)
			open = q.section
		}
		if q.markdown {
			b.WriteString(c.markdownAsHTML(q))
			continue
		}
		if text := strings.Trim(sanitize.Text(string(c.page.Text[q.start:q.end])), "\n"); text != "" {
			b.WriteString("<pre class=\"plain\">\n" + html.EscapeString(text) + "</pre>\n")
		}
	}
	if open != -2 {
		b.WriteString("</section>\n")
	}
	return b.String(), nil
}

// openElement begins a section's element. A section that goes on from another part has no id.
func (c *Cut) openElement(b *strings.Builder, q piece) {
	from, to := q.from, q.to
	b.WriteString("<section")
	if q.section >= 0 {
		s := c.page.Sections[q.section]
		from, to = s.Span.StartLine, s.Span.EndLine
		if s.Anchor != "" && q.from <= s.Span.StartLine {
			b.WriteString(` id="` + html.EscapeString(IDPrefix+s.Anchor) + `"`)
		}
	}
	b.WriteString(` data-from="` + strconv.Itoa(from) + `" data-to="` + strconv.Itoa(to) + "\">\n")
}

// definition is a definition of a link of the page: [label]: target.
type definition struct{ label, line string }

// maxDefinitions bounds those of a page: each is looked for in each piece.
const maxDefinitions = 500

// definitions are those of a page, each label once: a piece is parsed without the rest.
func definitions(text []byte) []definition {
	var out []definition
	for line := range bytes.Lines(text) {
		t := bytes.TrimLeft(line, " ")
		if len(t) < 5 || len(line)-len(t) > 3 || t[0] != '[' || t[1] == '^' {
			continue
		}
		label, rest, ok := bytes.Cut(t[1:], []byte("]:"))
		if !ok || len(bytes.TrimSpace(rest)) == 0 || bytes.ContainsAny(label, "[]") {
			continue
		}
		name := strings.ToLower(string(label))
		if slices.ContainsFunc(out, func(d definition) bool { return d.label == name }) {
			continue
		}
		if out = append(out, definition{name, strings.TrimRight(string(t), "\r\n")}); len(out) == maxDefinitions {
			break
		}
	}
	return out
}

// sourceOfPiece is the Markdown of a piece, clean, with the definitions that it uses.
func (c *Cut) sourceOfPiece(q piece) string {
	text := string(c.page.Text[q.start:q.end])
	if q.from > 0 && q.from <= q.to && q.to <= len(c.lines) {
		text = strings.Join(c.lines[q.from-1:q.to], "")
	}
	text = legible.ForBrowser(text)
	var b strings.Builder
	b.WriteString(text)
	b.WriteString("\n\n")
	if len(c.defs) > 0 && strings.ContainsRune(text, '[') {
		low := strings.ToLower(text)
		for _, d := range c.defs {
			if strings.Contains(low, "["+d.label+"]") {
				b.WriteString(d.line + "\n")
			}
		}
	}
	return sanitize.Text(sanitize.References(b.String()))
}
