package operation

import (
	"fmt"
	"strings"

	"docent/pipeline"
)

// Words are what an operation says to people who type it: its help, and its answers as text.
type Words struct {
	Use           string // behind the name
	Long, Example string
	Seldom        bool              // the help of all commands names it without its line
	Usage         map[string]string // of flags of which more is to be said than their fields do
	Completes     Completion
	// Doing names the work while it lasts, such as "indexing"; "": it is not shown. The
	// events of the work have the operation's name as their phase.
	Doing string
	// Text writes an answer, also one that came with an error; nil: the answer is shown as JSON.
	Text func(answer any, to Paper)
}

// Completion is what the arguments of an operation are completed with.
type Completion int

// The completions.
const (
	Nothing    Completion = iota
	SetsOrPage            // doc sets, and behind the name of one its pages
)

// Paper takes the text of an answer.
type Paper struct {
	Quiet   bool                             // only what was asked for
	Verbose bool                             // all that there is to say
	Width   int                              // of the lines, 0: as long as they are
	Line    func(text string)                // writes a line
	Row     func(name, text string)          // writes a row of a name and its text, which may be wrapped
	Note    func(format string, args ...any) // says something about the answer
}

// WithWords gives the operation words for people.
func (op Operation[S]) WithWords(w Words) Operation[S] {
	op.Words = w
	return op
}

// Checked is a request that checks more than the bounds of its fields.
type Checked interface {
	// CheckRequest is called before anything is opened for the operation.
	CheckRequest() error
}

// Notes makes events of messages for people.
func Notes(sink pipeline.Sink) func(format string, args ...any) {
	return func(format string, args ...any) {
		if sink == nil {
			return
		}
		for i, arg := range args {
			if err, ok := arg.(error); ok {
				args[i] = strings.ReplaceAll(err.Error(), "\n", "; ")
			}
		}
		sink(pipeline.Event{Kind: pipeline.PhaseNote, Text: fmt.Sprintf(format, args...)})
	}
}

// DoingAt is what the operation of a phase's events does, "" where its progress is not shown.
func DoingAt[S any](all []Operation[S], phase string) string {
	op, _ := FindNamed(all, phase)
	return op.Words.Doing
}
