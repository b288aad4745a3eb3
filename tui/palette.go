package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/picker"
)

// The kinds of lists.
const (
	listActions  = "actions"
	listHistory  = "history"
	listSessions = "sessions"
	listBlocks   = "blocks"
)

// palette lists every action that there is where one is, by name.
func (m *Model) palette() {
	modes, have := m.modes(), m.have()
	var items []picker.Item
	for _, b := range m.keys.In(modes) {
		if b.Action == keymap.Palette || b.Action == keymap.NthPhase {
			continue
		}
		name := strings.ReplaceAll(string(b.Action), "-", " ")
		items = append(items, picker.Item{ID: string(b.Action), Text: name + ": " + b.Help, Key: b.Label, Off: b.Disabled(have)})
	}
	m.pickFrom(listActions, "Actions", "", items)
}

// pickFrom opens a list over the main area. Escape leads back to where one was.
func (m *Model) pickFrom(kind, title, empty string, items []picker.Item) {
	m.underMode = m.mode()
	m.underModes = m.modes()
	m.picker.Show(kind, title, empty, items)
	m.push(pickerOverlay)
}

// closePicker goes back to what lies under the list.
func (m *Model) closePicker() tea.Cmd {
	m.pop()
	return m.look()
}

// picked does what was chosen in a list.
func (m *Model) picked(msg picker.Picked) tea.Cmd {
	if m.over != pickerOverlay || m.picker.Kind() != msg.Kind {
		return nil // the list was left meanwhile
	}
	if msg.Item.Off != "" {
		m.say(msg.Item.Off)
		return nil
	}
	back := m.closePicker()
	switch msg.Kind {
	case listActions:
		a := keymap.Action(msg.Item.ID)
		for _, b := range m.keys.In(m.underModes) {
			if b.Action == a {
				if why := b.Disabled(m.have()); why != "" {
					m.say(b.Label + ": " + why)
					return back
				}
				key := ""
				if len(b.Keys) > 0 {
					key = b.Keys[0]
				}
				return tea.Batch(back, m.do(a, key, m.underMode))
			}
		}
	case listHistory:
		m.over, m.focus = noOverlay, onQuestion
		m.input.SetValue(msg.Item.ID)
		m.histAt = len(m.history)
		m.layout()
		return tea.Batch(back, m.typed())
	case listSessions:
		return tea.Batch(back, m.loadSession(msg.Item.ID))
	case listBlocks:
		return tea.Batch(back, m.copyBlock(msg.Item.ID))
	}
	return back
}

// removed takes an item out of a list that keeps things.
func (m *Model) removed(msg picker.Deleted) tea.Cmd {
	if m.over != pickerOverlay || m.picker.Kind() != msg.Kind {
		return nil
	}
	switch msg.Kind {
	case listHistory:
		return m.forgetQuestion(msg.Item.ID)
	case listSessions:
		return m.removeSession(msg.Item.ID)
	}
	m.say("nothing here can be removed")
	return nil
}

// showHistory lists the questions, the newest first.
func (m *Model) showHistory() {
	m.pickFrom(listHistory, "Earlier questions", "no question was asked yet", m.historyItems())
}

func (m *Model) historyItems() []picker.Item {
	var items []picker.Item
	for i := len(m.history) - 1; i >= 0; i-- {
		items = append(items, picker.Item{ID: m.history[i], Text: sanitize.Line(m.history[i])})
	}
	return items
}
