package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// CrashError is a panic in the app, with the stack for a bug report.
type CrashError struct {
	Value any
	Stack []byte
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the app has crashed, which is a bug of docent: %v\n%s", e.Value, e.Stack)
}

// guard wraps the model. A panic in Update, View or a command ends the program
// in order, and Run returns the panic as an error. Bubble Tea's own handler
// restores the terminal too, but prints the panic at the same time from another
// goroutine: sometimes the message was lost with the alternate screen.
type guard struct {
	model tea.Model
	crash *crash
}

// crash keeps the first panic and ends the program.
type crash struct {
	mu  sync.Mutex
	err *CrashError
	end context.CancelFunc
}

func (c *crash) caught(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = &CrashError{Value: v, Stack: debug.Stack()}
	}
	c.end()
}

// first is the first panic, an untyped nil for none.
func (c *crash) first() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return nil
	}
	return c.err
}

func (g *guard) Init() tea.Cmd {
	defer g.watch()
	return g.cmd(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.watch()
	m, cmd := g.model.Update(msg)
	g.model = m
	return g, g.cmd(cmd)
}

func (g *guard) View() (v tea.View) {
	defer g.watch()
	return g.model.View()
}

func (g *guard) watch() {
	if v := recover(); v != nil {
		g.crash.caught(v)
	}
}

// cmd wraps a command, and the commands of a batch that it returns, so that their
// panics are caught.
func (g *guard) cmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.watch()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.cmd(batch[i])
			}
		}
		return msg
	}
}

// run runs a model as a program until it quits, ctx ends or it crashes.
func run(ctx context.Context, model tea.Model, opts ...tea.ProgramOption) error {
	inner, end := context.WithCancel(ctx)
	defer end()
	c := &crash{end: end}
	_, err := tea.NewProgram(&guard{model: model, crash: c}, append([]tea.ProgramOption{tea.WithContext(inner)}, opts...)...).Run()
	if crashed := c.first(); crashed != nil {
		return crashed
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
