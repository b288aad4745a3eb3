package shelf

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// latest is the newest progress of a task: written by the task's goroutine, read
// once a frame.
type latest[T any] struct {
	mu sync.Mutex
	at T
}

func (b *latest[T]) set(at T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = at
}

func (b *latest[T]) get() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}

// backgroundInterval is how often the progress of the background task is shown: it takes
// minutes or hours.
const backgroundInterval = time.Second

// background is the background task: a model computes missing vectors.
type background struct {
	latest[string] // its progress
	on             bool
	shown          string
}

// startBackground begins the task; it ends with the app.
func (c *Controller) startBackground() tea.Cmd {
	if c.opt.Background == nil || c.background.on {
		return nil
	}
	c.background.on = true
	return tea.Batch(func() tea.Msg { return backgroundMsg{c.opt.Background(c.ctx, c.background.set)} }, c.nextBackgroundTick())
}

func (c *Controller) nextBackgroundTick() tea.Cmd {
	return c.opt.Tick(backgroundInterval, func(time.Time) tea.Msg { return backgroundTickMsg{} })
}

// backgroundTick shows the task's progress and asks for the next beat.
func (c *Controller) backgroundTick() tea.Cmd {
	if !c.background.on {
		return nil
	}
	c.background.shown = sanitize.Line(c.background.get())
	return c.nextBackgroundTick()
}

// backgroundEnded says how the task ended, where that matters.
func (c *Controller) backgroundEnded(msg backgroundMsg) tea.Cmd {
	c.background.on, c.background.shown = false, ""
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		c.status.Warn("a model's vectors are not complete: " + widget.ErrorText(msg.err))
	}
	return c.List()
}

// Background is the progress of the background task, "" if none.
func (c *Controller) Background() string { return c.background.shown }

// nextRecheck waits until the doc sets are to be compared with the disk again.
func (c *Controller) nextRecheck() tea.Cmd {
	if c.opt.Recheck <= 0 {
		return nil
	}
	return c.opt.Tick(c.opt.Recheck, func(time.Time) tea.Msg { return recheckMsg{} })
}

// rechecked lists the doc sets, unless one is being changed: the end of that lists
// them.
func (c *Controller) rechecked() tea.Cmd {
	if c.work.on {
		return c.nextRecheck()
	}
	return tea.Batch(c.List(), c.ListLibrary(), c.nextRecheck())
}
