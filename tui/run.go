package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/page"
	"docent/tui/pane/tour"
)

// frameTime is how long events are gathered before they become one message:
// one message an event would hold the pipeline up and redraw what nobody sees.
const frameTime = 33 * time.Millisecond

// eventBuffer joins the pipeline's events to one message a frame. The sink
// writes from the pipeline's goroutine.
type eventBuffer struct {
	mu     sync.Mutex
	run    int
	events []pipeline.Event
}

// begin drops what is left of an earlier run.
func (b *eventBuffer) begin(run int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.events = run, nil
}

// sink is the sink of one run; it drops events when another has begun.
func (b *eventBuffer) sink(run int) pipeline.Sink {
	return func(ev pipeline.Event) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.run != run {
			return
		}
		// Progress of a phase replaces the progress before it: a phase with a
		// million steps must not make a million events wait.
		if n := len(b.events); n > 0 && ev.Kind == pipeline.PhaseProgress &&
			b.events[n-1].Kind == pipeline.PhaseProgress && b.events[n-1].Phase == ev.Phase {
			b.events[n-1] = ev
			return
		}
		// Pieces of an answer become one.
		if n := len(b.events); n > 0 && ev.Kind == pipeline.PhaseText &&
			b.events[n-1].Kind == pipeline.PhaseText && b.events[n-1].Phase == ev.Phase {
			b.events[n-1].Text += ev.Text
			return
		}
		b.events = append(b.events, ev)
	}
}

func (b *eventBuffer) take() []pipeline.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.events
	b.events = nil
	return out
}

// progress is how far the opening of the doc sets is.
type progress struct {
	done, total int
	text        string
}

// runner holds the session. The model owns the request; a run's command brings
// the session to that request and runs it, so that no call into the pipeline is
// made in Update.
type runner struct {
	backend Backend
	mu      sync.Mutex
	latest  int
	session *pipeline.Session
}

// errOvertaken says that a newer run has begun.
var errOvertaken = errors.New("a newer run has begun")

// do runs what follows from the request's changes; fresh begins a new session.
// Commands start in any order, so an older run must not put its request back.
func (r *runner) do(ctx context.Context, run int, req pipeline.Request, fresh bool, sink pipeline.Sink) (pipeline.Result, error) {
	r.mu.Lock()
	if run < r.latest {
		r.mu.Unlock()
		return pipeline.Result{}, errOvertaken
	}
	if err := ctx.Err(); err != nil {
		r.mu.Unlock()
		return pipeline.Result{}, err
	}
	r.latest = run
	if r.session == nil || fresh || r.session.Request().Question != req.Question {
		r.session = r.backend.NewSession(req)
	} else {
		r.session.Change(func(q *pipeline.Request) { *q = req })
	}
	s := r.session
	r.mu.Unlock()
	return s.Run(ctx, sink)
}

// forget has the next run begin anew.
func (r *runner) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session = nil
}

type (
	frameMsg  struct{ at time.Time }
	openedMsg struct{ err error }
	setsMsg   struct {
		sets []SetInfo
		err  error
	}
	ranMsg struct {
		run   int
		fresh bool // a new question, or the same from the beginning
		res   pipeline.Result
		err   error
	}
)

// open opens the doc sets; the first frame does not wait for it.
func (m *Model) open() tea.Cmd {
	m.opening = true
	ctx, backend, buf := m.ctx, m.opt.Backend, m.openBuf
	work := func() tea.Msg {
		return openedMsg{err: backend.Ready(ctx, func(done, total int, text string) { buf.set(progress{done, total, text}) })}
	}
	return tea.Batch(work, m.tick())
}

func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if msg.err != nil {
		m.fail("the doc sets cannot be opened: " + msg.err.Error() + "; enter tries again")
		return nil
	}
	m.ready = true
	list := tea.Batch(m.listSets(), m.startBackground())
	if m.opt.Saved != nil {
		s := *m.opt.Saved
		m.opt.Saved = nil
		return tea.Batch(list, m.loaded(loadedMsg{s: s}))
	}
	if m.queued {
		m.queued = false
		return tea.Batch(list, m.ask())
	}
	m.clearStatus()
	if m.opt.Notice != "" {
		m.warn(m.opt.Notice)
	}
	return list
}

// listSets lists the doc sets.
func (m *Model) listSets() tea.Cmd {
	ctx, backend := m.ctx, m.opt.Backend
	return func() tea.Msg {
		s, err := backend.Sets(ctx)
		return setsMsg{sets: s, err: err}
	}
}

// tick asks for a frame while something is under way; there is one at a time.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.opt.Tick(frameTime, func(at time.Time) tea.Msg { return frameMsg{at} })
}

// frame takes in what has gathered since the last one.
func (m *Model) frame(at time.Time) tea.Cmd {
	m.ticking = false
	m.openAt = m.openBuf.get()
	m.drain()
	m.workFrame(at)
	if m.running || m.opening || m.shelf.on {
		return m.tick()
	}
	return nil
}

func (m *Model) drain() {
	for _, ev := range m.events.take() {
		m.steps.Apply(ev)
	}
}

// ask runs the question that stands in the line.
func (m *Model) ask() tea.Cmd {
	q := m.question()
	if q == "" {
		m.say("the question is empty: type one and press enter")
		return nil
	}
	if !m.ready {
		m.queued = true
		if !m.opening {
			return m.open()
		}
		m.say("the question runs as soon as the doc sets are open")
		return nil
	}
	keep := m.keepQuestion(q)
	m.histAt, m.from, m.toAsk = len(m.history), onQuestion, false
	if q != m.req.Question {
		// What was left out of another question's answer says nothing here, and
		// neither does a scene or a threshold that was tried on it.
		own := m.opt.Request
		m.req.Exclude, m.req.Queries, m.req.Scene, m.req.Intent = nil, nil, own.Scene, own.Intent
		m.req.Threshold, m.req.Confidence = own.Threshold, own.Confidence
	}
	m.req.Question = q
	m.changes.begin(m.req)
	return tea.Batch(keep, m.start(true))
}

// again runs what follows from a change of the request.
func (m *Model) again(what string) tea.Cmd {
	m.changes.note(m.req, what)
	cmd := m.start(false)
	m.say(what)
	return cmd
}

// start begins a run and cancels the one before it.
func (m *Model) start(fresh bool) tea.Cmd {
	if m.cancel != nil {
		m.cancel()
	}
	m.drain()
	m.run++
	var ctx context.Context
	ctx, m.cancel = context.WithCancel(m.ctx)
	m.running, m.ran, m.stopping = true, true, false
	m.events.begin(m.run)
	m.steps.Begin()
	if fresh {
		m.steps.Reset()
	}
	m.clearStatus()
	run, runner, sink := m.run, m.runner, m.events.sink(m.run)
	// The request is copied: keys change it while the run goes on.
	req := m.req.Clone()
	work := func() tea.Msg {
		res, err := runner.do(ctx, run, req, fresh, sink)
		return ranMsg{run: run, fresh: fresh, res: res, err: err}
	}
	return tea.Batch(work, m.tick())
}

// ended takes a run's result in, unless another run has begun since.
func (m *Model) ended(msg ranMsg) tea.Cmd {
	if msg.run != m.run || errors.Is(msg.err, errOvertaken) {
		return nil
	}
	m.drain()
	m.running = false
	cancelled := errors.Is(msg.err, context.Canceled)
	m.steps.End(msg.res.Degraded, cancelled)
	switch {
	case cancelled && m.res.Query == m.req.Question:
		// The result before stays on the screen: nothing that was there is lost.
		m.say("cancelled; R runs what is stale")
		return nil
	case cancelled:
		m.res = msg.res
		m.show(false)
		m.say("cancelled; R runs what is left")
		return m.look()
	case msg.err != nil:
		m.res = msg.res
		m.show(!msg.fresh)
		m.fail(msg.err.Error())
		return m.look()
	}
	m.res = msg.res
	m.show(!msg.fresh)
	if msg.fresh {
		// Pages may have changed on disk since they were read.
		m.pages, m.order = map[string]*page.Prepared{}, nil
		m.preview.Clear()
		m.reader.ForgetLists()
		m.steps.Select(contract.PhaseSearch)
		if m.focus == onQuestion && m.question() == m.req.Question {
			m.focus = onPane
		}
		m.layout()
	}
	m.summary(msg)
	if _, all := m.hits.Count(); msg.fresh && all > 0 {
		m.tourNext(m.tour.Did(tour.Asked))
	}
	cmds := []tea.Cmd{m.look(), m.explain()}
	if msg.fresh {
		cmds = append(cmds, m.listSets()) // another process may have changed them
	}
	return tea.Batch(cmds...)
}

// summary is the status behind a run; it does not replace what a key just said,
// except by what a person has to know.
func (m *Model) summary(msg ranMsg) {
	if n := len(msg.res.Degraded); n > 0 {
		d := msg.res.Degraded[0]
		m.warn(fmt.Sprintf("phase %s: %s instead of %s: %s", d.Phase, d.Used, d.Wanted, d.Reason))
		return
	}
	if !msg.fresh || m.status.lasting { // what failed beside the run
		return
	}
	kept, all := m.hits.Count()
	switch {
	case all == 0 && len(m.notes()) > 0:
		m.warn("nothing was found; " + strings.Join(m.notes(), "; "))
	case all == 0:
		m.warn("nothing was found: try other words, or more doc sets (d)")
	case m.res.Final == "":
		m.warn("no document could be read")
	default:
		m.say(fmt.Sprintf("%d of %d hits kept; the final block has %d lines, y copies it", kept, all, m.final.Lines()))
	}
}

// notes are what phase 1 has to say: pages that are gone, words that were mended.
func (m *Model) notes() []string {
	if s := m.res.Phases.Search; s != nil {
		return s.SearchStats.Notes
	}
	return nil
}

// stopRun cancels the run that goes on; what it had done stays done.
func (m *Model) stopRun() {
	if m.cancel != nil {
		m.cancel()
	}
	m.stopping = true
	m.say("cancelling …")
}
