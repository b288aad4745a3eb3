package contract

// Measure is what a question for a quantity, a place or a version asks for.
type Measure uint8

// The measures.
const (
	MeasureLimit    Measure = iota // at most: the largest, the longest, the limit
	MeasureMinimum                 // at least
	MeasureDefault                 // if nothing is set
	MeasureDuration                // how long, how often
	MeasureSize                    // how large
	MeasurePlace                   // in which file or folder
	MeasurePort                    // of a network
	MeasureVersion                 // since or until which one
)

// String is the measure's name.
func (m Measure) String() string {
	return [...]string{"limit", "minimum", "default", "duration", "size", "place", "port", "version"}[m]
}

// Reading is what the rules read from a question. Phase 0a makes it, and it travels with
// the context from phase to phase as a Go value: it is no part of the JSON, and a phase
// whose input came as JSON makes it again from the context. Once made, it does not change.
type Reading struct {
	Question string // the context's question
	Asked    string // the same without the words that ask for the full or the compressed text
	Kind     string // one of Kinds, or ""
	Subjects []string
	Cue      string // the words or the form that decided the kind
	Pasted   bool   // the question is a message of a program
	How      bool   // it asks in so many words how something is done
	Default  bool   // it asks for a default
	Full     bool   // it asks for the full text
	Compress bool   // it asks for compressed text
	Measures []Measure
	Parts    []Reading // the questions of a text that asks several; nil for one
}
