package phase_test

import (
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/pane/phase"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// pane is what the panes of this package have in common.
type pane interface {
	tuitest.PhasePane
	SetResult(res pipeline.Result, req pipeline.Request)
}

// Each pane before a run and behind one, at two sizes.
func TestPanes(t *testing.T) {
	t.Parallel()
	st, threshold := style.New(true, true), 0.55
	compressed := pipeline.Request{Question: "q", Preferences: contract.Preferences{Compress: true}}
	for _, tt := range []struct {
		name string
		pane pane
		req  pipeline.Request
	}{
		{"optimize", phase.NewOptimize(st), pipeline.Request{Question: "how do I trim a wick"}},
		{"route", phase.NewRoute(st), pipeline.Request{Question: "q", Scene: "fact_lookup", Threshold: &threshold}},
		{"merge", phase.NewMerge(st), pipeline.Request{Question: "q", DocSets: []string{tuitest.Set}}},
		{"extract", phase.NewExtract(st), pipeline.Request{Question: "how do I trim a wick"}},
		{"check", phase.NewCheck(st), compressed},
		{"final", phase.NewFinal(st), compressed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tuitest.Phase(t, tt.name+"/", tt.pane, tt.req, func(res pipeline.Result) { tt.pane.SetResult(res, tt.req) })
		})
	}
}
