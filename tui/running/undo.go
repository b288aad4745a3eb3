package running

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
)

// change is one change of the request by a person: what it was, in words, and
// the request before it.
type change struct {
	before pipeline.Request
	what   string
}

// changes are the changes to the question on the screen. Another question
// begins with none.
type changes struct {
	base   pipeline.Request // the request of the last run
	past   []change
	future []change // undone changes, the last one undone last
}

// mostChanges bounds how far back one can go.
const mostChanges = 200

// beginChanges forgets all changes for a new question.
func (c *changes) beginChanges(req pipeline.Request) { *c = changes{base: req.Clone()} }

// keepChange keeps a change and forgets the undone ones.
func (c *changes) keepChange(req pipeline.Request, what string) {
	if reflect.DeepEqual(c.base, req.Clone()) {
		return
	}
	c.past = append(c.past, change{c.base, what})
	if len(c.past) > mostChanges {
		c.past = c.past[1:]
	}
	c.base, c.future = req.Clone(), nil
}

// changesInWords are the changes in force, oldest first.
func (c *changes) changesInWords() []string {
	out := make([]string, len(c.past))
	for i, p := range c.past {
		out[i] = p.what
	}
	return out
}

func (e editor) undoChange() tea.Cmd {
	c := e.c
	return c.asEditor().step(&c.changes.past, &c.changes.future, "undone: ")
}

func (e editor) redoChange() tea.Cmd {
	c := e.c
	return c.asEditor().step(&c.changes.future, &c.changes.past, "redone: ")
}

// step goes to the request before the last change of from, and puts the request
// that it leaves on to.
func (e editor) step(from, to *[]change, says string) tea.Cmd {
	c := e.c
	if len(*from) == 0 {
		return nil
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, change{c.changes.base, last.what})
	c.changes.base, c.req = last.before, last.before.Clone()
	cmd := c.asRuns().start(false)
	c.status.Say(says + last.what)
	return cmd
}
