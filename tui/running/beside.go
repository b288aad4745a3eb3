package running

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/pane/phase"
)

// besideMsg is what the cited parts of an answer require and warn of.
type besideMsg struct {
	run int
	all []phase.Aside
}

func (besideMsg) running() {}

// besides asks what the answer requires and warns of.
func (c *Controller) besides() tea.Cmd {
	if len(c.res.Citations) == 0 {
		return nil
	}
	run, res := c.number, c.res
	return func() tea.Msg { return besideMsg{run, c.backend.Beside(c.ctx, res)} }
}

func (c *Controller) beside(msg besideMsg) {
	if msg.run == c.number && !c.active {
		c.final.SetAsides(msg.all)
	}
}
