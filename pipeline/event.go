package pipeline

import "docent/pipeline/contract"

// Events are contract's, so that ingest and embed can emit them without knowing
// the pipeline. These names are for those who run one.
type (
	EventKind = contract.EventKind
	Event     = contract.Event
	Sink      = contract.Sink
)

// The kinds of events.
const (
	PhaseStarted  = contract.PhaseStarted
	PhaseProgress = contract.PhaseProgress
	PhaseDone     = contract.PhaseDone
	PhaseSkipped  = contract.PhaseSkipped
	PhaseFailed   = contract.PhaseFailed
	PhaseText     = contract.PhaseText
	PhaseNote     = contract.PhaseNote
)
