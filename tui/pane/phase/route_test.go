package phase_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func shownRoute(t *testing.T, req pipeline.Request) *phase.Route {
	t.Helper()
	p := phase.NewRoute(style.New(true, true))
	p.SetSize(70, 22)
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, req), req)
	return p
}

// Enter asks for the next value of the setting under the cursor, from the first
// to the last one and no further.
func TestRouteNextValue(t *testing.T) {
	t.Parallel()
	p := shownRoute(t, pipeline.Request{Question: "q"})
	for _, want := range []string{phase.Scene, phase.Intent, phase.Confidence, phase.Threshold, phase.Reranking, phase.Reranking} {
		if got := tuitest.Intent(p.Update(keymap.NextValue)); got != (phase.SettingChanged{What: want}) {
			t.Errorf("enter asks for %+v, not for the next %s", got, want)
		}
		if got := tuitest.Intent(p.Update(keymap.Down)); got != nil {
			t.Errorf("down asks for %+v", got)
		}
	}
	p.Update(keymap.Top)
	if what, ok := p.Picked(); !ok || what != phase.Scene {
		t.Errorf("the top is %s, %v", what, ok)
	}
	// The numbers are changed by the root's keys, not by the pane.
	for _, a := range []keymap.Action{keymap.RaiseThreshold, keymap.LowerThreshold, keymap.Open} {
		if got := tuitest.Intent(p.Update(a)); got != nil {
			t.Errorf("%s asks for %+v", a, got)
		}
	}
}

// A click puts the cursor on a setting; the evidence cannot be changed.
func TestRouteClick(t *testing.T) {
	t.Parallel()
	p := shownRoute(t, pipeline.Request{Question: "q"})
	for y, line := range strings.Split(tuitest.View(t, p.View(), 70, 22), "\n") {
		label, _, _ := strings.Cut(strings.TrimLeft(line, " ▸"), "  ")
		what := map[string]string{"kind": phase.Scene, "asked about": phase.Intent, "how sure": phase.Confidence, "threshold": phase.Threshold,
			"ranking": phase.Reranking}[label]
		ok := p.Click(y)
		switch what {
		case phase.Scene, phase.Intent, phase.Confidence, phase.Threshold, phase.Reranking:
			if got, _ := p.Picked(); !ok || got != what {
				t.Errorf("a click on line %d picks %q, %v", y, got, ok)
			}
		default:
			if ok {
				t.Errorf("a click on %q picks something", line)
			}
		}
	}
	if p.Click(500) {
		t.Error("a click below the end picks something")
	}
}

// The pane says which settings are a person's, and the cursor stays when they
// change.
func TestRouteOwnSettingsAreMarked(t *testing.T) {
	t.Parallel()
	p := shownRoute(t, pipeline.Request{Question: "q"})
	if v := p.View(); strings.Contains(v, "set by you") {
		t.Errorf("nothing was set:\n%s", v)
	}
	p.Update(keymap.Down)
	on, sure, threshold := true, 0.3, 0.9
	req := pipeline.Request{Question: "q", Scene: contract.SceneTutorial, Intent: contract.IntentProcedure, Confidence: &sure,
		Threshold: &threshold, Reranker: &on}
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, req), req)
	if n := strings.Count(tuitest.View(t, p.View(), 70, 22), "set by you"); n != 5 {
		t.Errorf("%d settings are marked, not 5:\n%s", n, p.View())
	}
	if what, _ := p.Picked(); what != phase.Intent {
		t.Errorf("the cursor went to %s", what)
	}
}

// Results that are not there or hold values out of their bounds.
func TestRouteStrangeResults(t *testing.T) {
	t.Parallel()
	p := shownRoute(t, pipeline.Request{Question: "q"})
	p.SetResult(pipeline.Result{}, pipeline.Request{})
	if _, ok := p.Picked(); ok || p.Update(keymap.NextValue) != nil {
		t.Error("settings of an earlier run can be changed")
	}
	for _, r := range []contract.Routed{{}, {Scene: tuitest.Hostile, Intent: strings.Repeat("灯", 200), Confidence: 40, RerankerThreshold: -3,
		Evidence: []string{"", tuitest.Hostile}}} {
		var res pipeline.Result
		res.Phases.Route = &r
		p.SetSize(70, 22)
		p.SetResult(res, pipeline.Request{})
		if got := tuitest.Intent(p.Update(keymap.NextValue)); got == nil {
			t.Errorf("%+v: nothing can be changed", r)
		}
		tuitest.Shrink(t, p)
	}
	p.SetSize(70, 22)
	var res pipeline.Result
	res.Phases.Route = &contract.Routed{}
	p.SetResult(res, pipeline.Request{})
	if v := tuitest.View(t, p.View(), 70, 22); !strings.Contains(v, "no word of the question tells its kind") || !strings.Contains(v, "off") {
		t.Errorf("an empty route shows\n%s", v)
	}
}

func TestRouteSizesAndReasons(t *testing.T) {
	t.Parallel()
	p := shownRoute(t, pipeline.Request{Question: "q"})
	tuitest.Shrink(t, p)
	for _, a := range []keymap.Action{keymap.NextValue, keymap.RaiseThreshold, keymap.LowerThreshold} {
		tuitest.Disabled(t, p, a, keymap.NeedResult, tuitest.NotRun, "")
	}
}
