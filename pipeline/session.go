package pipeline

import (
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/store/tracing"
)

// Session is a run that can be changed and continued: Change alters the
// request, and the next Run runs again only what follows from the change. Its
// methods may be called from several goroutines; runs exclude each other.
type Session struct {
	p    *Pipeline
	run  sync.Mutex // held by Run
	mu   sync.Mutex // guards the fields below
	req  Request
	res  Result
	from int // index into steps of the first phase that must run; len(steps): none
}

// NewSession begins a session on a request; nothing runs yet.
func (p *Pipeline) NewSession(req Request) *Session {
	return &Session{p: p, req: req.Clone(), res: emptyResult(req.Question)}
}

// Recalling begins a session on the same request whose models answer only what
// they were asked before: for looking at a result more closely, which must not
// cost a second wait.
func (s *Session) Recalling() *Session {
	p := s.p
	if p.Recalled != nil {
		p = p.Recalled
	}
	return p.NewSession(s.Request())
}

// Resume begins a session on a request whose result is there already: nothing is
// stale.
func (p *Pipeline) Resume(req Request, res Result) *Session {
	return &Session{p: p, req: req.Clone(), res: res.clone(), from: len(steps)}
}

// Instead is the result as it would be for a changed request. The session stays as
// it is. Only what follows from the change runs, and models answer only what they
// were asked before, so it is fast where the change is late.
func (s *Session) Instead(ctx context.Context, alter func(*Request)) (Result, error) {
	s.mu.Lock()
	p, req, res, from := s.p, s.req, s.res, s.from
	s.mu.Unlock()
	if p.Recalled != nil {
		p = p.Recalled
	}
	other := p.Resume(req, res)
	other.from = from
	other.Change(alter)
	return other.Run(ctx, nil)
}

func emptyResult(question string) Result {
	return Result{Query: question, Engine: map[string]string{}, Citations: []contract.Citation{},
		Degraded: []contract.Degraded{}, TimingsMS: map[string]float64{}}
}

// Request is the session's current request.
func (s *Session) Request() Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.req.Clone()
}

// Clone is the same request; the two share nothing that could be changed in place.
func (r Request) Clone() Request {
	r.DocSets, r.Queries, r.Exclude = slices.Clone(r.DocSets), slices.Clone(r.Queries), slices.Clone(r.Exclude)
	r.Confidence, r.Threshold, r.Reranker = copyOfPointer(r.Confidence), copyOfPointer(r.Threshold), copyOfPointer(r.Reranker)
	return r
}

func copyOfPointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Result is the result of the phases so far; phases from StaleFrom on show an earlier
// request, or nothing.
func (s *Session) Result() Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.res.clone()
}

// staleFrom is the first phase that the next Run will run, "" when none will.
func (s *Session) staleFrom() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from >= len(steps) {
		return ""
	}
	return steps[s.from].phase
}

// Change alters the request and marks what follows from the change as stale.
// It returns the first stale phase, "" when nothing is.
func (s *Session) Change(alter func(*Request)) string {
	s.mu.Lock()
	old := s.req
	s.req = old.Clone()
	alter(&s.req)
	s.req = s.req.Clone() // alter's own may change later
	s.from = min(s.from, firstStale(old, s.req))
	s.mu.Unlock()
	return s.staleFrom()
}

// firstStale is the index of the first step that a change of request reaches.
func firstStale(a, b Request) int {
	differs := func(x, y any) bool { return !reflect.DeepEqual(x, y) }
	switch {
	case a.Question != b.Question || differs(a.DocSets, b.DocSets):
		return stepIndex(contract.PhaseOptimize)
	case differs(a.Queries, b.Queries):
		return stepIndex(contract.PhaseOptimize)
	case a.Scene != b.Scene || a.Intent != b.Intent || differs(a.Confidence, b.Confidence) || differs(a.Threshold, b.Threshold) ||
		differs(a.Reranker, b.Reranker):
		return stepIndex(contract.PhaseRoute)
	case a.Top != b.Top || a.Explain != b.Explain:
		return stepIndex(contract.PhaseSearch)
	case a.FallbackMode != b.FallbackMode:
		return stepIndex(contract.PhaseRerank)
	case differs(a.Exclude, b.Exclude) || a.MaxDocs != b.MaxDocs || a.Preferences.Extent != b.Preferences.Extent:
		// Sections are taken from more documents than are given whole.
		return stepIndex(contract.PhaseExtract)
	case a.Preferences != b.Preferences:
		return stepIndex(contract.PhaseCheck)
	}
	return len(steps)
}

func stepIndex(phase string) int {
	return slices.IndexFunc(steps, func(st step) bool { return st.phase == phase })
}

// forgetPhase takes away all that a phase left.
func (r *Result) forgetPhase(st step) {
	st.clear(r)
	delete(r.Engine, st.phase)
	delete(r.TimingsMS, st.phase)
	r.Degraded = slices.DeleteFunc(r.Degraded, func(d contract.Degraded) bool { return d.Phase == st.phase })
}

func (r Result) clone() Result {
	r.Engine = maps.Clone(r.Engine)
	r.TimingsMS = maps.Clone(r.TimingsMS)
	r.Citations = slices.Clone(r.Citations)
	r.Degraded = slices.Clone(r.Degraded)
	return r
}

// Run runs the stale phases in order and returns the whole result. On an error
// the phases that were done stay done, so that a changed request can go on from
// there. A cancelled context ends the run between phases or within one.
func (s *Session) Run(ctx context.Context, sink Sink) (Result, error) {
	return s.RunTo(ctx, contract.PhaseCite, sink)
}

// RunTo is as Run, but stops after a phase; what follows stays stale.
func (s *Session) RunTo(ctx context.Context, last string, sink Sink) (Result, error) {
	end := stepIndex(last) + 1
	if end == 0 {
		return s.Result(), contract.Invalid("phase", "there is no phase %q; the phases are %s", last, strings.Join(contract.Phases(), " "))
	}
	s.run.Lock()
	defer s.run.Unlock()

	s.mu.Lock()
	req, res, from := s.req, s.res.clone(), s.from
	s.from = max(from, end) // a Change during this run lowers it again
	s.mu.Unlock()

	res.Query = req.Question
	e := emitter{sink: sink, run: "run"}
	if s.p.NewID != nil {
		e.run = s.p.NewID()
	}
	ctx = model.WithPatience(ctx)
	for i := from; i < end; i++ {
		st := steps[i]
		err := ctx.Err()
		if err == nil {
			err = s.p.step(ctx, st, req, &res, &e)
		}
		if err != nil {
			e.emitEvent(Event{Phase: st.phase, Kind: PhaseFailed, Text: err.Error()})
			for _, later := range steps[i:] {
				res.forgetPhase(later)
			}
			s.finishRun(res, i)
			return res, fmt.Errorf("phase %s: %w", st.phase, err)
		}
	}
	s.finishRun(res, max(from, end))
	return res, nil
}

// finishRun stores what a run computed; from is where the next one begins unless
// a Change during the run asks for an earlier phase.
func (s *Session) finishRun(res Result, from int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.res = res.clone()
	s.from = min(s.from, from)
}

func (p *Pipeline) step(ctx context.Context, st step, req Request, res *Result, e *emitter) error {
	e.emitEvent(Event{Phase: st.phase, Kind: PhaseStarted})
	start := p.milliseconds()
	res.Degraded = slices.DeleteFunc(res.Degraded, func(d contract.Degraded) bool { return d.Phase == st.phase })
	ctx, span := tracing.Begin(ctx, "phase "+st.phase, tracing.Internal)
	trace, line, err := st.do(contract.WithWatch(ctx, e.watchPhase(st.phase)), p, req, res)
	tracing.End(span, err)
	if err != nil {
		return err
	}
	ms := math.Round((p.milliseconds()-start)*1000) / 1000 // microseconds are enough
	if trace.Engine == "" {
		trace.Engine = contract.EngineBuiltin
	}
	res.Engine[st.phase] = trace.Engine
	res.TimingsMS[st.phase] = ms
	res.Degraded = append(res.Degraded, trace.Degraded...)
	kind := PhaseDone
	if st.phase == contract.PhaseProcess && res.Phases.Process == nil {
		kind = PhaseSkipped
	}
	e.emitEvent(Event{Phase: st.phase, Kind: kind, Text: line, Engine: trace.Engine, ElapsedMS: ms})
	return nil
}

func (p *Pipeline) milliseconds() float64 {
	if p.Clock == nil {
		return 0
	}
	return p.Clock()
}

// watchPhase makes events of what a phase says while it runs.
func (e *emitter) watchPhase(phase string) func(contract.Progress) {
	if e.sink == nil {
		return nil
	}
	return func(p contract.Progress) {
		ev := Event{Phase: phase, Kind: PhaseProgress, Done: p.Done, Total: p.Total, Text: p.Text, Engine: p.Engine}
		if p.Piece != "" {
			ev.Kind, ev.Text = PhaseText, p.Piece
		}
		e.emitEvent(ev)
	}
}

type emitter struct {
	sink Sink
	run  string
	seq  int
}

func (e *emitter) emitEvent(ev Event) {
	if e.sink == nil {
		return
	}
	e.seq++
	ev.Run, ev.Seq = e.run, e.seq
	e.sink(ev)
}
