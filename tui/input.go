package tui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/overlay"
)

// wheelLines is how far a notch of the wheel scrolls.
const wheelLines = 3

// mouse does what clicks and the wheel mean. Each of them has a key, too.
type mouse struct{ m *Model }

func (p mouse) takeEvent(msg tea.MouseMsg) tea.Cmd {
	m := p.m
	if m.screenSize().isTooSmall() || m.mouseOff {
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
		return p.turnWheel(a, at.X, at.Y)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return p.clickAt(at.X, at.Y)
		}
	}
	return nil
}

func (p mouse) turnWheel(a keymap.Action, x, y int) tea.Cmd {
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
		return times(func() tea.Cmd { return m.passActionOn(a, m.keyboardMode()) })
	}
	_, list, prev := m.screenSize().partsOfScreen(m.run.OnHits())
	switch {
	case prev.contains(x, y):
		return times(func() tea.Cmd { return m.read.Preview.Update(a) })
	case list.contains(x, y):
		return times(func() tea.Cmd { return m.passActionOn(a, keymap.InPane) })
	}
	return nil
}

// clickAt puts the cursor where it was clicked; a second click on the same hit
// opens it.
func (p mouse) clickAt(x, y int) tea.Cmd {
	m := p.m
	if m.prompt != nil {
		return nil
	}
	if !m.over.Empty() {
		inside := part{1, 3, m.w - 2, m.h - 6}
		if list := m.listWidth(); list > 0 {
			inside.w = list
		}
		if !inside.contains(x, y) {
			return nil
		}
		return m.toOverlay(overlay.Click{X: x - inside.x, Y: y - inside.y})
	}
	if y == 1 {
		return keyboard{m}.doAction(keymap.EditQuestion, "", keymap.InPane)
	}
	if m.ask.Suggesting() {
		return m.ask.Click(y - 3)
	}
	if m.onStartScreen() {
		if m.browse.Start.Click(y - 3) {
			return m.browse.Start.Update(keymap.GoOn)
		}
		return nil
	}
	steps, list, prev := m.screenSize().partsOfScreen(m.run.OnHits())
	switch {
	case steps.contains(x, y):
		if m.run.Steps.Click(x-steps.x, y-steps.y) {
			m.focus = onPane
			return m.phaseChanged()
		}
	case m.screenSize().foundPart().contains(x, y):
		return keyboard{m}.showHits()
	case prev.contains(x, y):
		m.focus = onPreview
	case list.contains(x, y):
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
