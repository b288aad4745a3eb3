package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/reader"
	"docent/tui/pane/stepper"
)

// keyboardMode is the mode of the part of the screen that has the keyboard.
func (m *Model) keyboardMode() keymap.Mode {
	switch {
	case m.prompt != nil:
		return keymap.InPrompt
	case !m.over.Empty():
		return m.over.Top().Mode()
	case m.shelf.OnFirstRun():
		return keymap.InFirst
	case m.focus == onQuestion:
		return keymap.InQuestion
	case m.focus == onPreview:
		return keymap.InPreview
	}
	if a := (keyboard{m}).answerRead(); a != nil && a.Mode() != keymap.InReader {
		return a.Mode()
	}
	return keymap.InPane
}

// keyboardModes is the mode, joined with the mode of the pane's own keys in a pane.
func (m *Model) keyboardModes() keymap.Mode {
	mode := m.keyboardMode()
	switch {
	case mode == keymap.InPane && m.onStartScreen():
		mode |= keymap.InStart
	case mode == keymap.InPane:
		mode |= m.run.Mode()
	}
	return mode
}

// needsMet are the needs of keys that are met now, for the reasons of disabled keys.
func (m *Model) needsMet() keymap.Need {
	n := m.shelf.Needs() | m.run.Needs() | m.read.Needs() | m.keep.Needs()
	if _, ok := m.run.Hits.Selected(); ok && m.run.OnHits() {
		n |= keymap.NeedHit | keymap.NeedSection
	}
	if o, ok := overlay.TopAs[overlay.Needer](&m.over); ok {
		n |= o.Needs()
	}
	if len(m.project.DocSets) > 0 {
		n |= keymap.NeedProject
	}
	return n
}

// keyboard does what keys mean.
type keyboard struct{ m *Model }

// pressKey finds the binding of a key in the mode of the screen and does its action,
// or says why it does not work.
func (k keyboard) pressKey(key tea.KeyPressMsg) tea.Cmd {
	m := k.m
	if key.String() == "ctrl+j" {
		// It was typed before the app had the terminal: the terminal made a line feed of
		// each enter.
		key = tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	if next, ok := k.withoutAlt(key); ok {
		return tea.Batch(k.pressKey(tea.KeyPressMsg{Code: tea.KeyEscape}), k.pressKey(next))
	}
	if cmd, held := m.ahead.HoldKey(key); held {
		return cmd
	}
	if cmd, taken := m.words.TakeKey(key); taken {
		return cmd
	} else if cmd != nil {
		return tea.Batch(cmd, k.actOn(key))
	}
	return k.actOn(key)
}

// actOn does what a key means now.
func (k keyboard) actOn(key tea.KeyPressMsg) tea.Cmd {
	m := k.m
	mode := m.keyboardMode()
	name := key.String()
	if key.Text == " " {
		name = "space"
	}
	b, ok := m.keys.Find(m.keyboardModes(), name)
	if mode.TakesText() && (!ok || key.Text != "") {
		return k.typeKey(key, mode)
	}
	if !ok {
		if key.Text != "" || key.Mod.Contains(tea.ModCtrl) {
			m.status.Say(fmt.Sprintf("%s does nothing here; ? lists the keys", sanitize.Line(name)))
		}
		return nil
	}
	if why := b.Disabled(m.needsMet()); why != "" {
		if m.shelf.IsReadingSets() && b.Need&(keymap.NeedManual|keymap.NeedSets|keymap.NeedSet) != 0 {
			why = "the doc sets are still being read" // whether there is one is not known yet
		}
		m.status.Say(b.Label + ": " + why)
		return nil
	}
	if !m.status.lasting {
		m.status.Clear() // the message of an earlier key
	}
	cmd := k.doAction(b.Action, name, mode)
	m.tour.TakeAction(b.Action)
	return cmd
}

// doAction does an action. One that the topmost overlay claims, or that no other part of the
// app knows, goes to the part of the screen that has the keyboard. mode is the mode in
// which the key was pressed.
func (k keyboard) doAction(a keymap.Action, key string, mode keymap.Mode) tea.Cmd {
	m := k.m
	if c, ok := overlay.TopAs[overlay.Claimer](&m.over); ok && c.Claims(a) {
		return m.toOverlay(a)
	}
	if open, ok := m.openers[a]; ok {
		return open()
	}
	for _, part := range []func(keymap.Action, string, keymap.Mode) (tea.Cmd, bool){k.doBrowsing, k.doLibrary, k.doRunning, k.doKeeping,
		k.doScreenWide} {
		if cmd, ok := part(a, key, mode); ok {
			return cmd
		}
	}
	return m.passActionOn(a, mode)
}

// doLibrary does the actions that concern doc sets; ok is false for others.
func (k keyboard) doLibrary(a keymap.Action, key string, mode keymap.Mode) (cmd tea.Cmd, ok bool) {
	m := k.m
	switch a {
	case keymap.CancelWork:
		m.shelf.Cancel()
		return nil, true
	case keymap.NthFolder:
		f, ok := m.shelf.First.NthFolder(int(key[0] - '0'))
		if !ok {
			m.status.Say(key + ": no such folder was found; a adds another one")
			return nil, true
		}
		return shelfHost{m}.doFirstChoice(firstrun.Chosen{Action: a, Path: f.Path}), true
	case keymap.Sample:
		return shelfHost{m}.doFirstChoice(firstrun.Chosen{Action: a}), true
	case keymap.AddSet:
		if mode == keymap.InFirst || mode == keymap.InSets {
			return shelfHost{m}.doFirstChoice(firstrun.Chosen{Action: a}), true
		}
	}
	return nil, false
}

// placeText is what the help calls the part of the screen that has the keyboard.
func (k keyboard) placeText() string {
	m := k.m
	if o, ok := overlay.TopAs[overlay.Described](&m.over); ok {
		return o.Described()
	}
	switch m.keyboardMode() {
	case keymap.InQuestion:
		return "the question line"
	case keymap.InPreview:
		return "the preview"
	case keymap.InFirst:
		return "the first screen"
	}
	phase := m.run.Steps.Selected()
	return stepper.PhaseTitle(phase) + ", " + stepper.PhaseAbout(phase)
}

// doRunning does the actions that concern the question and its run; ok is false for
// others.
func (k keyboard) doRunning(a keymap.Action, key string, mode keymap.Mode) (cmd tea.Cmd, ok bool) {
	m := k.m
	switch a {
	case keymap.Ask:
		return m.ask.Ask(), true
	case keymap.Question:
		m.beginQuestion()
	case keymap.EditQuestion:
		m.editQuestion()
	case keymap.Manual:
		m.beginQuestion()
		m.run.SetDocSets(m.ask.AskManual(m.shelf.Manual()))
	case keymap.Everywhere:
		if len(m.run.Request().DocSets) > 0 {
			return m.run.NarrowTo(nil), true
		}
		return m.run.NarrowTo(m.project.DocSets), true
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
		if t, ok := m.read.ReaderOverlay().Target(); ok && !m.over.Empty() {
			return m.carryOutIntent(m.run.Hits.TogglePage(t.DocSet, t.FilePath)), true
		}
		if m.run.OnHits() {
			return m.carryOutIntent(m.run.Hits.Update(a)), true
		}
		return m.run.ToggleSource(a == keymap.TogglePage), true
	case keymap.Open:
		return m.carryOutIntent(m.run.Hits.Update(a)), true
	case keymap.ShowBlock:
		m.run.Answer.ToggleBlock()
	case keymap.OpenSource:
		if t, ok := m.run.Source(); ok {
			return m.openInReader(t), true
		}
	default:
		return m.run.ChangeRequest(a, mode == keymap.InPane)
	}
	return nil, true
}

// doKeeping does the actions that copy, save and write; ok is false for others.
func (k keyboard) doKeeping(a keymap.Action, _ string, _ keymap.Mode) (cmd tea.Cmd, ok bool) {
	m := k.m
	switch a {
	case keymap.SaveSession:
		return m.keep.SaveSession(m.run.SavedSession()), true
	case keymap.Export:
		m.keep.ExportSession(m.run.SavedSession())
	case keymap.WriteFinal:
		m.keep.WriteFinal(m.run.SavedSession())
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
		return m.read.CopySized(m.run.CommandText()), true
	case keymap.CopySection:
		return m.read.CopyPreviewed(), true
	case keymap.CopyCode:
		return lists{m}.copyCode(), true
	default:
		return nil, false
	}
	return nil, true
}

// doScreenWide does the actions of the screen as a whole; ok is false for others.
func (k keyboard) doScreenWide(a keymap.Action, key string, _ keymap.Mode) (cmd tea.Cmd, ok bool) {
	m := k.m
	switch a {
	case keymap.Quit:
		return m.quitKeepingPlace(), true
	case keymap.Suspend:
		return tea.Suspend, true
	case keymap.Back:
		return k.leadBack(), true
	case keymap.NextFocus:
		return k.moveFocus(1), true
	case keymap.PrevFocus:
		return k.moveFocus(-1), true
	case keymap.TakeText:
		return m.acceptPrompt(), true
	case keymap.Tour:
		return m.tour.Advance(), true
	case keymap.AllowServer:
		return k.allowServer(), true
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
		return m.read.FoldPreview(), true
	case keymap.LinkDigit:
		if a := (keyboard{m}).answerRead(); a != nil {
			return a.TypeDigit(key), true
		}
		return m.toOverlay(overlay.Digit(key)), true
	default:
		return nil, false
	}
	return nil, true
}

// answerRead is the answer where it has the keyboard, nil otherwise.
func (k keyboard) answerRead() *reader.Answer {
	m := k.m
	if !m.over.Empty() || m.prompt != nil || m.focus != onPane || m.shelf.OnFirstRun() {
		return nil
	}
	return m.run.Answer.Read()
}

// leadBack closes the topmost overlay, then cancels a run, then goes to the question.
func (k keyboard) leadBack() tea.Cmd {
	m := k.m
	m.ahead.DropKeys()
	switch {
	case m.prompt != nil:
		m.prompt = nil
		m.status.Say("nothing was changed")
	case !m.over.Empty():
		return k.leaveOverlay()
	case m.shelf.OnFirstRun():
		m.leaveFirstRun()
		m.focus = onPane // esc never leads into the question line
	case (keyboard{m}).answerRead() != nil && (keyboard{m}).answerRead().Escape():
	case m.ask.DropChoice():
	case m.run.Active():
		m.run.Stop()
	case m.ask.DropQueued():
		m.status.Say("the question is not asked")
	case m.resume != nil:
		m.resume = nil
		m.status.Say("it stays here")
	case m.tour.Running():
		m.tour.LeaveTour()
	case m.focus == onPreview:
		m.focus = onPane
	case m.focus == onQuestion && m.run.HasRun():
		return k.leaveQuestion()
	}
	return nil // esc at the top does nothing; it never leads into the question line
}

// leaveOverlay closes the innermost part of the topmost overlay, or else the overlay.
func (k keyboard) leaveOverlay() tea.Cmd {
	m := k.m
	if e, ok := overlay.TopAs[overlay.Escaper](&m.over); ok && e.Escape() {
		return m.followList()
	}
	if l, ok := overlay.TopAs[overlay.Leaver](&m.over); ok {
		l.Left()
	}
	return m.popOverlay()
}

// leaveQuestion gives the keyboard back to the part of the screen that had it
// before the question line. The text typed there is kept as a draft.
func (k keyboard) leaveQuestion() tea.Cmd {
	m := k.m
	m.focus, m.returnTo = max(m.returnTo, onPane), onQuestion
	if docSets, ok := m.ask.RestoreAsked(); ok {
		m.run.SetDocSets(docSets)
	}
	m.layOutPanes()
	return nil
}

// beginQuestion gives the keyboard to the question line, which is empty or has
// the draft that was left there; back leads to the part of the screen that has it
// now.
func (m *Model) beginQuestion() {
	if m.shelf.OnFirstRun() {
		m.leaveFirstRun()
	}
	if m.focus != onQuestion {
		m.returnTo = m.focus
	}
	m.over.Clear()
	m.focus = onQuestion
	m.ask.Begin()
	m.layOutPanes()
}

// editQuestion gives the keyboard to the question line with its text selected. Where it has the
// keyboard already, typed text goes where the cursor stands.
func (m *Model) editQuestion() {
	if m.shelf.OnFirstRun() {
		m.leaveFirstRun()
	}
	m.over.Clear()
	if m.focus == onQuestion {
		m.ask.EditInside()
		return
	}
	m.focus = onQuestion
	m.ask.Edit()
	m.layOutPanes()
}

// moveFocus gives the keyboard to the next part of the screen.
func (k keyboard) moveFocus(d int) tea.Cmd {
	m := k.m
	parts := []focus{onQuestion, onPane}
	if m.run.OnHits() && m.screenSize().geometry().previewH > 0 && !m.onStartScreen() {
		parts = append(parts, onPreview)
	}
	switch { // the answer and what was found are two parts
	case m.onStartScreen():
	case m.focus == onPane && d > 0 && m.run.Answer.Selected():
		return k.showHits()
	case m.run.OnHits() && m.run.Answer.There() && (m.focus == onQuestion && d > 0 || m.focus == onPane && d < 0):
		m.run.Steps.SelectPhase(contract.PhaseCite)
		m.focus = onPane
		return m.phaseChanged()
	}
	i := slices.Index(parts, m.focus)
	if m.focus = parts[(i+d+len(parts))%len(parts)]; m.focus == onQuestion && !m.onStartScreen() {
		m.ask.Edit()
	}
	return nil
}

// showHits goes to the hits.
func (k keyboard) showHits() tea.Cmd {
	m := k.m
	m.run.Steps.SelectPhase(contract.PhaseSearch)
	m.focus = onPane
	return m.phaseChanged()
}

// phaseChanged follows the selection of another phase.
func (m *Model) phaseChanged() tea.Cmd {
	if m.focus == onPreview {
		m.focus = onPane
	}
	m.layOutPanes()
	if m.run.OnHits() {
		return m.followCursor()
	}
	return m.run.ExplainScores()
}
