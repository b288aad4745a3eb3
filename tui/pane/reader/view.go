package reader

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/page"
	"docent/tui/widget"
)

// textArea is the part of the pane in which the text stands.
type textArea struct{ p *Pane }

func (p *Pane) textArea() textArea { return textArea{p} }

// textWidth is the columns that there are for text.
func (a textArea) textWidth() int { return max(1, a.p.w-a.p.sidebar().sidebarWidth()-gutter-1) }

// sidewaysShift is how far tables and code are scrolled sideways: as far as a person
// scrolled, but no further than the widest visible line. Wrapped text is not
// scrolled.
func (a textArea) sidewaysShift(rows []page.Row) int {
	p := a.p
	widest := 0
	for _, r := range rows {
		if r.Wide {
			widest = max(widest, widget.Width(r.Text))
		}
	}
	return min(p.x, max(0, widest-p.textArea().textWidth()))
}

// scrollSideways scrolls tables and code by a quarter of the view's width.
func (a textArea) scrollSideways(d int) tea.Cmd {
	p := a.p
	rows := p.win.Rows()
	was := p.textArea().sidewaysShift(rows)
	p.x = max(0, was+d*max(4, p.textArea().textWidth()/4))
	p.x = p.textArea().sidewaysShift(rows)
	switch {
	case p.x != was:
	case d > 0:
		return sayMessage("nothing is hidden at the right")
	default:
		return sayMessage("nothing is hidden at the left")
	}
	return nil
}

// Title is the title of the frame: the page and the current section.
func (p *Pane) Title() string {
	if !p.has {
		return "Reader"
	}
	t := sanitize.Line(p.now.Title)
	if i := p.sections().currentSection(); i >= 0 {
		if h := sanitize.Line(p.win.Page().Sections()[i].Text); h != "" && h != t {
			t = widget.SectionTitle(t, h, p.Info(), p.w)
		}
	}
	return t
}

// Info is the right end of the frame: the matches and the visible lines.
func (p *Pane) Info() string {
	pg := p.win.Page()
	if pg == nil || pg.PieceCount() == 0 {
		return ""
	}
	from, to := p.win.SeenLines()
	info := fmt.Sprintf("lines %d–%d of %d", from, to, pg.Lines())
	if at, ok := p.Place(); ok && p.marked(at) {
		info = "★ · " + info
	}
	if f := p.find.matchCount(); f != "" {
		info = f + " · " + info
	}
	return info
}

// The looks of matches, on top of the text's own styles. They are attributes and not
// colours, so that every family of styles shows them.
const (
	lookMatch   = "1;4"
	lookCurrent = "1;7"
	lookNumber  = "1;7"
)

// View is the visible lines, or the outline over them.
func (p *Pane) View() string {
	pg := p.win.Page()
	switch {
	case !p.has:
		return "  " + p.st.Dim.Render(widget.Cut("a page is read here", p.w-3))
	case p.err != "":
		out := []string{"  " + p.st.Bad.Render("✗ the page cannot be shown")}
		for _, l := range widget.Wrap(p.err, max(1, p.w-4)) {
			out = append(out, "    "+l)
		}
		return strings.Join(out, "\n")
	case pg == nil:
		return "  " + p.st.Dim.Render("reading the page …")
	case pg.PieceCount() == 0:
		return "  " + p.st.Dim.Render(widget.Cut("the page has no text of its own", p.w-3))
	case p.outline.on:
		return p.outline.drawOutline()
	case p.references.on:
		return p.references.drawReferences()
	}
	rows := p.win.Rows()
	x, room := p.textArea().sidewaysShift(rows), p.textArea().textWidth()
	m, spot, current := p.find.currentMatch()
	out := make([]string, 0, p.h)
	for i, r := range rows {
		mark := " "
		if p.mark >= 0 && pg.SectionOf(r.Piece) == p.mark {
			mark = p.st.Accent.Render("▎")
		}
		text := p.textArea().drawNote(r, room)
		if current && m.Piece == r.Piece && spot.Line == r.Line {
			mark = p.st.Accent.Render("▸")
		}
		for _, l := range p.links.seen {
			if l.row == i {
				text = widget.Overwrite(text, l.col, strconv.Itoa(l.number), lookNumber)
			}
		}
		left, right := " ", ""
		width := widget.Width(text)
		from := 0
		if r.Wide {
			from = x
		}
		if from > 0 && width > 0 {
			left = p.st.Accent.Render("‹")
		}
		if width > from+room {
			right = p.st.Accent.Render("›")
		}
		if from > 0 || right != "" {
			text = widget.Columns(text, from, room)
			if right != "" {
				text = widget.Fit(text, room) + right
			}
		}
		out = append(out, mark+left+text)
	}
	if p.sidebar().sidebarWidth() > 0 {
		out = p.sidebar().joinWithText(out)
	}
	if line := p.textArea().lastLine(); line != "" {
		for len(out) < p.h-1 {
			out = append(out, "")
		}
		out = append(out[:max(0, p.h-1)], line)
	}
	return strings.Join(out, "\n")
}

// lastLine is the line below the text: the search line, or an offer.
func (a textArea) lastLine() string {
	p := a.p
	switch {
	case p.find.typing:
		text, _ := p.find.input.View(p.w - 4)
		return widget.Cut(" "+p.st.Accent.Render("/")+text, p.w)
	case p.links.offer != "":
		return widget.Cut(" "+p.st.Accent.Render("open in the browser? enter ")+
			widget.CutStart(sanitize.Line(p.links.offer), max(1, p.w-30)),
			p.w)
	}
	return ""
}

// Cursor is where the cursor stands in the view, when a line is typed.
func (p *Pane) Cursor() (x, y int, ok bool) {
	switch {
	case p.find.typing:
		_, at := p.find.input.View(p.w - 4)
		return 2 + at, p.h - 1, true
	case p.outline.on && p.win.Page() != nil:
		_, at := p.outline.input.View(p.w - 5)
		return 3 + at, 0, true
	case p.references.on && p.win.Page() != nil:
		_, at := p.references.input.View(p.w - 5)
		return 3 + at, 0, true
	}
	return 0, 0, false
}
