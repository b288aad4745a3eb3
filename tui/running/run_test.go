package running

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// Events are joined to what a frame needs: the newest progress of a phase, and the
// pieces of an answer as one. Events of an earlier run are dropped.
func TestEventsAreJoined(t *testing.T) {
	t.Parallel()
	var b eventBuffer
	b.beginRun(1)
	old := b.sinkOfRun(1)
	old(pipeline.Event{Phase: contract.PhaseSearch, Kind: pipeline.PhaseStarted})
	b.beginRun(2)
	old(pipeline.Event{Phase: contract.PhaseSearch, Kind: pipeline.PhaseDone})
	sink := b.sinkOfRun(2)
	sink(pipeline.Event{Phase: contract.PhaseOptimize, Kind: pipeline.PhaseStarted})
	for i := range 1000 {
		sink(pipeline.Event{Phase: contract.PhaseOptimize, Kind: pipeline.PhaseProgress, Done: i})
	}
	for i := range 50 {
		sink(pipeline.Event{Phase: contract.PhaseOptimize, Kind: pipeline.PhaseText, Text: fmt.Sprint(i % 10)})
	}
	sink(pipeline.Event{Phase: contract.PhaseRoute, Kind: pipeline.PhaseProgress, Done: 3})
	sink(pipeline.Event{Phase: contract.PhaseOptimize, Kind: pipeline.PhaseProgress, Done: 4})
	got := b.takeEvents()
	if len(got) != 5 || got[1].Done != 999 || got[2].Text != strings.Repeat("0123456789", 5) || got[3].Done != 3 || got[4].Done != 4 {
		t.Errorf("joined to %d events: %+v", len(got), got)
	}
	if again := b.takeEvents(); len(again) != 0 {
		t.Errorf("taken twice: %+v", again)
	}
}

// A run that starts after a newer one does not begin a session.
func TestOlderRunsDoNotStart(t *testing.T) {
	t.Parallel()
	r := runner{latest: 5, backend: nil} // a session would need a backend
	if _, err := r.continueSession(t.Context(), 4, pipeline.Request{}, true, nil); err != errOvertaken {
		t.Errorf("it ends with %v", err)
	}
	var wg sync.WaitGroup
	wg.Go(r.forgetSession)
	wg.Go(r.forgetSession)
	wg.Wait()
}

// Undo reaches back no farther than mostChanges.
func TestChangesAreBounded(t *testing.T) {
	t.Parallel()
	var c changes
	c.beginChanges(pipeline.Request{})
	for i := range mostChanges + 50 {
		c.keepChange(pipeline.Request{Top: i + 1}, fmt.Sprint(i))
	}
	c.keepChange(pipeline.Request{Top: mostChanges + 50}, "no change")
	if w := c.changesInWords(); len(w) != mostChanges || w[0] != "50" {
		t.Errorf("%d changes are kept, from %s", len(w), w[0])
	}
}
