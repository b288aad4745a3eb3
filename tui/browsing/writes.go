package browsing

import (
	"context"
	"errors"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
)

// writes are what the keeper is still to keep, in the order in which it happened.
// Commands may overtake each other, and the app may be left before one has run:
// whichever runs first, and Flush at the end, keeps all that waits.
type writes struct {
	work sync.Mutex // held while the keeper works
	mu   sync.Mutex // for list
	list []func(context.Context) error
}

func (w *writes) addWrite(do func(context.Context) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, do)
}

func (w *writes) takeWrites() []func(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.list
	w.list = nil
	return list
}

// flush keeps what waits, and gives the first error.
func (w *writes) flush(ctx context.Context) (err error) {
	w.work.Lock()
	defer w.work.Unlock()
	for _, do := range w.takeWrites() {
		if e := do(ctx); e != nil && err == nil {
			err = e
		}
	}
	return err
}

// keepCommand is the command that keeps something. It is done even if the app is left
// before that.
func (c *Controller) keepCommand(do func(context.Context) error) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	c.writes.addWrite(do)
	return func() tea.Msg { return keptMsg{c.writes.flush(context.WithoutCancel(c.ctx))} }
}

// keepMark is the command that keeps a mark, or its removal.
func (c *Controller) keepMark(at pipeline.Place, on bool) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	var failed error // another command may do it, under the lock that flush waits for
	c.writes.addWrite(func(ctx context.Context) error {
		failed = c.keeper.Mark(ctx, at, on)
		return failed
	})
	return func() tea.Msg {
		err := c.writes.flush(context.WithoutCancel(c.ctx))
		return markedMsg{at, on, failed, err}
	}
}

// tellMark says that a mark was not kept, each time: a person wanted it.
func (c *Controller) tellMark(msg markedMsg) tea.Cmd {
	if msg.err == nil {
		return c.Update(keptMsg{msg.all})
	}
	c.told = true
	// The reason stands before the path, which may be cut.
	cause := msg.err
	for inner := cause; inner != nil; inner = errors.Unwrap(inner) {
		cause = inner
	}
	why := cause.Error()
	if cause != msg.err {
		why += ": " + strings.TrimSuffix(msg.err.Error(), ": "+why)
	}
	if msg.on {
		c.status.Warn("the mark is not kept when docent ends: " + why)
	} else {
		c.status.Warn("the mark comes back when docent starts again: " + why)
	}
	return nil
}

// Flush keeps what Update has not kept yet, when the app is left. The error was not shown.
func (c *Controller) Flush() error {
	err := c.writes.flush(context.WithoutCancel(c.ctx))
	if c.told {
		return nil
	}
	return err
}
