package contract

import "time"

// EventKind says what an event reports.
type EventKind string

// The kinds of events.
const (
	PhaseStarted  EventKind = "started"
	PhaseProgress EventKind = "progress"
	PhaseDone     EventKind = "done"
	PhaseSkipped  EventKind = "skipped"
	PhaseFailed   EventKind = "failed"
	// PhaseText has a piece of a model's answer in Text, as it arrives: raw and not
	// checked. It is not the phase's result.
	PhaseText EventKind = "text"
	// PhaseNote has a message for a person in Text.
	PhaseNote EventKind = "note"
)

// Event is one step of a run. The events of a run are numbered from 1 without gaps
// and delivered in that order.
type Event struct {
	Run       string    `json:"run"`
	Seq       int       `json:"seq"`
	Phase     string    `json:"phase"` // a phase name, or "ingest"
	Kind      EventKind `json:"kind"`
	Done      int       `json:"done,omitempty"`
	Total     int       `json:"total,omitempty"`
	Text      string    `json:"text,omitempty"` // one line for a person
	Engine    string    `json:"engine,omitempty"`
	ElapsedMS float64   `json:"elapsed_ms,omitempty"`
	// Left is how long the rest is expected to take, 0 where that is not known.
	Left time.Duration `json:"-"`
}

// Sink receives events. It is called from the goroutine that runs the pipeline and
// must not block. A nil Sink drops events.
type Sink func(Event)
