package tui

import (
	"context"
	"docent/pipeline/sanitize"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
)

// backgroundBeat is how often what goes on in the background is looked at: it
// takes minutes or hours.
const backgroundBeat = time.Second

// background is work that nobody asked for and that goes on beside all else: a
// model makes the vectors that are missing.
type background struct {
	latest[string] // how far it is, short
	on             bool
}

type (
	backgroundMsg struct{ err error }
	beatMsg       struct{}
)

// startBackground begins the work; it ends with the app.
func (m *Model) startBackground() tea.Cmd {
	if m.opt.Background == nil || m.beside.on {
		return nil
	}
	m.beside.on = true
	ctx, work, buf := m.ctx, m.opt.Background, m.beside
	return tea.Batch(func() tea.Msg { return backgroundMsg{work(ctx, buf.set)} }, m.beat())
}

func (m *Model) beat() tea.Cmd {
	return m.opt.Tick(backgroundBeat, func(time.Time) tea.Msg { return beatMsg{} })
}

// beaten draws how far it is and asks for the next beat.
func (m *Model) beaten() tea.Cmd {
	if !m.beside.on {
		return nil
	}
	m.besideText = sanitize.Line(m.beside.get())
	return m.beat()
}

// backgroundEnded takes in how it ended.
func (m *Model) backgroundEnded(msg backgroundMsg) tea.Cmd {
	m.beside.on, m.besideText = false, ""
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		m.warn("a model's vectors are not complete: " + msg.err.Error())
	}
	return m.listSets()
}
