package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/overlay"
)

// wheelLines is how far a notch of the wheel scrolls.
const wheelLines = 3

// mouse does what clicks and the wheel mean. Each of them has a key, too.
type mouse struct{ m *Model }

func (p mouse) event(msg tea.MouseMsg) tea.Cmd {
	m := p.m
	if m.screen().small() || m.mouseOff {
		return nil
	}
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		a := keymap.Down
		switch at.Button {
		case tea.MouseWheelUp:
			a = keymap.Up
		case tea.MouseWheelDown:
		default:
			return nil
		}
		return p.wheel(a, at.X, at.Y)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return p.click(at.X, at.Y)
		}
	}
	return nil
}

func (p mouse) wheel(a keymap.Action, x, y int) tea.Cmd {
	m := p.m
	var cmds []tea.Cmd
	times := func(f func() tea.Cmd) tea.Cmd {
		for range wheelLines {
			cmds = append(cmds, f())
		}
		return tea.Batch(cmds...)
	}
	if m.prompt != nil {
		return nil
	}
	if !m.over.Empty() {
		return times(func() tea.Cmd { return m.passOn(a, m.mode()) })
	}
	_, list, prev := m.screen().parts(m.run.OnHits())
	switch {
	case prev.has(x, y):
		return times(func() tea.Cmd { return m.read.Preview.Update(a) })
	case list.has(x, y):
		return times(func() tea.Cmd { return m.passOn(a, keymap.InPane) })
	}
	return nil
}

// click puts the cursor where it was clicked; a second click on the same hit
// opens it.
func (p mouse) click(x, y int) tea.Cmd {
	m := p.m
	if m.prompt != nil {
		return nil
	}
	if !m.over.Empty() {
		inside := part{1, 3, m.w - 2, m.h - 6}
		if list := m.listWidth(); list > 0 {
			inside.w = list
		}
		if !inside.has(x, y) {
			return nil
		}
		return m.toOverlay(overlay.Click{X: x - inside.x, Y: y - inside.y})
	}
	if y == 1 {
		return keyboard{m}.do(keymap.EditQuestion, "", keymap.InPane)
	}
	if m.ask.Suggesting() {
		return m.ask.Click(y - 3)
	}
	if m.starting() {
		if m.browse.Start.Click(y - 3) {
			return m.browse.Start.Update(keymap.GoOn)
		}
		return nil
	}
	steps, list, prev := m.screen().parts(m.run.OnHits())
	switch {
	case steps.has(x, y):
		if m.run.Steps.Click(x-steps.x, y-steps.y) {
			m.focus = onPane
			return m.phaseChanged()
		}
	case prev.has(x, y):
		m.focus = onPreview
	case list.has(x, y):
		return p.clickPane(y - list.y)
	}
	return nil
}

func (p mouse) clickPane(y int) tea.Cmd {
	m := p.m
	was := m.focus
	m.focus = onPane
	if m.run.OnHits() {
		before, _ := m.run.Hits.Selected()
		if !m.run.Hits.Click(y) {
			return nil
		}
		if now, _ := m.run.Hits.Selected(); was == onPane && now.Hit() == before.Hit() && now.Heading.Section == before.Heading.Section {
			return m.run.Hits.Update(keymap.Open)
		}
		return m.followCursor()
	}
	if pane, ok := m.run.Pane().(interface{ Click(y int) bool }); ok {
		pane.Click(y)
	}
	return nil
}
