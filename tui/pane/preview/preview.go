// Package preview is the pane that shows a page from the section that was
// found, rendered.
//
// It refuses to read files: it is given pages. It refuses to render in Update
// or View: rendering is a command, one piece at a time, of what is visible and
// one screen ahead; until a piece is ready its source text is shown.
//
// Terms. A piece is a run of whole blocks of one section, small enough to be
// rendered in a few milliseconds. A target is the hit that is looked at.
package preview

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Page is a parsed page and the bytes that it was parsed from.
type Page struct {
	Doc    *doc.Document
	Source []byte
}

// Target is the section to show.
type Target struct {
	DocSet   string
	FilePath string
	Title    string
	Heading  contract.Heading
}

// ID names the target's page.
func (t Target) ID() string { return t.DocSet + "/" + t.FilePath }

// Rendered is a piece that has been rendered: the answer to a command of this
// pane, and to be given back to its Update.
type Rendered struct {
	key   key
	lines []string
}

// key names a rendering; the page's hash stands in it, so that a page that
// changed is rendered anew.
type key struct {
	page  string
	hash  string
	piece int
	width int
	kind  style.Kind
}

// Pane is the pane.
type Pane struct {
	st       *style.Styles
	w, h     int
	scroll   widget.Scroller
	target   Target
	has      bool
	err      string
	page     *Prepared
	made     map[key][]string // rendered pieces
	raw      map[int][]string // source text of pieces, at this width
	busy     bool             // a rendering is under way
	renderer *Renderer
}

// New is an empty pane.
func New(st *style.Styles) *Pane {
	return &Pane{st: st, made: map[key][]string{}, raw: map[int][]string{}, renderer: &Renderer{}}
}

// SetTarget says what to show. It returns true when the page is not the one
// that the pane has, so that the root must give it (SetPage) or say why not
// (SetError).
func (p *Pane) SetTarget(t Target) (missing bool) {
	same := p.has && p.target.ID() == t.ID()
	moved := !same || p.target.Heading.Section != t.Heading.Section || p.target.Heading.Text != t.Heading.Text
	p.target, p.has = t, true
	if same && p.page != nil {
		if moved {
			p.seek()
		}
		return false
	}
	if !same {
		p.page, p.err = nil, ""
		p.reset()
	}
	return p.err == ""
}

// Clear shows nothing.
func (p *Pane) Clear() {
	p.target, p.has, p.page, p.err = Target{}, false, nil, ""
	p.reset()
}

// Target is what is shown.
func (p *Pane) Target() (Target, bool) { return p.target, p.has }

// SetPage gives a page; it is dropped when it is not the target's.
func (p *Pane) SetPage(id string, page *Prepared) {
	if !p.has || p.target.ID() != id || page == nil {
		return
	}
	p.page, p.err = page, ""
	p.reset()
	p.seek()
}

// SetError says why a page cannot be shown.
func (p *Pane) SetError(id string, err error) {
	if p.has && p.target.ID() == id {
		p.err = widget.Line(err.Error())
	}
}

// reset forgets what was made for another page or width.
func (p *Pane) reset() {
	p.raw = map[int][]string{}
	n := 0
	if p.page != nil {
		n = len(p.page.pieces)
	}
	if len(p.made) > maxMade {
		p.made = map[key][]string{}
	}
	p.scroll.SetSource(n, p.lines)
}

// maxMade bounds the renderings that are kept: some ten large pages.
const maxMade = 600

// Restyle forgets nothing, since renderings are kept by style; it only looks at
// the lines again.
func (p *Pane) Restyle() { p.reset() }

func (p *Pane) seek() {
	if p.page == nil {
		return
	}
	if i := p.page.first(p.page.section(p.target.Heading)); i >= 0 {
		p.scroll.Seek(i, 0)
	}
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	if w != p.w {
		item, _ := p.scroll.At()
		p.w = w
		p.reset()
		p.scroll.Seek(item, 0) // another width has other lines
	}
	p.h = h
	p.scroll.SetHeight(h)
}

// maxMeasure bounds the columns of text: longer lines are hard to read.
const maxMeasure = 110

const gutter = 2 // the bar beside the hit's section, and a space

func (p *Pane) measure() int { return max(8, min(maxMeasure, p.w-gutter-1)) }

func (p *Pane) key(i int) key {
	return key{page: p.target.ID(), hash: p.page.hash, piece: i, width: p.measure(), kind: p.st.Kind}
}

// lines is a piece as rendered, or its source text until then.
func (p *Pane) lines(i int) []string {
	if ls, ok := p.made[p.key(i)]; ok {
		return ls
	}
	if ls, ok := p.raw[i]; ok {
		return ls
	}
	ls := p.page.raw(i, p.measure())
	p.raw[i] = ls
	return ls
}

// Update scrolls, and takes renderings in.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keymap.Action:
		widget.Scroll(&p.scroll, msg, p.h)
	case Rendered:
		p.busy = false
		p.made[msg.key] = msg.lines
		item, line := p.scroll.At()
		if p.page != nil && p.has && msg.key == p.keyOf(msg.key.piece) {
			p.scroll.Seek(item, line) // the piece may have become shorter
		}
	}
	return p.Render()
}

func (p *Pane) keyOf(i int) key {
	if i >= len(p.page.pieces) {
		return key{}
	}
	return p.key(i)
}

// Render is the command that renders the next piece that is wanted: what is
// visible first, then a screen ahead. Nil when there is none, or one is under
// way.
func (p *Pane) Render() tea.Cmd {
	if p.busy || p.page == nil || !p.has || p.w < 4 || p.h < 1 {
		return nil
	}
	item, line := p.scroll.At()
	room := 2*p.h + line
	for i := item; i < len(p.page.pieces) && room > 0; i++ {
		if _, ok := p.made[p.key(i)]; !ok && p.page.pieces[i].markdown {
			p.busy = true
			k, page, r := p.key(i), p.page, p.renderer
			return func() tea.Msg { return Rendered{key: k, lines: r.piece(page, i, k.width, k.kind)} }
		}
		room -= len(p.lines(i))
	}
	return nil
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding { return keymap.Scrolling() }

// Title is the page and the heading, for the frame.
func (p *Pane) Title() string {
	if !p.has {
		return "Section"
	}
	t := widget.Line(p.target.Title)
	if h := strings.TrimLeft(widget.Line(p.target.Heading.Text), "# "); h != "" && h != t {
		t += " › " + h
	}
	return t
}

// Info says which lines of the page are seen, for the frame.
func (p *Pane) Info() string {
	if p.page == nil || len(p.page.pieces) == 0 {
		return ""
	}
	item, _ := p.scroll.At()
	_, last := p.scroll.Visible()
	info := fmt.Sprintf("lines %d–%d of %d", p.page.pieces[item].fromLine, p.page.pieces[last].toLine, p.page.lines)
	return info
}

// View is the visible lines.
func (p *Pane) View() string {
	switch {
	case !p.has:
		return "  " + p.st.Dim.Render(widget.Cut("the hit's section is shown here", p.w-3))
	case p.err != "":
		out := []string{"  " + p.st.Bad.Render("✗ the page cannot be shown")}
		for _, l := range widget.Wrap(p.err, max(1, p.w-4)) {
			out = append(out, "    "+l)
		}
		return strings.Join(out, "\n")
	case p.page == nil:
		return "  " + p.st.Dim.Render("reading the page …")
	}
	hit := p.page.section(p.target.Heading)
	var out []string
	item, from := p.scroll.At()
	for i := item; i < len(p.page.pieces) && len(out) < p.h; i, from = i+1, 0 {
		mark := "  "
		if p.page.pieces[i].section == hit {
			mark = p.st.Accent.Render("▎") + " "
		}
		ls := p.lines(i)
		for k := from; k < len(ls) && len(out) < p.h; k++ {
			out = append(out, mark+ls[k])
		}
	}
	return strings.Join(out, "\n")
}

// Section is the source text of the section that is looked at; false where the
// page is not there yet.
func (p *Pane) Section() (string, bool) {
	if p.page == nil || !p.has {
		return "", false
	}
	if len(p.page.sections) == 0 {
		return string(p.page.source), true
	}
	s := p.page.sections[p.page.section(p.target.Heading)].Span
	if s.Start < 0 || s.End > len(p.page.source) || s.Start > s.End {
		return "", false
	}
	return string(p.page.source[s.Start:s.End]), true
}
