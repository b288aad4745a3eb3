package reader

import (
	"fmt"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/widget"
)

// outline is the list of the page's headings.
type outline struct {
	on          bool
	input       widget.Input
	rows        []int // sections
	cursor, top int
}

func (p *Pane) beginOutline() tea.Cmd {
	now := p.section()
	p.closeLines()
	p.outline.on = true
	p.filterOutline()
	for i, s := range p.outline.rows {
		if s <= now {
			p.outline.cursor = i
		}
	}
	if len(p.outline.rows) == 0 {
		p.outline.on = false
		return say("this page has no headings")
	}
	p.moveOutline(0)
	return nil
}

// filterOutline lists the headings that contain the typed text. A capital letter in
// it makes case count.
func (p *Pane) filterOutline() {
	o := &p.outline
	want := strings.TrimSpace(o.input.Value())
	exact := strings.IndexFunc(want, unicode.IsUpper) >= 0
	o.rows, o.cursor, o.top = nil, 0, 0
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
}

const outlineHead = 2 // the typed text and an empty line

func (p *Pane) moveOutline(d int) {
	o := &p.outline
	o.cursor = min(max(0, o.cursor+d), max(0, len(o.rows)-1))
	rows := max(1, p.h-outlineHead)
	o.top = max(min(o.top, o.cursor), o.cursor-rows+1)
}

func (p *Pane) actOutline(a keymap.Action) tea.Cmd {
	page := max(1, p.h-outlineHead-1)
	switch a {
	case keymap.Down:
		p.moveOutline(1)
	case keymap.Up:
		p.moveOutline(-1)
	case keymap.PageDown:
		p.moveOutline(page)
	case keymap.PageUp:
		p.moveOutline(-page)
	case keymap.OutlineGo:
		if p.outline.cursor >= len(p.outline.rows) {
			return say("no heading has that")
		}
		to := p.outline.rows[p.outline.cursor]
		p.closeLines()
		p.leave()
		p.toSection(to)
	}
	return nil
}

func (p *Pane) viewOutline() string {
	o := &p.outline
	o.top = min(o.top, max(0, len(o.rows)-1))
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
	now := p.section()
	for i := o.top; i < len(o.rows) && len(out) < p.h; i++ {
		s := sections[o.rows[i]]
		mark := " "
		if o.rows[i] == now {
			mark = "▎"
		}
		text := widget.Spaces(2*(s.Level-least)) + sanitize.Line(s.Text)
		line := fmt.Sprintf("%d", s.Span.StartLine)
		if i == o.cursor {
			out = append(out, p.st.Selected.Render(widget.Fit(widget.Sides("▸"+mark+text, line+" ", p.w), p.w)))
			continue
		}
		out = append(out, widget.Sides(" "+p.st.Accent.Render(strings.TrimSpace(mark))+widget.Spaces(1-widget.Width(strings.TrimSpace(mark)))+text, p.st.Dim.Render(line)+" ", p.w))
	}
	if len(o.rows) == 0 {
		out = append(out, "  "+p.st.Dim.Render(widget.Cut("no heading has that", p.w-2)))
	}
	return strings.Join(out[:min(len(out), p.h)], "\n")
}
