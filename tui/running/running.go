// Package running is the app's controller of a run: it holds the request, begins
// and cancels runs, joins the pipeline's events to one update a frame, shows the
// phases' results in their panes, and keeps the changes that a person made so
// that they can be undone and redone.
//
// It refuses to know which pane has the keyboard and what lies over it: the root
// passes that. It refuses to call the pipeline in Update: a run is a command,
// and its result is dropped when a newer run has started.
//
// Terms. A fresh run answers a new question, or the same one from the beginning;
// any other run continues from the phases that a change made stale. A change is
// one edit of the request by a person, in words.
package running

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/page"
	"docent/tui/pane/hits"
	"docent/tui/pane/phase"
	"docent/tui/pane/reader"
	"docent/tui/pane/rerank"
	"docent/tui/pane/stepper"
	"docent/tui/style"
	"docent/tui/widget"
)

// Backend begins sessions on the pipeline, and knows the asides of their answers.
type Backend interface {
	// NewSession begins a session; nothing runs yet.
	NewSession(req pipeline.Request) *pipeline.Session
	// Beside is the prerequisites and warnings of the cited parts of an answer, and the parts that differ
	// in a newer version.
	Beside(ctx context.Context, res pipeline.Result) []phase.Aside
}

// Host is the part of the app around a run.
type Host interface {
	// Tick asks for a frame while a run goes on.
	Tick() tea.Cmd
	// Ended tells that the panes show another result, and how it came about.
	Ended(Outcome) tea.Cmd
	// Prompt asks a person for a line of text.
	Prompt(label, text string, take func(text string) tea.Cmd)
}

// Outcome is how a run ended.
type Outcome int

// The outcomes.
const (
	Failed   Outcome = iota // with an error, or cancelled before there was a result
	Changed                 // a change was applied
	Answered                // a fresh run has its result
)

// Status is the status line.
type Status interface {
	Say(text string)
	Warn(text string)
	// Fail shows an error, which stays until Clear.
	Fail(text string)
	Clear()
	// Lasting reports whether the line shows an error that stays.
	Lasting() bool
}

// Msg is a message of this controller's own commands.
type Msg interface{ running() }

type (
	endedMsg struct {
		run   int
		fresh bool
		res   pipeline.Result
		made  madeMsg // the answer as it reads
		err   error
	}
	// explainedMsg holds every heading's score and how it came about, computed
	// without a threshold.
	explainedMsg struct {
		run int
		res *contract.RerankOutput
		err error
	}
)

func (endedMsg) running()     {}
func (explainedMsg) running() {}

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	backend Backend
	host    Host
	status  Status
	initial pipeline.Request // as the command line set it

	req        pipeline.Request
	res        pipeline.Result
	ran        bool // a question has been run, to its end or not
	active     bool
	stopping   bool              // the run was asked to end
	number     int               // of the newest run
	explaining int               // number of the run whose scores are being computed, or were
	all        []contract.Result // every section of the result, with its score and reasons; nil: not known
	cancel     context.CancelFunc
	runner     runner
	events     eventBuffer
	changes    changes
	other      pipeline.Size // of the block that the other extent would give; zero: not known

	// Steps shows the phases; Hits is the pane of phase 1, Answer that of the answer.
	Steps  *stepper.Pane
	Hits   *hits.Pane
	Answer Answering

	optimize *phase.Optimize
	route    *phase.Route
	merge    *phase.Pane
	rerank   *rerank.Pane
	extract  *phase.Extract
	check    *phase.Pane
	final    *phase.Final
	table    []phaseRow
}

// New is a controller before the first question. ctx ends its runs; initial is
// the request as the command line set it, whose question is not asked.
func New(ctx context.Context, st *style.Styles, backend Backend, host Host, status Status, initial pipeline.Request) *Controller {
	c := &Controller{ctx: ctx, backend: backend, host: host, status: status, initial: initial, req: initial,
		runner: runner{backend: backend}, Steps: stepper.New(st), Hits: hits.New(st),
		optimize: phase.NewOptimize(st), route: phase.NewRoute(st), merge: phase.NewMerge(st), rerank: rerank.New(st),
		extract: phase.NewExtract(st), check: phase.NewCheck(st), final: phase.NewFinal(st)}
	c.req.Question = ""
	c.Answer = Answering{c: c, reads: reader.NewAnswer(st)}
	c.table = c.asPanes().phaseTable()
	c.Steps.SelectPhase(contract.PhaseSearch)
	c.showResult(false)
	return c
}

// Update takes in what a run's commands found, and the intents of the phases'
// panes.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case endedMsg:
		return c.asRuns().takeResult(msg)
	case explainedMsg:
		c.aftermath().takeScores(msg)
	case hits.Toggled:
		return c.asEditor().toggleRow(msg)
	case sizedMsg:
		c.aftermath().takeSize(msg)
	case besideMsg:
		c.aftermath().takeAsides(msg)
	case madeMsg:
		return c.Answer.takeMade(msg)
	case page.Rendered, reader.Found:
		return c.Answer.reads.Update(msg)
	case phase.QueriesChanged:
		return c.asEditor().setQueries(msg)
	case phase.SettingChanged:
		return c.asEditor().setRoute(msg)
	}
	return nil
}

// Request is the request as it is now.
func (c *Controller) Request() pipeline.Request { return c.req }

// AskedQuestion is the question that the screen answers, "" before the first one.
func (c *Controller) AskedQuestion() string { return c.req.Question }

// HasRun reports whether a question has been run, to its end or not.
func (c *Controller) HasRun() bool { return c.ran }

// Active reports whether a run goes on.
func (c *Controller) Active() bool { return c.active }

// Ask runs a question from the beginning.
func (c *Controller) Ask(question string) tea.Cmd {
	if question != c.req.Question {
		// All this was chosen for the question before. Doc sets and the extent of
		// the block stay as they are.
		docSets, extent := c.req.DocSets, c.req.Preferences.Extent
		c.req = c.initial.Clone()
		c.req.DocSets, c.req.Preferences.Extent = docSets, extent
	}
	c.req.Question = question
	c.changes.beginChanges(c.req)
	return c.asRuns().start(true)
}

// runs begins and ends runs.
type runs struct{ c *Controller }

func (c *Controller) asRuns() runs { return runs{c} }

// runAgain runs the stale phases, or the whole question where none is stale.
func (c *Controller) runAgain() tea.Cmd {
	if c.Steps.Step(contract.PhaseCite).State == stepper.Done {
		return c.asRuns().start(true)
	}
	return c.asRuns().runStalePhases("run again from what is out of date")
}

// runStalePhases runs the phases that a change of the request made stale.
func (r runs) runStalePhases(what string) tea.Cmd {
	c := r.c
	c.changes.keepChange(c.req, what)
	cmd := c.asRuns().start(false)
	c.status.Say(what)
	return cmd
}

// start begins a run and cancels the one before it.
func (r runs) start(fresh bool) tea.Cmd {
	c := r.c
	if c.cancel != nil {
		c.cancel()
	}
	c.asRuns().drainEvents()
	c.number++
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(c.ctx)
	c.active, c.ran, c.stopping = true, true, false
	c.other = pipeline.Size{}
	c.events.beginRun(c.number)
	c.Steps.Begin()
	c.Hits.Begin()
	if fresh {
		c.Steps.Reset()
	}
	c.status.Clear()
	run, sink := c.number, c.events.sinkOfRun(c.number)
	// The request is copied: keys change it while the run goes on.
	req := c.req.Clone()
	work := func() tea.Msg {
		res, err := c.runner.continueSession(ctx, run, req, fresh, sink)
		return endedMsg{run: run, fresh: fresh, res: res, made: makeAnswer(res, nil), err: err}
	}
	return tea.Batch(work, c.host.Tick())
}

// Stop cancels the run. The phases that it had finished stay done.
func (c *Controller) Stop() {
	if c.cancel != nil {
		c.cancel()
	}
	c.stopping = true
	c.status.Say("cancelling …")
}

// Frame takes in the events since the last frame.
func (c *Controller) Frame() { c.asRuns().drainEvents() }

func (r runs) drainEvents() {
	c := r.c
	for _, ev := range c.events.takeEvents() {
		c.Steps.ApplyEvent(ev)
	}
}

// takeResult takes in a run's result, unless another run has started since.
func (r runs) takeResult(msg endedMsg) tea.Cmd {
	c := r.c
	if msg.run != c.number || errors.Is(msg.err, errOvertaken) {
		return nil
	}
	c.asRuns().drainEvents()
	c.active, c.all = false, nil
	cancelled := errors.Is(msg.err, context.Canceled)
	c.Steps.End(msg.res.Degraded, cancelled)
	switch {
	case cancelled && c.res.Query == c.req.Question:
		// The result before stays on the screen.
		c.status.Say("cancelled; R goes on")
		return nil
	case cancelled:
		c.res = msg.res
		c.showResult(false)
		c.status.Say("cancelled; R goes on")
		return c.host.Ended(Failed)
	case msg.err != nil:
		c.res = msg.res
		c.showResult(!msg.fresh)
		c.Hits.SetFailure(plainError(widget.ErrorText(msg.err)))
		c.status.Fail(plainError(widget.ErrorText(msg.err)))
		return c.host.Ended(Failed)
	}
	c.res = msg.res
	c.showResult(!msg.fresh)
	found := c.Answer.takeAnswer(msg.made)
	outcome := Changed
	if msg.fresh {
		outcome = Answered
		c.Answer.selectIt()
	}
	c.aftermath().summarize(msg)
	return tea.Batch(found, c.host.Ended(outcome), c.ExplainScores(), c.aftermath().measureOther(), c.aftermath().askAsides())
}

// summarize reports the outcome of a run. It does not replace the words of the key
// that began the run, except by a warning.
func (a aftermath) summarize(msg endedMsg) {
	c := a.c
	if len(msg.res.Degraded) > 0 {
		d := msg.res.Degraded[0]
		why := widget.AppWords().Message(d.Reason, d.Remedy)
		if d.Wanted == "a model" { // none was found that could be named: the reason is all there is to tell
			c.status.Warn(why)
			return
		}
		c.status.Warn(fmt.Sprintf("%s: %s in place of %s: %s", stepper.PhaseName(d.Phase), stepper.EngineText(d.Used), d.Wanted, why))
		return
	}
	if !msg.fresh || c.status.Lasting() { // an error from elsewhere
		return
	}
	kept, all := c.Hits.Count()
	switch notes := c.aftermath().searchNotes(); {
	case all == 0 && len(notes) > 0:
		c.status.Warn("nothing was found; " + strings.Join(notes, "; "))
	case all == 0:
		c.status.Warn("nothing was found: try other words, or more doc sets (d)")
	case c.aftermath().nearestBySpelling():
		c.status.Warn("no word of the question stands in your documentation; these headings are spelled like it")
	case kept == 0:
		c.status.Warn(withNotes("probably not in your documentation: nothing reaches the threshold", notes))
	case c.res.Final == "":
		c.status.Warn("no page could be read: u in the library (L) brings the doc set up to date")
	case c.res.Phases.Rerank != nil && c.res.Phases.Rerank.Unanswered:
		c.status.Warn(withNotes("probably not in your documentation; these are the nearest sections", notes))
	case certainty(c.res) == unsure:
		c.status.Warn(withNotes(fmt.Sprintf("not sure: the best of %s is below the threshold",
			widget.Count(all, "section")), notes))
	default:
		c.status.Say(withNotes(fmt.Sprintf("%d of %s kept", kept, widget.Count(all, "section")), notes))
	}
}

// withNotes puts the remarks of the search behind a text: words that were spelled otherwise, pages
// that are gone.
func withNotes(text string, notes []string) string {
	return strings.Join(append([]string{text}, notes...), "; ")
}

// plainError is an error with the name of its step in place of its phase's number.
func plainError(text string) string {
	for _, ph := range contract.Phases() {
		if rest, ok := strings.CutPrefix(text, "phase "+ph+": "); ok {
			return stepper.PhaseName(ph) + ": " + rest
		}
	}
	return text
}

// HitNote says why the hit under the cursor was found, and which other doc sets have
// nearly the same page; "" where the hits are not selected.
func (sum Summary) HitNote() string {
	c := sum.c
	row, ok := c.Hits.Selected()
	if !ok || !c.OnHits() || c.active {
		return ""
	}
	note := strings.TrimSuffix(strings.TrimPrefix(row.MarkMeans()+"; "+c.Hits.ReasonText(), "; "), "; ")
	if len(row.Page.Also) > 0 {
		note = strings.TrimPrefix(note+"; also in "+sanitize.Line(strings.Join(row.Page.Also, ", ")), "; ")
	}
	if len(row.Page.Copies) > 0 {
		note = strings.TrimPrefix(note+"; nearly the same in "+sanitize.Line(strings.Join(row.Page.Copies, ", ")), "; ")
	}
	return note
}

// ShowFigures goes to the ranking, to the figures of the hit under the cursor.
func (c *Controller) ShowFigures() {
	row, ok := c.Hits.Selected()
	c.Steps.SelectPhase(contract.PhaseRerank)
	c.rerank.ShowFigures(true)
	if ok {
		c.rerank.Go(row.Page, row.Heading)
	}
}

// nearestBySpelling reports whether the hits have no word of the question.
func (a aftermath) nearestBySpelling() bool {
	c := a.c
	s := c.res.Phases.Search
	return s != nil && s.SearchStats.Nearest
}

// searchNotes are the remarks of the search: pages that are gone, corrected words, doc sets
// that compete.
func (a aftermath) searchNotes() []string { return a.c.res.Notes() }

// SavedSession is the session as it is now.
func (c *Controller) SavedSession() pipeline.Saved {
	return pipeline.SaveSession(c.req, c.changes.changesInWords(), c.res)
}

// Restore shows a saved session. Nothing runs: the screen shows the result as it
// was saved, and the next change or Rerun asks again.
func (c *Controller) Restore(s pipeline.Saved) {
	if c.cancel != nil {
		c.cancel()
	}
	c.number++ // the result of a run that still goes on is dropped
	c.active, c.ran, c.other, c.all = false, true, pipeline.Size{}, nil
	c.req, c.res = s.Request.Clone(), s.Result
	c.changes.beginChanges(c.req)
	c.runner.forgetSession()
	c.Steps.Restore(c.res)
	c.Answer.selectIt()
	c.showResult(false)
}

// ExplainScores computes, once a run is done, what its result does not have: the scores of
// sections under the threshold, and the reasons of all. It takes as long as a search.
func (c *Controller) ExplainScores() tea.Cmd {
	if c.active || !c.rerank.NeedsAll() || c.explaining == c.number {
		return nil
	}
	c.explaining = c.number
	req, run, ctx, backend := c.req.Clone(), c.number, c.ctx, c.backend
	zero := 0.0
	req.Threshold, req.Explain = &zero, true
	return func() tea.Msg {
		res, err := backend.NewSession(req).Recalling().RunTo(ctx, contract.PhaseRerank, nil)
		return explainedMsg{run, res.Phases.Rerank, err}
	}
}

func (a aftermath) takeScores(msg explainedMsg) {
	c := a.c
	if msg.run != c.number || c.active || msg.err != nil || msg.res == nil {
		return // the same error is shown when the question is asked
	}
	c.all = msg.res.Results
	c.aftermath().showScores()
}

// showScores gives the panes the scores and reasons of all sections, where these are
// known.
func (a aftermath) showScores() {
	c := a.c
	if c.all != nil {
		c.rerank.SetAllScores(c.all)
		c.Hits.SetAllMatches(c.all)
	}
}
