package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
)

// fakes are all phases in one: each notes its name, and fails or waits on request.
type fakes struct {
	mu    sync.Mutex
	calls []string
	fail  map[string]error
	on    map[string]func()
	docs  []string // file paths of what phase 2 was asked for
	max   int
	skip  bool
}

func (f *fakes) call(phase string) (contract.Trace, error) {
	f.mu.Lock()
	f.calls = append(f.calls, phase)
	err, do := f.fail[phase], f.on[phase]
	f.mu.Unlock()
	if do != nil {
		do()
	}
	return contract.Trace{Degraded: []contract.Degraded{{Phase: phase, Reason: "a fake"}}}, err
}

func (f *fakes) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.calls
	f.calls = nil
	return out
}

func (f *fakes) Optimize(_ context.Context, in contract.OptimizeInput) (contract.Optimized, contract.Trace, error) {
	tr, err := f.call(contract.PhaseOptimize)
	return contract.Optimized{OptimizedQueries: []contract.OptimizedQuery{{Rank: 1, Query: in.Query}}, Context: &contract.Context{Question: in.Query}}, tr, err
}

func (f *fakes) Route(context.Context, contract.OptimizeInput) (contract.Routed, contract.Trace, error) {
	tr, err := f.call(contract.PhaseRoute)
	return contract.Routed{Scene: contract.SceneFactLookup, RerankerThreshold: .63, RerankerEnabled: true, Context: &contract.Context{}}, tr, err
}

func (f *fakes) Merge(o contract.Optimized, r contract.Routed) (contract.SearchInput, error) {
	_, err := f.call(contract.PhaseMerge)
	return contract.SearchInput{Query: queryTexts(o.OptimizedQueries), Scene: r.Scene, RerankerThreshold: r.RerankerThreshold,
		Context: &contract.Context{Question: o.Context.Question, RerankerEnabled: &r.RerankerEnabled}}, err
}

func (f *fakes) Search(_ context.Context, in contract.SearchInput, opt contract.SearchOptions) (contract.SearchOutput, contract.Trace, error) {
	tr, err := f.call(contract.PhaseSearch)
	out := contract.SearchOutput{Success: true, Context: in.Context}
	for i := range 3 {
		out.Results = append(out.Results, contract.Result{DocSet: "A@1", FilePath: fmt.Sprintf("%d.md", i), PageTitle: in.Query[0]})
	}
	out.TotalHits = 3
	return out, tr, err
}

func (f *fakes) Rerank(_ context.Context, in contract.RerankInput, _ contract.RerankPolicy) (contract.RerankOutput, contract.Trace, error) {
	tr, err := f.call(contract.PhaseRerank)
	return contract.RerankOutput{Success: true, Results: in.Results, Context: in.Context}, tr, err
}

func (f *fakes) Extract(_ context.Context, in contract.ExtractInput) (contract.Extraction, contract.Trace, error) {
	tr, err := f.call(contract.PhaseExtract)
	out := contract.Extraction{Contents: map[string]string{}, Context: in.Context}
	f.mu.Lock()
	f.docs, f.max = nil, in.MaxDocs
	for _, r := range in.Results {
		f.docs = append(f.docs, r.FilePath)
		out.Documents = append(out.Documents, contract.Extracted{Title: r.FilePath, FilePath: r.FilePath})
	}
	f.mu.Unlock()
	return out, tr, err
}

func (f *fakes) Check(e contract.Extraction, w contract.Preferences) (contract.Check, error) {
	_, err := f.call(contract.PhaseCheck)
	action := contract.ActionProcess
	if f.skip {
		action = contract.ActionSkip
	}
	return contract.Check{Action: action, Extraction: e, CompressionRequested: w.Compress}, err
}

func (f *fakes) Process(_ context.Context, c contract.Check) (contract.Processed, contract.Trace, error) {
	tr, err := f.call(contract.PhaseProcess)
	return contract.Processed{Action: contract.ActionUnchanged, Contents: c.Extraction.Contents}, tr, err
}

func (f *fakes) Cite(_ map[string]string, docs []contract.Extracted) (string, []contract.Citation, error) {
	_, err := f.call(contract.PhaseCite)
	return "block of " + fmt.Sprint(len(docs)), make([]contract.Citation, len(docs)), err
}

func newFakes() (*fakes, *Pipeline) {
	f := &fakes{fail: map[string]error{}, on: map[string]func(){}}
	return f, &Pipeline{Optimizer: f, Router: f, Merger: f, Searcher: f, Reranker: f, Extractor: f, Processor: f, Citer: f}
}

func from(phase string) []string {
	all := contract.Phases()
	return all[slices.Index(all, phase):]
}

func TestRunGoesThroughAllPhasesInOrder(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	now := 0.0
	p.Clock = func() float64 { now++; return now }
	p.NewID = func() string { return "r1" }
	var events []Event
	res, err := p.Run(context.Background(), Request{Question: "hooks"}, func(e Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	if got := f.took(); !slices.Equal(got, contract.Phases()) {
		t.Errorf("ran %v", got)
	}
	if res.Query != "hooks" || res.Final != "block of 3" || len(res.Citations) != 3 || !res.FoundPage() {
		t.Errorf("result is %+v", res)
	}
	for _, phase := range contract.Phases() {
		if res.Engine[phase] != contract.EngineBuiltin || res.TimingsMS[phase] != 1 {
			t.Errorf("phase %s: engine %q, %v ms", phase, res.Engine[phase], res.TimingsMS[phase])
		}
	}
	if len(events) != 2*len(contract.Phases()) {
		t.Fatalf("%d events", len(events))
	}
	for i, e := range events {
		kind := []EventKind{PhaseStarted, PhaseDone}[i%2]
		if e.Seq != i+1 || e.Run != "r1" || e.Phase != contract.Phases()[i/2] || e.Kind != kind {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

func TestSkippedPhaseSaysSo(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	f.skip = true
	var kinds []EventKind
	res, err := p.Run(context.Background(), Request{Question: "q"}, func(e Event) {
		if e.Phase == contract.PhaseProcess {
			kinds = append(kinds, e.Kind)
		}
	})
	if err != nil || res.Phases.Process != nil || !slices.Equal(kinds, []EventKind{PhaseStarted, PhaseSkipped}) {
		t.Errorf("process %v, events %v, err %v", res.Phases.Process, kinds, err)
	}
	if slices.Contains(f.took(), contract.PhaseProcess) {
		t.Error("phase 3 was called")
	}
}

// Every field of a request reaches some phase; a change of it runs that phase
// and all that follow, and none before.
func TestChangeRunsExactlyWhatFollows(t *testing.T) {
	t.Parallel()
	threshold, confidence, off := 0.2, 0.4, false
	tests := map[string]struct {
		alter func(*Request)
		first string
	}{
		"Question":     {func(r *Request) { r.Question = "other" }, contract.PhaseOptimize},
		"DocSets":      {func(r *Request) { r.DocSets = append(r.DocSets, "B@1") }, contract.PhaseOptimize},
		"Queries":      {func(r *Request) { r.Queries = []contract.OptimizedQuery{{Query: "x"}} }, contract.PhaseOptimize},
		"Scene":        {func(r *Request) { r.Scene = contract.SceneTutorial }, contract.PhaseRoute},
		"Intent":       {func(r *Request) { r.Intent = contract.IntentWarning }, contract.PhaseRoute},
		"Confidence":   {func(r *Request) { r.Confidence = &confidence }, contract.PhaseRoute},
		"Threshold":    {func(r *Request) { r.Threshold = &threshold }, contract.PhaseRoute},
		"Reranker":     {func(r *Request) { r.Reranker = &off }, contract.PhaseRoute},
		"Top":          {func(r *Request) { r.Top = 5 }, contract.PhaseSearch},
		"Explain":      {func(r *Request) { r.Explain = true }, contract.PhaseSearch},
		"FallbackMode": {func(r *Request) { r.FallbackMode = contract.FallbackError }, contract.PhaseRerank},
		"Exclude":      {func(r *Request) { r.Exclude = []Hit{{DocSet: "A@1", FilePath: "1.md"}} }, contract.PhaseExtract},
		"MaxDocs":      {func(r *Request) { r.MaxDocs = 1 }, contract.PhaseExtract},
		"Preferences":  {func(r *Request) { r.Preferences.Compress = true }, contract.PhaseCheck},
	}
	typ := reflect.TypeFor[Request]()
	for i := range typ.NumField() {
		if _, ok := tests[typ.Field(i).Name]; !ok {
			t.Errorf("the field %s of a request is in no test", typ.Field(i).Name)
		}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, p := newFakes()
			s := p.NewSession(Request{Question: "hooks"})
			if got := s.staleFrom(); got != contract.PhaseOptimize {
				t.Errorf("a new session is stale from %q", got)
			}
			if _, err := s.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			f.took()
			if got := s.Change(func(*Request) {}); got != "" {
				t.Errorf("a change of nothing makes %q stale", got)
			}
			if got := s.Change(tt.alter); got != tt.first || s.staleFrom() != tt.first {
				t.Errorf("stale from %q, want %q", got, tt.first)
			}
			res, err := s.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.took(); !slices.Equal(got, from(tt.first)) {
				t.Errorf("ran %v, want %v", got, from(tt.first))
			}
			// A second run of a phase leaves one line of degradation, not two.
			for _, d := range res.Degraded {
				if n := len(slices.DeleteFunc(slices.Clone(res.Degraded), func(o contract.Degraded) bool { return o.Phase != d.Phase })); n != 1 {
					t.Errorf("phase %s is said to be degraded %d times", d.Phase, n)
				}
			}
			if _, err := s.Run(context.Background(), nil); err != nil || len(f.took()) > 0 {
				t.Errorf("a run of nothing ran something (%v)", err)
			}
		})
	}
}

func TestRequestTakesThePlaceOfPhases(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	threshold, off := 0.2, false
	res, err := p.Run(context.Background(), Request{
		Question: "hooks", Scene: contract.SceneTutorial, Threshold: &threshold, Reranker: &off, MaxDocs: 2,
		Queries: []contract.OptimizedQuery{{Rank: 7, Query: "first"}, {Query: "second"}},
		Exclude: []Hit{{DocSet: "A@1", FilePath: "0.md"}, {DocSet: "B@1", FilePath: "1.md"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Phases.Merge.Query; !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("queries are %v", got)
	}
	if qs := res.Phases.Optimize.OptimizedQueries; qs[0].Rank != 1 || qs[1].Rank != 2 {
		t.Errorf("ranks are %+v", qs)
	}
	if r := res.Phases.Route; r.Scene != contract.SceneTutorial || r.RerankerThreshold != .2 || r.RerankerEnabled ||
		r.Context.Scene != r.Scene || *r.Context.RerankerThreshold != .2 || *r.Context.RerankerEnabled {
		t.Errorf("route is %+v, its context %+v", r, r.Context)
	}
	if !slices.Equal(f.docs, []string{"1.md", "2.md"}) || f.max != 2 {
		t.Errorf("extracted %v, at most %d", f.docs, f.max)
	}
	if n := len(res.Phases.Rerank.Results); n != 3 {
		t.Errorf("leaving out a hit changed phase 1.5's result: %d", n)
	}
}

func TestErrorKeepsWhatWasDone(t *testing.T) {
	t.Parallel()
	for _, phase := range contract.Phases() {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			f, p := newFakes()
			broken := errors.New("broken")
			s := p.NewSession(Request{Question: "q"})
			if _, err := s.Run(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			f.took()
			f.fail[phase] = broken
			s.Change(func(r *Request) { r.Question = "another" })
			var last Event
			res, err := s.Run(context.Background(), func(e Event) { last = e })
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), "phase "+phase) {
				t.Errorf("error is %v", err)
			}
			if last.Kind != PhaseFailed || last.Phase != phase || last.Text != "broken" {
				t.Errorf("the last event is %+v", last)
			}
			if got := s.staleFrom(); got != phase {
				t.Errorf("stale from %q", got)
			}
			// Nothing of the first question is left to be taken for the second's.
			for _, later := range from(phase) {
				if _, ok := res.Engine[later]; ok {
					t.Errorf("phase %s still says who answered", later)
				}
			}
			if res.Final != "" || len(res.Citations) > 0 || !reflect.DeepEqual(res, s.Result()) {
				t.Errorf("result is %+v", res)
			}
			f.took()
			delete(f.fail, phase)
			if res, err = s.Run(context.Background(), nil); err != nil || res.Final != "block of 3" {
				t.Errorf("going on gives %q, %v", res.Final, err)
			}
			if got := f.took(); !slices.Equal(got, from(phase)) {
				t.Errorf("went on with %v", got)
			}
		})
	}
}

func TestCancelInTheMiddle(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	ctx, cancel := context.WithCancel(context.Background())
	f.on[contract.PhaseSearch] = cancel
	s := p.NewSession(Request{Question: "q"})
	res, err := s.Run(ctx, nil)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := f.took(); !slices.Equal(got, contract.Phases()[:4]) || s.staleFrom() != contract.PhaseRerank || res.Phases.Search == nil {
		t.Errorf("ran %v, stale from %q", got, s.staleFrom())
	}
}

func TestRunTo(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	s := p.NewSession(Request{Question: "q"})
	if _, err := s.RunTo(context.Background(), "1.6", nil); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
		t.Errorf("an unknown phase gives %v", err)
	}
	if _, err := s.RunTo(context.Background(), contract.PhaseRerank, nil); err != nil {
		t.Fatal(err)
	}
	if got := f.took(); got[len(got)-1] != contract.PhaseRerank || s.staleFrom() != contract.PhaseExtract {
		t.Errorf("ran %v, stale from %q", got, s.staleFrom())
	}
	if _, err := s.RunTo(context.Background(), contract.PhaseSearch, nil); err != nil || len(f.took()) > 0 || s.staleFrom() != contract.PhaseExtract {
		t.Errorf("running to what is done: %v, stale from %q", err, s.staleFrom())
	}
}

// A person types while a run is under way: what the run makes is of the old
// request, and what the change reaches is run again.
func TestChangeDuringRun(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	s := p.NewSession(Request{Question: "q"})
	f.on[contract.PhaseExtract] = func() {
		f.mu.Lock()
		delete(f.on, contract.PhaseExtract)
		f.mu.Unlock()
		s.Change(func(r *Request) { r.Top = 9 })
	}
	if _, err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if got := f.took(); !slices.Equal(got, contract.Phases()) {
		t.Errorf("the first run ran %v", got)
	}
	if got := s.staleFrom(); got != contract.PhaseSearch {
		t.Errorf("stale from %q", got)
	}
	if _, err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if got := f.took(); !slices.Equal(got, from(contract.PhaseSearch)) || s.staleFrom() != "" {
		t.Errorf("the second run ran %v", got)
	}
}

// What a caller got or gave cannot be used to change a session's request behind
// its back: then nothing would be stale.
func TestRequestIsTheSessionsOwn(t *testing.T) {
	t.Parallel()
	_, p := newFakes()
	threshold := 0.5
	s := p.NewSession(Request{Question: "q", DocSets: []string{"A@1"}, Threshold: &threshold})
	threshold = 0.1
	s.Request().DocSets[0] = "B@1"
	if r := s.Request(); r.DocSets[0] != "A@1" || *r.Threshold != .5 {
		t.Errorf("the request is %+v, threshold %v", r, *r.Threshold)
	}
	if _, err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if got := s.Change(func(r *Request) { *r.Threshold = 0.2 }); got != contract.PhaseRoute {
		t.Errorf("a threshold changed in place makes %q stale", got)
	}
}

// Many goroutines change and run one session; the race detector watches, and
// in the end everything is of the last request.
func TestSessionIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	_, p := newFakes()
	s := p.NewSession(Request{Question: "q"})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				s.Change(func(r *Request) { r.Question = fmt.Sprint(i, j) })
				if _, err := s.Run(context.Background(), nil); err != nil {
					t.Error(err)
				}
				_, _ = s.Result(), s.staleFrom()
			}
		})
	}
	wg.Wait()
	res, err := s.Run(context.Background(), nil)
	if err != nil || res.Query != s.Request().Question || res.Phases.Merge.Query[0] != res.Query {
		t.Errorf("%q was answered, %q asked (%v)", res.Phases.Merge.Query, s.Request().Question, err)
	}
}

// A session that recalls asks the pipeline for that, with the same request; a
// pipeline that has none asks itself.
func TestRecalling(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	s := p.NewSession(Request{Question: "lamps", DocSets: []string{"A@1"}})
	if _, err := s.Recalling().Run(t.Context(), nil); err != nil || len(f.took()) == 0 {
		t.Fatalf("nothing ran: %v", err)
	}
	recalled, q := newFakes()
	p.Recalled = q
	again := s.Recalling()
	if _, err := again.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if own, other := f.took(), recalled.took(); len(own) != 0 || len(other) == 0 {
		t.Errorf("the pipeline itself ran %v, the recalling one %v", own, other)
	}
	if !reflect.DeepEqual(again.Request(), s.Request()) || s.staleFrom() != contract.PhaseOptimize {
		t.Errorf("the request is %+v, the session is stale from %q", again.Request(), s.staleFrom())
	}
}
