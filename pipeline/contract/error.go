package contract

import (
	"errors"
	"fmt"
)

// Error codes of spec 2.
const (
	CodeInvalidRequest        = "INVALID_REQUEST"
	CodeQueryEmpty            = "SEARCH_QUERY_EMPTY"
	CodeCollectionUnavailable = "DOCS_COLLECTION_UNAVAILABLE"
	CodeRerankingUnavailable  = "DOCS_RERANKING_UNAVAILABLE"
	CodeInternal              = "INTERNAL_ERROR"
)

// Error is an error that a program can act on (spec 2's SearchError) and a
// person can read: Message says what failed, on what, and what to do next.
type Error struct {
	Code    string         `json:"errorCode"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
	Err     error          `json:"-"`
	// Remedy is the next step for a program; nil where none is known. The wire
	// form of spec 2 has no field for it.
	Remedy *Remedy `json:"-"`
}

// RemedyKind says which fields of a Remedy are set.
type RemedyKind string

// The kinds of remedies.
const (
	RemedyRun       RemedyKind = "run"       // run docent with the arguments Command
	RemedyInstall   RemedyKind = "install"   // install Name: a program or a model
	RemedyStart     RemedyKind = "start"     // start the server Name, which is expected at Value
	RemedyConfigure RemedyKind = "configure" // set the configuration key Key to Value
	RemedyChange    RemedyKind = "change"    // change the request's field Key; Choices are values that it may have
	RemedyWait      RemedyKind = "wait"      // send the request again later
)

// Remedy is what removes the cause of an error. Each door words it in its own
// way: the command line prints a command, the app offers a key, HTTP and MCP
// hand on the fields.
type Remedy struct {
	Kind    RemedyKind
	Command []string // of RemedyRun, without the program's name: "update", "Lantern@1"
	Name    string   // of RemedyInstall and RemedyStart
	Key     string   // of RemedyConfigure and RemedyChange
	Value   string   // of RemedyConfigure and RemedyStart; "" where the person has to choose one
	Choices []string // of RemedyChange; nil where they cannot be listed
}

// RunDocent is the remedy "run docent with these arguments".
func RunDocent(args ...string) *Remedy { return &Remedy{Kind: RemedyRun, Command: args} }

// Configure is the remedy "set this configuration key".
func Configure(key, value string) *Remedy {
	return &Remedy{Kind: RemedyConfigure, Key: key, Value: value}
}

// Change is the remedy "give this field of the request another value".
func Change(field string, choices ...string) *Remedy {
	return &Remedy{Kind: RemedyChange, Key: field, Choices: choices}
}

// WithRemedy sets the error's remedy and returns the error.
func (e *Error) WithRemedy(r *Remedy) *Error {
	e.Remedy = r
	return e
}

// RemedyOf finds the remedy of the first contract error in a chain of errors, or nil.
func RemedyOf(err error) *Remedy {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Remedy
	}
	return nil
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Invalid is INVALID_REQUEST; field names the offending field, or is "".
func Invalid(field, format string, args ...any) *Error {
	e := &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
	if field != "" {
		e.Details = map[string]any{"field": field}
		e.Remedy = Change(field)
	}
	return e
}

// EmptyQuery is SEARCH_QUERY_EMPTY.
func EmptyQuery() *Error {
	return &Error{Code: CodeQueryEmpty, Remedy: Change("query"),
		Message: "the question is empty; ask something, for example: docent ask \"how do I add a doc set\""}
}

// Unavailable is DOCS_COLLECTION_UNAVAILABLE with its cause.
func Unavailable(err error, format string, args ...any) *Error {
	return &Error{Code: CodeCollectionUnavailable, Message: fmt.Sprintf(format, args...), Err: err}
}

// AsError finds an Error in a chain of errors, or makes an INTERNAL_ERROR.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Code: CodeInternal, Message: err.Error(), Err: err}
}
