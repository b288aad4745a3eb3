package reader

import (
	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/widget"
)

// The width from which the outline stands next to the text, and its columns.
const (
	besideFrom = 158
	leastSide  = 44
	mostSide   = 60
)

// sidebar is the outline at the right of the text.
type sidebar struct{ p *Pane }

func (p *Pane) sidebar() sidebar { return sidebar{p} }

// sidebarWidth is the columns of the outline next to the text and of the line between
// them, 0 if none.
func (b sidebar) sidebarWidth() int {
	p := b.p
	pg := p.win.Page()
	if p.places != nil || p.w < besideFrom || pg == nil || len(p.sections().headedSections()) < 2 {
		return 0
	}
	return min(mostSide, max(leastSide, p.w-besideFrom+leastSide))
}

// headedSections are the sections that have one.
func (sec sections) headedSections() []int {
	p := sec.p
	pg := p.win.Page()
	if p.headsOf != pg {
		p.headsOf, p.heads = pg, nil
		for i, s := range pg.Sections() {
			if s.Level > 0 && s.Text != "" {
				p.heads = append(p.heads, i)
			}
		}
	}
	return p.heads
}

// SetMarked sets what reports whether a section is marked.
func (p *Pane) SetMarked(f func(pipeline.Place) bool) { p.marked = f }

// firstHeading is the first heading that the outline shows: the current one stands in
// its middle, as far as the ends allow.
func (b sidebar) firstHeading(heads []int, now int) int {
	p := b.p
	at := 0
	for k, i := range heads {
		if i <= now {
			at = k
		}
	}
	return max(0, min(at-p.h/2, len(heads)-p.h))
}

// joinWithText puts the outline next to the lines of the text.
func (b sidebar) joinWithText(text []string) []string {
	p := b.p
	pg, heads, now := p.win.Page(), p.sections().headedSections(), p.sections().currentSection()
	w := p.sidebar().sidebarWidth() - 1
	sections := pg.Sections()
	least := 6
	for _, i := range heads {
		least = min(least, sections[i].Level)
	}
	top := p.sidebar().firstHeading(heads, now)
	bar := p.st.Frame.Render("│")
	out := make([]string, p.h)
	for y := range out {
		line := ""
		if y < len(text) {
			line = text[y]
		}
		side := ""
		if k := top + y; k < len(heads) {
			side = p.sidebar().headingLine(sections[heads[k]], heads[k] == now, least, w)
		}
		out[y] = widget.Fit(line, p.w-w-1) + bar + side
	}
	return out
}

func (b sidebar) headingLine(s doc.Section, now bool, least, w int) string {
	p := b.p
	mark, look := "  ", p.st.Dim
	if now {
		mark, look = p.st.Accent.Render("▎")+" ", p.st.Strong
	}
	star := ""
	if p.marked(p.sections().placeOf(s)) {
		star = " ★"
	}
	text := widget.Spaces(2*(s.Level-least)) + sanitize.Line(s.Text)
	return mark + look.Render(widget.Cut(text, w-3-widget.Width(star))) + star
}

// placeOf is the place of a section of this page.
func (sec sections) placeOf(s doc.Section) pipeline.Place {
	p := sec.p
	return pipeline.Place{DocSet: p.now.DocSet, FilePath: p.now.FilePath, Title: p.now.Title, Path: s.Path, Anchor: s.Anchor}
}

// Click goes to the heading that was clicked in the outline next to the text.
func (p *Pane) Click(x, y int) tea.Cmd {
	side := p.sidebar().sidebarWidth()
	if side == 0 || p.outline.on || p.references.on || x <= p.w-side || y < 0 {
		return nil
	}
	heads := p.sections().headedSections()
	k := p.sidebar().firstHeading(heads, p.sections().currentSection()) + y
	if k >= len(heads) {
		return nil
	}
	p.travel().rememberPlace()
	p.sections().goToSection(heads[k])
	return p.win.Render()
}
