package build

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// wholePart is the size of a rendition, in bytes, up to which it is read in one piece;
// partSize is that of the parts of larger ones. Package markdown reads a text that has
// too many headings and marks as plain text, which a file that holds a whole manual may
// well have.
const (
	wholePart = 2 << 20
	partSize  = 512 << 10
)

// ReadRendition reads the structure of a rendition that a Writer wrote, or of a part of it. Large
// ones are read in parts that begin at headings: all that is written outside of headings
// ends before the next one.
func ReadRendition(text []byte) (doc.Document, error) {
	if len(text) <= wholePart {
		return markdown.ParseMarkdown(text, parse.Options{})
	}
	var d doc.Document
	line := 0
	for start := 0; start < len(text); {
		end := partEnd(text, start)
		part, err := markdown.ParseMarkdown(text[start:end], parse.Options{})
		if err != nil {
			return d, err
		}
		joinPart(&d, part, start, line)
		line += doc.CountLines(text[start:end])
		start = end
	}
	d.Text, d.Lines = text, line
	NestSections(&d, len(text))
	return d, nil
}

// ToUTF8 is a source as text: bytes that are not UTF-8 become U+FFFD, with a warning.
func (w *Writer) ToUTF8(src []byte) string {
	if utf8.Valid(src) {
		return string(src)
	}
	text, as, known := decode.ToUTF8(src)
	switch {
	case as == "utf-8":
		w.Warn("not all of it is UTF-8")
	case !known:
		w.Warn("it is not UTF-8 and is read as %s; save it as UTF-8", as)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// partEnd is the offset of the first heading at least partSize behind an offset.
func partEnd(text []byte, start int) int {
	fence := 0 // backticks of the fence that is open
	for at := start; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n') + at + 1
		if end == at {
			return len(text)
		}
		line := text[at:end]
		switch ticks := len(line) - len(bytes.TrimLeft(line, "`")); {
		case fence > 0:
			if ticks >= fence && len(bytes.TrimSpace(line[ticks:])) == 0 {
				fence = 0
			}
		case ticks >= 3 && bytes.IndexByte(line[ticks:], '`') < 0:
			fence = ticks
		case line[0] == '#' && at-start >= partSize && len(bytes.TrimLeft(line, "#")) > 0 && bytes.TrimLeft(line, "#")[0] == ' ':
			return at
		}
		at = end
	}
	return len(text)
}

// joinPart adds the structure of a part that begins at an offset, after some lines.
func joinPart(d *doc.Document, part doc.Document, offset, lines int) {
	move := func(s doc.Span) doc.Span {
		return doc.Span{Start: s.Start + offset, End: s.End + offset, StartLine: s.StartLine + lines, EndLine: s.EndLine + lines}
	}
	first := len(d.Sections)
	if first > 0 && len(part.Sections) > 0 && part.Sections[0].Level == 0 {
		first-- // a part that is read as plain text belongs to the section before it
		d.Sections[first].Span.End, d.Sections[first].Span.EndLine = move(part.Sections[0].Span).End, move(part.Sections[0].Span).EndLine
		part.Sections = part.Sections[1:]
	}
	for _, s := range part.Sections {
		s.Index, s.Span = len(d.Sections), move(s.Span)
		d.Sections = append(d.Sections, s)
	}
	for _, b := range part.Blocks {
		b.Section, b.Span = b.Section+first, move(b.Span)
		for i := range b.Marks {
			b.Marks[i].Source += offset
			b.Marks[i].Line += lines
		}
		d.Blocks = append(d.Blocks, b)
	}
	for _, l := range part.Links {
		l.Section, l.Line = l.Section+first, l.Line+lines
		d.Links = append(d.Links, l)
	}
	if d.H1 == "" {
		d.H1 = part.H1
	}
	if len(d.Warnings) < maxWarnings {
		d.Warnings = append(d.Warnings, part.Warnings...)
	}
}

// NestSections sets what each section of a page is by those around it: its parent, its path, its tree and
// its anchor. The page has so many bytes.
func NestSections(d *doc.Document, size int) {
	var anchors markdown.Slugs
	var open []int
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Parent, s.Path, s.Tree = -1, nil, s.Span
		if s.Level == 0 {
			continue
		}
		for len(open) > 0 && d.Sections[open[len(open)-1]].Level >= s.Level {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 {
			s.Parent = open[n-1]
			s.Path = append(s.Path, d.Sections[s.Parent].Path...)
		}
		s.Path = append(s.Path, s.Text)
		s.Anchor = anchors.Unique(markdown.HeadingSlug(s.Text))
		open = append(open, i)
	}
	var next [7]doc.Span // by level: the section that ends the trees of that level
	for l := range next {
		next[l] = doc.Span{Start: size, StartLine: d.Lines + 1}
	}
	for i := len(d.Sections) - 1; i >= 0; i-- {
		s := &d.Sections[i]
		if s.Level == 0 {
			continue
		}
		s.Tree.End, s.Tree.EndLine = next[s.Level].Start, next[s.Level].StartLine-1
		for l := s.Level; l < len(next); l++ {
			next[l] = s.Span
		}
	}
}
