package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
)

// part is a rectangle of the screen, inside its frame.
type part struct{ x, y, w, h int }

func (p part) has(x, y int) bool { return x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h }

// parts are the places of the phases, of the pane and of the preview, as View and
// main draw them. The preview's is empty where it is not shown.
func (m *Model) parts() (steps, list, prev part) {
	g := m.geometry()
	top := 2 // behind the title and the question
	x := 1
	if g.column {
		steps = part{1, top + 1, stepsW, g.mainH}
		x += stepsW + 1
	} else {
		steps = part{0, top, m.w, g.stepsH}
		top += g.stepsH
	}
	list = part{x, top + 1, g.mainW, g.mainH}
	if !m.run.OnHits() {
		return steps, list, prev
	}
	list.w, list.h = g.listW, g.listH
	switch {
	case g.previewH == 0:
	case g.side:
		prev = part{x + g.listW + 1, top + 1, g.previewW, g.previewH}
	default:
		prev = part{x, top + 1 + g.listH + 1, g.previewW, g.previewH}
	}
	return steps, list, prev
}

// wheelLines is how far a notch of the wheel scrolls.
const wheelLines = 3

// mouse handles clicks and the wheel. Each of them has a key, too.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.small() || m.mouseOff {
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
		return m.wheel(a, at.X, at.Y)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return m.click(at.X, at.Y)
		}
	}
	return nil
}

func (m *Model) wheel(a keymap.Action, x, y int) tea.Cmd {
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
	if m.over != noOverlay {
		return times(func() tea.Cmd { return m.scroll(a, m.mode()) })
	}
	_, list, prev := m.parts()
	switch {
	case prev.has(x, y):
		return times(func() tea.Cmd { return m.read.Preview.Update(a) })
	case list.has(x, y):
		return times(func() tea.Cmd { return m.scroll(a, keymap.InPane) })
	}
	return nil
}

// click puts the cursor where it was clicked; a second click on the same hit
// opens it.
func (m *Model) click(x, y int) tea.Cmd {
	if m.prompt != nil {
		return nil
	}
	if m.over != noOverlay {
		inside := part{1, 3, m.w - 2, m.h - 6}
		if m.over == pickerOverlay && inside.has(x, y) && m.picker.Click(y-inside.y) {
			return m.picker.Update(keymap.TakeItem)
		}
		if m.over == readerOverlay && inside.has(x, y) {
			return m.read.Reader.Click(x-inside.x, y-inside.y)
		}
		if list := m.besideW(); list > 0 {
			inside.w = list
		}
		if m.over == launcherOverlay && inside.has(x, y) && m.browse.Launcher.Click(y-inside.y) {
			return m.browse.Launcher.Update(keymap.TakeItem)
		}
		if m.over == libraryOverlay && inside.has(x, y) && m.mode() != keymap.InConfirm {
			return tea.Batch(m.shelf.Library.Click(y-inside.y), m.followCursor())
		}
		return nil
	}
	if y == 1 {
		return m.do(keymap.EditQuestion, "", keymap.InPane)
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
	steps, list, prev := m.parts()
	switch {
	case steps.has(x, y):
		if m.run.Steps.Click(x-steps.x, y-steps.y) {
			m.focus = onPane
			return m.phaseChanged()
		}
	case prev.has(x, y):
		m.focus = onPreview
	case list.has(x, y):
		return m.clickPane(y - list.y)
	}
	return nil
}

func (m *Model) clickPane(y int) tea.Cmd {
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
	if p, ok := m.run.Pane().(interface{ Click(y int) bool }); ok {
		p.Click(y)
	}
	return nil
}
