// Package preview is the pane beside the hits. It shows the page of the hit under
// the cursor, from the section that was found.
//
// It refuses to read files, and to render in Update or View: pages are passed in,
// and rendering is a command of tui/page.
package preview

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane.
type Pane struct {
	st     *style.Styles
	w, h   int
	win    *page.Window
	target page.Target
	has    bool
	err    string
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st, win: page.NewWindow(st, "preview", false)} }

// SetTarget sets the section to show. It returns true when that is on another page
// than the shown one: call SetPage or SetError then.
func (p *Pane) SetTarget(t page.Target) (missing bool) {
	same := p.has && p.target.ID() == t.ID()
	moved := !same || p.target.Heading.Section != t.Heading.Section || p.target.Heading.Text != t.Heading.Text
	p.target, p.has = t, true
	if same && p.win.Page() != nil {
		if moved {
			p.seek()
		}
		return false
	}
	if !same {
		p.err = ""
		p.win.Clear()
	}
	return p.err == ""
}

// Clear shows nothing.
func (p *Pane) Clear() {
	p.target, p.has, p.err = page.Target{}, false, ""
	p.win.Clear()
}

// Target is the shown section.
func (p *Pane) Target() (page.Target, bool) { return p.target, p.has }

// SetPage shows a page, if it is the target's.
func (p *Pane) SetPage(id string, pg *page.Prepared) {
	if !p.has || p.target.ID() != id || pg == nil {
		return
	}
	p.err = ""
	p.win.SetPage(id, pg)
	p.seek()
}

// SetError says why a page cannot be shown.
func (p *Pane) SetError(id string, err error) {
	if p.has && p.target.ID() == id {
		p.err = sanitize.Line(err.Error())
	}
}

// Restyle draws the page in the styles that there are now.
func (p *Pane) Restyle() { p.win.Restyle() }

func (p *Pane) seek() {
	pg := p.win.Page()
	if pg == nil {
		return
	}
	if i := pg.First(pg.Section(p.target.Heading)); i >= 0 {
		p.win.Seek(i, 0)
	}
}

const gutter = 2 // the bar beside the hit's section, and a space

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.win.SetSize(w-gutter-1, h-p.head())
}

// head is the lines above the text: the doc set and the path of the page, where
// there is room.
func (p *Pane) head() int {
	if p.h < 6 {
		return 0
	}
	return 1
}

// Update scrolls, and takes in renderings.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keymap.Action:
		p.win.Scroll(msg)
	case page.Rendered:
		if !p.win.Update(msg) {
			return nil
		}
	}
	return p.Render()
}

// Render is the command that renders the next piece, nil for none.
func (p *Pane) Render() tea.Cmd {
	if !p.has {
		return nil
	}
	return p.win.Render()
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding { return keymap.Scrolling() }

// Title is the page and the heading, for the frame.
func (p *Pane) Title() string {
	if !p.has {
		return "Section"
	}
	t := sanitize.Line(p.target.Title)
	if h := strings.TrimLeft(sanitize.Line(p.target.Heading.Text), "# "); h != "" && h != t {
		t = widget.Section(t, h, p.Info(), p.w)
	}
	return t
}

// Info says which lines of the page are seen, for the frame.
func (p *Pane) Info() string {
	pg := p.win.Page()
	if pg == nil || pg.Pieces() == 0 {
		return ""
	}
	from, to := p.win.Seen()
	return fmt.Sprintf("lines %d–%d of %d", from, to, pg.Lines())
}

// View is the visible lines.
func (p *Pane) View() string {
	pg := p.win.Page()
	switch {
	case !p.has:
		return "  " + p.st.Dim.Render(widget.Cut("the page is shown here", p.w-3))
	case p.err != "":
		out := []string{"  " + p.st.Bad.Render("✗ the page cannot be shown")}
		for _, l := range widget.Wrap(p.err, max(1, p.w-4)) {
			out = append(out, "    "+l)
		}
		return strings.Join(out[:min(len(out), max(1, p.h))], "\n")
	case pg == nil:
		return "  " + p.st.Dim.Render("reading the page …")
	case pg.Pieces() == 0:
		return "  " + p.st.Dim.Render(widget.Cut("the page has no text of its own", p.w-3))
	}
	hit := pg.Section(p.target.Heading)
	var out []string
	if p.head() > 0 {
		out = append(out, "  "+p.st.Dim.Render(widget.Path(sanitize.Line(p.target.DocSet), sanitize.Line(p.target.FilePath), max(1, p.w-3))))
	}
	for _, r := range p.win.Rows() {
		mark := "  "
		if pg.SectionOf(r.Piece) == hit {
			mark = p.st.Accent.Render("▎") + " "
		}
		out = append(out, mark+r.Text)
	}
	return strings.Join(out, "\n")
}

// Section is the source text of the shown section; false while the page is being
// read.
func (p *Pane) Section() (string, bool) {
	pg := p.win.Page()
	if pg == nil || !p.has {
		return "", false
	}
	return pg.Text(pg.Section(p.target.Heading)), true
}
