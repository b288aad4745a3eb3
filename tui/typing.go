package tui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
)

// typeKey types a key into the line that has the keyboard.
func (k keyboard) typeKey(key tea.KeyPressMsg, mode keymap.Mode) tea.Cmd {
	m := k.m
	switch {
	case mode == keymap.InQuestion:
		return tea.Batch(m.ask.Key(key), m.browse.ReadTitles())
	case mode == keymap.InPrompt:
		m.prompt.input.Key(key)
	case !m.over.Empty():
		return m.over.Top().Update(key)
	case (keyboard{m}).answerRead() != nil:
		return (keyboard{m}).answerRead().Type(key)
	}
	return nil
}

// pasteText inserts a text into the line that has the keyboard.
func (k keyboard) pasteText(msg tea.PasteMsg) tea.Cmd {
	m := k.m
	switch mode := m.keyboardMode(); {
	case mode == keymap.InQuestion:
		return tea.Batch(m.ask.Paste(msg.Content), m.browse.ReadTitles())
	case mode == keymap.InPrompt:
		m.prompt.input.Insert(msg.Content)
	case !m.over.Empty() && mode.TakesText():
		return m.over.Top().Update(msg)
	case (keyboard{m}).answerRead() != nil && mode.TakesText():
		return (keyboard{m}).answerRead().Paste(msg.Content)
	case mode&keymap.Main != 0 || m.onStartScreen():
		m.beginQuestion()
		m.status.Clear()
		return tea.Batch(m.ask.Paste(msg.Content), m.browse.ReadTitles())
	default:
		m.status.Say("a text can be pasted into the question line: esc leads back, then /")
	}
	return nil
}

// withoutAlt is the key behind an esc that came with it in one read, as over a slow
// line: terminals write alt and a key the same way. While a text is typed alt moves by
// words, so there only the way out is recognized.
func (k keyboard) withoutAlt(key tea.KeyPressMsg) (next tea.KeyPressMsg, ok bool) {
	m := k.m
	if !key.Mod.Contains(tea.ModAlt) {
		return key, false
	}
	next = key
	next.Mod &^= tea.ModAlt
	if _, bound := m.keys.Find(m.keyboardModes(), key.String()); bound {
		return key, false
	}
	if next.Mod&^tea.ModShift == 0 && unicode.IsPrint(next.Code) {
		next.Text = string(next.Code)
		if next.ShiftedCode != 0 {
			next.Text = string(next.ShiftedCode)
		}
	}
	return next, !m.keyboardMode().TakesText() || next.String() == "ctrl+c"
}

// wordsHost is the screen that words are typed into where letters are keys.
type wordsHost struct{ m *Model }

func (h wordsHost) Modes() keymap.Mode { return h.m.keyboardModes() }

func (h wordsHost) Press(k tea.KeyPressMsg) tea.Cmd { return keyboard(h).actOn(k) }

func (h wordsHost) AskWith(keys []tea.KeyPressMsg) tea.Cmd {
	h.m.beginQuestion()
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, keyboard(h).actOn(k))
	}
	h.m.status.Say("letters typed in one go are a question; esc goes back")
	return tea.Batch(cmds...)
}
