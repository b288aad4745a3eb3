package care_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/servicetest"
)

// The tasks of a program that runs on are done in their order, each for its turn, and only
// the progress of their own phase is reported.
func TestTasksAreKeptUp(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	var did []string
	task := func(label string, fails error) care.Task {
		return care.Task{Label: label, Phase: label, Work: func(_ context.Context, turn time.Duration, w home.Watch) error {
			did = append(did, label+" "+turn.String())
			if w.Events != nil {
				w.Events(contract.Event{Phase: label, Kind: contract.PhaseProgress, Done: 1, Total: 2})
				w.Events(contract.Event{Phase: "other", Kind: contract.PhaseProgress, Done: 1, Total: 2})
				w.Events(contract.Event{Phase: label, Kind: contract.PhaseDone, Total: 2})
			}
			return fails
		}}
	}
	gone := errors.New("the model is gone")
	looked := care.New(h.Services.Home, servicetest.NoModels{}, nil, care.Parts{Library: h.Library, Vectors: h.Vectors, Graph: h.Graph,
		Inbox: h.Inbox, Intake: h.Intake, Additions: care.Additions{Tasks: []care.Task{task("wicks", nil), task("oil", gone), task("glass", nil)}}})
	err := looked.Keep(t.Context(), care.KeepRequest{Turn: time.Minute, Progress: func(label string, e contract.Event) {
		did = append(did, label+" is at work")
	}})
	if want := []string{"wicks 1m0s", "wicks is at work", "oil 1m0s", "oil is at work"}; !errors.Is(err, gone) || !slices.Equal(did, want) {
		t.Errorf("%q, %v", did, err)
	}
	if found := looked.Totals(); len(found) > 0 {
		t.Errorf("totals of no feature: %+v", found)
	}
}
