package process

import (
	"strconv"
	"strings"

	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// splitter cuts a page into units: blocks, rows, items, and lines where it cannot be parsed.
type splitter struct{ *page }

func (x *page) newSplitter() splitter { return splitter{x} }

// block is a block of the page with its units: one, or one for each row of a table,
// item of a list, or line of a block that is longer than the whole budget.
type block struct {
	first, end int // units [first, end)
	head       int // units at the beginning that every row needs: a table's header
	tail       int // units at the end that every row needs: what closes a table
}

// shortBlock is the lines of a table or list that is kept whole or not at all.
const shortBlock = 8

// splitAll replaces the units of tables and lists by units of their rows and items.
// A block that alone is larger than most is cut further, at its lines.
func (p splitter) splitAll(most budget) {
	units := make([]unit, 0, len(p.units))
	for _, u := range p.units {
		parts, head, tail := p.splitRows(u)
		// All of a procedure, or none; the same for short blocks.
		if (u.kind == doc.Procedure || u.last-u.first < shortBlock) && p.newChooser().costOfLines(u.first, u.last).isWithin(most) &&
			!p.hasLongLine(u.first, u.last) {
			parts = nil
		}
		if len(parts) == 0 {
			parts, head, tail = []unit{u}, 0, 0
		}
		b := block{first: len(units), head: head, tail: tail}
		for i, part := range parts {
			part.kind, part.warning, part.section = u.kind, u.warning, u.section
			part.block, part.row = len(p.blocks), part.first
			if p.newChooser().costOfLines(part.first, part.last).isWithin(most) && !p.hasLongLine(part.first, part.last) ||
				part.first == part.last {
				units = append(units, part)
				continue
			}
			before := len(units)
			units = p.lineUnits(units, part)
			switch { // a header that is too long is no header any more
			case i < head:
				b.head += len(units) - before - 1
			case i >= len(parts)-tail:
				b.tail += len(units) - before - 1
			}
		}
		b.end = len(units)
		if u.kind == doc.Code && len(parts) == 1 && b.end-b.first > 2 { // the fences stay around the kept lines
			text := p.linesText(u.first, u.first)
			if f := fenceMark(text); f != "" {
				b.head = 1
				if units[b.end-1].last == u.last && strings.HasPrefix(fenceMark(p.linesText(u.last, u.last)), f) {
					b.tail = 1
				}
			}
		}
		if b.head+b.tail >= b.end-b.first {
			b.head, b.tail = 0, 0
		}
		p.blocks = append(p.blocks, b)
	}
	p.units = units
}

// A page of more than mostUnits units is cut no further, except for the first foundLines
// found lines: a page of 2 000 000 lines took 1 GB.
const (
	mostUnits  = 100_000
	foundLines = 2000
)

// lineUnits appends a unit for each line of a part that is not blank. The blank lines
// of code belong to the line before them, a comment to the statement below it.
func (p splitter) lineUnits(units []unit, part unit) []unit {
	for line := part.first; line <= part.last; line++ {
		if p.isBlank(line) {
			continue
		}
		u := part
		u.first, u.last = line, line
		if part.kind == doc.Code {
			u.last = p.statementEnd(line, part.last)
			line = u.last
		}
		if len(units) >= mostUnits {
			u.last = p.beforeFound(line, part.last)
			line = u.last
		}
		for p.isBlank(u.last) {
			u.last--
		}
		units = append(units, u)
	}
	return units
}

// Bounds of a unit in code that is cut at its lines.
const (
	mostComment   = 4 // lines of a comment
	mostStatement = 8 // lines below a comment, or that backslashes continue
)

// statementEnd is the last line of the unit that begins at a line of code: a comment with the lines
// below it up to a blank line or another comment, or a statement that backslashes continue.
// Of example commands the comments were once kept and the commands below them left out.
func (p splitter) statementEnd(line, last int) int {
	at := line
	for at < last && at-line < mostComment && p.isComment(at) {
		at++
	}
	commented := at > line
	if commented && (p.isComment(at) || p.endsStatement(at)) {
		return line
	}
	for first := at; at < last && at-first < mostStatement-1 && !p.endsStatement(at+1); at++ {
		if !commented && !strings.HasSuffix(strings.TrimRight(p.linesText(at, at), " \t\r\n"), "\\") {
			break
		}
		if commented && p.isComment(at+1) {
			break
		}
	}
	return at
}

// endsStatement reports whether a line of code belongs to no statement before it.
func (p splitter) endsStatement(line int) bool {
	return p.isBlank(line) || fenceMark(p.linesText(line, line)) != ""
}

// isComment reports whether a line of code is a comment of a common kind. A preprocessor's
// line, an address and a flag are none.
func (p splitter) isComment(line int) bool {
	text := strings.TrimSpace(p.linesText(line, line))
	for _, mark := range []string{"# ", "// ", "-- ", "; ", "% "} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// beforeFound is the last line up to last that may be in one unit with a line: that line
// itself if it was found, else the one before the next found line.
func (p splitter) beforeFound(line, last int) int {
	for _, f := range p.found {
		switch end := min(f[1], f[0]+foundLines-1); {
		case f[0] <= line && line <= end:
			return line
		case f[0] > line:
			last = min(last, f[0]-1)
		}
	}
	return last
}

// splitRows cuts a table or a list into a header, rows and its closing lines. nil: it has no
// separate rows.
func (p splitter) splitRows(u unit) (parts []unit, head, tail int) {
	switch u.kind {
	case doc.Table:
		if strings.Contains(strings.ToLower(p.linesText(u.first, min(u.first+2, u.last))), "<t") {
			return p.cutHTMLTable(u)
		}
		return p.cutPipeTable(u)
	case doc.List, doc.Procedure:
		if u.kind == doc.Procedure {
			if steps := p.stepItems(u); steps != nil {
				return steps, 0, 0
			}
		}
		return p.splitItems(u), 0, 0
	}
	return nil, 0, 0
}

var delimiterRow = pattern.Lazy(`^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-*:?[ \t]*)*\|?[ \t\r\n]*$`)

// cutPipeTable cuts a table of GitHub's Markdown: two lines of header, a line for each row.
func (p splitter) cutPipeTable(u unit) (parts []unit, head, tail int) {
	if u.last-u.first < 3 || !delimiterRow().MatchString(p.linesText(u.first+1, u.first+1)) {
		return nil, 0, 0
	}
	parts = append(parts, unit{first: u.first, last: u.first + 1})
	for line := u.first + 2; line <= u.last; line++ {
		if p.isBlank(line) {
			continue
		}
		parts = append(parts, unit{first: line, last: line})
	}
	return parts, 1, 0
}

var (
	rowStart  = pattern.Lazy(`(?i)<tr[\s>]`)
	rowEnd    = pattern.Lazy(`(?i)</tr\s*>`)
	headCell  = pattern.Lazy(`(?i)<th[\s>]`)
	dataCell  = pattern.Lazy(`(?i)<td[\s>]`)
	headEnd   = pattern.Lazy(`(?i)</thead\s*>`)
	rowSpan   = pattern.Lazy(`(?is)^[^<]*<tr[^>]*>\s*<t[dh][^>]*\srowspan\s*=\s*["']?(\d{1,4})`)
	emptyCell = pattern.Lazy(`(?is)^[^<]*<tr[^>]*>\s*<td[^>]*>\s*(&nbsp;|\s)*</td>`)
)

// cutHTMLTable cuts an HTML table. Rows whose first cell is empty belong to the row before
// them: tables of options put the name into one row and its description into the next.
// So do rows that the first cell of the row before spans.
func (p splitter) cutHTMLTable(u unit) (parts []unit, head, tail int) {
	var starts []int
	for line := u.first; line <= u.last; line++ {
		text := p.linesText(line, line)
		switch n := len(rowStart().FindAllStringIndex(text, 2)); {
		case n > 1: // several rows in one line cannot be kept apart
			return nil, 0, 0
		case n == 1:
			starts = append(starts, line)
		}
	}
	if len(starts) < 3 {
		return nil, 0, 0
	}
	first := 0 // index in starts of the first row that is no header
	for first < len(starts)-1 {
		text := p.linesText(starts[first], starts[first+1]-1)
		if !headCell().MatchString(text) || dataCell().MatchString(text) {
			break
		}
		first++
	}
	from := starts[first]
	if first == 0 && headEnd().MatchString(p.linesText(u.first, from)) {
		from = starts[0]
	}
	closing := u.last + 1 // first line after the last row
	for line := u.last; line >= starts[len(starts)-1]; line-- {
		if rowEnd().MatchString(p.linesText(line, line)) {
			closing = line + 1
			break
		}
	}
	if h, ok := p.withoutBlankLines(u.first, from-1); ok {
		parts, head = append(parts, h), 1
	}
	for i := first; i < len(starts); {
		j := i + 1
		end := func(j int) int {
			if j < len(starts) {
				return starts[j] - 1
			}
			return closing - 1
		}
		for joined := rowsSpanned(p.linesText(starts[i], end(j))) - 1; j < len(starts); j, joined = j+1, joined-1 {
			if joined <= 0 && !emptyCell().MatchString(p.linesText(starts[j], end(j+1))) {
				break
			}
		}
		if row, ok := p.withoutBlankLines(starts[i], end(j)); ok {
			parts = append(parts, row)
		}
		i = j
	}
	if t, ok := p.withoutBlankLines(closing, u.last); ok {
		parts, tail = append(parts, t), 1
	}
	return parts, head, tail
}

// rowsSpanned is the number of rows that a row's first cell spans.
func rowsSpanned(row string) int {
	if m := rowSpan().FindStringSubmatch(row); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 1
}

// withoutBlankLines is a unit of these lines without blank lines around; ok is false if there is
// nothing else.
func (p splitter) withoutBlankLines(first, last int) (unit, bool) {
	for first <= last && p.isBlank(first) {
		first++
	}
	for first <= last && p.isBlank(last) {
		last--
	}
	return unit{first: first, last: last}, first <= last
}

// itemIndent is the indentation of the marker of a list's item, -1 if the line does not
// begin one.
func itemIndent(line string) int {
	text := strings.TrimLeft(line, " \t>")
	indent := len(line) - len(text)
	n := 0
	for n < len(text) && n < 9 && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	marks := "-*+"
	if n > 0 {
		marks = ".)"
	}
	if n == len(text) || strings.IndexByte(marks, text[n]) < 0 {
		return -1
	}
	if rest := text[n+1:]; rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\n' && !strings.HasPrefix(rest, "\r\n") {
		return -1
	}
	return indent
}

// splitItems cuts a list at its outermost items, with all that is nested in them.
func (p splitter) splitItems(u unit) []unit {
	indent := -1
	var starts []int
	fence := ""
	for line := u.first; line <= u.last; line++ {
		text := p.linesText(line, line)
		if f := fenceMark(text); fence != "" {
			if strings.HasPrefix(f, fence) {
				fence = ""
			}
			continue
		} else if f != "" {
			fence = f
			continue
		}
		n := itemIndent(text)
		if n < 0 {
			continue
		}
		if indent < 0 {
			indent = n
		}
		if n <= indent+1 {
			starts = append(starts, line)
		}
	}
	if len(starts) < 2 || starts[0] != u.first {
		return nil
	}
	var parts []unit
	starts = p.joinTerms(starts, u.last)
	for i, first := range starts {
		last := u.last
		if i+1 < len(starts) {
			last = starts[i+1] - 1
		}
		if part, ok := p.withoutBlankLines(first, last); ok {
			parts = append(parts, part)
		}
	}
	return parts
}

// mostTerms is how many terms one text may explain.
const mostTerms = 8

// bareTerm is an item that is a term alone: the text behind the terms below it explains it too.
var (
	bareTerm  = pattern.Lazy(`^[ \t>]*[-*+][ \t]+\*\*[^*].*\*\*[ \t\r\n]*$`)
	boldBegin = pattern.Lazy(`^[ \t>]*[-*+][ \t]+\*\*[^*]`)
)

// joinTerms joins the items of terms that one text explains, as options with several forms have
// it, and gives the lines at which items begin then.
func (p splitter) joinTerms(starts []int, last int) []int {
	bare := func(i int) bool {
		end := last
		if i+1 < len(starts) {
			end = starts[i+1] - 1
		}
		item, ok := p.withoutBlankLines(starts[i], end)
		return ok && item.first == item.last && bareTerm().MatchString(p.linesText(item.first, item.last))
	}
	var out []int
	for i := 0; i < len(starts); {
		out = append(out, starts[i])
		end := i
		for end < len(starts)-1 && end-i < mostTerms && bare(end) {
			end++
		}
		if end > i && !bare(end) && boldBegin().MatchString(p.linesText(starts[end], starts[end])) {
			i = end
		}
		i++
	}
	return out
}

// fenceMark is the run of three or more backticks or tildes that a line begins with.
func fenceMark(line string) string {
	text := strings.TrimLeft(line, " \t>")
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}
