package page

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Rendered is a rendered piece, the message of a window's command. Pass it to every
// window; each takes its own.
type Rendered struct {
	owner string
	key   key
	made  rendering
}

// key names a rendering. It contains the page's hash, so that a changed page is
// rendered anew.
type key struct {
	page  string
	hash  string
	piece int
	width int
	kind  style.Kind
}

// rendering is a piece as lines, with the places of its links and the lines that
// were not wrapped at the window's width.
type rendering struct {
	lines []string
	links []Link
	wide  []bool
}

// Link is a link of a rendered piece: the line and the column where it begins, and
// its target as written.
type Link struct {
	Line, Col int
	Target    string
}

// Window is a window on a page. It keeps its place, renders the visible pieces and
// those of the next screen, and gives the visible lines.
type Window struct {
	st       *style.Styles
	owner    string
	wide     bool
	w, h     int // columns and lines of text
	scroll   widget.Scroller
	id       string
	page     *Prepared
	made     map[key]rendering
	raw      map[int][]string // source text of pieces, at this width
	busy     bool             // a rendering is under way
	renderer *Renderer
	anchor   anchor
	seen     seen
}

// anchor is the line of the source that stays at the top of the window while the
// width changes and pieces are rendered anew, until the window is scrolled.
type anchor struct {
	piece, line int
	on          bool
}

// seen caches which lines of the source are visible, with the place that they were
// computed for.
type seen struct {
	key      key
	at       [2]int
	h, n     int // height of the window; n: lines of the last row's piece
	from, to int
}

// NewWindow is an empty window. The name of its owner tells its renderings from
// those of other windows. A wide window does not wrap tables and code.
func NewWindow(st *style.Styles, owner string, wide bool) *Window {
	return &Window{st: st, owner: owner, wide: wide, made: map[key]rendering{}, raw: map[int][]string{}, renderer: &Renderer{}}
}

// SetPage shows a page from its top.
func (v *Window) SetPage(id string, p *Prepared) {
	v.id, v.page = id, p
	v.anchor.on = false
	v.Restyle()
	v.scroll.Top()
}

// Clear shows nothing.
func (v *Window) Clear() { v.SetPage("", nil) }

// Page is the shown page, nil if none.
func (v *Window) Page() *Prepared { return v.page }

// maxMade bounds the renderings that are kept: some ten large pages.
const maxMade = 600

// Restyle shows the pieces in the styles that there are now. Renderings are kept by
// style and width, so a piece may be there already.
func (v *Window) Restyle() {
	v.raw = map[int][]string{}
	n := 0
	if v.page != nil {
		n = len(v.page.pieces)
	}
	if len(v.made) > maxMade {
		v.made = map[key]rendering{}
	}
	v.scroll.SetSource(n, v.Lines)
}

// maxMeasure bounds the columns of text: longer lines are hard to read.
const maxMeasure = 110

// SetSize sets the columns and lines of text.
func (v *Window) SetSize(w, h int) {
	if w == v.w || v.page == nil || len(v.page.pieces) == 0 {
		v.w, v.h = w, h
		v.Restyle()
		v.scroll.SetHeight(h)
		return
	}
	if item, line := v.scroll.At(); !v.anchor.on {
		v.anchor = anchor{item, v.page.SourceLine(item, line, v.Lines(item)), true}
		if line == 0 {
			v.anchor.line = 0 // the top of a piece stays at the top
		}
	}
	v.w, v.h = w, h
	v.Restyle()
	v.scroll.SetHeight(h)
	v.restoreAnchor()
}

// restoreAnchor puts the anchor's line at the top again after the lines changed.
func (v *Window) restoreAnchor() {
	lines := v.Lines(v.anchor.piece)
	at := 0
	for at < len(lines)-1 && v.page.SourceLine(v.anchor.piece, at, lines) < v.anchor.line {
		at++
	}
	v.scroll.Seek(v.anchor.piece, at)
}

// SeenLines estimates the first and the last visible line of the source, 0 for an empty
// page.
func (v *Window) SeenLines() (from, to int) {
	rows := v.Rows()
	if len(rows) == 0 {
		return 0, 0
	}
	first, last := rows[0], rows[len(rows)-1]
	now := seen{key: v.pieceKey(first.Piece), at: [2]int{first.Line, last.Piece*1_000_000 + last.Line}, h: v.h,
		n: len(v.Lines(first.Piece)) + len(v.Lines(last.Piece))}
	if was := v.seen; was.key == now.key && was.at == now.at && was.h == now.h && was.n == now.n {
		return was.from, was.to
	}
	now.from = v.page.SourceLine(first.Piece, first.Line, v.Lines(first.Piece))
	now.to = max(now.from, v.page.SourceLine(last.Piece, last.Line, v.Lines(last.Piece)))
	v.seen = now
	return now.from, now.to
}

func (v *Window) measurePiece() int { return max(8, min(maxMeasure, v.w)) }

func (v *Window) pieceKey(i int) key {
	return key{page: v.id, hash: v.page.hash, piece: i, width: v.measurePiece(), kind: v.st.Kind}
}

// Lines are a piece's rendered lines, or its source text until it is rendered.
func (v *Window) Lines(i int) []string {
	if m, ok := v.made[v.pieceKey(i)]; ok {
		return m.lines
	}
	if ls, ok := v.raw[i]; ok {
		return ls
	}
	ls := v.page.rawLines(i, v.measurePiece())
	v.raw[i] = ls
	return ls
}

// Links are the links of a rendered piece, none before.
func (v *Window) Links(i int) []Link { return v.made[v.pieceKey(i)].links }

// IsWideLine reports whether a line of a piece was not wrapped at the window's width.
func (v *Window) IsWideLine(piece, line int) bool {
	wide := v.made[v.pieceKey(piece)].wide
	return line < len(wide) && wide[line]
}

// Ready reports whether a piece is rendered.
func (v *Window) Ready(i int) bool {
	_, ok := v.made[v.pieceKey(i)]
	return ok || !v.page.pieces[i].markdown
}

// At is the piece and the line in it at the top of the window.
func (v *Window) At() (piece, line int) { return v.scroll.At() }

// Seek puts a line of a piece at the top, or as near to it as the page's end
// allows.
func (v *Window) Seek(piece, line int) {
	v.anchor.on = false
	v.scroll.Seek(piece, line)
}

// SeekLine puts a line of the source at the top, and keeps it there while pieces are
// rendered until the window is scrolled.
func (v *Window) SeekLine(line int) {
	if v.page == nil || len(v.page.pieces) == 0 {
		return
	}
	v.anchor = anchor{v.page.pieceAt(line), line, true}
	v.restoreAnchor()
}

// Scroll does a scrolling action and reports whether it was one.
func (v *Window) Scroll(a keymap.Action) bool {
	v.anchor.on = false
	return widget.Scroll(&v.scroll, a, v.h)
}

// Move goes d lines down, up for a negative d.
func (v *Window) Move(d int) {
	v.anchor.on = false
	v.scroll.Move(d)
}

// Row is one visible line. A wide one may be wider than the window.
type Row struct {
	Piece, Line int
	Text        string
	Wide        bool
}

// Rows are the visible lines.
func (v *Window) Rows() []Row {
	if v.page == nil {
		return nil
	}
	out := make([]Row, 0, v.h)
	item, from := v.scroll.At()
	for i := item; i < len(v.page.pieces) && len(out) < v.h; i, from = i+1, 0 {
		ls := v.Lines(i)
		for k := from; k < len(ls) && len(out) < v.h; k++ {
			out = append(out, Row{Piece: i, Line: k, Text: ls[k], Wide: v.IsWideLine(i, k)})
		}
	}
	return out
}

// Update takes in a rendering; took is false for another window's.
func (v *Window) Update(msg Rendered) (took bool) {
	if msg.owner != v.owner {
		return false
	}
	v.busy = false
	v.made[msg.key] = msg.made
	item, line := v.scroll.At()
	if v.page != nil && msg.key.piece < len(v.page.pieces) && msg.key == v.pieceKey(msg.key.piece) {
		if v.anchor.on {
			v.restoreAnchor()
		} else {
			v.scroll.Seek(item, line) // the piece may have become shorter
		}
	}
	return true
}

// Render is the command that renders the next piece: the visible pieces first, then
// those of the next screen. It is nil when all are rendered, or when a piece is
// being rendered.
func (v *Window) Render() tea.Cmd {
	if v.busy || v.page == nil || v.w < 1 || v.h < 1 {
		return nil
	}
	item, line := v.scroll.At()
	room := 2*v.h + line
	for i := item; i < len(v.page.pieces) && room > 0; i++ {
		if _, ok := v.made[v.pieceKey(i)]; !ok && v.page.pieces[i].markdown {
			v.busy = true
			k, p, r, owner, wide := v.pieceKey(i), v.page, v.renderer, v.owner, v.wide
			return func() tea.Msg {
				return Rendered{owner: owner, key: k, made: r.renderPiece(p, i, k.width, k.kind, wide)}
			}
		}
		room -= len(v.Lines(i))
	}
	return nil
}
