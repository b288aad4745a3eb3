package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/pane/tour"
	"docent/tui/widget"
)

type tourMsg struct {
	steps []tour.Step
	err   error
}

// tourKey begins the tour, or goes on to its next step.
func (m *Model) tourKey() tea.Cmd {
	if m.tour.On() {
		m.tourNext(m.tour.Next())
		return nil
	}
	ctx, backend, name := m.ctx, m.opt.Backend, m.shelf.Manual()
	return func() tea.Msg {
		page, err := backend.Page(ctx, name, tour.File)
		if err != nil {
			return tourMsg{err: err}
		}
		steps, err := tour.Read(page.Doc, page.Source)
		return tourMsg{steps, err}
	}
}

func (m *Model) tourRead(msg tourMsg) {
	if msg.err != nil {
		m.status.Fail("there is no tour: " + msg.err.Error())
		return
	}
	if m.tour.On() {
		return // the key was pressed twice
	}
	m.tour.Begin(msg.steps)
	m.over = noOverlay
	m.leaveFirstRun()
	m.status.Clear()
}

// tourNext goes on behind a step, and says so when it was the last.
func (m *Model) tourNext(ended bool) {
	if ended {
		m.layout()
		text := "that was the tour; ? lists all keys, L is the library"
		if m.status.text != "" && m.status.mark == "✓ " { // the block was copied
			text = "copied; " + text
		}
		m.status.Good(text)
	}
}

// toured tells the tour of an action. The other events of the tour, an answered
// question, a closed section and a copied block, are told where they happen.
func (m *Model) toured(a keymap.Action) {
	var d tour.Event
	switch a {
	case keymap.PrevPhase, keymap.NextPhase, keymap.NthPhase:
		d = tour.Seen
	case keymap.RaiseThreshold, keymap.LowerThreshold, keymap.Toggle, keymap.Scene, keymap.Rerank, keymap.Full, keymap.Compress:
		d = tour.Changed
	default:
		return
	}
	m.tourNext(m.tour.Did(d))
}

// leaveTour leaves the tour before its last step.
func (m *Model) leaveTour() {
	m.tour.End()
	m.layout()
	m.status.Say("the tour is left; ctrl+t begins it again")
}

// tourH is how many lines the tour's box takes at the foot of the screen.
func (m *Model) tourH() int {
	if !m.tour.On() {
		return 0
	}
	h := min(m.tour.Height(m.w-2), max(1, m.h/4))
	if m.h < tourFrame {
		return h // the hits need the frame's lines
	}
	return h + 2
}

// tourFrame is the height of the screen from which the tour's box has a frame.
const tourFrame = 20

// tourBox is the tour's box, nil while there is no tour.
func (m *Model) tourBox() []string {
	h := m.tourH()
	if h == 0 {
		return nil
	}
	if m.h < tourFrame {
		m.tour.SetSize(m.w, h)
		return widget.Exact(strings.Split(m.tour.View(), "\n"), m.w, h)
	}
	m.tour.SetSize(m.w-2, h-2)
	return widget.Stack(m.st, widget.Panel{Title: m.tour.Title(), Info: "ctrl+t next, esc leaves", View: m.tour.View(), W: m.w - 2, H: h - 2})
}
