// Package invocation is one call of the program: its terminal, the flags that all commands
// have, the home that they name, and how results are printed.
//
// It refuses to know any command; a command gets the Call and adds options of its own.
package invocation

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/progress"
	"docent/cmd/internal/cli/undertaking"
	"docent/cmd/internal/config"
	"docent/pipeline"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	"docent/pipeline/service/operation"
)

// Call is what all commands share.
type Call struct {
	IO     console.IO
	Manual fs.FS
	Args   []string // as they were given

	Home, Config string
	Engine       string
	ChatModel    string
	EmbedModel   string
	Sets         []string
	AllSets      bool // questions go to all doc sets also in a project's folder
	JSON         bool
	JSONErrors   bool // errors are JSON on standard output, whatever is wrong with the flags
	Filter       bool // errors are JSON on standard output, and a line for a person
	Quiet        bool
	Verbose      int
	Decisions    bool // the domain of each file is printed while it is indexed
	NoColor      bool

	App        config.App // what the terminal app says about its settings
	Operations []operation.Operation[*service.Services]

	Ending console.Ending
	Work   *undertaking.Work // what the command is doing to the home; nil: nothing
}

// Options is what the flags and the environment say about the home.
func (c *Call) Options() app.Options {
	home := cmp.Or(c.Home, c.IO.Env("DOCENT_HOME"))
	file := cmp.Or(c.Config, c.IO.Env("DOCENT_CONFIG"))
	door := app.DoorCommands
	if c.Quiet {
		door = "" // an offer that is not shown is made again
	}
	return app.Options{
		Door: door, Home: home, ConfigPath: file, App: c.App, Manual: c.Manual, Engine: c.Engine, ChatModel: c.ChatModel,
		EmbedModel: c.EmbedModel, Env: c.IO.Env,
		Say:      func(format string, args ...any) { c.Note(format, args...) },
		Progress: c.ProgressBar(),
	}
}

// ProgressBar draws the progress of long work on a terminal's standard error.
func (c *Call) ProgressBar() pipeline.Sink {
	hidden := func() bool { return c.Quiet || c.Verbose > 0 || c.Decisions || !c.IO.ErrTTY }
	doing := func(phase string) string { return operation.DoingAt(c.Operations, phase) }
	return progress.NewBar(c.IO.Err, hidden, doing).ShowEvent
}

// WithHome opens the home for do and closes it. Where do met a damaged catalog, the home
// is opened again, which mends it, and do is run again if it failed.
func (c *Call) WithHome(ctx context.Context, do func(*app.App) error) error {
	return c.withHome(ctx, c.Options(), do)
}

// WithHomeAtOnce is WithHome for what only reads: where other doc sets can be read, it does not wait
// for those that must be repaired, and repairs them after do.
func (c *Call) WithHomeAtOnce(ctx context.Context, do func(*app.App) error) error {
	opt := c.Options()
	opt.MendsLater = true
	return c.withHome(ctx, opt, do)
}

func (c *Call) withHome(ctx context.Context, opt app.Options, do func(*app.App) error) error {
	return app.Once(ctx, opt, do, func(a *app.App, err error) error {
		switch {
		case c.Work != nil && err == nil:
			c.Work.Done, c.Work.Undone = c.Work.Sets, nil
		case c.Work != nil && c.Work.Begun && ctx.Err() != nil:
			c.Work.NoteOutcome(context.WithoutCancel(ctx), a)
		}
		if ctx.Err() != nil {
			return err
		}
		// Missing and damaged data is repaired after the answer is written.
		if berr := a.Home.Behind.Mend(ctx, c.ProgressBar()); berr != nil && !home.LockedByAnother(berr) && ctx.Err() == nil {
			c.Note("%v", berr) // the next command tries again
		}
		if merr := a.Care.MendData(ctx, false, home.Watch{Events: c.ProgressBar()}); err == nil {
			err = merr
		}
		if ctx.Err() == nil {
			c.noteState(a, err)
		}
		return err
	})
}

// noteState says which doc sets cannot be searched, and which are not ready.
func (c *Call) noteState(a *app.App, err error) {
	if a.Home.Unsearched != nil && err == nil {
		c.Note("%v", a.Home.Unsearched)
	}
	if a.Home.Unready != nil && (err == nil || err.Error() != a.Home.Unready.Error()) {
		c.Note("%v", a.Home.Unready) // else it is the command's own error
	}
}

// Note tells a person something on standard error.
func (c *Call) Note(format string, args ...any) {
	if !c.Quiet {
		fmt.Fprintf(c.IO.Err, "docent: "+format+"\n", console.CleanArgs(args)...)
	}
}
