// Package shelf is the app's controller of doc sets: opening them, the lists of
// them, adding, updating and forgetting them, the first-run screen, and the
// background task that completes their vectors.
//
// It refuses to read a disk or to index: the Backend does, in commands, one
// change of the doc sets at a time. It refuses to lay anything over the screen:
// it asks its Host.
//
// Terms. Work is an addition or an update while it goes on. The background task
// is not work: nobody asked for it, and it changes no doc set.
package shelf

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/sets"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/style"
	"docent/tui/widget"
)

// Backend holds the doc sets. Its methods are called from commands, several at a
// time.
type Backend interface {
	Opener
	Library
	Folders
	Worker
	Files
}

// Opener opens the doc sets.
type Opener interface {
	// Ready opens the doc sets. It is called once, after the first frame, and again
	// when it failed and a person asks again. It indexes what is missing, unless other
	// doc sets can be searched at once: behind are the names of those left to Mend.
	Ready(ctx context.Context, progress func(done, total int, text string)) (behind []string, err error)
	// Sets are the doc sets, in the order in which they are shown.
	Sets(ctx context.Context) ([]library.ListedSet, error)
}

// Library lists doc sets and their pages.
type Library interface {
	// Library lists the doc sets with their freshness.
	Library(ctx context.Context) ([]library.ListedSet, error)
	// PagesOf are the pages of a doc set.
	PagesOf(ctx context.Context, docSet string) ([]library.PageState, error)
	// Suggest gives the sections of doc sets whose texts have a text's words, best
	// first. The last word may be unfinished.
	Suggest(ctx context.Context, text string, docSets []string) ([]pipeline.Place, error)
}

// Folders finds folders that may be added.
type Folders interface {
	// Folders are the folders whose paths begin with a typed text. Each begins
	// with the text as it was typed.
	Folders(ctx context.Context, typed string) ([]string, error)
	// Propose says what a folder would be added as.
	Propose(ctx context.Context, path string) ([]shelfpane.Proposed, error)
	// Likely are folders that look like documentation. It takes a short time.
	Likely(ctx context.Context) ([]firstrun.Folder, error)
}

// Worker changes the doc sets.
type Worker interface {
	// Add registers and indexes a folder. A new doc set is removed again when
	// that fails or ctx ends. The text is the outcome, also with an error.
	Add(ctx context.Context, req shelfpane.AddWanted, progress func(shelfpane.Progress)) (text string, err error)
	// Update brings doc sets up to date, all where none is named. A doc set for
	// which it fails or ctx ends is as it was before.
	Update(ctx context.Context, docSets []string, progress func(shelfpane.Progress)) (text string, err error)
	// Mend indexes the doc sets that Ready left. The text is the outcome.
	Mend(ctx context.Context, progress func(shelfpane.Progress)) (text string, err error)
	// Remove forgets a doc set; its files stay.
	Remove(ctx context.Context, docSet string) error
}

// Files changes files that were handed in and are no pages.
type Files interface {
	// Retry has a document read now, and waits for that. The text is the outcome.
	Retry(ctx context.Context, document string, progress func(shelfpane.Progress)) (text string, err error)
	// CancelFile ends the job of a document.
	CancelFile(ctx context.Context, document string) error
}

// Screen is what the controller has to know of the rest of the app.
type Screen struct {
	Library bool // the library is on the screen, on top
	Begun   bool // a person has asked or typed something, or opened an overlay
}

// Host is the part of the app around the doc sets.
type Host interface {
	Screen() Screen
	// Tick asks for a frame while something goes on.
	Tick() tea.Cmd
	// Opened tells that the doc sets are open, and which of them are the project's.
	Opened(Project) tea.Cmd
	// Changed tells that doc sets have changed, and which one was forgotten
	// ("" if none).
	Changed(forgotten string) tea.Cmd
	// OpenPlace shows a page or a section in the reader, from the section's first line with the
	// most words of find, "" for its head.
	OpenPlace(at pipeline.Place, find string) tea.Cmd
}

// Project are the doc sets of the project that the app was started in.
type Project struct {
	Name    string   // "" if none
	DocSets []string // Name@Version
	Remark  string   // a fault of them, or ""
}

// Status is the status line.
type Status interface {
	Say(text string)
	Good(text string)
	Warn(text string)
	Fail(text string)
	Clear()
}

// Options come from outside of the controller.
type Options struct {
	Manual string // the manual's doc set, without its version
	Sample string // the question that the manual is tried with
	// Background goes on along with all else once the doc sets are open, until it is
	// done or ctx ends; progress is one short line. nil: no such work.
	Background func(ctx context.Context, progress func(text string)) error
	// Follow updates doc sets whose files change, once the doc sets are open and until
	// ctx ends; told is called with the outcome, in one short line. nil: none are updated.
	Follow func(ctx context.Context, told func(text string)) error
	// Project gives the doc sets of the project once the doc sets are open. nil: no project.
	Project func(ctx context.Context) Project
	// Recheck is how often the doc sets are compared with the disk, apart from after
	// every answer; 0: never.
	Recheck time.Duration
	// Tick is tea.Tick or a test's clock.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
}

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	st      *style.Styles
	backend Backend
	opt     Options
	host    Host
	status  Status
	w       int

	// Sets is the chooser, Library the pane of all doc sets, First the first-run
	// screen.
	Sets    *sets.Pane
	Library *shelfpane.Pane
	First   *firstrun.Pane

	ready      bool
	opening    bool
	Failure    OpenFailure
	openBuf    latest[opened]
	openAt     opened
	background background
	followed   chan string // updates of doc sets whose files changed; nil: they are not followed
	work       work
	firstRun   bool // the first-run screen is shown
	offered    bool // it was decided whether to show it
	listSeq    int  // number of the newest listing of the doc sets
	treeSeq    int  // number of the newest listing of a doc set's pages
}

// opened is how far the opening of the doc sets is.
type opened struct {
	done, total int
	text        string
}

// New is a controller whose doc sets are not open yet. ctx ends its commands.
func New(ctx context.Context, st *style.Styles, backend Backend, host Host, status Status, opt Options) *Controller {
	return &Controller{ctx: ctx, st: st, backend: backend, opt: opt, host: host, status: status,
		Sets: sets.New(st), Library: shelfpane.New(st), First: firstrun.New(st, opt.Sample),
		opening: true} // Open follows as soon as the program runs
}

// Update takes in what the backend answered, and the intents of the library.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case shelfpane.Intent:
		return c.intent(msg)
	case openedMsg:
		return c.takeOpened(msg)
	case setsMsg:
		if msg.err != nil {
			c.status.Fail("the doc sets cannot be listed: " + widget.ErrorText(msg.err))
			return nil
		}
		c.Sets.SetSets(msg.sets)
		c.Sets.SetManual(c.Manual())
		return c.offerFirstRun()
	case libraryMsg:
		switch {
		case msg.id != c.listSeq:
		case msg.err != nil:
			c.status.Fail("the doc sets cannot be listed: " + widget.ErrorText(msg.err))
		default:
			c.Library.SetSets(msg.sets)
		}
	case treeMsg:
		if msg.id == c.treeSeq {
			c.Library.SetTree(msg.set, msg.tree, msg.err)
		}
	case pausedMsg:
		return c.findInText(msg.want)
	case inTextMsg:
		if msg.err != nil && c.Library.StillFinds(msg.seq) {
			c.status.Fail("the texts cannot be searched: " + widget.ErrorText(msg.err))
		}
		return c.Library.SetInText(msg.seq, msg.sections)
	case foldersMsg:
		c.Library.SetFolders(msg.seq, msg.folders)
	case proposalMsg:
		c.Library.SetProposal(msg.seq, msg.sets, msg.err)
	case workedMsg:
		return c.takeOutcome(msg)
	case removedMsg:
		if msg.err != nil {
			c.status.Fail(msg.set + " was not forgotten: " + widget.ErrorText(msg.err))
			return nil
		}
		c.status.Good("forgot " + msg.set + "; its files were not touched")
		return c.reloadChanged(msg.set)
	case cancelledMsg:
		if msg.err != nil {
			c.status.Fail(msg.name + " was not cancelled: " + widget.ErrorText(msg.err))
			return nil
		}
		c.status.Good("cancelled " + msg.name)
		return c.reloadChanged("")
	case likelyMsg:
		c.First.SetFolders(msg.folders)
	case recheckMsg:
		return c.rechecked()
	case backgroundTickMsg:
		return c.backgroundTick()
	case backgroundMsg:
		return c.backgroundEnded(msg)
	case followedMsg:
		return c.asUpdates().takeFollowed(msg)
	case followEndedMsg:
		return c.asUpdates().followingEnded(msg)
	}
	return nil
}

// Open opens the doc sets; nil while that is under way.
func (c *Controller) Open() tea.Cmd {
	if c.opening {
		return nil
	}
	return c.openDocSets()
}

// Init opens the doc sets for the first time; the first frame does not wait for
// it.
func (c *Controller) Init() tea.Cmd { return c.openDocSets() }

func (c *Controller) openDocSets() tea.Cmd {
	c.opening, c.Failure = true, ""
	work := func() tea.Msg {
		var msg openedMsg
		msg.behind, msg.err = c.backend.Ready(c.ctx, func(done, total int, text string) { c.openBuf.set(opened{done, total, text}) })
		if msg.err == nil && c.opt.Project != nil {
			msg.project = c.opt.Project(c.ctx)
		}
		return msg
	}
	return tea.Batch(work, c.host.Tick())
}

func (c *Controller) takeOpened(msg openedMsg) tea.Cmd {
	c.opening = false
	if msg.err != nil {
		c.Failure = OpenFailure(sanitize.Line(widget.ErrorText(msg.err)))
		c.status.Fail(unopened + ": " + string(c.Failure) + "; " + openAgain)
		return nil
	}
	c.ready = true
	return tea.Batch(c.List(), c.ListLibrary(), c.asUpdates().beginUpdates(msg.behind), c.nextRecheck(), c.host.Opened(msg.project))
}

// List lists the doc sets anew: another process may have changed them.
func (c *Controller) List() tea.Cmd {
	return func() tea.Msg {
		s, err := c.backend.Sets(c.ctx)
		return setsMsg{sets: s, err: err}
	}
}

// ListLibrary lists the doc sets with their freshness, for the library.
func (c *Controller) ListLibrary() tea.Cmd {
	c.listSeq++
	id := c.listSeq
	return func() tea.Msg {
		s, err := c.backend.Library(c.ctx)
		return libraryMsg{id, s, err}
	}
}

// IsOpening reports whether the doc sets are being opened.
func (c *Controller) IsOpening() bool { return c.opening }

// Ready reports whether the doc sets are open.
func (c *Controller) Ready() bool { return c.ready }

// WantsFrames reports whether frames are wanted: the doc sets are being opened, or work
// goes on.
func (c *Controller) WantsFrames() bool { return c.opening || c.work.on }

// Frame takes in the progress since the last frame.
func (c *Controller) Frame(at time.Time) {
	c.openAt = c.openBuf.get()
	c.workFrame(at)
}

// Manual is the manual's doc set, "" where it is not there.
func (c *Controller) Manual() string {
	for _, s := range c.Sets.Sets() {
		if s.Ref.Name == c.opt.Manual {
			return s.Ref.String()
		}
	}
	return ""
}

// SetSize sets the columns and lines of the panes.
func (c *Controller) SetSize(w, h int) {
	c.w = w
	c.Library.SetSize(w, h)
	c.First.SetSize(w, h)
	c.Sets.SetSize(w, h)
}

// Needs are the needs of keys that the doc sets meet.
func (c *Controller) Needs() keymap.Need {
	var n keymap.Need
	if c.ready {
		n |= keymap.NeedReady
	}
	if len(c.Sets.Sets()) > 0 {
		n |= keymap.NeedSets
	}
	if c.Manual() != "" {
		n |= keymap.NeedManual
	}
	if _, ok := c.Library.Selected(); ok {
		n |= keymap.NeedSet
	}
	if c.work.on {
		n |= keymap.NeedWork
	}
	if _, ok := c.Library.FileUnderCursor(); ok {
		n |= keymap.NeedFile
	}
	if _, ok := c.First.NthFolder(1); ok {
		n |= keymap.NeedFolder
	}
	return n
}

// IsReadingSets reports whether the home is open and its doc sets are not known yet.
func (c *Controller) IsReadingSets() bool { return c.ready && !c.offered }

// OpeningText is how far the opening of the doc sets is, in w columns; "" when they
// are open.
func (c *Controller) OpeningText(w int) string {
	switch {
	case c.IsReadingSets():
		return "reading the doc sets …"
	case c.ready:
		return ""
	}
	if !c.opening {
		return "not open"
	}
	text := "opening the doc sets …"
	if at := c.openAt; at.total > 0 {
		bar := widget.ScoreBar(float64(at.done)/float64(at.total), 10)
		text = fmt.Sprintf("%s %s %d/%d", sanitize.Line(at.text), bar, at.done, at.total)
	} else if at.text != "" {
		text = sanitize.Line(at.text)
	}
	return widget.Cut(text, w)
}

// Size is how many doc sets and pages are searched by default.
func (c *Controller) Size() string {
	all, manual := c.Sets.Sets(), c.Manual()
	n, pages, changed, gone := 0, 0, 0, 0
	for _, s := range all {
		if s.Ref.String() != manual || len(all) == 1 { // the manual is searched when asked for
			n, pages = n+1, pages+s.Pages
			switch s.Fresh {
			case library.Missing:
				gone++
			case library.Stale:
				changed++
			}
		}
	}
	text := widget.Count(n, "doc set") + " · " + widget.Count(pages, "page")
	if changed > 0 {
		text += fmt.Sprintf(" · %d changed", changed)
	}
	if gone > 0 {
		text += fmt.Sprintf(" · %d missing", gone)
	}
	return text
}

// EmptyHint is what the empty pane of the hits says about the doc sets.
func (c *Controller) EmptyHint() string {
	if why := c.Failure.Text(); why != "" {
		return why
	}
	lines := []string{"Type a question and press enter. The answer is your documentation, word for word, with its sources.", ""}
	n := len(c.Sets.Sets())
	switch {
	case !c.ready || !c.offered: // nothing is known of them yet
	case n == 0:
		lines = append(lines, "There is nothing to search yet. Add your docs: ctrl+l opens the library, a adds a folder.")
	case n == 1 && c.Manual() != "":
		lines = append(lines, "Only docent's own manual is here; try:  how do I add a doc set",
			"Add your docs: ctrl+l opens the library, a adds a folder.")
	case c.Manual() != "":
		lines = append(lines, "To ask docent's own manual: f1, then m.")
	}
	return strings.Join(append(lines, "f1 lists the keys."), "\n")
}

// offerFirstRun shows the first-run screen when the doc sets are listed for the first
// time and none is a person's own, unless the person has started to do something.
func (c *Controller) offerFirstRun() tea.Cmd {
	if c.offered {
		return nil
	}
	c.offered = true
	own := 0
	for _, s := range c.Sets.Sets() {
		if s.Ref.String() != c.Manual() {
			own++
		}
	}
	if own > 0 || c.host.Screen().Begun {
		return nil
	}
	c.firstRun = true
	c.First.SetManual(c.Manual() != "")
	return func() tea.Msg {
		// A folder that cannot be read is not worth adding.
		folders, err := c.backend.Likely(c.ctx)
		if err != nil {
			folders = nil
		}
		return likelyMsg{folders}
	}
}

// OnFirstRun reports whether the first-run screen is shown.
func (c *Controller) OnFirstRun() bool { return c.firstRun }

// LeaveFirstRun leaves it.
func (c *Controller) LeaveFirstRun() { c.firstRun = false }
