// Package tui is the terminal app: one screen on a pipeline.Session, on which a
// person sees what every phase made of a question and changes it.
//
// The package is the root: size, focus, overlays, the keys of the whole screen,
// and the bridge from the pipeline's events to frames. What a phase looks like
// is a pane in tui/pane. It refuses to do work in Update or View: whatever
// reads, searches or renders is a command; an answer carries the number of the
// run that asked for it and is dropped when another run has begun. It refuses
// to read the environment and to open anything: cmd passes that in.
//
// Terms. The question line is where one types; the main area shows the pane of
// the selected phase; the reader is a page at full width; an overlay (the
// help, the chooser of doc sets, the library) lies over the main area until
// escape. Work is what changes doc sets in the background, one piece at a time.
package tui

import (
	"context"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/reader"
	"docent/tui/pane/sets"
	"docent/tui/style"
)

// Page is a parsed page and the bytes that it was parsed from.
type Page = page.Page

// PageRef is a page of a doc set.
type PageRef = reader.Ref

// SetInfo is one doc set.
type SetInfo = sets.Info

// Backend is what the app needs of the program. Its methods are called from
// commands, several at a time.
type Backend interface {
	// Ready opens the doc sets and indexes what is missing. It is called once,
	// after the first frame, and again when it failed and a person asks again.
	Ready(ctx context.Context, progress func(done, total int, text string)) error
	// NewSession begins a session; nothing runs yet.
	NewSession(req pipeline.Request) *pipeline.Session
	// Page is one page, parsed, for the preview.
	Page(ctx context.Context, docSet, filePath string) (Page, error)
	// Pages are the pages of a doc set in its order, for links and neighbours.
	Pages(ctx context.Context, docSet string) ([]PageRef, error)
	// Sets are the doc sets, in the order in which they are shown.
	Sets(ctx context.Context) ([]SetInfo, error)
	suggester
	librarian
}

// Options is all that the app is told from outside.
type Options struct {
	Backend  Backend
	Question string           // run at once when there is one
	Request  pipeline.Request // what the command line set; Question stands above it
	Version  string
	Manual   string // the manual's doc set, without its version; "Docent_Manual" when empty

	Notice string          // what a person should know when the app opens; "" for nothing
	Keys   *keymap.Map     // nil: as in the table
	Keeper Keeper          // nil: nothing outlives the app
	Saved  *pipeline.Saved // a session to open with; Question is not asked then

	NoColor  bool
	Theme    style.Theme           // "" is style.Auto
	MouseOff bool                  // the mouse is the terminal's until M is pressed
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
	m := New(opt)
	m.stop()
	m.ctx, m.stop = context.WithCancel(ctx)
	defer m.stop()
	// Signals end ctx. Bubble Tea's own handler beside that would wait for ever
	// to hand its message to a loop that ctx has already ended.
	// A frame waits for the next beat: at the usual 60 a second a key waited up
	// to 17 ms for what it had drawn in one.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(120)}
	if opt.Profile != nil {
		opts = append(opts, tea.WithColorProfile(*opt.Profile))
	}
	return run(ctx, m, append(opts, opt.Program...)...)
}
