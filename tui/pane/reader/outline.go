package reader

import (
	"fmt"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/widget"
)

// outline is the list of the page's headings.
type outline struct {
	p     *Pane
	on    bool
	input widget.Input
	rows  []int // sections
	list  widget.Rows
}

func (o *outline) openOutline() tea.Cmd {
	p := o.p
	now := p.sections().currentSection()
	p.closeLines()
	p.outline.on = true
	p.outline.filterHeadings()
	for i, s := range p.outline.rows {
		if s <= now {
			p.outline.list.Seek(i)
		}
	}
	if len(p.outline.rows) == 0 {
		p.outline.on = false
		return sayMessage("this page has no headings")
	}
	return nil
}

// filterHeadings lists the headings that contain the typed text. A capital letter in
// it makes case count.
func (o *outline) filterHeadings() {
	p := o.p
	want := strings.TrimSpace(o.input.Value())
	exact := strings.IndexFunc(want, unicode.IsUpper) >= 0
	o.rows = nil
	o.list.Reset(0)
	pg := p.win.Page()
	if pg == nil {
		return
	}
	for i, s := range pg.Sections() {
		text := s.Text
		if !exact {
			text = strings.ToLower(text)
		}
		if s.Level > 0 && s.Text != "" && strings.Contains(text, want) {
			o.rows = append(o.rows, i)
		}
	}
	o.list.Reset(len(o.rows))
	o.list.SetLines(p.h - outlineHead)
}

const outlineHead = 2 // the typed text and an empty line

func (o *outline) doAction(a keymap.Action) tea.Cmd {
	p := o.p
	if !p.outline.list.Update(a) && a == keymap.OutlineGo {
		i, ok := p.outline.list.Cursor()
		if !ok {
			return sayMessage("no heading has that")
		}
		to := p.outline.rows[i]
		p.closeLines()
		p.travel().rememberPlace()
		p.sections().goToSection(to)
	}
	return nil
}

func (o *outline) drawOutline() string {
	p := o.p
	o.list.SetLines(p.h - outlineHead)
	sections := p.win.Page().Sections()
	least := 6
	for _, s := range sections {
		if s.Level > 0 {
			least = min(least, s.Level)
		}
	}
	typed, _ := o.input.View(max(1, p.w-5))
	count := fmt.Sprintf("%d headings", len(o.rows))
	if len(o.rows) == 1 {
		count = "1 heading"
	}
	out := []string{widget.Sides(" "+p.st.Accent.Render("❯")+" "+typed, p.st.Dim.Render(count)+" ", p.w), ""}
	now := p.sections().currentSection()
	for i, to := o.list.VisibleRows(); i < to; i++ {
		s := sections[o.rows[i]]
		mark := " "
		if o.rows[i] == now {
			mark = "▎"
		}
		text := widget.Spaces(2*(s.Level-least)) + sanitize.Line(s.Text)
		line := fmt.Sprintf("%d", s.Span.StartLine)
		if o.list.OnCursor(i) {
			out = append(out, p.st.Selected.Render(widget.Fit(widget.Sides("▸"+mark+text, line+" ", p.w), p.w)))
			continue
		}
		mark = strings.TrimSpace(mark)
		left := " " + p.st.Accent.Render(mark) + widget.Spaces(1-widget.Width(mark)) + text
		out = append(out, widget.Sides(left, p.st.Dim.Render(line)+" ", p.w))
	}
	if len(o.rows) == 0 {
		out = append(out, "  "+p.st.Dim.Render(widget.Cut("no heading has that", p.w-2)))
	}
	return strings.Join(out[:min(len(out), p.h)], "\n")
}
