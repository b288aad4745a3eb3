package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/route"
	"docent/tui/pane/stepper"
	"docent/tui/pane/tour"
)

// key finds the binding of a key in the mode of the screen and does it, or says
// why it does not work.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	mode := m.mode()
	name := k.String()
	if k.Text == " " {
		name = "space"
	}
	b, ok := m.keys.Find(m.modes(), name)
	if !ok || k.Text != "" {
		switch mode {
		case keymap.InQuestion:
			before := m.question()
			m.input.Key(k)
			if m.question() == before {
				return nil
			}
			return m.typed()
		case keymap.InPrompt:
			m.prompt.input.Key(k)
			return nil
		case keymap.InPicker:
			m.picker.Key(k)
			return nil
		case keymap.InFind, keymap.InOutline:
			return m.reader.Type(k)
		}
	}
	if mode == keymap.InEntry && (!ok || k.Text != "") {
		return m.library.Update(k)
	}
	if !ok {
		if k.Text != "" {
			m.say(fmt.Sprintf("%s does nothing here; ? lists the keys", sanitize.Line(name)))
		}
		return nil
	}
	if why := b.Disabled(m.have()); why != "" {
		m.say(b.Label + ": " + why)
		return nil
	}
	if !m.status.lasting {
		m.clearStatus() // it spoke of an earlier key
	}
	cmd := m.do(b.Action, name, mode)
	m.toured(b.Action)
	return cmd
}

// do does an action. What is left at the end goes to the pane that has the
// keyboard.
func (m *Model) do(a keymap.Action, key string, mode keymap.Mode) tea.Cmd {
	if cmd, ok := m.libraryKey(a, key, mode); ok {
		return cmd
	}
	switch a {
	case keymap.Quit:
		m.stop()
		return tea.Quit
	case keymap.Back:
		return m.back()
	case keymap.Ask:
		return m.ask()
	case keymap.HistoryPrev:
		m.recall(-1)
	case keymap.HistoryNext:
		m.recall(1)
	case keymap.Question:
		if m.focus != onQuestion {
			m.from = m.focus
		}
		m.over, m.focus = noOverlay, onQuestion
		m.input.SetValue("") // ↑ has the question
		m.histAt = len(m.history)
		m.layout()
	case keymap.EditQuestion:
		m.over, m.focus = noOverlay, onQuestion
		m.layout()
	case keymap.Manual:
		m.askManual()
	case keymap.NextFocus:
		m.turn(1)
	case keymap.PrevFocus:
		m.turn(-1)
	case keymap.Help:
		if m.over == helpOverlay {
			m.pop()
			break
		}
		m.help.Show(m.keys, m.have())
		m.help.Rewind()
		m.push(helpOverlay)
	case keymap.Sets:
		m.sets.SetPicked(m.req.DocSets)
		m.push(setsOverlay)
	case keymap.PrevPhase, keymap.NextPhase:
		m.steps.Update(a)
		return m.phaseChanged()
	case keymap.NthPhase:
		m.steps.SelectNth(int(key[0] - '1'))
		return m.phaseChanged()
	case keymap.PreviewDown:
		return m.preview.Update(keymap.Down)
	case keymap.PreviewUp:
		return m.preview.Update(keymap.Up)
	case keymap.Scene:
		return m.nextScene()
	case keymap.RaiseFloor:
		return m.threshold(0.05)
	case keymap.LowerFloor:
		return m.threshold(-0.05)
	case keymap.Rerank:
		return m.reranking()
	case keymap.Full:
		w := &m.req.Preferences
		w.Full, w.Compress, w.Summarize = !w.Full, false, false
		return m.again(wish("full text", w.Full))
	case keymap.Compress:
		w := &m.req.Preferences
		w.Compress, w.Full, w.Summarize = !w.Compress, false, false
		return m.again(wish("compression", w.Compress))
	case keymap.Summarize:
		w := &m.req.Preferences
		w.Summarize, w.Full, w.Compress = !w.Summarize, false, false
		return m.again(wish("a model's summary", w.Summarize))
	case keymap.Rerun:
		if m.steps.Step(contract.PhaseCite).State == stepper.Done {
			return m.start(true)
		}
		return m.again("from the first stale phase on")
	case keymap.Palette:
		m.palette()
	case keymap.History:
		m.showHistory()
	case keymap.TakeText:
		return m.accept()
	case keymap.Undo:
		return m.undo()
	case keymap.Redo:
		return m.redo()
	case keymap.SaveSession:
		return m.saveSession()
	case keymap.Sessions:
		return m.showSessions()
	case keymap.Export:
		return m.export()
	case keymap.WriteFinal:
		return m.writeFinal()
	case keymap.EditQuery:
		return m.editQuery()
	case keymap.AddQuery:
		return m.addQuery()
	case keymap.FloorAbove:
		return m.floorPast(-1)
	case keymap.FloorBelow:
		return m.floorPast(1)
	case keymap.OpenSource:
		return m.openSource()
	case keymap.CopySection:
		return m.copySection()
	case keymap.CopyCode:
		return m.pickCode()
	case keymap.CopyCommand:
		return m.copyCommand()
	case keymap.Suspend:
		return tea.Suspend
	case keymap.Sort:
		m.say("sorted: " + m.hits.NextOrder().String())
		return m.look()
	case keymap.Theme:
		return m.nextTheme()
	case keymap.Mouse:
		m.mouseOff = !m.mouseOff
		if m.mouseOff {
			m.say("the mouse is the terminal's: select text with it; M gives it back")
		} else {
			m.say("the mouse is the app's: wheel and clicks; M gives it to the terminal")
		}
	case keymap.CopyFinal:
		return m.copyFinal()
	case keymap.CopyCitation:
		return m.copyCitation()
	case keymap.LinkDigit:
		return m.reader.Digit(key)
	case keymap.Toggle, keymap.Open:
		return m.hits.Update(a)
	default:
		return m.scroll(a, mode)
	}
	return nil
}

func (m *Model) scroll(a keymap.Action, mode keymap.Mode) tea.Cmd {
	switch mode {
	case keymap.InPicker:
		return m.picker.Update(a)
	case keymap.InHelp:
		return m.help.Update(a)
	case keymap.InSets:
		cmd := m.sets.Update(a)
		if a == keymap.Apply {
			m.over = noOverlay
		}
		return cmd
	case keymap.InReader, keymap.InFind, keymap.InOutline, keymap.InLinks:
		return m.reader.Update(a)
	case keymap.InLibrary, keymap.InEntry, keymap.InConfirm:
		return m.library.Update(a)
	case keymap.InFirst:
		return m.first.Update(a)
	case keymap.InPreview:
		return m.preview.Update(a)
	}
	cmd := m.current().Update(a)
	if m.onHits() {
		return tea.Batch(cmd, m.look())
	}
	return cmd
}

// back closes what lies on top, then cancels a run, then goes to the question.
func (m *Model) back() tea.Cmd {
	switch {
	case m.prompt != nil:
		m.prompt = nil
		m.say("nothing was changed")
	case m.over == pickerOverlay:
		return m.closePicker()
	case m.over == libraryOverlay && m.library.Back():
	case m.over == readerOverlay && m.reader.Escape():
	case m.over != noOverlay:
		if m.over == readerOverlay {
			m.tourNext(m.tour.Did(tour.Looked))
		}
		m.pop()
		return m.look()
	case m.inFirst:
		m.leaveFirst()
	case m.running:
		m.stopRun()
	case m.queued:
		m.queued = false
		m.say("the question will not be run")
	case m.tour.On():
		m.leaveTour()
	case m.focus == onPreview:
		m.focus = onPane
	case m.focus == onPane:
		m.focus = onQuestion
	case m.from != onQuestion:
		m.focus, m.from = m.from, onQuestion
		m.input.SetValue(m.req.Question)
		if m.toAsk {
			m.req.DocSets, m.own, m.toAsk = m.own, nil, false
		}
		m.layout()
	default:
		m.say("this is the question line: enter runs, tab goes to the phases, ctrl+c quits")
	}
	return nil
}

// manual is the manual's doc set, "" where it is none.
func (m *Model) manual() string {
	name := m.opt.Manual
	if name == "" {
		name = "Docent_Manual"
	}
	for _, s := range m.sets.Sets() {
		if s.Name == name || strings.HasPrefix(s.Name, name+"@") {
			return s.Name
		}
	}
	return ""
}

// askManual narrows to the manual and begins a question; when that is so
// already, it goes back to the doc sets before.
func (m *Model) askManual() {
	name := m.manual()
	m.do(keymap.Question, "", keymap.InHelp)
	if slices.Equal(m.req.DocSets, []string{name}) {
		m.req.DocSets, m.own, m.toAsk = m.own, nil, false
		m.say("your own doc sets are searched again")
		return
	}
	m.own, m.req.DocSets, m.toAsk = m.req.DocSets, []string{name}, true
	m.say("ask the manual: a question, then enter; f1 and m lead back to your docs")
}

// turn gives the keyboard to the next part of the screen.
func (m *Model) turn(d int) {
	parts := []focus{onQuestion, onPane}
	if m.onHits() && m.geometry().previewH > 0 {
		parts = append(parts, onPreview)
	}
	i := slices.Index(parts, m.focus)
	m.focus = parts[(i+d+len(parts))%len(parts)]
}

func (m *Model) phaseChanged() tea.Cmd {
	if m.focus == onPreview {
		m.focus = onPane
	}
	m.layout()
	if m.onHits() {
		return m.look()
	}
	return m.explain()
}

// recall goes through the questions of this sitting; what was being typed comes
// back at the end.
func (m *Model) recall(d int) {
	if len(m.history) == 0 {
		m.say("no earlier question")
		return
	}
	if m.histAt == len(m.history) {
		m.draft = m.input.Value()
	}
	m.histAt = min(max(0, m.histAt+d), len(m.history))
	if d < 0 && m.histAt > 0 && m.histAt < len(m.history) && m.history[m.histAt] == m.draft {
		m.histAt-- // it stands in the line already
	}
	if m.histAt == len(m.history) {
		m.input.SetValue(m.draft)
		return
	}
	m.input.SetValue(m.history[m.histAt])
}

func (m *Model) question() string { return strings.TrimSpace(m.input.Value()) }

// toggle leaves a page out or takes it in again.
func (m *Model) toggle(hit pipeline.Hit) tea.Cmd {
	name := sanitize.Line(hit.FilePath)
	if row, ok := m.hits.Selected(); ok && row.Hit() == hit {
		name = sanitize.Line(row.Page.PageTitle)
		if row.Dropped && !row.Out {
			m.say("this hit is under the threshold already: - lowers it")
			return nil
		}
	}
	what := "left out: " + name
	if i := slices.Index(m.req.Exclude, hit); i >= 0 {
		m.req.Exclude = slices.Delete(slices.Clone(m.req.Exclude), i, i+1)
		what = "taken in again: " + name
	} else {
		m.req.Exclude = append(slices.Clone(m.req.Exclude), hit)
	}
	m.hits.SetResult(m.res, m.req.Exclude, true)
	return m.again(what)
}

// nextScene goes through the scenes, and back to the router's own choice.
func (m *Model) nextScene() tea.Cmd {
	own := ""
	if r := m.res.Phases.Route; r != nil {
		own = r.Scene
	}
	return m.nextOf("scene", contract.Scenes(), &m.req.Scene, own)
}

// nextOf gives what a person set the next of several values, and after the last
// none: then the router's own holds.
func (m *Model) nextOf(name string, values []string, set *string, own string) tea.Cmd {
	at := slices.Index(values, *set)
	if *set == "" && values[0] == own {
		at = 0 // setting what the router chose changes nothing
	}
	if at+1 == len(values) {
		*set = ""
		return m.again(name + ": the router's choice")
	}
	*set = values[at+1]
	return m.again(name + ": " + *set)
}

// threshold moves the reranker's threshold by d, in steps of 0.05.
func (m *Model) threshold(d float64) tea.Cmd {
	if m.modes()&keymap.InRoute != 0 && m.over == noOverlay {
		if what, _ := m.route.Picked(); what == route.Confidence {
			return m.confidence(d)
		}
	}
	own := 0.5
	if r := m.res.Phases.Route; r != nil {
		own = r.RerankerThreshold
	}
	return m.nudge("threshold", &m.req.Threshold, own, d)
}

func (m *Model) reranking() tea.Cmd {
	on := true
	if r := m.res.Phases.Route; r != nil {
		on = r.RerankerEnabled
	}
	if m.req.Reranker != nil {
		on = *m.req.Reranker
	}
	on = !on
	m.req.Reranker = &on
	return m.again(wish("reranking", on))
}

func wish(what string, on bool) string {
	if on {
		return what + ": on"
	}
	return what + ": off"
}

// narrow sets the doc sets that are searched; none means all.
func (m *Model) narrow(names []string) tea.Cmd {
	m.over = noOverlay
	m.layout()
	if slices.Equal(names, m.req.DocSets) {
		return nil
	}
	m.req.DocSets = names
	what := "all doc sets are searched"
	if len(names) > 0 {
		what = "narrowed to " + sanitize.Line(strings.Join(names, ", "))
	}
	if !m.ran {
		m.say(what)
		return nil
	}
	return m.again(what)
}
