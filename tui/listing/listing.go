// Package listing is the app's controller of lists that typing narrows: actions, earlier
// questions, saved sessions, code blocks, marks. One list is shown at a time, in the pane
// tui/pane/picker, as an overlay.
//
// It refuses to know what the items mean: a List brings the functions that take and
// remove an item.
package listing

import (
	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/pane/picker"
	"docent/tui/style"
)

// List is one list.
type List struct {
	Kind  string // names the list to SetItems
	Title string
	Empty string // shown where there are no items
	Taken string // what enter does, in the footer
	Items []picker.Item

	// Take acts on the chosen item, when the list is closed.
	Take func(it picker.Item) tea.Cmd
	// Remove removes an item for good. nil: the items cannot be removed.
	Remove func(it picker.Item) tea.Cmd
}

// Host is the part of the app around a list.
type Host interface {
	// Push lays an overlay over the screen, Pop takes the topmost one away.
	Push(overlay.Overlay)
	Pop() tea.Cmd
	// Shows reports whether an overlay is the topmost one.
	Shows(overlay.Overlay) bool
}

// Status is the status line.
type Status interface{ Say(text string) }

// Controller is the overlay of the list that is shown.
type Controller struct {
	*picker.Pane
	host   Host
	status Status
	list   List
}

// New is a controller without a list.
func New(st *style.Styles, host Host, status Status) *Controller {
	return &Controller{Pane: picker.New(st), host: host, status: status}
}

// Open shows a list over the screen.
func (c *Controller) Open(l List) {
	c.list = l
	c.Pane.ShowItems(l.Kind, l.Title, l.Empty, l.Items)
	c.host.Push(c)
}

// Showing reports whether the list of a kind is shown.
func (c *Controller) Showing(kind string) bool { return c.host.Shows(c) && c.Kind() == kind }

// Footer says what enter does with the item under the cursor, and leaves out the keys
// that do nothing to it.
func (c *Controller) Footer(b keymap.Binding) (keymap.Binding, bool) {
	_, selected := c.Selected()
	switch b.Action {
	case keymap.TakeItem:
		b.Short = c.list.Taken
		return b, selected
	case keymap.RemoveItem:
		return b, selected && c.list.Remove != nil
	}
	return b, true
}

// Update carries out what the pane asks for, if its list is still shown.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case picker.Picked:
		return c.takeItem(msg)
	case picker.Deleted:
		return c.removeItem(msg)
	}
	return c.Pane.Update(msg)
}

func (c *Controller) takeItem(msg picker.Picked) tea.Cmd {
	switch {
	case !c.Showing(msg.Kind):
		return nil // the list was left before
	case msg.Item.Disabled != "":
		c.status.Say(msg.Item.Disabled)
		return nil
	}
	back := c.host.Pop()
	return tea.Batch(back, c.list.Take(msg.Item))
}

func (c *Controller) removeItem(msg picker.Deleted) tea.Cmd {
	switch {
	case !c.Showing(msg.Kind):
		return nil
	case c.list.Remove == nil:
		c.status.Say("nothing here can be removed")
		return nil
	}
	return c.list.Remove(msg.Item)
}
