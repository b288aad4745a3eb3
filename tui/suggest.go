package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/widget"
)

// Suggestion is a section that may answer the question that is being typed.
type Suggestion struct{ DocSet, Page, Heading string }

// typingPause is how long nothing is typed before sections are looked for.
const typingPause = 90 * time.Millisecond

// suggestions are the sections for what stands in the question line, while it is
// typed; its last word may be unfinished.
type suggestions struct {
	seq   int // of the newest change of the line
	text  string
	items []Suggestion
}

type (
	pausedMsg    struct{ seq int }
	suggestedMsg struct {
		seq   int
		text  string
		items []Suggestion
	}
)

// typed is what follows a change of the question line.
func (m *Model) typed() tea.Cmd {
	m.found.seq++
	seq := m.found.seq
	if m.question() == "" {
		m.found.items, m.found.text = nil, ""
		return nil
	}
	return m.opt.Tick(typingPause, func(time.Time) tea.Msg { return pausedMsg{seq} })
}

// paused looks sections up for a line that has not changed for a while.
func (m *Model) paused(msg pausedMsg) tea.Cmd {
	text := m.question()
	if msg.seq != m.found.seq || !m.ready || m.running || text == "" || text == m.req.Question || m.mode() != keymap.InQuestion {
		return nil
	}
	ctx, backend, sets := m.ctx, m.opt.Backend, slices.Clone(m.req.DocSets)
	return func() tea.Msg {
		// What fails here fails again, and is said, when the question is asked.
		items, err := backend.Suggest(ctx, text, sets)
		if err != nil {
			items = nil
		}
		return suggestedMsg{msg.seq, text, items}
	}
}

func (m *Model) suggested(msg suggestedMsg) {
	if msg.seq == m.found.seq {
		m.found.text, m.found.items = msg.text, msg.items
	}
}

// suggesting says whether the main area shows sections for what is typed.
func (m *Model) suggesting() bool {
	return m.mode() == keymap.InQuestion && m.over == noOverlay && !m.running && len(m.found.items) > 0 && m.question() != "" && m.question() != m.req.Question
}

// suggestionLines are the sections, a line each.
func (m *Model) suggestionLines(w, h int) string {
	lines := make([]string, 0, h)
	for _, s := range m.found.items {
		if len(lines) == h {
			break
		}
		text := m.st.Strong.Render(sanitize.Line(s.Page))
		if s.Heading != "" && s.Heading != s.Page {
			text += m.st.Dim.Render(" › ") + sanitize.Line(s.Heading)
		}
		lines = append(lines, widget.Sides(widget.Cut(" "+text, w), m.st.Dim.Render(sanitize.Line(s.DocSet))+" ", w))
	}
	return strings.Join(lines, "\n")
}

// suggestionFrame is the main area while sections are suggested.
func (m *Model) suggestionFrame() []string {
	w, h := m.w-2, max(1, m.h-m.tourH()-6)
	return widget.Stack(m.st, widget.Panel{Title: "As you type", Info: "enter asks", View: m.suggestionLines(w, h), W: w, H: h})
}

// suggester is what suggestions need of the backend.
type suggester interface {
	// Suggest gives the sections that a question leads to whose last word may be
	// unfinished, best first; it is called while one types, and must be quick.
	Suggest(ctx context.Context, question string, docSets []string) ([]Suggestion, error)
}
