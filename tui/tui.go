// Package tui is the terminal app: one screen on which a person asks a question,
// sees what each phase of the pipeline made of it, and changes that.
//
// The package is the root. It keeps the size of the screen, the focus, the stack of
// overlays, the layout and the status line, finds the binding of a key, and passes
// messages on. Everything else is kept by controllers, each with its own state,
// messages and Update:
//
//   - tui/asking: the question line
//   - tui/running: the run and its results
//   - tui/reading: pages
//   - tui/browsing: the start screen, going to pages by name, marks
//   - tui/shelf: doc sets
//   - tui/comparing: versions of a doc set
//   - tui/keeping: saved sessions and files
//   - tui/listing: lists that typing narrows
//   - tui/touring: the tour
//
// Controllers know neither each other nor the root. Each declares the interface of its
// surroundings, Host, which hosts.go implements. The panes that they show are in
// tui/pane.
//
// The app does no work in Update or View: reading, searching and rendering are
// commands. A command's answer is dropped when it is out of date. The app reads
// no environment and opens nothing itself: cmd passes that in.
//
// To add an overlay, write its package, with a type that has the five methods of
// overlay.Overlay, add its mode and its key to tui/keymap, and add one line to the table
// of opener in browse.go. Its messages reach it without a line here. To add the pane of
// a phase, follow the comment of tui/pane/phase.
//
// Terms. The question line is the line in which a question is typed. The main area
// shows the pane of the selected phase. The reader is a page at full width. An overlay
// (the help, the chooser of doc sets, the library, a list, the reader) lies over the
// main area until escape leads back.
package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"docent/pipeline"
	"docent/tui/asking"
	"docent/tui/browsing"
	"docent/tui/comparing"
	"docent/tui/keeping"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/phase"
	"docent/tui/pane/reader"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/versions"
	"docent/tui/reading"
	"docent/tui/running"
	"docent/tui/shelf"
	"docent/tui/style"
	"docent/tui/titles"
)

// The types that the Backend and the Keeper speak in.
type (
	Page         = page.Page // a parsed page and the bytes that it was parsed from
	PageRef      = reader.Ref
	Passage      = page.Passage // a section that is read
	Reference    = reader.Reference
	Target       = page.Target
	Aside        = phase.Aside
	Suggestion   = asking.Suggestion
	Proposed     = shelfpane.Proposed
	AddRequest   = shelfpane.AddWanted
	WorkProgress = shelfpane.Progress
	LikelyFolder = firstrun.Folder
	TitledPage   = titles.Page
	Comparison   = versions.Comparison
	ComparedPage = versions.Page
	Compared     = versions.Section
	ComparedLine = versions.Line
	Project      = shelf.Project
)

// Keeper keeps what outlives the app. Its methods are called from commands.
type Keeper interface {
	keeping.Keeper
	browsing.Keeper
}

// Backend is what the app needs of the program. Its methods are called from
// commands, several at a time. It has a part for each controller, because each of them
// declares what it needs.
type Backend interface {
	asking.Backend
	browsing.Backend
	running.Backend
	reading.Backend
	shelf.Backend
	comparing.Backend
}

// Options are everything that comes from outside of the app.
type Options struct {
	Backend  Backend
	Question string           // run at once when there is one
	Request  pipeline.Request // the settings of the command line; its question is ignored
	Version  string
	Manual   string // the manual's doc set, without its version; "Docent_Manual" when empty

	Notice string          // shown when the app opens, "" if none
	Keys   *keymap.Map     // nil: the default keys
	Keeper Keeper          // nil: nothing outlives the app
	Saved  *pipeline.Saved // a session to open with; Question is not asked then

	// Kept is what the app kept when it last ended. KeepState keeps what it keeps now:
	// when a person chooses a theme, and at the end. nil: nothing is kept.
	Kept      pipeline.AppState
	KeepState func(ctx context.Context, s pipeline.AppState) error

	NoColor  bool
	Theme    style.Theme           // "" is the one that was kept, or style.Auto
	MouseOff bool                  // the mouse selects text in the terminal until M is pressed
	Profile  *colorprofile.Profile // nil: the terminal's, as Bubble Tea finds it
	Dark     *bool                 // nil: the terminal is asked; dark until it answers

	// Background is work that goes on along with all else once the doc sets are open,
	// until it is done or ctx ends; progress is one short line. nil: no such work.
	Background func(ctx context.Context, progress func(text string)) error
	// Follow updates doc sets whose files change, once the doc sets are open and until
	// ctx ends; told is called with the outcome, in one short line. nil: none are updated.
	Follow func(ctx context.Context, told func(text string)) error

	// Project gives the doc sets of the project that the app was started in, which it begins
	// narrowed to, once the doc sets are open. nil: it begins with all doc sets, or with those of Request.
	Project func(ctx context.Context) Project

	// AllowServer has a model server that was found asked, and says which; "": none waits
	// for that. nil: no servers are asked.
	AllowServer func(ctx context.Context) (string, error)

	// Operations are offered by the list of actions, in addition to those of the app.
	Operations []Operation

	// Recheck is how often the doc sets are compared with the disk; 0: only at the
	// start, after every answer, and when the terminal gets the focus.
	Recheck time.Duration

	InTmux     bool // TmuxLoad makes sense
	InScreen   bool // GNU screen lets OSC 52 through only where it is wrapped
	SSH        bool // a native clipboard would be another machine's
	CopyNative func(ctx context.Context, text string) (how string, err error)
	TmuxLoad   func(ctx context.Context, text string) error

	// Edit is the command that opens a page's file in an editor at a line; nil
	// where no editor is known.
	Edit func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error)
	// Browse opens an http or https URL in a browser; nil if none.
	Browse func(ctx context.Context, url string) error

	// Tick is tea.Tick when nil; tests pass a clock of their own.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Now is time.Now when nil.
	Now func() time.Time
	// Program are more options for the program: input, output, environment.
	Program []tea.ProgramOption
}

// Run shows the app until a person quits (nil), ctx ends (its error), the
// terminal fails, or the app crashes (a *CrashError).
func Run(ctx context.Context, opt Options) error {
	m := newModel(ctx, opt)
	defer m.stop()
	// Signals end ctx. Bubble Tea's own handler would wait for ever
	// to hand its message to a loop that ctx has already ended.
	// A frame waits for the next beat: at the usual 60 a second a key waited up
	// to 17 ms for a frame that was drawn in one.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(120)}
	if opt.Profile != nil {
		opts = append(opts, tea.WithColorProfile(*opt.Profile))
	}
	err := runProgram(ctx, m, append(opts, opt.Program...)...)
	// A person who ends the app has left it; what they had begun is kept all the same.
	if kerr := m.keepState(context.WithoutCancel(ctx)); kerr != nil {
		err = errors.Join(err, kerr)
	}
	if kept := m.browse.Flush(); kept != nil {
		err = errors.Join(err, fmt.Errorf("pages read and marks were not kept: %w", kept))
	}
	return err
}

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

func (c *crash) keepPanic(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = &CrashError{Value: v, Stack: debug.Stack()}
	}
	c.end()
}

// firstPanic is the first panic, an untyped nil if none.
func (c *crash) firstPanic() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return nil
	}
	return c.err
}

func (g *guard) Init() tea.Cmd {
	defer g.recoverPanic()
	return g.guardCommand(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.recoverPanic()
	m, cmd := g.model.Update(msg)
	g.model = m
	return g, g.guardCommand(cmd)
}

func (g *guard) View() (v tea.View) {
	defer g.recoverPanic()
	return g.model.View()
}

func (g *guard) recoverPanic() {
	if v := recover(); v != nil {
		g.crash.keepPanic(v)
	}
}

// guardCommand wraps a command, and the commands of a batch that it returns, so that their
// panics are caught.
func (g *guard) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.recoverPanic()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.guardCommand(batch[i])
			}
		}
		return msg
	}
}

// runProgram runs a model as a program until it quits, ctx ends or it crashes.
func runProgram(ctx context.Context, model tea.Model, opts ...tea.ProgramOption) error {
	inner, end := context.WithCancel(ctx)
	defer end()
	c := &crash{end: end}
	_, err := tea.NewProgram(&guard{model: model, crash: c}, append([]tea.ProgramOption{tea.WithContext(inner)}, opts...)...).Run()
	if crashed := c.firstPanic(); crashed != nil {
		return crashed
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
