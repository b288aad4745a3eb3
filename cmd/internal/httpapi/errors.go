package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"docent/cmd/internal/httpapi/login"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// Error codes in addition to those of specification 2.
const (
	codeUnauthorized = "UNAUTHORIZED" // specification 4's
	codeForbidden    = "FORBIDDEN"
	codeNotFound     = "NOT_FOUND"
	codeMethod       = "METHOD_NOT_ALLOWED"
)

// statusGone is logged where the client did not wait for the answer.
const statusGone = 499

// refusal is an error with a status of its own.
type refusal struct {
	status int
	err    *contract.Error
	retry  int    // seconds, for Retry-After; 0: none
	allow  string // methods, for Allow
}

func (e *refusal) Error() string { return e.err.Message }

// Unwrap gives the error as it is written.
func (e *refusal) Unwrap() error { return e.err }

func refusalOf(status int, code, format string, args ...any) *refusal {
	return &refusal{status: status, err: &contract.Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}

func tooBusyError(retry int) *refusal {
	e := refusalOf(http.StatusTooManyRequests, contract.CodeCollectionUnavailable,
		"the server has more requests than it can answer now; send this one again in %d seconds", retry)
	e.err.Remedy, e.retry = &contract.Remedy{Kind: contract.RemedyWait}, retry
	return e
}

func tooLargeError(most int64) *refusal {
	return refusalOf(http.StatusRequestEntityTooLarge, contract.CodeInvalidRequest,
		"the request's body is larger than %d bytes, the most that is taken here", most)
}

// answerToError is the status and the error that a request gets for an error.
func answerToError(err error) *refusal {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e
	}
	if _, ok := errors.AsType[*login.UnreachableError](err); ok {
		// Whoever has no token yet is told no place.
		e := refusalOf(http.StatusServiceUnavailable, contract.CodeCollectionUnavailable,
			"the server cannot look up logins now; send the request again later, the server's log says more under its id")
		e.retry = 2
		return e
	}
	switch {
	case errors.Is(err, errBusy):
		return tooBusyError(1)
	case errors.Is(err, context.DeadlineExceeded):
		return refusalOf(http.StatusServiceUnavailable, contract.CodeCollectionUnavailable,
			"the answer took longer than a request may take here; ask for less, or send it again later")
	case errors.Is(err, context.Canceled):
		return refusalOf(http.StatusServiceUnavailable, contract.CodeCollectionUnavailable,
			"the server is ending; send the request again later")
	}
	class, e := home.Classify(err)
	e = withRemedy(e)
	switch class {
	case home.Usage:
		return &refusal{status: statusOfUsageError(e.Code), err: e}
	case home.Unavailable:
		return &refusal{status: http.StatusServiceUnavailable, err: withoutPlaces(err, e)}
	}
	// What failed inside is for the log: it may name files of this machine.
	return refusalOf(http.StatusInternalServerError, contract.CodeInternal,
		"an internal error; the server's log says more, under the request's id")
}

// withRemedy is an error whose message names its remedy. The form of specification 2 has no
// field for it.
func withRemedy(e *contract.Error) *contract.Error {
	out := *e
	door := contract.Wording{Command: commandAtServer, Field: func(key string) string { return key }, Key: keyAtServer}
	out.Message, out.Remedy = door.Message(e.Message, e.Remedy), nil
	return &out
}

// commandAtServer is a command for the person at the server's machine; "" for those that
// requests stand for.
func commandAtServer(args []string) string {
	if slices.Contains([]string{"read", "search", "diff"}, args[0]) {
		return ""
	}
	return "docent " + strings.Join(args, " ")
}

// keyAtServer is a key of the configuration for the person at the server's machine.
func keyAtServer(key string) string { return key + " in the server's configuration" }

// withoutPlaces is the error of something that is not available without the names of files of
// this machine, which are for the log. Errors that were worded for programs name none.
func withoutPlaces(err error, e *contract.Error) *contract.Error {
	if _, worded := errors.AsType[*contract.Error](err); worded || e.Code != contract.CodeCollectionUnavailable {
		return e
	}
	what := "the documentation cannot be read or changed now"
	if home.LockedByAnother(err) {
		what = "another process changes the documentation"
	}
	return &contract.Error{Code: e.Code, Err: err,
		Message: what + "; send the request again later, the server's log says more under its id"}
}

// statusOfUsageError is the status of an error of usage.
func statusOfUsageError(code string) int {
	switch code {
	case contract.CodeNotFound:
		return http.StatusNotFound
	case contract.CodeDuplicate, contract.CodeConflict:
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

// withoutResource is an error as 404, where the path itself names a doc set or a page that is not
// there.
func (c *call) withoutResource(e *refusal) *refusal {
	if c.op == nil || !c.op.namesDocSet() || !errors.Is(e.err, contract.ErrNotThere) {
		return e
	}
	gone := *e.err
	gone.Code = contract.CodeNotFound
	return &refusal{status: http.StatusNotFound, err: &gone}
}

// plainError is the form of specification 4's errors.
type plainError struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	ID      string `json:"id,omitempty" doc:"of the document that is there already"`
}

// plainErrors reports whether errors have specification 4's form: the operation's, or without an
// operation that of the others at its path.
func (c *call) plainErrors() bool {
	if c.op != nil {
		return c.op.plainErrors
	}
	return slices.ContainsFunc(c.ops, func(op endpoint) bool {
		return op.plainErrors && (op.path == c.r.URL.Path || strings.HasPrefix(c.r.URL.Path, op.path+"/"))
	})
}

// writeError writes an error.
func (c *call) writeError(err error) {
	e := c.withoutResource(answerToError(err))
	c.note.err, c.note.code = err, e.err.Code
	if errors.Is(err, context.Canceled) && c.r.Context().Err() != nil {
		c.note.status = statusGone
		return
	}
	h := c.w.Header()
	if e.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(e.retry))
	}
	if e.allow != "" {
		h.Set("Allow", e.allow)
	}
	if e.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="docent"`)
	}
	if c.plainErrors() {
		id, _ := e.err.Details["id"].(string)
		c.writeValue(e.status, plainError{Error: e.err.Code, Message: e.err.Message, ID: id})
		return
	}
	c.writeValue(e.status, e.err)
}
