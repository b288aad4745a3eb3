// Package tui is the terminal app: one screen on which a person asks a question,
// sees what each phase of the pipeline made of it, and changes that.
//
// The package is the root. It keeps the size of the screen, the focus, the
// overlays, the layout and the status line, finds the binding of a key, and
// passes messages on. Everything else is kept by five controllers, each with its
// own state, messages and Update: tui/asking (the question line), tui/running
// (the run and its results), tui/reading (pages), tui/shelf (doc sets),
// tui/keeping (saved sessions and files). Controllers know neither each other nor
// the root. Each declares the interface of its surroundings, Host, which hosts.go
// implements. The panes that they show are in tui/pane.
//
// The app does no work in Update or View: reading, searching and rendering are
// commands. A command's answer is dropped when it is out of date. The app reads
// no environment and opens nothing itself: cmd passes that in.
//
// Terms. The question line is the line in which a question is typed. The main
// area shows the pane of the selected phase. The reader is a page at full width.
// An overlay (the help, the chooser of doc sets, the library, a list, the reader)
// lies over the main area until escape.
package tui

import (
	"context"
	"errors"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"docent/pipeline"
	"docent/tui/asking"
	"docent/tui/keeping"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/reader"
	"docent/tui/pane/sets"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/reading"
	"docent/tui/running"
	"docent/tui/shelf"
	"docent/tui/style"
)

// The types that the Backend and the Keeper speak in.
type (
	Page         = page.Page // a parsed page and the bytes that it was parsed from
	PageRef      = reader.Ref
	Passage      = page.Passage // a section that is read
	SetInfo      = sets.Info
	Suggestion   = asking.Suggestion
	ShelfSet     = shelfpane.Set
	ShelfPage    = shelfpane.Page
	Proposed     = shelfpane.Proposed
	AddRequest   = shelfpane.AddWanted
	WorkProgress = shelfpane.Progress
	LikelyFolder = firstrun.Folder
	Keeper       = keeping.Keeper
)

// Backend is what the app needs of the program. Its methods are called from
// commands, several at a time.
type Backend interface {
	asking.Backend
	running.Backend
	reading.Backend
	shelf.Backend
}

// Options are everything that the app is told from outside.
type Options struct {
	Backend  Backend
	Question string           // run at once when there is one
	Request  pipeline.Request // the settings of the command line; its question is ignored
	Version  string
	Manual   string // the manual's doc set, without its version; "Docent_Manual" when empty

	Notice string          // shown when the app opens, "" for none
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

	// Background is work that goes on beside all else once the doc sets are open,
	// until it is done or ctx ends; progress is one short line. nil: there is none.
	Background func(ctx context.Context, progress func(text string)) error

	InTmux     bool // TmuxLoad makes sense
	InScreen   bool // GNU screen lets OSC 52 through only where it is wrapped
	SSH        bool // a native clipboard would be another machine's
	CopyNative func(ctx context.Context, text string) (how string, err error)
	TmuxLoad   func(ctx context.Context, text string) error

	// Edit is the command that opens a page's file in an editor at a line; nil
	// where no editor is known.
	Edit func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error)
	// Browse opens an http or https URL in a browser; nil where there is none.
	Browse func(ctx context.Context, url string) error

	// Tick is tea.Tick when nil; tests pass a clock of their own.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// Program are more options for the program: input, output, environment.
	Program []tea.ProgramOption
}

// Run shows the app until a person quits (nil), ctx ends (its error), the
// terminal fails, or the app crashes (a *CrashError).
func Run(ctx context.Context, opt Options) error {
	m := newModel(ctx, opt)
	defer m.stop()
	// Signals end ctx. Bubble Tea's own handler beside that would wait for ever
	// to hand its message to a loop that ctx has already ended.
	// A frame waits for the next beat: at the usual 60 a second a key waited up
	// to 17 ms for a frame that was drawn in one.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(120)}
	if opt.Profile != nil {
		opts = append(opts, tea.WithColorProfile(*opt.Profile))
	}
	err := run(ctx, m, append(opts, opt.Program...)...)
	// A person who ends the app has left it; what they had begun is kept all the same.
	if kerr := m.keepState(context.WithoutCancel(ctx)); kerr != nil {
		return errors.Join(err, kerr)
	}
	return err
}
