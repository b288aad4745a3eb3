package home

import (
	"context"
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest"
)

// Watch receives the events of adding and updating doc sets; any of its functions may be
// nil.
type Watch struct {
	Note   func(format string, args ...any) // what a person should know
	Report func(ingest.Report)              // a doc set is done
	Events contract.Sink                    // indexing goes on
	Trace  ingest.Trace                     // the decision and its outcome, for each file
	// Allow asks whether a model server that was found may get questions and texts of pages;
	// answered is false if the person gave no answer. nil: there is no person to ask.
	Allow func(context.Context, *UnnamedError) (yes, answered bool)
}

func (w Watch) Notef(format string, args ...any) {
	if w.Note != nil {
		w.Note(format, args...)
	}
}

// UnnamedError means that a server was found, but is neither configured nor allowed to
// receive questions and texts of pages. It wraps model.ErrNone.
type UnnamedError struct {
	Server  string // for a person: "Ollama at http://127.0.0.1:11434"
	Address string
}

func (e *UnnamedError) Error() string {
	return fmt.Sprintf("%s was found; it could help with questions and make vectors of your pages. Nothing of them was sent to it, "+
		"since nobody named it", e.Server)
}

// NextStep is the consent, or the refusal.
func (e *UnnamedError) NextStep() *contract.Remedy {
	return contract.RunDocent("models", "allow").To("has it asked").And(contract.RunDocent("models", "refuse").To("ends this note"))
}

// Brief is the error as one line of the app, which names the key that asks for consent.
func (e *UnnamedError) Brief(key string) string {
	return fmt.Sprintf("%s was found; nothing is sent to it before %s", e.Server, key)
}

// Unwrap says that there is no model.
func (e *UnnamedError) Unwrap() error { return model.ErrNone }
