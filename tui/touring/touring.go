// Package touring is the app's controller of the tour: it reads the tour's steps from
// the manual, tells the tour what a person does, and draws its box at the foot of the
// screen.
//
// It refuses to hold the texts of the steps, and to know which keys are pressed
// elsewhere: the root tells it of actions and events.
package touring

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/tour"
	"docent/tui/style"
	"docent/tui/widget"
)

// Backend reads the manual's page of the tour.
type Backend interface {
	Page(ctx context.Context, docSet, filePath string) (page.Page, error)
}

// Host is the part of the app around the tour.
type Host interface {
	// Manual is the doc set of the manual.
	Manual() string
	// TourBegun closes whatever lies over the main area.
	TourBegun()
	// TourEnded gives the lines of the box back to the screen.
	TourEnded()
}

// Status is the status line.
type Status interface {
	Say(text string)
	Good(text string)
	Fail(text string)
	Clear()
	// Succeeded reports whether the line shows that something succeeded.
	Succeeded() bool
}

// Msg is a message of this controller's own commands.
type Msg interface{ touring() }

type stepsMsg struct {
	steps []tour.Step
	err   error
}

func (stepsMsg) touring() {}

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	backend Backend
	host    Host
	status  Status
	st      *style.Styles
	tour    *tour.Pane
}

// New is a controller before the tour. ctx ends its commands.
func New(ctx context.Context, st *style.Styles, backend Backend, host Host, status Status) *Controller {
	return &Controller{ctx: ctx, backend: backend, host: host, status: status, st: st, tour: tour.New(st)}
}

// Running reports whether the tour goes on.
func (c *Controller) Running() bool { return c.tour.IsRunning() }

// Advance begins the tour, or goes on to its next step.
func (c *Controller) Advance() tea.Cmd {
	if c.tour.IsRunning() {
		c.finishStep(c.tour.Next())
		return nil
	}
	ctx, backend, manual := c.ctx, c.backend, c.host.Manual()
	return func() tea.Msg {
		page, err := backend.Page(ctx, manual, tour.File)
		if err != nil {
			return stepsMsg{err: err}
		}
		steps, err := tour.ReadSteps(page.Doc, page.Source)
		return stepsMsg{steps, err}
	}
}

// Update begins the tour when its steps have been read.
func (c *Controller) Update(msg Msg) tea.Cmd {
	read, ok := msg.(stepsMsg)
	switch {
	case !ok || c.tour.IsRunning(): // the key was pressed twice
	case read.err != nil:
		c.status.Fail("there is no tour: " + read.err.Error())
	default:
		c.tour.Begin(read.steps)
		c.host.TourBegun()
		c.status.Clear()
	}
	return nil
}

// finishStep makes room for the screen behind the last step, and says so.
func (c *Controller) finishStep(last bool) {
	if !last {
		return
	}
	c.host.TourEnded()
	text := "that was the tour; ? lists all keys, L is the library"
	if c.status.Succeeded() { // the block was copied
		text = "copied; " + text
	}
	c.status.Good(text)
}

// TakeEvent tells the tour of an event, which may end its step.
func (c *Controller) TakeEvent(e tour.Event) { c.finishStep(c.tour.FinishesStep(e)) }

// TakeAction tells the tour of an action. The other events of the tour, an answered
// question, a closed section and a copied block, are reported where they happen.
func (c *Controller) TakeAction(a keymap.Action) {
	switch a {
	case keymap.PrevPhase, keymap.NextPhase, keymap.NthPhase:
		c.TakeEvent(tour.Seen)
	case keymap.RaiseThreshold, keymap.LowerThreshold, keymap.Toggle, keymap.Scene, keymap.Rerank, keymap.Full, keymap.Compress:
		c.TakeEvent(tour.Changed)
	}
}

// LeaveTour leaves the tour before its last step.
func (c *Controller) LeaveTour() {
	c.tour.End()
	c.host.TourEnded()
	c.status.Say("the tour is left; ctrl+t begins it again")
}

// frameH is the height of the screen from which the box has a frame.
const frameH = 20

// Height is how many lines the box takes on a screen of w columns and h lines, 0 while
// there is no tour.
func (c *Controller) Height(w, h int) int {
	if !c.tour.IsRunning() {
		return 0
	}
	lines := min(c.tour.Height(w-2), max(1, h/4))
	if h < frameH {
		return lines // the hits need the frame's lines
	}
	return lines + 2
}

// DrawBox is the box on a screen of w columns and h lines, nil while there is no tour.
func (c *Controller) DrawBox(w, h int) []string {
	lines := c.Height(w, h)
	if lines == 0 {
		return nil
	}
	if h < frameH {
		c.tour.SetSize(w, lines)
		return widget.Exact(strings.Split(c.tour.View(), "\n"), w, lines)
	}
	c.tour.SetSize(w-2, lines-2)
	return widget.Stack(c.st, widget.Panel{Title: c.tour.Title(), Info: "ctrl+t next, esc leaves", View: c.tour.View(), W: w - 2,
		H: lines - 2})
}
