package page

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// Passages is the number of the page's passages, 0 where they are not known.
func (p *Prepared) Passages() int { return len(p.passages) }

// PassageLines is the first and the last line of a passage.
func (p *Prepared) PassageLines(i int) contract.LineRange {
	s := p.passages[i]
	return contract.LineRange{s.StartLine, s.EndLine}
}

// PassageOf is the passage that a question found, -1 where the page has none. The page
// may have changed since: then it is the one at the same line.
func (p *Prepared) PassageOf(h contract.Heading) int {
	if i := h.ChunkIndex; i >= 0 && i < len(p.passages) && p.passages[i].StartLine == h.Lines[0] {
		return i
	}
	at := -1
	for i, s := range p.passages {
		if at < 0 || s.StartLine <= h.Lines[0] {
			at = i
		}
	}
	return at
}

// SectionAt is the index of the section that a line stands in, -1 if none.
func (p *Prepared) SectionAt(line int) int {
	at := -1
	for i, s := range p.sections {
		if s.Span.StartLine <= line {
			at = i
		}
	}
	return at
}

// Heading is the text of a section's heading, "" above the first one.
func (p *Prepared) Heading(section int) string {
	if section < 0 || section >= len(p.sections) {
		return ""
	}
	return p.sections[section].Text
}

// leastFolded is how many lines are worth a line that says that they are folded.
const leastFolded = 4

// LinesAround are the lines of a long passage before and behind those that the question is
// about, which may be folded. The heading stays.
func (p *Prepared) LinesAround(h contract.Heading) []contract.LineRange {
	if h.Neighbors == nil || h.Neighbors.Collapsed == nil {
		return nil
	}
	var out []contract.LineRange
	for _, r := range []*contract.LineRange{h.Neighbors.Collapsed.Before, h.Neighbors.Collapsed.After} {
		if r == nil {
			continue
		}
		from, to := r[0], min(r[1], p.lines)
		if s := p.Section(h); s >= 0 && s < len(p.sections) && p.sections[s].Level > 0 && from == p.sections[s].Span.StartLine {
			from++
		}
		if to-from+1 >= leastFolded {
			out = append(out, contract.LineRange{from, to})
		}
	}
	return out
}

// WithFolds is the page with one line in place of each of some ranges of lines. Tables and
// code go on behind it as such.
func (p *Prepared) WithFolds(ranges []contract.LineRange) *Prepared {
	if len(ranges) == 0 {
		return p
	}
	out := &Prepared{source: p.source, sections: p.sections, passages: p.passages, defs: p.defs, lines: p.lines, url: p.url,
		hash: p.hash + fmt.Sprint(ranges)}
	f := folding{page: p, ranges: ranges, last: -1}
	for _, q := range p.pieces {
		out.pieces = append(out.pieces, f.remainingPiece(q)...)
	}
	return out
}

// IsFoldLine reports whether a piece is a line that stands for others.
func (p *Prepared) IsFoldLine(piece int) bool { return p.pieces[piece].note != "" }

// folding folds the lines of a page.
type folding struct {
	page   *Prepared
	ranges []contract.LineRange
	last   int // the range that has its line
}

// remainingPiece is the part of a piece that remains.
func (f *folding) remainingPiece(q piece) []piece {
	var out []piece
	var cur *piece        // the part that is open
	fence := ""           // the line that began the code which is open
	end := func(at int) { // ends the part
		if cur == nil {
			return
		}
		if cur.end = at; fence != "" && cur.tail == "" {
			cur.tail = fence[:len(fence)-len(strings.TrimLeft(fence, "`~"))]
		}
		if strings.TrimSpace(string(f.page.source[cur.start:at])) != "" {
			out = append(out, *cur)
		}
		cur = nil
	}
	at, line := q.start, q.fromLine
	for l := range strings.Lines(string(f.page.source[q.start:q.end])) {
		in := slices.IndexFunc(f.ranges, func(r contract.LineRange) bool { return line >= r[0] && line <= r[1] })
		if in >= 0 {
			end(at)
			if r := f.ranges[in]; in != f.last {
				f.last = in
				out = append(out, piece{section: q.section, fromLine: r[0], toLine: r[1], gap: true,
					note: fmt.Sprintf("⋯ lines %d–%d", r[0], r[1])})
			}
		} else {
			if cur == nil {
				cur = &piece{section: q.section, start: at, fromLine: line, markdown: q.markdown, gap: q.gap, head: q.head, tail: q.tail}
				if cur.head == "" && q.markdown && at > q.start {
					cur.head = f.headOfPart(at, l, fence)
				}
			}
			cur.toLine = line
		}
		if q.head == "" && q.markdown {
			fence = codeAfter(fence, l)
		}
		at, line = at+len(l), line+1
	}
	fence = ""
	end(at)
	return out
}

// codeAfter is the line that began the code which is open behind a line, "" if none.
func codeAfter(fence, line string) string {
	line = strings.TrimSpace(line)
	marks := len(line) - len(strings.TrimLeft(line, "`~"))
	switch {
	case marks < 3:
		return fence
	case fence == "":
		return line
	case marks == len(line) && line[0] == fence[0] && strings.HasPrefix(fence, line[:3]):
		return ""
	}
	return fence
}

// headOfPart is what a part that begins within code or a table is put behind: the line that
// began the code, or the table's head.
func (f *folding) headOfPart(at int, line, fence string) string {
	if fence != "" {
		return fence + "\n"
	}
	if !strings.HasPrefix(line, "|") {
		return ""
	}
	top := at
	for top > 0 {
		before := strings.LastIndexByte(string(f.page.source[max(0, top-maxPieceBytes):top-1]), '\n')
		from := max(0, top-maxPieceBytes) + before + 1
		if from >= top || f.page.source[from] != '|' {
			break
		}
		top = from
	}
	lines := strings.SplitAfterN(string(f.page.source[top:at]), "\n", 3)
	if len(lines) < 3 || !strings.Contains(lines[1], "---") {
		return ""
	}
	return lines[0] + lines[1]
}
