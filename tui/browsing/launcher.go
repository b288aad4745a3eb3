package browsing

import "docent/tui/pane/launcher"

// Launcher is the launcher in its place over the screen.
type Launcher struct {
	*launcher.Pane
	c *Controller
}

// LauncherOverlay is the launcher as an overlay.
func (c *Controller) LauncherOverlay() Launcher { return Launcher{c.Launcher, c} }

// Loading reports whether the text is still being searched for. A letter changes the
// text, and is shown at once.
func (l Launcher) Loading(text bool) bool {
	return !text && (l.c.loading && l.c.index == nil || l.c.Launcher.Searching())
}
