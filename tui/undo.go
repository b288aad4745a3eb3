package tui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
)

// change is one change of the request by a person, in words, with the request
// before it.
type change struct {
	before pipeline.Request
	what   string
}

// changes are those of the question that is on the screen: of another one they
// say nothing.
type changes struct {
	base   pipeline.Request // what the last run was begun with
	past   []change
	future []change // taken back, the last one last
}

// mostChanges bounds how far back one can go.
const mostChanges = 200

// begin forgets all for a new question.
func (c *changes) begin(req pipeline.Request) { *c = changes{base: req.Clone()} }

// note keeps a change; what was taken back before is gone.
func (c *changes) note(req pipeline.Request, what string) {
	if reflect.DeepEqual(c.base, req.Clone()) {
		return
	}
	c.past = append(c.past, change{c.base, what})
	if len(c.past) > mostChanges {
		c.past = c.past[1:]
	}
	c.base, c.future = req.Clone(), nil
}

// words are the changes that hold, oldest first.
func (c *changes) words() []string {
	out := make([]string, len(c.past))
	for i, p := range c.past {
		out[i] = p.what
	}
	return out
}

func (m *Model) undo() tea.Cmd {
	return m.step(&m.changes.past, &m.changes.future, "taken back: ")
}

func (m *Model) redo() tea.Cmd { return m.step(&m.changes.future, &m.changes.past, "again: ") }

// step goes to the request before the last change of from, and keeps the one that
// it leaves in to.
func (m *Model) step(from, to *[]change, says string) tea.Cmd {
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, change{m.changes.base, last.what})
	m.changes.base, m.req = last.before, last.before.Clone()
	cmd := m.start(false)
	m.say(says + last.what)
	return cmd
}
