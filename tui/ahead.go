package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
)

// ahead holds the keys that were typed ahead of an answer: a terminal may hand over
// "question", enter and j in one read, and that j means the hits that are still to
// come.
type ahead struct {
	waiting bool // for the answer to the question that was just asked
	seq     int  // of the newest question
	keys    []tea.KeyPressMsg
}

// Keys wait for an answer no longer than patience: a model may take minutes, and the
// screen is used meanwhile. mostAhead bounds them.
const (
	patience  = time.Second
	mostAhead = 64
)

// impatientMsg says that the keys have waited long enough.
type impatientMsg struct{ seq int }

// holds keeps a key until the answer is there, and says whether it did. Keys that
// leave or cancel never wait.
func (m *Model) holds(k tea.KeyPressMsg) bool {
	if !m.ahead.waiting && !m.ask.Queued() || m.over != noOverlay || m.prompt != nil || m.shelf.FirstRun() {
		return false
	}
	b, ok := m.keys.Find(keymap.InQuestion, k.String())
	if ok && (b.Action == keymap.Back || b.Action == keymap.Quit || b.Action == keymap.Suspend) {
		return false
	}
	if len(m.ahead.keys) < mostAhead {
		m.ahead.keys = append(m.ahead.keys, k)
	}
	return true
}

// await begins to hold keys for the answer to a question.
func (m *Model) await() tea.Cmd {
	m.ahead.seq++
	m.ahead.waiting = true
	seq := m.ahead.seq
	return m.opt.Tick(patience, func(time.Time) tea.Msg { return impatientMsg{seq} })
}

// replay presses the keys that were held.
func (m *Model) replay() tea.Cmd {
	keys := m.ahead.keys
	m.ahead.keys, m.ahead.waiting = nil, false
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Batch(cmds...)
}

// dropAhead forgets the keys that were held: what they were meant for does not come.
func (m *Model) dropAhead() { m.ahead.keys, m.ahead.waiting = nil, false }

// now carries out a pane's intent at once. As a command it would be carried out after
// the keys that were typed behind its key.
func (m *Model) now(intent tea.Cmd) tea.Cmd {
	if intent == nil {
		return nil
	}
	return m.update(intent())
}
