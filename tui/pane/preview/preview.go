// Package preview is the pane next to the hits. It shows the page of the hit under
// the cursor, from the section that was found, and steps from there to the passages
// before and behind. Of a passage that is longer than passages should be, the lines that
// the question is not about are folded until a person wants them.
//
// It refuses to read files, and to render in Update or View: pages are passed in,
// and rendering is a command of tui/page.
package preview

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
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
	whole  *page.Prepared // the page with nothing folded
	open   bool           // nothing is folded
	step   int            // how many passages behind the hit's the shown one is
	about  string         // the shown section in one line
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st, win: page.NewWindow(st, "preview", false)} }

// SetTarget sets the section to show. It returns true when that is on another page
// than the shown one: call SetPage or SetError then.
func (p *Pane) SetTarget(t page.Target) (missing bool) {
	same := p.has && p.target.ID() == t.ID()
	moved := !same || p.target.Heading.Section != t.Heading.Section || p.target.Heading.Text != t.Heading.Text
	p.target, p.has = t, true
	if moved {
		p.open, p.step = false, 0
	}
	if same && p.whole != nil {
		if moved {
			p.showPage()
		}
		return false
	}
	if !same {
		p.err, p.about, p.whole = "", "", nil
		p.win.Clear()
	}
	return p.err == ""
}

// Clear shows nothing.
func (p *Pane) Clear() {
	p.target, p.has, p.err = page.Target{}, false, ""
	p.whole, p.open, p.step, p.about = nil, false, 0, ""
	p.win.Clear()
}

// Target is the shown section.
func (p *Pane) Target() (page.Target, bool) { return p.target, p.has }

// SetPage shows a page, if it is the target's.
func (p *Pane) SetPage(id string, pg *page.Prepared) {
	if !p.has || p.target.ID() != id || pg == nil {
		return
	}
	p.err, p.whole = "", pg
	p.showPage()
}

// showPage shows the page, folded or not, at the section that was found or at the passage
// that was stepped to.
func (p *Pane) showPage() {
	pg := p.whole
	if !p.open {
		pg = pg.WithFolds(pg.LinesAround(p.target.Heading))
	}
	if now := p.win.Page(); now == nil || pg != p.whole || now != pg {
		p.win.SetPage(p.target.ID(), pg)
	}
	p.win.SetSize(p.w-gutter-1, p.h-p.headLines())
	p.seekPassage()
}

// Step shows the passage before (-1) or behind (1) the shown one. It returns false
// at the ends.
func (p *Pane) Step(d int) bool {
	if p.whole == nil {
		return false
	}
	if _, ok := p.nthPassage(p.step + d); !ok {
		return false
	}
	p.step += d
	p.seekPassage()
	return true
}

// Fold shows the folded lines, or folds them again. It returns false where nothing is.
func (p *Pane) Fold() bool {
	if p.whole == nil || len(p.whole.LinesAround(p.target.Heading)) == 0 {
		return false
	}
	p.open = !p.open
	p.showPage()
	if n := p.target.Heading.Neighbors; p.open && n.Focus != nil {
		p.win.SeekLine(n.Focus[0]) // the lines that were seen stay in sight
	}
	return true
}

// nthPassage is the passage so many behind the one that was found.
func (p *Pane) nthPassage(step int) (int, bool) {
	at := p.whole.PassageOf(p.target.Heading)
	if i := at + step; at >= 0 && i >= 0 && i < p.whole.Passages() {
		return i, true
	}
	return 0, false
}

// shownLines are the lines of the passage that was stepped to; false at the hit.
func (p *Pane) shownLines() (i int, lines contract.LineRange, ok bool) {
	if p.step == 0 || p.whole == nil {
		return 0, lines, false
	}
	if i, ok = p.nthPassage(p.step); ok {
		lines = p.whole.PassageLines(i)
	}
	return i, lines, ok
}

// SetError says why a page cannot be shown.
func (p *Pane) SetError(id string, err error) {
	if p.has && p.target.ID() == id {
		p.err = sanitize.Line(widget.ErrorText(err))
	}
}

// Restyle draws the page in the styles that there are now.
func (p *Pane) Restyle() { p.win.Restyle() }

func (p *Pane) seekPassage() {
	pg := p.win.Page()
	if pg == nil {
		return
	}
	p.summarize()
	if _, lines, ok := p.shownLines(); ok {
		p.win.SeekLine(lines[0])
		return
	}
	if at := p.target.Heading.Lines[0]; pg != p.whole && at > p.target.Heading.Section[0] {
		p.win.SeekLine(at) // the folded lines begin further down in the section
		return
	}
	if i := pg.FirstPiece(pg.Section(p.target.Heading)); i >= 0 {
		p.win.Seek(i, 0)
	}
}

// summarize notes what the shown section is about, unless its text begins with that.
func (p *Pane) summarize() {
	section := p.whole.Section(p.target.Heading)
	if _, lines, ok := p.shownLines(); ok {
		section = p.whole.SectionAt(lines[0])
	}
	p.about = p.whole.Summary(section)
	further := p.win.Page() != p.whole && p.target.Heading.Lines[0] > p.target.Heading.Section[0]
	if p.step == 0 && !further && p.whole.OpensBySummary(section) {
		p.about = ""
	}
	p.win.SetSize(p.w-gutter-1, p.h-p.headLines())
}

// roomForLines is the columns of a frame that has room for a title, the number of a
// passage and its lines.
const roomForLines = 70

const gutter = 2 // the bar next to the hit's section, and a space

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.win.SetSize(w-gutter-1, h-p.headLines())
}

// headLines is the lines above the text: the doc set and the path of the page, where
// there is room.
func (p *Pane) headLines() int {
	switch {
	case p.h < 6:
		return 0
	case p.summarized():
		return 3 // and an empty line, for what follows is the page's text
	}
	return 1
}

// roomForSummary is the lines of a view that has one to spare for the subject of the
// section. A terminal of 24 lines does not.
const roomForSummary = 28

func (p *Pane) summarized() bool {
	return p.h >= roomForSummary && p.about != ""
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

// Render is the command that renders the next piece, nil if none.
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
	text := strings.TrimLeft(p.target.Heading.Text, "# ")
	if _, lines, ok := p.shownLines(); ok {
		text = p.whole.Heading(p.whole.SectionAt(lines[0]))
	}
	if h := sanitize.Line(text); h != "" && h != t {
		t = widget.SectionTitle(t, h, p.Info(), p.w)
	}
	return t
}

// Info says which lines of the page are seen, or which passage was stepped to, for the
// frame.
func (p *Pane) Info() string {
	pg := p.win.Page()
	if pg == nil || pg.PieceCount() == 0 {
		return ""
	}
	if i, lines, ok := p.shownLines(); ok {
		info := fmt.Sprintf("passage %d of %d", i+1, p.whole.Passages())
		if p.w >= roomForLines {
			info += fmt.Sprintf(" · lines %d–%d", lines[0], lines[1])
		}
		return info
	}
	from, to := p.win.SeenLines()
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
	case pg.PieceCount() == 0:
		return "  " + p.st.Dim.Render(widget.Cut("the page has no text of its own", p.w-3))
	}
	hit := pg.Section(p.target.Heading)
	var out []string
	if p.headLines() > 0 {
		out = append(out, "  "+p.st.Dim.Render(widget.Path(sanitize.Line(p.target.DocSet), sanitize.Line(p.target.FilePath),
			max(1, p.w-3))))
	}
	if p.headLines() > 1 {
		out = append(out, "  "+p.st.Accent.Render(widget.Cut(p.about, max(1, p.w-3))), "")
	}
	_, lines, stepped := p.shownLines()
	for _, r := range p.win.Rows() {
		mark := "  "
		in := pg.SectionOf(r.Piece) == hit
		if stepped {
			at := pg.SourceLine(r.Piece, r.Line, p.win.Lines(r.Piece))
			in = at >= lines[0] && at <= lines[1]
		}
		if in {
			mark = p.st.Accent.Render("▎") + " "
		}
		text := r.Text
		if pg.IsFoldLine(r.Piece) && text != "" {
			text = p.st.Dim.Render(widget.Cut(text+"; Z shows them", max(1, p.w-gutter-1)))
		}
		out = append(out, mark+text)
	}
	return strings.Join(out, "\n")
}

// Section is the source text of the shown section, also of a passage that was stepped to; false while the page is being
// read.
func (p *Pane) Section() (string, bool) {
	pg := p.win.Page()
	if pg == nil || !p.has {
		return "", false
	}
	if _, lines, ok := p.shownLines(); ok {
		return pg.Text(pg.SectionAt(lines[0])), true
	}
	return pg.Text(pg.Section(p.target.Heading)), true
}
