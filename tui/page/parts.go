package page

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"docent/store/doc"
)

// Part is a run of lines of a page that is shown together with parts of other pages.
type Part struct {
	Name  string   // what is shown above it; "": it goes on under the name before
	Where string   // at the right end of that line
	Path  []string // the headings down to the section
	Text  string   // the lines
	Look  PartLook
	Cut   bool // the page has lines between the part before and this one that are left out
}

// PartLook is how a part is shown.
type PartLook int

// The looks. Dim text and warnings are the program's words, not a page's.
const (
	PartMarkdown PartLook = iota
	PartPlain
	PartDim
	PartWarn
)

// Parted is parts of several pages as one page; the lines of that page are those of the
// parts, one behind the other. Each part that has a name is a section.
func Parted(parts []Part) *Prepared {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
		if part.Text != "" && !strings.HasSuffix(part.Text, "\n") {
			b.WriteByte('\n')
		}
	}
	out := &Prepared{source: []byte(b.String())}
	out.lines = doc.CountLines(out.source)
	out.defs = definitions(out.source)
	sum := fnv.New64a()
	for _, part := range parts {
		if part.Look < PartDim { // what is rendered: remarks that come later change none of it
			_, _ = fmt.Fprintf(sum, "%q %q %d %t ", part.Name, part.Text, part.Look, part.Cut)
		}
	}
	out.hash = strconv.FormatUint(sum.Sum64(), 16)
	w := partWriter{page: out, section: -1, line: 1}
	for _, part := range parts {
		w.writePart(part)
	}
	w.endSection(w.at, w.line)
	return out
}

// partWriter makes the pieces of parts.
type partWriter struct {
	page    *Prepared
	section int
	at      int    // bytes of the source that have their pieces
	line    int    // of the source at which the next part begins
	fence   string // the line that began the code which the part before left open
	table   string // the head of the table that ends the part before
	bare    bool   // that part has no row of it
}

// beginSection begins a section at a place of the source, and ends the one before there.
func (w *partWriter) beginSection(s doc.Section, at, line int) {
	w.endSection(at, line)
	s.Span = doc.Span{Start: at, End: at, StartLine: line, EndLine: line}
	w.section = len(w.page.sections)
	w.page.sections = append(w.page.sections, s)
}

func (w *partWriter) endSection(at, line int) {
	if n := len(w.page.sections); n > 0 {
		s := &w.page.sections[n-1].Span
		s.End, s.EndLine = at, max(s.StartLine, line-1)
	}
}

// headingOf is the level and the text of a line that is a heading of Markdown; level 0:
// another line.
func headingOf(line string) (level int, name string) {
	text := strings.TrimLeft(line, "#")
	level = len(line) - len(text)
	if level > 6 || !strings.HasPrefix(text, " ") {
		return 0, ""
	}
	name, _, _ = strings.Cut(strings.TrimSpace(text), " {#")
	return level, strings.TrimRight(name, "# ")
}

func (w *partWriter) writePart(part Part) {
	p := w.page
	if part.Name != "" {
		w.beginSection(doc.Section{Text: part.Name, Level: 1, Path: part.Path}, w.at, w.line)
		p.pieces = append(p.pieces, w.notePiece(part.Name, noteName, true))
		p.pieces[len(p.pieces)-1].aside = part.Where
		w.fence, w.table = "", ""
	}
	if part.Cut {
		if w.bare && goesOnAsTable(w.table, part.Text) {
			w.dropHead()
		}
		if n := len(p.pieces); n > 0 && p.pieces[n-1].note == "" {
			p.pieces[n-1].gap = false // the mark stands for the empty line
		}
		p.pieces = append(p.pieces, w.notePiece(cutMark, noteCut, false))
	}
	end := w.at + len(part.Text)
	if part.Text != "" && !strings.HasSuffix(part.Text, "\n") {
		end++
	}
	lines := doc.CountLines(p.source[w.at:end])
	switch {
	case part.Text == "":
	case part.Look >= PartDim:
		kind, line := noteDim, w.line
		if part.Look == PartWarn {
			kind = noteWarn
		}
		for l := range strings.Lines(part.Text) {
			q := w.notePiece(strings.TrimSuffix(l, "\n"), kind, false)
			q.fromLine, q.toLine = line, line
			p.pieces, line = append(p.pieces, q), line+1
		}
		p.pieces[len(p.pieces)-1].gap = true
	case part.Look == PartPlain:
		p.cutLines(max(0, w.section), w.at, end, w.line, piece{})
		p.pieces[len(p.pieces)-1].gap = true
	default:
		w.writeBlocks(string(p.source[w.at:end]))
	}
	w.at, w.line = end, w.line+lines
}

// cutMark stands for lines that are left out.
const cutMark = "⋯"

func (w *partWriter) notePiece(text string, kind noteKind, gap bool) piece {
	return piece{section: max(0, w.section), start: w.at, end: w.at, fromLine: w.line, toLine: w.line, note: text, kind: kind, gap: gap}
}

// writeBlocks gathers the blocks of a text into pieces. A block ends at an empty line that
// neither code nor an indented line follows. A heading begins a section.
func (w *partWriter) writeBlocks(text string) {
	p := w.page
	cur := piece{section: max(0, w.section), start: w.at, fromLine: w.line, markdown: true, gap: true}
	fence := ""
	if goesOnAsCode(w.fence, text) {
		fence, cur.head = w.fence, w.fence
	}
	if goesOnAsTable(w.table, text) {
		cur.head = w.table
	}
	at, line, empty := w.at, w.line, true
	flush := func(end, last int) {
		if strings.TrimSpace(string(p.source[cur.start:end])) != "" {
			cur.end, cur.toLine = end, last
			w.addPiece(cur)
		}
		cur = piece{section: cur.section, start: end, fromLine: last + 1, markdown: true, gap: true}
	}
	for l := range strings.Lines(text) {
		full := line-cur.fromLine >= maxPieceLines/2 || at-cur.start > maxPieceBytes/2
		if level, name := headingOf(l); level > 0 && fence == "" {
			flush(at, line-1)
			w.beginSection(doc.Section{Text: name, Level: level + 1, Path: []string{name}}, at, line)
			cur.section = w.section
		}
		if full && empty && fence == "" && strings.TrimLeft(l, " \t") == l {
			flush(at, line-1)
		}
		fence = codeAfter(fence, l)
		empty = strings.TrimSpace(l) == ""
		at, line = at+len(l), line+1
	}
	if fence != "" {
		cur.tail = fence[:len(fence)-len(strings.TrimLeft(fence, "`~"))]
	}
	flush(at, line-1)
	w.fence = fence
	w.noteTable(text)
}

// noteTable keeps the head of the table that ends a text, for the rows behind lines that are left out.
func (w *partWriter) noteTable(text string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	top := len(lines)
	for top > 0 && strings.HasPrefix(lines[top-1], "|") {
		top--
	}
	rows := lines[top:]
	switch {
	case w.fence != "" || len(rows) == 0:
		w.table, w.bare = "", false
	case len(rows) >= 2 && isDelimiter(rows[1]):
		w.table, w.bare = rows[0]+"\n"+rows[1], len(rows) == 2
	case top > 0:
		w.table, w.bare = "", false
	default: // rows alone, of the table before
		w.bare = false
	}
}

// dropHead takes a table's head without rows off the last piece: it comes again above the rows.
func (w *partWriter) dropHead() {
	p := w.page
	n := len(p.pieces) - 1
	if n < 0 || p.pieces[n].note != "" {
		return
	}
	q := &p.pieces[n]
	text := string(p.source[q.start:q.end])
	head, found := strings.CutSuffix(strings.TrimSuffix(text, "\n"), w.table)
	switch {
	case !found:
	case strings.TrimSpace(head) == "":
		p.pieces = p.pieces[:n]
	default:
		q.end = q.start + len(head)
		q.toLine -= 2
	}
}

// goesOnAsTable reports whether a text begins with rows of a table that has the head above.
func goesOnAsTable(head, text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	return head != "" && strings.HasPrefix(first, "|") && !isDelimiter(firstLine(rest))
}

// isDelimiter reports whether a line parts the head of a table from its rows.
func isDelimiter(line string) bool {
	return strings.Contains(line, "---") && strings.Trim(line, "|:- \t\r") == ""
}

// goesOnAsCode reports whether a text begins within the code that a line began: the first
// mark of code in it ends some.
func goesOnAsCode(fence, text string) bool {
	if fence == "" {
		return false
	}
	for l := range strings.Lines(text) {
		if after := codeAfter(fence, l); after == "" {
			return true
		}
		if codeAfter("", l) != "" {
			return false
		}
	}
	return false
}

// addPiece adds a piece, in several where it is too large to be rendered at once.
func (w *partWriter) addPiece(q piece) {
	p := w.page
	text := string(p.source[q.start:q.end])
	if q.toLine-q.fromLine < 2*maxPieceLines && len(text) <= 2*maxPieceBytes {
		if q.head != "" {
			q.head += "\n"
		}
		if q.tail != "" {
			q.tail = "\n" + q.tail + "\n"
		}
		p.pieces = append(p.pieces, q)
		return
	}
	b := doc.Block{Kind: doc.List, Section: q.section, Span: doc.Span{Start: q.start, End: q.end, StartLine: q.fromLine, EndLine: q.toLine}}
	switch first := strings.TrimSpace(text); {
	case codeAfter("", firstLine(first)) != "":
		b.Kind = doc.Code
	case strings.HasPrefix(first, "|"):
		b.Kind = doc.Table
	}
	p.cutBlock(q.section, b, true)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// noteKind is what a line that stands for no text of a page is.
type noteKind int

const (
	noteFold noteKind = iota // folded lines
	noteName                 // the name of a part
	noteCut                  // lines are left out
	noteDim                  // said by the program
	noteWarn                 // so is this, and it matters
)

// Name is the name of a part and where it is from, if that is what a piece shows.
func (p *Prepared) Name(piece int) (name, where string, ok bool) {
	q := p.pieces[piece]
	return q.note, q.aside, q.kind == noteName
}

// IsByProgram reports whether a piece is said by the program, and not by a page, and whether it
// warns.
func (p *Prepared) IsByProgram(piece int) (says, warns bool) {
	kind := p.pieces[piece].kind
	return kind >= noteCut, kind == noteWarn
}
