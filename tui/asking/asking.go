// Package asking is the app's controller of the question line: the typed text,
// the questions asked before, sections suggested while one types, and whether a
// question waits until the doc sets are open.
//
// It refuses to run a question: the Host does. It refuses to look anything up in
// Update: suggestions come from a command, after a pause in typing, and are
// dropped when the line has changed since.
//
// Terms. The history is the questions asked, the oldest first, each once. The
// draft is the text that stood in the line before the history was walked
// through. Asking the manual narrows the request to the manual's doc set until
// a person returns to their own.
package asking

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// Suggestion is a section that may answer the question that is being typed.
type Suggestion = pipeline.Place

// Backend looks up suggestions.
type Backend interface {
	// Suggest gives the sections that a question leads to, best first. The
	// question's last word may be unfinished. Suggest is called while one types,
	// and must be quick.
	Suggest(ctx context.Context, question string, docSets []string) ([]Suggestion, error)
}

// Screen is what the controller has to know of the rest of the app.
type Screen struct {
	Asked   string   // the question that the screen answers
	DocSets []string // that it is narrowed to
	Ready   bool     // the doc sets are open
	Typing  bool     // the question line has the keyboard
	Running bool     // a question is being run
}

// Host is the part of the app around the question line.
type Host interface {
	Screen() Screen
	// Open begins to open the doc sets, unless that is under way (nil).
	Open() tea.Cmd
	// Run runs a question.
	Run(question string) tea.Cmd
	// Go opens a section that was suggested.
	Go(Suggestion) tea.Cmd
	// Titled looks up pages and headings whose names have all words of a text; nil
	// before their names were read.
	Titled() func(ctx context.Context, text string, most int) ([]Suggestion, error)
}

// Status is the status line.
type Status interface{ Say(text string) }

// Tick is tea.Tick or a test's clock.
type Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd

// Msg is a message of this controller's own commands.
type Msg interface{ asking() }

type (
	pausedMsg    struct{ seq int }
	suggestedMsg struct {
		seq   int
		items []Suggestion
	}
	// titledMsg holds the pages and headings with the text in their names.
	titledMsg suggestedMsg
)

func (pausedMsg) asking()    {}
func (suggestedMsg) asking() {}
func (titledMsg) asking()    {}

// typingPause is how long nothing is typed before sections are looked up.
const typingPause = 90 * time.Millisecond

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	st      *style.Styles
	backend Backend
	host    Host
	status  Status
	tick    Tick

	input   widget.Input
	history []string
	at      int // place in history; its length: none
	draft   string
	left    string // a question that a person began and left
	queued  bool   // run as soon as the doc sets are open

	seq      int // of the newest change of the line
	looked   int // the change that names were looked up for
	titled   []Suggestion
	searched []Suggestion
	list     []Suggestion // both, titles first
	pick     int          // in list, -1: none
	top      int          // first line of the list that is shown
	rows     int          // lines of the list when it was last drawn

	before   []string // doc sets before the manual was asked
	toManual bool     // narrowed to the manual, and no question was run there yet
}

// New is a controller of an empty line.
func New(ctx context.Context, st *style.Styles, backend Backend, host Host, status Status, tick Tick) *Controller {
	return &Controller{ctx: ctx, st: st, backend: backend, host: host, status: status, tick: tick, pick: -1}
}

// Update takes in a pause in typing and the suggestions that follow it.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pausedMsg:
		return c.searchAfterPause(msg)
	case suggestedMsg:
		if msg.seq == c.seq {
			c.searched = msg.items
			c.joinSuggestions()
		}
	case titledMsg:
		if msg.seq == c.seq {
			c.titled = msg.items
			c.joinSuggestions()
		}
	}
	return nil
}

// Question is the text of the line without the white space around it.
func (c *Controller) Question() string { return strings.TrimSpace(c.input.Value()) }

// Empty reports whether nothing stands in the line.
func (c *Controller) Empty() bool { return c.input.Value() == "" }

// Set puts a text into the line.
func (c *Controller) Set(text string) { c.input.SetValue(text) }

// Begin is for another question: the line has the one that a person began and left, which
// typing replaces, or is empty; the history has the question before.
func (c *Controller) Begin() {
	c.at = len(c.history)
	if q := c.Question(); q == "" || q == c.host.Screen().Asked { // else the line has it already
		c.input.SetValue(c.left)
		c.left = ""
	}
	c.input.Select()
	c.ExplainDraft()
}

// ExplainDraft says what becomes of a draft that stands in the line, selected.
func (c *Controller) ExplainDraft() {
	if c.input.Selected() {
		c.status.Say("you began this before: typing replaces it, → goes on with it")
	}
}

// Edit is for changing the text of the line, which is selected as in the address bar of a browser:
// typing replaces it, and a key that moves the cursor keeps it.
func (c *Controller) Edit() {
	if c.input.Select(); c.input.Selected() {
		c.status.Say("typing replaces the question, ← → and end change it; esc leaves it as it is")
	}
}

// EditInside is for changing the text of the line where the cursor stands.
func (c *Controller) EditInside() { c.input.Unselect() }

// Draft is the question that was started and not asked, "" if none.
func (c *Controller) Draft() string {
	if q := c.Question(); q != "" && q != c.host.Screen().Asked {
		return q
	}
	return c.left
}

// SetDraft is the draft of an earlier session of the app. It stands in the line
// unless something was typed already, and typing replaces it.
func (c *Controller) SetDraft(text string) {
	if c.Empty() && c.host.Screen().Asked == "" {
		c.input.SetValue(text)
		c.input.Select()
	}
}

// Key types a key.
func (c *Controller) Key(k tea.KeyPressMsg) tea.Cmd {
	before := c.Question()
	c.input.Key(k)
	if c.Question() == before {
		return nil
	}
	return c.textChanged()
}

// Paste inserts a text.
func (c *Controller) Paste(text string) tea.Cmd {
	whole := c.input.Insert(text)
	cmd := c.textChanged()
	if !whole {
		c.status.Say(fmt.Sprintf("the text is longer than a question can be: its first %d characters are kept", widget.MaxInput))
	}
	return cmd
}

// Choose puts a question of the history into the line.
func (c *Controller) Choose(question string) tea.Cmd {
	c.input.SetValue(question)
	c.at = len(c.history)
	return c.textChanged()
}

// Ask runs the question in the line, or has it wait for the doc sets. Where a
// suggested section was chosen, it opens that.
func (c *Controller) Ask() tea.Cmd {
	q := c.Question()
	if s, ok := c.ChosenSuggestion(); ok {
		return c.host.Go(s)
	}
	if q == "" {
		c.status.Say("the question is empty: type one and press enter")
		return nil
	}
	if contract.CheckQuery(q) != nil {
		c.status.Say("the question has no word, only signs: ask in words")
		return nil
	}
	if !c.host.Screen().Ready {
		c.queued = true
		if open := c.host.Open(); open != nil {
			return open
		}
		c.status.Say("the question runs as soon as the doc sets are open")
		return nil
	}
	c.rememberQuestion(q)
	c.at, c.toManual = len(c.history), false
	return c.host.Run(q)
}

// QueueQuestion has the question in the line wait for the doc sets.
func (c *Controller) QueueQuestion() { c.queued = true }

// HasQueued reports whether a question waits for the doc sets.
func (c *Controller) HasQueued() bool { return c.queued }

// DropQueued forgets that a question waits, and reports whether one did.
func (c *Controller) DropQueued() bool {
	was := c.queued
	c.queued = false
	return was
}

// Restore is the line of a saved session.
func (c *Controller) Restore(question string) {
	c.queued = false
	c.input.SetValue(question)
	c.rememberQuestion(question)
	c.at = len(c.history)
}

// AskManual narrows to the manual, or back to the doc sets before where that is
// so already. It gives the doc sets to search from now on.
func (c *Controller) AskManual(manual string) []string {
	docSets := c.host.Screen().DocSets
	if slices.Equal(docSets, []string{manual}) {
		own := c.before
		c.before, c.toManual = nil, false
		c.status.Say("your own doc sets are searched again")
		return own
	}
	c.before, c.toManual = docSets, true
	c.status.Say("ask the manual: a question, then enter; f1 and m lead back to your docs")
	return []string{manual}
}

// RestoreAsked puts the question that the screen answers back into the line, and keeps
// what stood there for Begin. Where no question was run since AskManual, it gives the
// doc sets before it.
func (c *Controller) RestoreAsked() (docSets []string, ok bool) {
	c.left = c.Draft()
	c.input.SetValue(c.host.Screen().Asked)
	if !c.toManual {
		return nil, false
	}
	docSets = c.before
	c.before, c.toManual = nil, false
	return docSets, true
}

// View is the question line in w columns, and the cursor's column in it.
func (c *Controller) View(w int) (line string, cursor int) {
	s := c.host.Screen()
	prompt := c.st.Dim.Render(" ❯ ")
	if s.Typing {
		prompt = c.st.Title.Render(" ❯ ")
	}
	text, cursor := c.input.View(w - 5)
	if text == "" {
		hint := "ask the documentation"
		if s.Asked != "" {
			hint = sanitize.Line(s.Asked) // the question that the screen answers
		}
		text = c.st.Dim.Render(widget.Cut(hint, w-5))
	} else if s.Typing && c.input.Selected() {
		text = c.st.Selected.Render(text)
	} else if s.Typing {
		text = c.st.Strong.Render(text)
	} else {
		text = widget.Cut(sanitize.Line(c.input.Value()), w-5) // while it is not typed in, its beginning says more than its end
	}
	return widget.Fit(prompt+text, w), 3 + cursor
}
