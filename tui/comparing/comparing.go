// Package comparing is the app's controller of versions: it has two versions of a doc set
// compared, and the pages that a person unfolds read.
//
// It refuses to choose which versions there are: the Backend does. It refuses to show a
// page: it asks its Host.
package comparing

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/pane/versions"
	"docent/tui/style"
)

// Backend compares versions. Its methods are called from commands.
type Backend interface {
	// Compare compares a version of a doc set with another one. turn chooses among the
	// pairs of versions: 0 is the doc set and the one before it, or the one behind it
	// where it is the oldest.
	Compare(ctx context.Context, docSet string, turn int) (versions.Comparison, error)
	// CompareLines gives the sections of a page of a comparison.
	CompareLines(ctx context.Context, c versions.Comparison, page int) ([]versions.Section, error)
}

// Host is the part of the app around it.
type Host interface {
	// OpenPlace shows a page or a section in the reader.
	OpenPlace(pipeline.Place) tea.Cmd
}

type (
	comparedMsg struct {
		id   int
		path string
		c    versions.Comparison
		err  error
	}
	linesMsg struct {
		id, page int
		sections []versions.Section
		err      error
	}
)

// Controller is the overlay that shows a comparison.
type Controller struct {
	ctx     context.Context
	backend Backend
	host    Host

	*versions.Pane // shows the comparison

	id     int // of the comparison that is shown or under way
	docSet string
	path   string
	turn   int
}

// New is a controller that has compared nothing.
func New(ctx context.Context, st *style.Styles, b Backend, h Host) *Controller {
	return &Controller{ctx: ctx, backend: b, host: h, Pane: versions.New(st)}
}

// Begin compares a doc set with its version before; the page that is called path is shown
// unfolded, if it differs.
func (c *Controller) Begin(docSet, path string) tea.Cmd {
	c.docSet, c.path, c.turn = docSet, path, 0
	return c.compareVersions()
}

func (c *Controller) compareVersions() tea.Cmd {
	c.id++
	c.Pane.Begin()
	id, docSet, path, turn := c.id, c.docSet, c.path, c.turn
	return func() tea.Msg {
		got, err := c.backend.Compare(c.ctx, docSet, turn)
		return comparedMsg{id, path, got, err}
	}
}

// Update takes messages and the pane's intents in.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keymap.Action, overlay.Click:
		return c.Pane.Update(msg)
	case comparedMsg:
		if msg.id == c.id {
			return c.Pane.Set(msg.c, msg.path, msg.err)
		}
	case linesMsg:
		if msg.id == c.id {
			c.Pane.SetSections(msg.page, msg.sections, msg.err)
		}
	case versions.NextWanted:
		c.turn++
		return c.compareVersions()
	case versions.Opened:
		return c.host.OpenPlace(msg.Place)
	case versions.LinesWanted:
		id := c.id
		return func() tea.Msg {
			sections, err := c.backend.CompareLines(c.ctx, msg.Comparison, msg.Page)
			return linesMsg{id, msg.Page, sections, err}
		}
	}
	return nil
}
