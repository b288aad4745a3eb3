package tui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
)

// behindEsc is the key behind an esc that came with it in one read, as over a slow
// line: terminals write alt and a key the same way. While a text is typed alt moves by
// words, so there only the way out is told apart.
func (m *Model) behindEsc(k tea.KeyPressMsg) (next tea.KeyPressMsg, ok bool) {
	if !k.Mod.Contains(tea.ModAlt) {
		return k, false
	}
	next = k
	next.Mod &^= tea.ModAlt
	if _, bound := m.keys.Find(m.modes(), k.String()); bound {
		return k, false
	}
	if next.Mod&^tea.ModShift == 0 && unicode.IsPrint(next.Code) {
		next.Text = string(next.Code)
		if next.ShiftedCode != 0 {
			next.Text = string(next.ShiftedCode)
		}
	}
	return next, !m.mode().Typed() || next.String() == "ctrl+c"
}

// typed types a key into the line that has the keyboard.
func (m *Model) typed(k tea.KeyPressMsg, mode keymap.Mode) tea.Cmd {
	switch mode {
	case keymap.InQuestion:
		return tea.Batch(m.ask.Key(k), m.browse.Warm())
	case keymap.InGoTo:
		return m.browse.Launcher.Key(k)
	case keymap.InPrompt:
		m.prompt.input.Key(k)
	case keymap.InPicker:
		m.picker.Key(k)
	case keymap.InHelpFind:
		m.help.Key(k)
	case keymap.InFind, keymap.InOutline:
		return m.read.Reader.Type(k)
	case keymap.InEntry:
		return m.shelf.Library.Update(k)
	}
	return nil
}

// paste inserts a text into the line that has the keyboard.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch m.mode() {
	case keymap.InQuestion:
		return tea.Batch(m.ask.Paste(msg.Content), m.browse.Warm())
	case keymap.InGoTo:
		return m.browse.Launcher.Paste(msg.Content)
	case keymap.InPrompt:
		m.prompt.input.Insert(msg.Content)
	case keymap.InPicker:
		m.picker.Paste(msg.Content)
	case keymap.InHelpFind:
		m.help.Paste(msg.Content)
	case keymap.InEntry:
		return m.shelf.Library.Update(msg)
	case keymap.InFind, keymap.InOutline:
		return m.read.Reader.Paste(msg.Content)
	default:
		m.status.Say("press / for the question line, then paste")
	}
	return nil
}
