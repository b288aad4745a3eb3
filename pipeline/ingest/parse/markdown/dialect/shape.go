// Package dialect rewrites the dialects of real documentation into plain Markdown, line for
// line: MDX (imports, tags, comments), Hugo's shortcodes, Liquid's tags, ":::", "!!!" and
// "===" containers, blocks of HTML and the ids of headings.
//
// Line i of the result, the shape, is line i of the page. What Markdown cannot say of a line
// stands in the shape's marks, regions and opaque blocks. The package bounds markup that
// would take goldmark quadratic time, see guard.
//
// It refuses to parse Markdown: it knows lines, tags and fences, and makes no sections,
// blocks or links. Package markdown does, which also keeps the reasons for this way.
package dialect

import (
	"bytes"
	"fmt"

	"docent/store/doc"
)

// Mark is the meaning of a line of the shape at which a node begins.
type Mark struct {
	Line   int
	Kind   MarkKind
	Opaque int    // index into shape.opaques
	Anchor string // of a heading that names its own
}

type MarkKind int

const (
	MarkBreak  MarkKind = iota + 1 // a rule that stands for a line of tags
	MarkTitle                      // a heading that stands for a tag's title
	MarkOpaque                     // a rule that stands for a block read apart from goldmark
	MarkAnchor                     // a heading with an anchor of its own
)

// Region is the lines of a wrapper that becomes one block, tags included.
type Region struct {
	First, Last int
	Kind        doc.BlockKind
	Warning     bool
}

// opaque is a block of HTML that goldmark does not see.
type opaque struct {
	First, Last int
	Kind        doc.BlockKind
}

// Shape is the rewritten page. It has as many lines as the page.
type Shape struct {
	Text     []byte
	Marks    []Mark // by line
	Regions  []Region
	Opaques  []opaque
	Warnings []string
}

// frame is a wrapper that is open.
type frame struct {
	name    string
	line    int
	strip   int // columns taken off the lines inside
	list    int // shaper.list outside
	kind    doc.BlockKind
	warning bool
	jsx     bool
	tabs    int // of a set of tabs of Quarto: the level of their headings; -1: not known yet
	indent  int // of "!!!" and "===" containers: what its lines are indented by; -1 of all others
}

// maxFrames is the most open wrappers.
const maxFrames = 64

type shaper struct {
	in    []byte
	lines []int // starts in in
	out   []byte
	next  int // the first line that is not in out yet; out is nil until a line changes
	looks int // lines behind ends of containers that were looked at, see closesTwo
	Shape
	frames  []frame
	strip   int
	list    int // column of the content of the list item that lines may belong to, -1 outside
	fence   Fence
	fenceAt int // column of the fence that is open in a component, -1 elsewhere
	closers closers
	guard   guard
	blank   bool            // no paragraph goes on from the line before
	apart   bool            // this line is no part of a paragraph
	esm     bool            // the line before is an import or export
	myst    bool            // the page is in the Markdown of Sphinx
	notes   map[string]bool // labels of the footnotes of the page
}

// Rewrite rewrites the lines from first on; the lines before it become blank.
func Rewrite(in []byte, lines []int, first int) Shape {
	s := shaper{in: in, lines: lines, list: -1, blank: true, closers: closers{in: in}, guard: guard{work: maxWork + maxWorkByte*len(in)},
		myst: UsesMyST(in), notes: footnotesOf(in)}
	for i := range first {
		s.emitParts(i, nil)
	}
	for i := first; i < len(lines)-1; {
		i = s.shapeLine(i)
	}
	for _, f := range s.frames {
		if f.kind == doc.Admonition && f.indent < 0 {
			s.Warnings = append(s.Warnings, fmt.Sprintf("line %d: %s is not closed", f.line+1, f.name))
		}
		if f.indent >= 0 && f.kind != "" {
			s.Regions = append(s.Regions, Region{f.line, len(lines) - 2, f.kind, f.warning})
		}
	}
	s.Warnings = append(s.Warnings, s.guard.warnings...)
	s.Text = in
	if s.out != nil {
		s.flush(len(lines) - 1)
		s.Text = s.out
	}
	return s.Shape
}

// lineAt is line i without its line end.
func (s *shaper) lineAt(i int) []byte {
	b := s.in[s.lines[i]:s.lines[i+1]]
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}

// flush copies the unchanged lines before line i.
func (s *shaper) flush(i int) {
	if s.out == nil {
		s.out = make([]byte, 0, len(s.in)+len(s.in)/32+64)
	}
	s.out = append(s.out, s.in[s.lines[s.next]:s.lines[i]]...)
	s.next = i
}

// emitParts writes parts in place of line i, indented for the list item around it.
func (s *shaper) emitParts(i int, parts ...[]byte) {
	s.flush(i)
	for _, p := range parts {
		s.out = append(s.out, p...)
	}
	s.out = append(s.out, '\n')
	s.next = i + 1
}

func (s *shaper) indent() []byte {
	return spaces(max(0, s.list))
}

func spaces(n int) []byte {
	const some = "                                "
	return []byte(some[:min(n, len(some))])
}

func (s *shaper) addMark(m Mark) { s.Marks = append(s.Marks, m) }

// keepLine writes line i without the indentation of the open wrappers. changed says that
// line is not the page's line.
func (s *shaper) keepLine(i int, line []byte, changed bool) {
	if s.strip > 0 {
		cut, rest := stripColumns(line, s.strip)
		line, changed = rest, changed || cut
	}
	if changed {
		s.emitParts(i, line)
	}
}

func stripColumns(line []byte, cols int) (bool, []byte) {
	col, i := 0, 0
	for i < len(line) && col < cols {
		switch line[i] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return i > 0, line[i:]
		}
		i++
	}
	return i > 0, line[i:]
}

// shapeLine shapes line i and the lines that belong to it, and returns the next line.
func (s *shaper) shapeLine(i int) int {
	line := s.lineAt(i)
	cols, n := IndentOf(line)
	if n == len(line) || IsBlank(line) {
		s.blank, s.esm = true, false
		s.guard.reset()
		if len(line) > 0 && s.fence.n > 0 && s.strip > 0 {
			s.keepLine(i, line, false)
		}
		return i + 1
	}
	(indented{s}).endIndented(i, cols)
	inCode := s.fence.n > 0
	if s.myst {
		if j := (sphinx{s}).directiveOutside(i, line, cols, n, inCode); j > i {
			return j
		}
	}
	if s.fence.Step(line) {
		s.code(i, line, cols, n, inCode)
		return i + 1
	}
	s.apart = false
	j := s.dialect(i, line, cols, n)
	s.blank = s.apart
	return j
}

// code shapes a line of fenced code; inside says that its fence stands above it. In a
// component of JSX, which knows no indented code, a fence ends at any indentation: it is
// written where the fence that it closes stands, and so is code left of that.
func (s *shaper) code(i int, line []byte, cols, n int, inside bool) {
	out := max(0, cols-s.strip)
	if !inside {
		s.fenceAt = -1
		if c := line[n]; len(s.frames) > 0 && (c == '`' || c == '~') {
			s.fenceAt = out
		}
	}
	s.blank, s.esm = true, false
	s.guard.reset()
	if closes := inside && s.fence.n == 0; s.fenceAt >= 0 && inside && (closes && out != s.fenceAt || out < s.fenceAt) {
		s.emitParts(i, spaces(s.fenceAt), line[n:])
		return
	}
	s.listState(cols, line[n:])
	s.keepLine(i, line, false)
}

// dialect shapes lines that begin with the syntax of a dialect.
func (s *shaper) dialect(i int, line []byte, cols, n int) int {
	esm := s.esm
	s.esm = false
	eff := cols - s.strip
	inList := s.list >= 0 && (eff >= s.list || !s.blank)
	// Four columns make code outside of lists and of JSX, which knows no
	// indented code.
	if !inList && eff >= 4 && len(s.frames) == 0 {
		s.writeText4(i, line, false)
		return i + 1
	}
	if top := len(s.frames) - 1; !inList && eff >= 4 && s.blank && top >= 0 && s.frames[top].jsx {
		s.frames[top].strip, s.strip = cols, cols
	}
	if s.myst {
		if j := (sphinx{s}).signs(i, line[n:], cols); j > i {
			return j
		}
	}
	switch body := line[n:]; body[0] {
	case '<':
		if j := s.shapeAngle(i, line, cols, n); j > i {
			return j
		}
	case '{':
		if j := s.shapeCurly(i, line, cols, n); j > i {
			return j
		}
	case ':':
		if j := (fences{s}).colons(i, body, cols); j > i {
			return j
		}
		// The definition of a list of terms may be a block: "Term", ": !!! note".
		if inner := bytes.TrimLeft(body[1:], " \t"); len(inner) < len(body)-1 {
			if j := (indented{s}).shapeBangs(i, inner, cols); j > i {
				return j
			}
		}
	case '$':
		if j := (indented{s}).formula(i, body); j > i {
			return j
		}
	case '/':
		if j := (fences{s}).slashes(i, body, cols); j > i {
			return j
		}
	case '+':
		if j := (grids{s}).table(i, body, cols); j > i {
			return j
		}
	case '[':
		if j := (asides{s}).footnote(i, body, cols); j > i {
			return j
		}
	case '!', '?':
		if j := (asides{s}).hint(i, line, n); j > i {
			return j
		}
		if j := (indented{s}).shapeBangs(i, body, cols); j > i {
			return j
		}
	case '=':
		if j := (indented{s}).shapeTab(i, body, cols); j > i {
			return j
		}
	case 'i', 'e':
		if cols == 0 && (s.blank || esm) {
			if j := s.module(i, body); j > i {
				s.esm = true
				return j
			}
		}
	case '#':
		if j := (headings{s}).heading(i, line, cols, n); j > i {
			return j
		}
	}
	s.listState(cols, line[n:])
	if j := (asides{s}).longList(i, line); j > i {
		return j
	}
	line, changed := withoutAttributes(line)
	line, noted := (asides{s}).withoutNotes(line)
	line, linked := ExpandSiteLinks(line)
	s.writePlain(i, line, changed || noted || linked)
	return i + 1
}

// writePlain writes a line without syntax of a dialect at its beginning, which may be the
// page's or a changed one. It may still close wrappers.
func (s *shaper) writePlain(i int, line []byte, changed bool) {
	if len(s.frames) > 0 {
		rest, popped := s.closeIn(i, line)
		if popped {
			line = rest
			if IsBlank(line) {
				s.breakLine(i)
				return
			}
			line, _ = s.guard.guardLine(line)
			s.keepLine(i, line, true)
			return
		}
	}
	s.writeText4(i, line, changed)
}

func (s *shaper) writeText4(i int, line []byte, changed bool) {
	line, bare := withoutComments(line)
	roles := false
	if s.myst && !bytes.HasPrefix(line[IndentBytes(line):], []byte("```")) {
		line, roles = ExpandRoles(line)
	}
	line, guarded := s.guard.guardLine(line)
	s.keepLine(i, line, changed || guarded || bare || roles)
}

// withoutComments takes the comments of MDX out of a line, {/* … */}, but not out of inline
// code.
func withoutComments(line []byte) (rest []byte, changed bool) {
	var out []byte
	ticks := 0
	for {
		open := bytes.Index(line, []byte("{/*"))
		if open < 0 {
			break
		}
		n := bytes.Index(line[open:], []byte("*/}"))
		if n < 0 {
			break
		}
		end := open + n + len("*/}")
		if ticks += bytes.Count(line[:open], []byte{'`'}); ticks%2 == 1 {
			ticks += bytes.Count(line[open:end], []byte{'`'})
			out = append(out, line[:end]...)
		} else {
			out, changed = append(out, line[:open]...), true
		}
		line = line[end:]
	}
	if out == nil {
		return line, false
	}
	return append(out, line...), changed
}

// breakLine replaces a line of tags: by an empty comment inside a list item, elsewhere
// by a rule, which ends the block before it.
func (s *shaper) breakLine(i int) {
	s.apart = true
	if s.list >= 0 {
		s.emitParts(i, s.indent(), []byte("<!---->"))
		return
	}
	s.addMark(Mark{Line: i, Kind: MarkBreak})
	s.emitParts(i, []byte("***"))
}

// titleLine replaces a line of tags with a title by a heading, which needs no blank
// lines around it. It becomes a paragraph.
func (s *shaper) titleLine(i int, title string) {
	if IsBlank([]byte(title)) {
		s.breakLine(i)
		return
	}
	s.apart = true
	s.addMark(Mark{Line: i, Kind: MarkTitle})
	s.emitParts(i, s.indent(), []byte("###### "), bytes.Join(bytes.Fields([]byte(title)), []byte{' '}))
}

// listState tracks the outermost list item that lines belong to, roughly as in
// CommonMark.
func (s *shaper) listState(cols int, body []byte) {
	eff := cols - s.strip
	if m := listMarker(body); m > 0 && !RuleLike(body) && (s.list >= 0 && eff >= s.list || eff < 4) {
		if s.list < 0 || eff < s.list {
			s.list = max(0, eff) + m
		}
		return
	}
	if s.list >= 0 && eff < s.list && (s.blank || body[0] == '#' || body[0] == '`' || body[0] == '~') {
		s.list = -1
	}
}

func RuleLike(body []byte) bool {
	count := 0
	for _, c := range body {
		switch {
		case c == body[0]:
			count++
		case c != ' ' && c != '\t':
			return false
		}
	}
	return count >= 3
}

// dropFrames gives up wrappers with indented content: a heading at the margin is not in
// them.
func (s *shaper) dropFrames() {
	for k, f := range s.frames {
		if f.strip > 0 {
			s.frames = s.frames[:k]
			break
		}
	}
	s.restrip()
}

func (s *shaper) restrip() {
	s.strip = 0
	if len(s.frames) > 0 {
		s.strip = s.frames[len(s.frames)-1].strip
	}
}
