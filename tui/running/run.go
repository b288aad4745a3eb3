package running

import (
	"context"
	"errors"
	"sync"

	"docent/pipeline"
)

// eventBuffer joins the pipeline's events to one update a frame. The sink is
// called from the pipeline's goroutines.
type eventBuffer struct {
	mu     sync.Mutex
	run    int
	events []pipeline.Event
}

// beginRun drops the events of an earlier run.
func (b *eventBuffer) beginRun(run int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.events = run, nil
}

// sinkOfRun is the sink of one run. It drops events when another run has started.
func (b *eventBuffer) sinkOfRun(run int) pipeline.Sink {
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

func (b *eventBuffer) takeEvents() []pipeline.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.events
	b.events = nil
	return out
}

// runner holds the session. The controller owns the request; a run's command
// brings the session to that request and runs it, so that Update never calls
// the pipeline.
type runner struct {
	backend Backend
	mu      sync.Mutex
	latest  int
	session *pipeline.Session
}

// errOvertaken says that a newer run has started.
var errOvertaken = errors.New("a newer run has begun")

// continueSession brings the session to the request and runs its stale phases; fresh begins a
// new session. Commands start in any order, so an older run must not put its
// request back.
func (r *runner) continueSession(ctx context.Context, run int, req pipeline.Request, fresh bool, sink pipeline.Sink) (pipeline.Result,
	error) {
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

// changedResult is the result of a run for a changed request; see Session.Instead.
func (r *runner) changedResult(ctx context.Context, run int, alter func(*pipeline.Request)) (pipeline.Result, error) {
	r.mu.Lock()
	s, latest := r.session, r.latest
	r.mu.Unlock()
	if s == nil || latest != run {
		return pipeline.Result{}, errOvertaken
	}
	return s.Instead(ctx, alter)
}

// forgetSession makes the next run begin a new session.
func (r *runner) forgetSession() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session = nil
}
