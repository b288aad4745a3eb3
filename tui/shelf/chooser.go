package shelf

import (
	"docent/tui/pane/sets"
	shelfpane "docent/tui/pane/shelf"
)

// Chooser is the choice of doc sets in its place over the screen.
type Chooser struct {
	*sets.Pane
	c *Controller
}

// ChooserOverlay is the choice of doc sets as an overlay.
func (c *Controller) ChooserOverlay() Chooser { return Chooser{c.Sets, c} }

// Info is how many doc sets there are.
func (o Chooser) Info() string {
	return shelfpane.CountText(len(o.Sets()), o.c.Manual() != "")
}
