package contract

// EventKind says what an event reports.
type EventKind string

// The kinds of events.
const (
	PhaseStarted  EventKind = "started"
	PhaseProgress EventKind = "progress"
	PhaseDone     EventKind = "done"
	PhaseSkipped  EventKind = "skipped"
	PhaseFailed   EventKind = "failed"
	// PhaseText has a piece of a model's answer in Text, as it comes: raw, and
	// neither checked nor the phase's result yet.
	PhaseText EventKind = "text"
)

// Event is one thing that happened in a run. Events of a run are numbered from
// 1 without gaps and are delivered in that order.
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
}

// Sink takes events. It is called from the goroutine that runs the pipeline
// and must return at once. Nil is a sink that drops them.
type Sink func(Event)
