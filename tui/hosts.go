package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/tui/asking"
	"docent/tui/keymap"
	"docent/tui/pane/picker"
	"docent/tui/pane/tour"
	"docent/tui/running"
	"docent/tui/shelf"
)

// The Hosts of the controllers. An event of one controller that concerns another
// is passed on here and nowhere else.

type askingHost struct{ m *Model }

func (h askingHost) Screen() asking.Screen {
	req := h.m.run.Request()
	return asking.Screen{Asked: req.Question, DocSets: req.DocSets, Ready: h.m.shelf.Ready(),
		Typing: h.m.mode() == keymap.InQuestion, Running: h.m.run.Active()}
}

func (h askingHost) Open() tea.Cmd { return h.m.shelf.Open() }

func (h askingHost) Run(question string) tea.Cmd {
	m := h.m
	m.focus, m.from = onPane, onQuestion
	m.layout()
	return tea.Batch(m.keep.Remember(question), m.run.Ask(question), m.await())
}

func (h askingHost) Go(s asking.Suggestion) tea.Cmd { return h.m.openPlace(s) }

func (h askingHost) Titled() func(ctx context.Context, text string, most int) ([]asking.Suggestion, error) {
	return h.m.browse.Titled()
}

type runningHost struct{ m *Model }

func (h runningHost) Tick() tea.Cmd { return h.m.tick() }

func (h runningHost) Prompt(label, text string, take func(string) tea.Cmd) {
	h.m.promptFor(label, text, take)
}

func (h runningHost) Ended(o running.Outcome) tea.Cmd {
	m := h.m
	m.read.SetHits(m.run.Hits.Rows())
	if o == running.Failed {
		m.dropAhead()
		if m.over == noOverlay && m.ask.Question() == m.run.Asked() {
			m.focus = onQuestion // to ask again, or in other words
			m.layout()
		}
	}
	if o != running.Answered {
		return m.followCursor()
	}
	m.read.Forget()
	m.read.ForgetLists()
	m.layout()
	if _, all := m.run.Hits.Count(); all > 0 {
		m.tourNext(m.tour.Did(tour.Asked))
	}
	return tea.Batch(m.replay(), m.followCursor(), m.shelf.List())
}

type readingHost struct{ m *Model }

func (h readingHost) FollowCursor() tea.Cmd { return h.m.followCursor() }
func (h readingHost) Copied()               { h.m.tourNext(h.m.tour.Did(tour.Copied)) }

func (h readingHost) At(p pipeline.Place) tea.Cmd { return h.m.browse.Visit(p) }

type shelfHost struct{ m *Model }

func (h shelfHost) Screen() shelf.Screen {
	m := h.m
	return shelf.Screen{Library: m.over == libraryOverlay,
		Begun: m.run.Ran() || m.ask.Queued() || !m.ask.Empty() || m.over != noOverlay}
}

func (h shelfHost) Tick() tea.Cmd { return h.m.tick() }

func (h shelfHost) OpenPlace(p pipeline.Place) tea.Cmd { return h.m.openPlace(p) }

func (h shelfHost) Opened() tea.Cmd {
	m := h.m
	if s := m.opt.Saved; s != nil {
		m.opt.Saved = nil
		return m.restore(*s)
	}
	if m.ask.Unqueue() {
		return m.ask.Ask()
	}
	m.status.Clear()
	m.ask.SayDraft()
	if t := m.browse.Trouble(); t != "" {
		m.status.Warn(t)
	}
	if m.opt.Notice != "" {
		m.status.Warn(m.opt.Notice)
	}
	return nil
}

func (h shelfHost) Changed(forgotten string) tea.Cmd {
	if forgotten != "" {
		h.m.run.Forget(forgotten)
	}
	h.m.read.Forget()
	h.m.browse.Forget()
	return h.m.followCursor()
}

type comparingHost struct{ m *Model }

func (h comparingHost) OpenPlace(p pipeline.Place) tea.Cmd { return h.m.openPlace(p) }

type keepingHost struct{ m *Model }

func (h keepingHost) Recollected(questions []string)  { h.m.ask.SetHistory(questions) }
func (h keepingHost) Loaded(s pipeline.Saved) tea.Cmd { return h.m.restore(s) }

func (h keepingHost) Prompt(label, text string, take func(string) tea.Cmd) {
	h.m.promptFor(label, text, take)
}

func (h keepingHost) Listed(sessions []pipeline.SavedInfo, err error) bool {
	m := h.m
	if m.over != pickerOverlay || m.picker.Kind() != listSessions {
		return false
	}
	if err != nil {
		return true
	}
	items := make([]picker.Item, len(sessions))
	for i, s := range sessions {
		items[i] = picker.Item{ID: s.ID, Text: sanitize.Line(s.Question), Detail: sanitize.Line(s.When)}
		if s.Broken != "" {
			items[i].Text = sanitize.Line(s.ID + " is broken: " + s.Broken)
		}
	}
	m.picker.SetEmpty("no session was saved yet: ctrl+s saves one")
	m.picker.SetItems(listSessions, items)
	return true
}

// restore shows a saved session.
func (m *Model) restore(s pipeline.Saved) tea.Cmd {
	m.run.Restore(s)
	m.ask.Restore(s.Request.Question)
	m.read.Forget()
	m.read.SetHits(m.run.Hits.Rows())
	m.over, m.focus = noOverlay, onPane
	m.layout()
	m.status.Say("the session as it was saved; R asks again")
	return m.followCursor()
}
