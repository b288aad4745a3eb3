// Package browsing is the app's controller of going to pages without a question: the
// start screen for a person who comes back, the launcher that finds pages, headings
// and doc sets by their names, the pages that were read, and marks.
//
// It refuses to open a page and to lay anything over the screen: its panes' intents
// go to the root. It refuses to touch a disk: the Backend and the Keeper do, in
// commands, and finding runs in a command too.
//
// Terms. A place is a section or a line of a page. A mark is a place that a person
// wants to find again.
package browsing

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	shelfpane "docent/tui/pane/shelf"

	"docent/tui/pane/launcher"
	"docent/tui/pane/start"
	"docent/tui/style"
	"docent/tui/titles"
)

// Backend knows the names of all pages and headings.
type Backend interface {
	// Titles are the pages of all doc sets with their headings, doc set after doc
	// set.
	Titles(ctx context.Context) ([]titles.Page, error)
}

// Keeper keeps the pages that were read, and marks. Its methods are called from
// commands, several at a time.
type Keeper interface {
	Places(ctx context.Context) (pipeline.Places, error)
	// Visit remembers where a page was read last.
	Visit(ctx context.Context, at pipeline.Place) error
	// Mark marks a section, or takes its mark away.
	Mark(ctx context.Context, at pipeline.Place, on bool) error
}

// Host is the part of the app around it.
type Host interface {
	// Questions are the questions that were asked, the oldest first.
	Questions() []string
	// Sets are the doc sets with their freshness.
	Sets() []shelfpane.Set
}

// Status is the status line.
type Status interface {
	Say(text string)
	Good(text string)
	Warn(text string)
}

// Msg is a message of this controller's own commands.
type Msg interface{ browsing() }

type (
	placesMsg struct {
		places pipeline.Places
		err    error
	}
	// keptMsg reports whether a place was kept.
	keptMsg struct{ err error }
	// markedMsg reports whether a mark, or its removal, was kept.
	markedMsg struct {
		at  pipeline.Place
		on  bool
		err error // of the mark
		all error // of all that was to be kept
	}
	titlesMsg struct {
		index *titles.Index
		err   error
	}
	foundMsg struct {
		seq     int
		text    string
		entries []titles.Entry
		total   int
	}
)

func (placesMsg) browsing() {}
func (keptMsg) browsing()   {}
func (markedMsg) browsing() {}
func (titlesMsg) browsing() {}
func (foundMsg) browsing()  {}

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	backend Backend
	keeper  Keeper // nil: nothing outlives the app
	host    Host
	status  Status
	now     func() time.Time

	// Start is the start screen, Launcher the list that typing narrows.
	Start    *start.Pane
	Launcher *launcher.Pane

	writes  writes
	places  pipeline.Places
	read    map[string]bool // the pages that were read, by doc set and path
	marked  map[string]bool // those with a mark
	told    bool            // that places cannot be kept
	trouble string          // why they could not be read, "" where they could

	index   *titles.Index
	stale   bool // the doc sets have changed since the index was made
	loading bool
	newest  int                // number of the newest text to find
	cancel  context.CancelFunc // of the search that goes on
}

// New is a controller that knows nothing yet. ctx ends its commands.
func New(ctx context.Context, st *style.Styles, backend Backend, keeper Keeper, host Host, status Status,
	now func() time.Time) *Controller {
	return &Controller{ctx: ctx, backend: backend, keeper: keeper, host: host, status: status, now: now,
		Start: start.New(st), Launcher: launcher.New(st), read: map[string]bool{}, marked: map[string]bool{}}
}

// Init reads the pages that were read and the marks.
func (c *Controller) Init() tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		p, err := c.keeper.Places(c.ctx)
		return placesMsg{p, err}
	}
}

// ReadingTrouble is why the pages read and the marks could not be read, "" where they could.
func (c *Controller) ReadingTrouble() string { return c.trouble }

// Update takes in the results of commands, and the text typed into the launcher.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case placesMsg:
		if msg.err != nil {
			c.trouble = "the pages read and the marks cannot be read: " + msg.err.Error()
			c.status.Warn(c.trouble)
			c.told = true
			return nil
		}
		// Pages read since the app opened are newer.
		now := c.places
		c.places = msg.places
		for i := len(now.Read) - 1; i >= 0; i-- {
			c.places = c.places.Visit(now.Read[i])
		}
		c.countPlaces()
	case markedMsg:
		return c.tellMark(msg)
	case keptMsg:
		if msg.err != nil && !c.told && !errors.Is(msg.err, context.Canceled) {
			c.told = true // once is enough: it would be reported for every page
			c.status.Warn("pages read and marks are not kept: " + msg.err.Error())
		}
	case titlesMsg:
		c.loading = false
		if msg.err != nil {
			c.Launcher.SetMessage("the names of the pages cannot be read: " + msg.err.Error())
			return nil
		}
		c.index = msg.index
		c.Launcher.SetMessage("")
		return c.Launcher.SearchAgain()
	case launcher.Typed:
		return c.findTitles(msg)
	case foundMsg:
		return c.Launcher.SetItems(msg.seq, msg.text, launcherItems(msg.entries), msg.total)
	}
	return nil
}

// Begin begins the launcher anew.
func (c *Controller) Begin() tea.Cmd { return tea.Batch(c.ReadTitles(), c.Launcher.Begin()) }

// ReadTitles reads the names of all pages where that was not done since the doc sets
// changed.
func (c *Controller) ReadTitles() tea.Cmd {
	if c.loading || c.index != nil && !c.stale {
		return nil
	}
	c.loading, c.stale = true, false
	if c.index == nil {
		c.Launcher.SetMessage("reading the names of the pages …")
	}
	return func() tea.Msg {
		pages, err := c.backend.Titles(c.ctx)
		if err != nil {
			return titlesMsg{err: err}
		}
		return titlesMsg{index: titles.NewIndex(pages)}
	}
}

// Forget tells that the doc sets may have changed.
func (c *Controller) Forget() { c.stale = true }

// mostFound bounds the finds that are listed.
const mostFound = 300

// findTitles looks for a text, and gives the search for an older one up. Where nothing is
// typed, marks and pages read are listed.
func (c *Controller) findTitles(want launcher.Typed) tea.Cmd {
	if want.Seq < c.newest {
		return nil // commands may overtake each other
	}
	c.newest = want.Seq
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	if len(titles.WordsOf(want.Text)) == 0 {
		list := c.familiarEntries()
		return c.Launcher.SetItems(want.Seq, "", list, len(list))
	}
	if c.index == nil { // Again asks once more
		return c.Launcher.SetItems(want.Seq, want.Text, nil, 0)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	c.cancel = cancel
	index := c.index
	return func() tea.Msg {
		entries, total, err := index.Find(ctx, titles.Query{Text: want.Text, Most: mostFound})
		if err != nil {
			return nil // given up
		}
		return foundMsg{want.Seq, want.Text, entries, total}
	}
}

// Titled looks up pages and headings whose names have all words of a text. It may be
// called in a command; nil before the names were read.
func (c *Controller) Titled() func(ctx context.Context, text string, most int) ([]pipeline.Place, error) {
	index := c.index
	if index == nil {
		return nil
	}
	return func(ctx context.Context, text string, most int) ([]pipeline.Place, error) {
		entries, _, err := index.Find(ctx, titles.Query{Text: text, Most: most, Exact: true})
		var out []pipeline.Place
		for _, e := range entries {
			if e.Kind != titles.DocSet {
				out = append(out, placeOfEntry(e))
			}
		}
		return out, err
	}
}

func launcherItems(entries []titles.Entry) []launcher.Item {
	out := make([]launcher.Item, len(entries))
	for i, e := range entries {
		out[i] = launcher.Item{Kind: e.Kind, Place: placeOfEntry(e)}
	}
	return out
}

func placeOfEntry(e titles.Entry) pipeline.Place {
	return pipeline.Place{DocSet: e.Page.DocSet, FilePath: e.Page.Path, Title: e.Page.Title,
		Path: e.Heading.Path, Anchor: e.Heading.Anchor, Line: e.Heading.Line}
}
