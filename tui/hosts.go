package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/asking"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/tour"
	"docent/tui/running"
	"docent/tui/shelf"
	"docent/tui/typeahead"
)

// The Hosts of the controllers. An event of one controller that concerns another
// is passed on here and nowhere else.

type askingHost struct{ m *Model }

func (h askingHost) Screen() asking.Screen {
	req := h.m.run.Request()
	return asking.Screen{Asked: req.Question, DocSets: req.DocSets, Ready: h.m.shelf.Ready(),
		Typing: h.m.keyboardMode() == keymap.InQuestion, Running: h.m.run.Active()}
}

func (h askingHost) Open() tea.Cmd { return h.m.shelf.Open() }

func (h askingHost) Run(question string) tea.Cmd {
	m := h.m
	m.focus, m.returnTo = onPane, onQuestion
	m.layOutPanes()
	return tea.Batch(m.keep.Remember(question), m.run.Ask(question), m.ahead.AwaitAnswer())
}

func (h askingHost) Go(s asking.Suggestion) tea.Cmd { return h.m.openPlace(s, "") }

func (h askingHost) Titled() func(ctx context.Context, text string, most int) ([]asking.Suggestion, error) {
	return h.m.browse.Titled()
}

type runningHost struct{ m *Model }

func (h runningHost) Tick() tea.Cmd { return h.m.askForFrame() }

func (h runningHost) Prompt(label, text string, take func(string) tea.Cmd) {
	h.m.promptFor(label, text, take)
}

func (h runningHost) Ended(o running.Outcome) tea.Cmd {
	m := h.m
	m.read.SetHits(m.run.Hits.Rows())
	if o == running.Failed {
		m.ahead.DropKeys()
		if m.over.Empty() && m.ask.Question() == m.run.AskedQuestion() {
			m.focus = onQuestion // to ask again, or in other words
			m.layOutPanes()
		}
	}
	if o != running.Answered {
		return m.followCursor()
	}
	m.read.Forget()
	m.read.ForgetLists()
	m.layOutPanes()
	if _, all := m.run.Hits.Count(); all > 0 {
		m.tour.TakeEvent(tour.Asked)
	}
	return tea.Batch(m.ahead.ReplayKeys(), m.followCursor(), m.shelf.List())
}

type readingHost struct{ m *Model }

func (h readingHost) Left()                 { h.m.tour.TakeEvent(tour.Looked) }
func (h readingHost) FollowCursor() tea.Cmd { return h.m.followCursor() }
func (h readingHost) Copied()               { h.m.tour.TakeEvent(tour.Copied) }

func (h readingHost) At(p pipeline.Place) tea.Cmd { return h.m.browse.Visit(p) }

type shelfHost struct{ m *Model }

func (h shelfHost) Screen() shelf.Screen {
	m := h.m
	return shelf.Screen{Library: m.over.Shows(m.shelf.Library),
		Begun: m.run.HasRun() || m.ask.HasQueued() || !m.ask.Empty() || !m.over.Empty()}
}

func (h shelfHost) Tick() tea.Cmd { return h.m.askForFrame() }

func (h shelfHost) OpenPlace(p pipeline.Place, find string) tea.Cmd { return h.m.openPlace(p, find) }

func (h shelfHost) Opened(project shelf.Project) tea.Cmd {
	m := h.m
	m.project = project
	if s := m.opt.Saved; s != nil {
		m.opt.Saved = nil
		return keepingHost{m}.restoreSession(*s)
	}
	if len(project.DocSets) > 0 && len(m.run.Request().DocSets) == 0 {
		m.run.SetDocSets(project.DocSets)
	}
	if m.ask.DropQueued() {
		return m.ask.Ask()
	}
	m.status.Clear()
	m.ask.ExplainDraft()
	if t := m.browse.ReadingTrouble(); t != "" {
		m.status.Warn(t)
	}
	if project.Remark != "" {
		m.status.Warn(project.Remark)
	}
	if m.opt.Notice != "" {
		m.status.Warn(m.opt.Notice)
	}
	return browsingHost{m}.resumeWaiting()
}

func (h shelfHost) Changed(forgotten string) tea.Cmd {
	if forgotten != "" {
		h.m.run.Forget(forgotten)
	}
	h.m.read.Forget()
	h.m.browse.Forget()
	return h.m.followCursor()
}

// doFirstChoice does what a person chose on the first-run screen.
func (h shelfHost) doFirstChoice(c firstrun.Chosen) tea.Cmd {
	m := h.m
	switch c.Action {
	case keymap.NthFolder:
		return m.shelf.Add(AddRequest{Path: c.Path})
	case keymap.AddSet:
		return tea.Batch(opener{m}.openLibrary(), m.shelf.Library.Add())
	case keymap.Sample:
		m.leaveFirstRun()
		m.ask.Set(sample)
		return m.ask.Ask()
	case keymap.Tour:
		return m.tour.Advance()
	}
	return nil
}

type comparingHost struct{ m *Model }

func (h comparingHost) OpenPlace(p pipeline.Place) tea.Cmd { return h.m.openPlace(p, "") }

type touringHost struct{ m *Model }

func (h touringHost) Manual() string { return h.m.shelf.Manual() }

func (h touringHost) TourBegun() {
	h.m.over.Clear()
	h.m.leaveFirstRun()
}

func (h touringHost) TourEnded() { h.m.layOutPanes() }

type listingHost struct{ m *Model }

func (h listingHost) Push(o overlay.Overlay)       { h.m.pushOverlay(o) }
func (h listingHost) Pop() tea.Cmd                 { return h.m.popOverlay() }
func (h listingHost) Shows(o overlay.Overlay) bool { return h.m.over.Shows(o) }

// aheadHost is the screen that keys are typed into, for those that are typed ahead.
type aheadHost struct{ m *Model }

func (h aheadHost) Modes() keymap.Mode              { return h.m.keyboardModes() }
func (h aheadHost) Press(k tea.KeyPressMsg) tea.Cmd { return keyboard(h).pressKey(k) }

func (h aheadHost) Screen() typeahead.Screen {
	m := h.m
	return typeahead.Screen{Loading: m.over.Loading(), Covered: !m.over.Empty() || m.prompt != nil || m.shelf.OnFirstRun(),
		Queued: m.ask.HasQueued() && m.shelf.IsOpening()}
}

func (h aheadHost) Loading(text bool) bool {
	l, ok := overlay.TopAs[overlay.Loader](&h.m.over)
	return ok && h.m.prompt == nil && l.Loading(text)
}

type keepingHost struct{ m *Model }

func (h keepingHost) Recollected(questions []string)  { h.m.ask.SetHistory(questions) }
func (h keepingHost) Loaded(s pipeline.Saved) tea.Cmd { return h.restoreSession(s) }

func (h keepingHost) Prompt(label, text string, take func(string) tea.Cmd) {
	h.m.promptFor(label, text, take)
}

func (h keepingHost) Listed(sessions []pipeline.SavedInfo, err error) bool {
	return lists(h).showSessions(sessions, err)
}

// restoreSession shows a saved session.
func (h keepingHost) restoreSession(s pipeline.Saved) tea.Cmd {
	m := h.m
	m.run.Restore(s)
	m.ask.Restore(s.Request.Question)
	m.read.Forget()
	m.read.SetHits(m.run.Hits.Rows())
	m.over.Clear()
	m.focus = onPane
	m.layOutPanes()
	m.status.Say("the session as it was saved; R asks again")
	return m.followCursor()
}
