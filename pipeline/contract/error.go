package contract

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
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

// ErrNotThere is the cause of an INVALID_REQUEST that names a doc set or a page that is not there.
var ErrNotThere = errors.New("what the request names is not there")

// WithRemedy sets the error's remedy and returns the error.
func (e *Error) WithRemedy(r *Remedy) *Error {
	e.Remedy = r
	return e
}

func (e *Error) Error() string { return e.Message }

// NextStep is the error's remedy, or nil.
func (e *Error) NextStep() *Remedy { return e.Remedy }

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
		Message: "the question is empty; ask something, for example: how do I add a doc set"}
}

// wordlessQuery is SEARCH_QUERY_EMPTY for a question of signs alone, such as "???". The
// indexes hold words, so nothing can be found for it.
func wordlessQuery() *Error {
	return &Error{Code: CodeQueryEmpty, Remedy: Change("query"),
		Message: "the question has no word, only signs; ask in words, for example: how do I add a doc set"}
}

// CheckQuery fails with SEARCH_QUERY_EMPTY if a question has no letter and no digit.
func CheckQuery(question string) error {
	switch {
	case strings.TrimSpace(question) == "":
		return EmptyQuery()
	case !strings.ContainsFunc(question, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return wordlessQuery()
	}
	return nil
}

// Unavailable is DOCS_COLLECTION_UNAVAILABLE with its cause.
func Unavailable(err error, format string, args ...any) *Error {
	return &Error{Code: CodeCollectionUnavailable, Message: fmt.Sprintf(format, args...), Err: err}
}
