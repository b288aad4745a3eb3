package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/pane/firstrun"
)

// sample is the question that the manual is tried with.
const sample = "how do I add a doc set"

type likelyMsg struct{ folders []LikelyFolder }

// newcomer shows the first-run screen when the doc sets are listed for the first
// time and none is a person's own. Who has begun to type needs no help.
func (m *Model) newcomer() tea.Cmd {
	if m.greeted {
		return nil
	}
	m.greeted = true
	own := 0
	for _, s := range m.sets.Sets() {
		if s.Name != m.manual() {
			own++
		}
	}
	if own > 0 || m.ran || m.queued || m.input.Value() != "" || m.over != noOverlay {
		return nil
	}
	m.inFirst = true
	m.first.SetManual(m.manual() != "")
	m.layout()
	ctx, backend := m.ctx, m.opt.Backend
	return func() tea.Msg {
		// A folder that cannot be read is none that one would add.
		folders, err := backend.Likely(ctx)
		if err != nil {
			folders = nil
		}
		return likelyMsg{folders}
	}
}

// leaveFirst goes on to the normal screen, with the keyboard on the question.
func (m *Model) leaveFirst() {
	m.inFirst, m.focus = false, onQuestion
	m.layout()
}

// chosen begins in one of the ways of the first-run screen.
func (m *Model) chosen(c firstrun.Chosen) tea.Cmd {
	switch c.Action {
	case keymap.NthFolder:
		return m.addFolder(AddRequest{Path: c.Path})
	case keymap.AddSet:
		return tea.Batch(m.openLibrary(), m.library.Add())
	case keymap.Sample:
		m.leaveFirst()
		m.input.SetValue(sample)
		return m.ask()
	case keymap.Tour:
		return m.tourKey()
	}
	return nil
}
