// Package plain reads the blocks of a page by blank lines, number-sign headings and fences
// alone. It is for pages that no parser can read, and for those that are too long for one. It
// refuses to know a format.
//
// Terms. Indented lines belong to the block before them, so that nested lists stay whole.
package plain

import (
	"strings"

	"docent/store/doc"
)

// page is a text with its lines, counted from 1.
type page struct {
	src    string
	starts []int
	long   bool
}

func (p page) lineCount() int { return len(p.starts) - 1 }

// linesText is the text of lines first to last.
func (p page) linesText(first, last int) string { return p.src[p.starts[first-1]:p.starts[last]] }

func (p page) isBlank(line int) bool { return strings.TrimSpace(p.linesText(line, line)) == "" }

// Read reads a page; starts are the bytes at which its lines begin, and one more: its end. Of a
// long page short paragraphs are joined to blocks of joinedBytes.
func Read(src string, starts []int, long bool) doc.Document {
	p := page{src, starts, long}
	var d doc.Document
	var levels []int // of the sections around the current line
	add := func(kind doc.BlockKind, first, last int) {
		d.Blocks = append(d.Blocks, doc.Block{Kind: kind, Section: len(d.Sections) - 1, Span: doc.Span{StartLine: first, EndLine: last}})
	}
	fenceAt := func(line int) string {
		text := strings.TrimLeft(p.linesText(line, line), " ")
		for _, c := range []string{"`", "~"} {
			if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
				return text[:n]
			}
		}
		return ""
	}
	for line := 1; line <= p.lineCount(); {
		text := p.linesText(line, line)
		level := len(text) - len(strings.TrimLeft(text, "#"))
		fence := fenceAt(line)
		first := line
		switch {
		case p.isBlank(line):
			line++
		case level >= 1 && level <= 6 && strings.HasPrefix(text[level:], " ") && len(d.Sections) < mostSections:
			for len(levels) > 0 && d.Sections[levels[len(levels)-1]].Level >= level {
				levels = levels[:len(levels)-1]
			}
			parent := -1
			if len(levels) > 0 {
				parent = levels[len(levels)-1]
			}
			levels = append(levels, len(d.Sections))
			d.Sections = append(d.Sections, doc.Section{Index: len(d.Sections), Level: level, Parent: parent,
				Text: strings.TrimSpace(text[level:])})
			add(doc.HeadingRow, line, line)
			line++
		case fence != "":
			for line++; line <= p.lineCount(); line++ {
				if f := fenceAt(line); strings.HasPrefix(f, fence) && strings.TrimSpace(p.linesText(line, line)) == f {
					break
				}
			}
			line = min(line, p.lineCount())
			add(doc.Code, first, line)
			line++
		default:
			for line++; line <= p.lineCount() && !p.isBlank(line) && fenceAt(line) == "" &&
				!strings.HasPrefix(p.linesText(line, line), "#"); line++ {
			}
			n := len(d.Blocks)
			if n > 0 && d.Blocks[n-1].Kind == doc.Paragraph &&
				(strings.HasPrefix(text, " ") || p.areJoined(d.Blocks[n-1].Span.StartLine, line-1)) {
				d.Blocks[n-1].Span.EndLine = line - 1
				break
			}
			add(doc.Paragraph, first, line-1)
		}
	}
	return d
}

const (
	joinedBytes  = 2 << 10
	mostSections = 20_000
)

// areJoined reports whether lines first to last of a long page are one block.
func (p page) areJoined(first, last int) bool {
	return p.long && p.starts[last]-p.starts[first-1] <= joinedBytes
}
