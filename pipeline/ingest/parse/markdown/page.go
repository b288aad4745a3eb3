package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"strings"
	"sync"

	"docent/store/doc"
)

// newParser is goldmark's parser with a budget, which is safe for concurrent use.
var newParser = sync.OnceValue(newCounted)

// page is a page while it is parsed.
type page struct {
	src      []byte
	srcLines []int  // starts of the source's lines
	text     []byte // decoded, inline shortcodes expanded; as many lines
	lines    []int
	front    frontMatter
	shape    dialect.Shape
	shaped   []int // starts of the shape's lines
	pieces   []piece
	parts    []part

	sections []doc.Section
	blocks   []doc.Block
	links    []doc.Link
	h1, url  string
	warnings []string
}

func newPage(src []byte) *page {
	p := &page{src: src, srcLines: dialect.LineStarts(src)}
	decoded, warnings := toUTF8(src)
	p.warnings = warnings
	p.text, p.lines = dialect.ExpandShortcodes(decoded), p.srcLines
	if len(p.text) != len(src) || len(src) > 0 && &p.text[0] != &src[0] {
		p.lines = dialect.LineStarts(p.text)
	}
	// A byte order mark alone, or the last byte of UTF-16, may be a line of the source
	// that decoding removes.
	for len(p.lines) < len(p.srcLines) {
		p.text = append(p.text[:len(p.text):len(p.text)], '\n')
		p.lines = dialect.LineStarts(p.text)
	}
	return p
}

// lineCount is the number of lines.
func (p *page) lineCount() int { return len(p.lines) - 1 }

func (p *page) lineText(i int) []byte {
	b := p.text[p.lines[i]:p.lines[i+1]]
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}

// isBlank reports whether a line of the source is blank. A line that decoding or shortcodes
// made empty is not.
func (p *page) isBlank(i int) bool {
	if bytes.HasPrefix(p.src, []byte{0xff, 0xfe}) || bytes.HasPrefix(p.src, []byte{0xfe, 0xff}) { // UTF-16
		return dialect.IsBlank(p.lineText(i))
	}
	line := p.src[p.srcLines[i]:p.srcLines[i+1]]
	if i == 0 {
		line = bytes.TrimPrefix(line, bomUTF8)
	}
	return dialect.IsBlank(line)
}

// spanOfLines is the span of lines first to last of the source, counted from 0.
func (p *page) spanOfLines(first, last int) doc.Span {
	return doc.Span{Start: p.srcLines[first], End: p.srcLines[last+1], StartLine: first + 1, EndLine: last + 1}
}

func (p *page) buildDocument() {
	p.front = readFrontMatter(p.lineText, p.lineCount())
	if p.front.bad {
		p.warnings = append(p.warnings, "the front matter has no end; close it with a line of its own")
	}
	p.url = p.front.url
	if why := tooMuch(p.text, p.lines); why != "" {
		p.readAsPlain(why)
		return
	}
	p.shape = dialect.Rewrite(p.text, p.lines, p.front.lines)
	p.warnings = append(p.warnings, p.shape.Warnings...)
	p.shaped = p.lines
	if len(p.shape.Text) > 0 && &p.shape.Text[0] != &p.text[0] {
		p.shaped = dialect.LineStarts(p.shape.Text)
	}
	root, ok := newParser().parseWithin(p.shape.Text)
	if !ok {
		p.readAsPlain("its markup takes too long to read")
		return
	}
	p.cutPieces(root)
	p.joinRegions()
	p.joinProcedures()
	p.joinDefinitions()
	p.fillGaps()
	p.finish()
}

// lineOf is the line of the shape that holds an offset.
func (p *page) lineOf(offset int) int { return dialect.LineIn(p.shaped, offset) }

// finish makes sections, blocks and links of the pieces.
func (p *page) finish() {
	e := extractor{page: p, src: p.shape.Text}
	p.blocks = make([]doc.Block, 0, len(p.pieces))
	type bounds struct{ text, textEnd, code, codeEnd int }
	place := make([]bounds, 0, len(p.pieces))
	current := -1 // section
	early := true // nothing but the title and metadata so far
	for i := range p.pieces {
		pc := &p.pieces[i]
		if pc.kind == doc.HeadingRow {
			current = len(p.sections)
			p.sections = append(p.sections, doc.Section{Index: current, Level: pc.level, Anchor: pc.anchor, Source: true,
				Span: p.spanOfLines(pc.first, pc.first)})
		} else if current < 0 {
			current = 0
			p.sections = append(p.sections, doc.Section{Source: true, Parent: -1, Span: p.spanOfLines(pc.first, pc.first)})
		}
		e.section = current
		b := doc.Block{Kind: pc.kind, Section: current, Span: p.spanOfLines(pc.first, pc.last), Lang: pc.lang, Warning: pc.warning}
		at := bounds{text: len(e.text), code: len(e.code)}
		links := len(p.links)
		e.extractPiece(pc)
		e.trimBuffers(at.text, at.code)
		switch {
		case b.Kind == doc.HeadingRow:
			e.headingAnchor(&p.sections[current], at.text)
		case b.Kind == doc.Paragraph || b.Kind == doc.Quote:
			said := string(e.text[at.text:])
			if url := sourceLine(said); early && url != "" && !strings.ContainsAny(said, "\n") {
				if p.url == "" {
					p.url = url
				}
				if b.Span.Lines() == 1 {
					b.Kind = doc.Meta
					p.links = p.links[:links]
				}
				break
			}
			e.admonition(&b, pc, at.text)
		}
		if b.Kind != doc.HeadingRow && b.Kind != doc.Rule && len(e.text) == at.text && len(e.code) == at.code {
			b.Kind = doc.Meta
		}
		if b.Kind != doc.Meta && b.Kind != doc.Rule && b.Kind != doc.HeadingRow {
			early = false
		}
		if b.Kind == doc.Paragraph {
			b.Marks = e.sourceMarks(len(e.text) - at.text)
		}
		at.textEnd, at.codeEnd = len(e.text), len(e.code)
		place = append(place, at)
		p.blocks = append(p.blocks, b)
	}
	text, code := string(e.text), string(e.code)
	for i, at := range place {
		p.blocks[i].Text, p.blocks[i].Code = text[at.text:at.textEnd], code[at.code:at.codeEnd]
		if b := &p.blocks[i]; b.Kind == doc.HeadingRow {
			p.sections[b.Section].Text = b.Text
		}
	}
	p.closeSections()
}

// closeSections sets the spans, parents, paths and anchors of the sections.
func (p *page) closeSections() {
	var s Slugs
	for i := range p.sections {
		if a := p.sections[i].Anchor; a != "" {
			p.sections[i].Anchor = s.Unique(a)
		}
	}
	var open []int // the enclosing sections
	end := p.lineCount() - 1
	for i := range p.sections {
		sec := &p.sections[i]
		last := end
		if i+1 < len(p.sections) {
			last = p.sections[i+1].Span.StartLine - 2
		}
		sec.Span = p.spanOfLines(sec.Span.StartLine-1, last)
		sec.Tree = sec.Span
		if sec.Level == 0 {
			continue
		}
		for len(open) > 0 && p.sections[open[len(open)-1]].Level >= sec.Level {
			open = open[:len(open)-1]
		}
		sec.Parent = -1
		if len(open) > 0 {
			sec.Parent = open[len(open)-1]
		}
		path := make([]string, 0, len(open)+1)
		for _, o := range open {
			path = append(path, p.sections[o].Text)
		}
		sec.Path = append(path, sec.Text)
		open = append(open, i)
		if sec.Anchor == "" {
			sec.Anchor = s.Unique(HeadingSlug(sec.Text))
		}
		if sec.Level == 1 && p.h1 == "" {
			p.h1 = sec.Text
		}
	}
	// From the last section to the first: a section's tree ends before the next
	// section of its level or a higher one. ends[l] is that end for level l.
	var ends [7]int
	for l := range ends {
		ends[l] = end
	}
	for i := len(p.sections) - 1; i >= 0; i-- {
		sec := &p.sections[i]
		if sec.Level == 0 {
			continue
		}
		first := sec.Span.StartLine - 1
		sec.Tree = p.spanOfLines(first, ends[sec.Level])
		for l := sec.Level; l < len(ends); l++ {
			ends[l] = first - 1
		}
	}
}
