package browsing

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
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

// Flush keeps what Update has not kept yet, when the app is left. The error was not shown.
func (c *Controller) Flush() error {
	err := c.writes.flush(context.WithoutCancel(c.ctx))
	if c.told {
		return nil
	}
	return err
}
