package reading

import (
	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/pane/reader"
)

// Overlay is the reader in its place over the screen.
type Overlay struct {
	*reader.Pane
	c *Controller
}

// ReaderOverlay is the reader as an overlay.
func (c *Controller) ReaderOverlay() Overlay { return Overlay{c.Reader, c} }

// Claims reports which actions concern the section that is read, and not the answer.
func (o Overlay) Claims(a keymap.Action) bool {
	return a == keymap.CopyFinal || a == keymap.CopyCitation || a == keymap.CopySection
}

// Works tells that pages are read and rendered by its commands.
func (o Overlay) Works() {}

// Update does an action, types, or follows a click.
func (o Overlay) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keymap.Action:
		switch msg {
		case keymap.CopyFinal, keymap.CopyCitation:
			return o.c.CopyQuote(msg == keymap.CopyCitation)
		case keymap.CopySection:
			return o.c.CopySection()
		}
		return o.Pane.Update(msg)
	case tea.KeyPressMsg:
		return o.Type(msg)
	case tea.PasteMsg:
		return o.Paste(msg.Content)
	case overlay.Digit:
		return o.TypeDigit(string(msg))
	case overlay.Click:
		return o.Click(msg.X, msg.Y)
	case overlay.Redraw:
		return o.Render()
	case overlay.Closed:
		return o.Close()
	}
	return nil
}

// Left tells that a person has left the page by escape.
func (o Overlay) Left() { o.c.host.Left() }

// Described is what the help calls the reader.
func (o Overlay) Described() string { return "the page you are reading" }

// WindowTitle is the page and its doc set.
func (o Overlay) WindowTitle() string {
	t, ok := o.Target()
	if !ok {
		return ""
	}
	return sanitize.Line(t.Title + ", " + t.DocSet)
}

// Needs are the needs of keys that the page meets.
func (o Overlay) Needs() keymap.Need {
	n := keymap.NeedSection
	if o.URL() != "" {
		n |= keymap.NeedURL
	}
	if t, ok := o.Target(); ok && o.c.found[t.ID()] {
		n |= keymap.NeedHitPage
	}
	return n
}

// Footer leaves out the keys that change the answer, and those that need a page
// where reading it failed.
func (o Overlay) Footer(b keymap.Binding) (keymap.Binding, bool) {
	return b, b.Group != keymap.Change && (!o.Failed() || b.AlwaysShown())
}
