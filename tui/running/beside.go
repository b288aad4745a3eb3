package running

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/pane/phase"
)

// aftermath computes the additions to an answer, and reports the outcome of a run.
type aftermath struct{ c *Controller }

func (c *Controller) aftermath() aftermath { return aftermath{c} }

// besideMsg is what the cited parts of an answer require and warn of.
type besideMsg struct {
	run int
	all []phase.Aside
}

func (besideMsg) running() {}

// askAsides asks what the answer requires and warns of.
func (a aftermath) askAsides() tea.Cmd {
	c := a.c
	if len(c.res.Citations) == 0 {
		return nil
	}
	run, res := c.number, c.res
	return func() tea.Msg { return besideMsg{run, c.backend.Beside(c.ctx, res)} }
}

func (a aftermath) takeAsides(msg besideMsg) {
	c := a.c
	if msg.run == c.number && !c.active {
		c.Answer.setAsides(msg.all)
	}
}
