package comparing_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/comparing"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/tuitest"
)

type around struct{ opened pipeline.Place }

func (a *around) OpenPlace(p pipeline.Place) tea.Cmd {
	a.opened = p
	return nil
}

// An answer to a comparison that was left before is dropped.
func TestStaleAnswersAreDropped(t *testing.T) {
	t.Parallel()
	host := &around{}
	c := comparing.New(t.Context(), style.New(true, true), &tuitest.Backend{}, host)
	c.Pane.SetSize(60, 12)
	first, second := c.Begin("lantern@1.9", ""), c.Begin("lantern@2.1", "")
	c.Update(first())
	if v := c.Pane.View(); !strings.Contains(v, "comparing") {
		t.Errorf("the first comparison is shown:\n%s", v)
	}
	c.Update(second())
	if title := c.Pane.Title(); !strings.Contains(title, "lantern@2.1") {
		t.Errorf("the second comparison is not shown: %s", title)
	}
	lines := c.Update(c.Pane.Update(keymap.Unfold)())
	c.Update(c.Update(c.Pane.Update(keymap.Versions)())()) // two other versions
	c.Update(lines())
	if v := c.Pane.View(); strings.Contains(v, "Trim") || !strings.Contains(c.Pane.Title(), "lantern@1.7") {
		t.Errorf("lines of another comparison are shown:\n%s", v)
	}
	c.Update(c.Update(c.Pane.Update(keymap.Unfold)())())
	c.Pane.Update(keymap.Bottom)
	c.Pane.Update(keymap.Top)
	c.Pane.Update(keymap.Down)
	c.Pane.Update(keymap.Down)
	c.Update(c.Pane.Update(keymap.Open)())
	if host.opened.FilePath == "" {
		t.Error("a section without lines is not opened")
	}
}
