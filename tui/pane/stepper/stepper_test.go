package stepper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/stepper"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func ev(phase string, kind pipeline.EventKind, text string, ms float64) pipeline.Event {
	return pipeline.Event{Phase: phase, Kind: kind, Text: text, ElapsedMS: ms}
}

func TestStates(t *testing.T) {
	t.Parallel()
	p := stepper.New(style.New(true, true))
	is := func(phase string, want stepper.State) {
		t.Helper()
		if got := p.Step(phase).State; got != want {
			t.Errorf("%s is %s, want %s", phase, got, want)
		}
	}
	is("0a", stepper.Waiting)
	p.ApplyEvent(ev("0a", pipeline.PhaseStarted, "", 0))
	is("0a", stepper.Running)
	p.ApplyEvent(ev("0a", pipeline.PhaseDone, "3 queries", 1.2))
	p.ApplyEvent(ev("3", pipeline.PhaseSkipped, "not needed", 0))
	p.ApplyEvent(ev("cite", pipeline.PhaseDone, "1 citation", 0.5))
	is("0a", stepper.Done)
	is("3", stepper.Skipped)

	// A change: what follows from the first phase that runs is stale.
	p.Begin()
	p.ApplyEvent(ev("2.5", pipeline.PhaseStarted, "", 0))
	is("0a", stepper.Done)
	is("3", stepper.Stale)
	is("cite", stepper.Stale)
	p.ApplyEvent(ev("2.5", pipeline.PhaseFailed, "context canceled", 0))
	p.End(nil, true)
	is("2.5", stepper.Stale)
	p.ApplyEvent(ev("2.5", pipeline.PhaseFailed, "no space \x1b[31mleft", 0))
	p.End([]contract.Degraded{{Phase: "0a", Wanted: "m", Used: "builtin", Reason: "slow"}}, false)
	is("2.5", stepper.Failed)
	if s := p.Step("2.5"); s.Text != "no space left" {
		t.Errorf("the error is %q", s.Text)
	}
	if s := p.Step("0a"); s.Degraded != "docent itself in place of m: slow" {
		t.Errorf("degraded is %q", s.Degraded)
	}
	p.ApplyEvent(ev("ingest", pipeline.PhaseStarted, "", 0)) // no phase of a run
	p.Reset()
	is("2.5", stepper.Waiting)
	if p.Step("nothing") != (stepper.Step{}) {
		t.Error("an unknown phase has a step")
	}
}

func TestSelection(t *testing.T) {
	t.Parallel()
	p := stepper.New(style.New(true, true))
	for _, tt := range []struct {
		do   func()
		want string
	}{
		{func() { p.Update(keymap.PrevPhase) }, "0a"},
		{func() { p.Update(keymap.NextPhase) }, "0b"},
		{func() { p.SelectNth(7) }, "cite"},
		{func() { p.Update(keymap.NextPhase) }, "cite"},
		{func() { p.SelectNth(8) }, "cite"},
		{func() { p.SelectPhase("3") }, "2.5"},
		{func() { p.SelectPhase("1.5") }, "1.5"},
		{func() { p.SelectPhase("nothing") }, "1.5"},
	} {
		if tt.do(); p.Selected() != tt.want {
			t.Errorf("selected %s, want %s", p.Selected(), tt.want)
		}
	}
	if len(p.Bindings()) != 2 {
		t.Error("it has other keys")
	}
}

func TestElapsed(t *testing.T) {
	t.Parallel()
	for ms, want := range map[float64]string{0: "0 ms", 1.24: "1.2 ms", 14.2: "14 ms", 999: "999 ms", 1500: "1.5 s"} {
		if got := stepper.ElapsedText(stepper.Step{State: stepper.Done, MS: ms}); got != want {
			t.Errorf("%v is %q, want %q", ms, got, want)
		}
	}
	if got := stepper.ElapsedText(stepper.Step{State: stepper.Waiting}); got != "" {
		t.Errorf("a waiting phase took %q", got)
	}
}

func TestViews(t *testing.T) {
	t.Parallel()
	p := stepper.New(style.New(true, true))
	p.ApplyEvent(ev("0a", pipeline.PhaseDone, "3 queries", 1.2))
	p.ApplyEvent(pipeline.Event{Phase: "0b", Kind: pipeline.PhaseDone, Text: "tutorial", Engine: "ollama:small", ElapsedMS: 812})
	p.ApplyEvent(ev("merge", pipeline.PhaseSkipped, "", 0))
	p.ApplyEvent(ev("1", pipeline.PhaseFailed, "the index is locked by another program that has been writing to it for an hour", 0))
	p.ApplyEvent(pipeline.Event{Phase: "2", Kind: pipeline.PhaseProgress, Done: 2, Total: 3})
	p.SelectPhase("1")
	for _, s := range []struct {
		name string
		w, h int
	}{{"strip80", 80, 2}, {"strip40", 40, 2}, {"strip139", 139, 2}, {"column9", 34, 10}, {"column18", 34, 18}, {"column27", 34, 30}} {
		p.SetSize(s.w, s.h)
		view := p.View()
		tuitest.Golden(t, s.name, tuitest.View(t, view, s.w, max(s.h, 9)))
		if s.w >= 80 && !strings.Contains(view, "5 Ranking") {
			t.Errorf("%s lacks a phase", s.name)
		}
	}
}

// The key of a step is the number that is printed with it; the two phases of the cuts
// are one step, with the state of the one that is not done.
func TestNumbersAreKeys(t *testing.T) {
	t.Parallel()
	p := stepper.New(style.New(true, true))
	for _, w := range []int{200, 80, 40} {
		p.SetSize(w, 2)
		for i := range stepper.Count {
			if !p.SelectNth(i) || !strings.Contains(ansi.Strip(p.View()), fmt.Sprintf("[%s", stepper.PhaseTitle(p.Selected()))) ||
				!strings.HasPrefix(stepper.PhaseTitle(p.Selected()), fmt.Sprint(i+1)) {
				t.Errorf("key %d at %d columns:\n%s", i+1, w, ansi.Strip(p.View()))
			}
		}
	}
	p.SetSize(80, 2)
	p.SelectPhase("3")
	for _, tt := range []struct {
		event pipeline.Event
		want  string
	}{
		{ev("2.5", pipeline.PhaseStarted, "", 0), "[7 Cuts●]"},
		{ev("2.5", pipeline.PhaseDone, "too long", 1), "[7 Cuts·]"},
		{ev("3", pipeline.PhaseStarted, "", 0), "[7 Cuts●]"},
		{ev("3", pipeline.PhaseSkipped, "", 0), "✓ too long"},
		{ev("3", pipeline.PhaseDone, "7 of 9 lines left", 2), "✓ 7 of 9 lines left"},
		{ev("3", pipeline.PhaseFailed, "no space", 2), "✗ no space"},
	} {
		if p.ApplyEvent(tt.event); !strings.Contains(ansi.Strip(p.View()), tt.want) {
			t.Errorf("after %v the step shows\n%s", tt.event, ansi.Strip(p.View()))
		}
	}
	p.ApplyEvent(ev("1", pipeline.PhaseDone, "9 sections found", 1))
	p.SelectPhase("1")
	p.SetNote("title has “wick”")
	if v := ansi.Strip(p.View()); !strings.Contains(v, "✓ title has “wick”") || strings.Contains(v, "9 sections") {
		t.Errorf("the note is not in\n%s", v)
	}
}
