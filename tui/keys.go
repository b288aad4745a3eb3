package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/stepper"
	"docent/tui/pane/tour"
)

// mode is what has the keyboard.
func (m *Model) mode() keymap.Mode {
	switch {
	case m.prompt != nil:
		return keymap.InPrompt
	case m.over == pickerOverlay:
		return keymap.InPicker
	case m.over == launcherOverlay:
		return keymap.InGoTo
	case m.over == helpOverlay:
		return m.help.Mode()
	case m.over == setsOverlay:
		return keymap.InSets
	case m.over == readerOverlay:
		return m.read.Reader.Mode()
	case m.over == libraryOverlay:
		return m.shelf.Library.Mode()
	case m.over == versionsOverlay:
		return keymap.InVersions
	case m.shelf.FirstRun():
		return keymap.InFirst
	case m.focus == onQuestion:
		return keymap.InQuestion
	case m.focus == onPreview:
		return keymap.InPreview
	}
	return keymap.InPane
}

// modes is the mode, joined with the mode of the pane's own keys in a pane.
func (m *Model) modes() keymap.Mode {
	mode := m.mode()
	switch {
	case mode == keymap.InPane && m.starting():
		mode |= keymap.InStart
	case mode == keymap.InPane:
		mode |= m.run.Mode()
	}
	return mode
}

// have are the needs of keys that are met now, for the reasons of disabled keys.
func (m *Model) have() keymap.Need {
	n := m.shelf.Needs() | m.run.Needs() | m.read.Needs() | m.keep.Needs()
	hit, isHit := m.run.Hits.Selected()
	if isHit && m.run.OnHits() {
		n |= keymap.NeedHit | keymap.NeedSection
	}
	if m.over == readerOverlay {
		n |= keymap.NeedSection
	}
	if m.over == readerOverlay || m.over == helpOverlay {
		n |= m.read.PageNeeds(hit, isHit)
	}
	return n
}

// key finds the binding of a key in the mode of the screen and does its action,
// or says why it does not work.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "ctrl+j" {
		// What was typed before the app had the terminal: the terminal made a line
		// feed of each enter.
		k = tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	if next, ok := m.behindEsc(k); ok {
		return tea.Batch(m.key(tea.KeyPressMsg{Code: tea.KeyEscape}), m.key(next))
	}
	if cmd, held := m.holds(k); held {
		return cmd
	}
	mode := m.mode()
	name := k.String()
	if k.Text == " " {
		name = "space"
	}
	b, ok := m.keys.Find(m.modes(), name)
	if mode.Typed() && (!ok || k.Text != "") {
		return m.typed(k, mode)
	}
	if !ok {
		if k.Text != "" || k.Mod.Contains(tea.ModCtrl) {
			m.status.Say(fmt.Sprintf("%s does nothing here; ? lists the keys", sanitize.Line(name)))
		}
		return nil
	}
	if why := b.Disabled(m.have()); why != "" {
		if m.shelf.Reading() && b.Need&(keymap.NeedManual|keymap.NeedSets|keymap.NeedSet) != 0 {
			why = "the doc sets are still being read" // whether there is one is not known yet
		}
		m.status.Say(b.Label + ": " + why)
		return nil
	}
	if !m.status.lasting {
		m.status.Clear() // the message of an earlier key
	}
	cmd := m.do(b.Action, name, mode)
	m.toured(b.Action)
	return cmd
}

// do does an action: one that changes the request, one that copies or keeps, one
// of the doc sets, one of the root's own, or else one of the pane that has the
// keyboard. mode is what had the keyboard when the key was pressed.
func (m *Model) do(a keymap.Action, key string, mode keymap.Mode) tea.Cmd {
	for _, part := range []func(keymap.Action, string, keymap.Mode) (tea.Cmd, bool){m.doBrowse, m.doShelf, m.doRun, m.doKeep, m.doScreen} {
		if cmd, ok := part(a, key, mode); ok {
			return cmd
		}
	}
	return m.scroll(a, mode)
}

// doShelf does the actions that concern doc sets; ok is false for others.
func (m *Model) doShelf(a keymap.Action, key string, mode keymap.Mode) (cmd tea.Cmd, ok bool) {
	switch a {
	case keymap.Library:
		return m.openLibrary(), true
	case keymap.CancelWork:
		m.shelf.Cancel()
		return nil, true
	case keymap.NthFolder:
		f, ok := m.shelf.First.Nth(int(key[0] - '0'))
		if !ok {
			m.status.Say(key + ": no such folder was found; a adds another one")
			return nil, true
		}
		return m.chosen(firstrun.Chosen{Action: a, Path: f.Path}), true
	case keymap.Sample:
		return m.chosen(firstrun.Chosen{Action: a}), true
	case keymap.AddSet:
		if mode == keymap.InFirst || mode == keymap.InSets {
			return m.chosen(firstrun.Chosen{Action: a}), true
		}
	case keymap.Sets:
		m.shelf.Sets.SetPicked(m.run.Request().DocSets)
		m.push(setsOverlay)
		return nil, true
	}
	return nil, false
}

// place is what has the keyboard, in words.
func (m *Model) place() string {
	switch mode := m.mode(); mode {
	case keymap.InQuestion:
		return "the question line"
	case keymap.InPreview:
		return "the preview"
	case keymap.InReader, keymap.InFind, keymap.InOutline, keymap.InLinks:
		return "the page you are reading"
	case keymap.InSets:
		return "the choice of doc sets"
	case keymap.InLibrary, keymap.InEntry, keymap.InConfirm:
		return "the library"
	case keymap.InVersions:
		return "the comparison of versions"
	case keymap.InFirst:
		return "the first screen"
	}
	phase := m.run.Steps.Selected()
	return stepper.Title(phase) + ", " + stepper.About(phase)
}

// doRun does the actions that concern the question and its run; ok is false for
// others.
func (m *Model) doRun(a keymap.Action, key string, mode keymap.Mode) (cmd tea.Cmd, ok bool) {
	switch a {
	case keymap.Ask:
		return m.ask.Ask(), true
	case keymap.History:
		m.showHistory()
	case keymap.Question:
		m.anotherQuestion()
	case keymap.EditQuestion:
		m.editQuestion()
	case keymap.Manual:
		m.anotherQuestion()
		m.run.SetDocSets(m.ask.AskManual(m.shelf.Manual()))
	case keymap.PrevPhase, keymap.NextPhase:
		m.run.Steps.Update(a)
		return m.phaseChanged(), true
	case keymap.NthPhase:
		m.run.Steps.SelectNth(int(key[0] - '1'))
		return m.phaseChanged(), true
	case keymap.Figures:
		if m.run.OnHits() {
			m.run.ShowFigures()
			return m.phaseChanged(), true
		}
		return nil, false
	case keymap.Sort:
		m.status.Say("sorted: " + m.run.Hits.NextOrder().String())
		return m.followCursor(), true
	case keymap.Toggle, keymap.TogglePage:
		if m.over == readerOverlay || m.run.OnHits() {
			return m.now(m.run.Hits.Update(a)), true
		}
		return m.run.ToggleSource(a == keymap.TogglePage), true
	case keymap.Open:
		return m.now(m.run.Hits.Update(a)), true
	case keymap.OpenSource:
		if t, ok := m.run.Source(); ok {
			return m.openPage(t), true
		}
	default:
		return m.run.Change(a, mode == keymap.InPane)
	}
	return nil, true
}

// doKeep does the actions that copy, save and write; ok is false for others.
func (m *Model) doKeep(a keymap.Action, _ string, _ keymap.Mode) (cmd tea.Cmd, ok bool) {
	if m.over == readerOverlay && (a == keymap.CopyFinal || a == keymap.CopyCitation) {
		return m.read.CopyQuote(a == keymap.CopyCitation), true // of what is read
	}
	switch a {
	case keymap.SaveSession:
		return m.keep.Save(m.run.Saved()), true
	case keymap.Sessions:
		return m.showSessions(), true
	case keymap.Export:
		m.keep.Export(m.run.Saved())
	case keymap.WriteFinal:
		m.keep.WriteFinal(m.run.Saved())
	case keymap.CopyFinal:
		return m.read.CopySized(m.run.Final()), true
	case keymap.CopyCitation:
		what, text, reason := m.run.Citations()
		if reason != "" {
			m.status.Say(reason)
			break
		}
		return m.read.CopySized(what, text), true
	case keymap.CopyCommand:
		return m.read.CopySized(m.run.Command()), true
	case keymap.CopySection:
		return m.read.CopySection(m.over == readerOverlay), true
	case keymap.CopyCode:
		return m.pickCode(), true
	default:
		return nil, false
	}
	return nil, true
}

// doScreen does the actions of the screen as a whole; ok is false for others.
func (m *Model) doScreen(a keymap.Action, key string, _ keymap.Mode) (cmd tea.Cmd, ok bool) {
	switch a {
	case keymap.Quit:
		return m.quit(), true
	case keymap.Suspend:
		return tea.Suspend, true
	case keymap.Back:
		return m.back(), true
	case keymap.NextFocus:
		m.turn(1)
	case keymap.PrevFocus:
		m.turn(-1)
	case keymap.Help:
		if m.over == helpOverlay {
			m.pop()
			break
		}
		m.help.Show(m.keys, m.have(), m.modes(), m.place())
		m.help.Rewind()
		m.push(helpOverlay)
	case keymap.Palette:
		m.showActions()
	case keymap.TakeText:
		return m.accept(), true
	case keymap.Tour:
		return m.tourKey(), true
	case keymap.Theme:
		return m.nextTheme(), true
	case keymap.Mouse:
		m.mouseOff = !m.mouseOff
		if m.mouseOff {
			m.status.Say("the mouse is the terminal's: select text with it; M gives it back")
		} else {
			m.status.Say("the mouse is the app's: wheel and clicks; M gives it to the terminal")
		}
	case keymap.PreviewDown:
		return m.read.Preview.Update(keymap.Down), true
	case keymap.PreviewUp:
		return m.read.Preview.Update(keymap.Up), true
	case keymap.NextPassage:
		return m.read.Step(1), true
	case keymap.PrevPassage:
		return m.read.Step(-1), true
	case keymap.FoldPassage:
		return m.read.Fold(), true
	case keymap.LinkDigit:
		return m.read.Reader.Digit(key), true
	default:
		return nil, false
	}
	return nil, true
}

// scroll passes an action to the part of the screen that has the keyboard.
func (m *Model) scroll(a keymap.Action, mode keymap.Mode) tea.Cmd {
	switch mode {
	case keymap.InPicker:
		return m.now(m.picker.Update(a))
	case keymap.InGoTo:
		return m.now(m.browse.Launcher.Update(a))
	case keymap.InHelp, keymap.InHelpFind:
		return m.help.Update(a)
	case keymap.InSets:
		return m.now(m.shelf.Sets.Update(a))
	case keymap.InReader, keymap.InFind, keymap.InOutline, keymap.InLinks:
		return m.read.Reader.Update(a)
	case keymap.InLibrary, keymap.InEntry, keymap.InConfirm:
		cmd := m.now(m.shelf.Library.Update(a))
		m.layout() // the preview beside it may come or go
		return tea.Batch(cmd, m.followCursor())
	case keymap.InVersions:
		return m.now(m.diff.Pane.Update(a))
	case keymap.InFirst:
		return m.shelf.First.Update(a)
	case keymap.InPreview:
		return m.read.Preview.Update(a)
	}
	if m.starting() {
		return m.now(m.browse.Start.Update(a))
	}
	cmd := m.now(m.run.Pane().Update(a))
	if m.run.OnHits() {
		return tea.Batch(cmd, m.followCursor())
	}
	return cmd
}

// back closes the topmost overlay, then cancels a run, then goes to the question.
func (m *Model) back() tea.Cmd {
	m.dropAhead()
	switch {
	case m.prompt != nil:
		m.prompt = nil
		m.status.Say("nothing was changed")
	case m.over == pickerOverlay:
		return m.closeList()
	case m.over == libraryOverlay && m.shelf.Library.Back():
		m.layout()
		return m.followCursor()
	case m.over == helpOverlay && m.help.Escape():
	case m.over == readerOverlay && m.read.Reader.Escape():
	case m.over != noOverlay:
		if m.over == readerOverlay {
			m.tourNext(m.tour.Did(tour.Looked))
		}
		m.pop()
		return m.followCursor()
	case m.shelf.FirstRun():
		m.leaveFirstRun()
		m.focus = onPane // esc never leads into the question line
	case m.ask.Unpick():
	case m.run.Active():
		m.run.Stop()
	case m.ask.Unqueue():
		m.status.Say("the question is not asked")
	case m.tour.On():
		m.leaveTour()
	case m.focus == onPreview:
		m.focus = onPane
	case m.focus == onQuestion && m.run.Ran():
		return m.leaveQuestion()
	}
	return nil // esc at the top does nothing; it never leads into the question line
}

// leaveQuestion gives the keyboard back to the part of the screen that had it
// before the question line. What was typed there is kept as a draft.
func (m *Model) leaveQuestion() tea.Cmd {
	m.focus, m.from = max(m.from, onPane), onQuestion
	if docSets, ok := m.ask.TakeBack(); ok {
		m.run.SetDocSets(docSets)
	}
	m.layout()
	return nil
}

// anotherQuestion gives the keyboard to the question line, which is empty or has
// the draft that was left there; back leads to the part of the screen that has it
// now.
func (m *Model) anotherQuestion() {
	if m.shelf.FirstRun() {
		m.leaveFirstRun()
	}
	if m.focus != onQuestion {
		m.from = m.focus
	}
	m.over, m.focus = noOverlay, onQuestion
	m.ask.Begin()
	m.layout()
}

// editQuestion gives the keyboard to the question line as it is.
func (m *Model) editQuestion() {
	if m.shelf.FirstRun() {
		m.leaveFirstRun()
	}
	m.over, m.focus = noOverlay, onQuestion
	m.ask.Edit()
	m.layout()
}

// openLibrary lays the library over the screen.
func (m *Model) openLibrary() tea.Cmd {
	m.push(libraryOverlay)
	return tea.Batch(m.shelf.List(), m.shelf.ListLibrary())
}

// chosen does what a person chose on the first-run screen.
func (m *Model) chosen(c firstrun.Chosen) tea.Cmd {
	switch c.Action {
	case keymap.NthFolder:
		return m.shelf.Add(AddRequest{Path: c.Path})
	case keymap.AddSet:
		return tea.Batch(m.openLibrary(), m.shelf.Library.Add())
	case keymap.Sample:
		m.leaveFirstRun()
		m.ask.Set(sample)
		return m.ask.Ask()
	case keymap.Tour:
		return m.tourKey()
	}
	return nil
}

// turn gives the keyboard to the next part of the screen.
func (m *Model) turn(d int) {
	parts := []focus{onQuestion, onPane}
	if m.run.OnHits() && m.geometry().previewH > 0 && !m.starting() {
		parts = append(parts, onPreview)
	}
	i := slices.Index(parts, m.focus)
	m.focus = parts[(i+d+len(parts))%len(parts)]
}

// phaseChanged follows the selection of another phase.
func (m *Model) phaseChanged() tea.Cmd {
	if m.focus == onPreview {
		m.focus = onPane
	}
	m.layout()
	if m.run.OnHits() {
		return m.followCursor()
	}
	return m.run.Explain()
}
