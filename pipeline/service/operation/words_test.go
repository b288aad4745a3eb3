package operation_test

import (
	"errors"
	"testing"

	"docent/pipeline"
	"docent/pipeline/service/operation"
)

// Words go with an operation to the type that has its service, and the progress of its work
// is named by its phase.
func TestWordsGoWithTheOperation(t *testing.T) {
	t.Parallel()
	type street struct{ shop *shop }
	worded := trimming().WithWords(operation.Words{Use: "LAMP...", Doing: "trimming"})
	ops := operation.Through(func(s street) *shop { return s.shop }, []operation.Operation[*shop]{worded})
	if w := ops[0].Words; w.Use != "LAMP..." {
		t.Errorf("%+v", w)
	}
	for phase, want := range map[string]string{"trim": "trimming", "fill": ""} {
		if doing := operation.DoingAt(ops, phase); doing != want {
			t.Errorf("%s: %q", phase, doing)
		}
	}
}

// A message is an event of one line, also where an error in it has several.
func TestNotesAreEvents(t *testing.T) {
	t.Parallel()
	operation.Notes(nil)("nobody %s", "listens")
	var got pipeline.Event
	operation.Notes(func(e pipeline.Event) { got = e })("%s: %v", "Lantern@1", errors.New("no oil\nno wick"))
	if got.Kind != pipeline.PhaseNote || got.Text != "Lantern@1: no oil; no wick" {
		t.Errorf("%+v", got)
	}
}
