package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind is the kind of an error. Callers branch on it.
type Kind string

// The kinds of errors.
const (
	// Unreachable: the connection is refused or the host name does not resolve.
	// Also every call while the circuit is open.
	Unreachable Kind = "unreachable"
	// TimedOut: the server accepts the connection, but does not answer in time.
	TimedOut Kind = "timed_out"
	// Overloaded: the server has too many requests at the moment (503, 429).
	Overloaded Kind = "overloaded"
	// Denied: the server rejects the credentials (401, 403).
	Denied Kind = "denied"
	// NotFound: the server does not have the model or the path.
	NotFound Kind = "not_found"
	// Incapable: the model or the server does not support the call.
	Incapable Kind = "incapable"
	// TooLong: the text is longer than the model's context.
	TooLong Kind = "too_long"
	// CutOff: the answer reached its limit and is incomplete.
	CutOff Kind = "cut_off"
	// Broken: the connection or the model's process ended during the call.
	Broken Kind = "broken"
	// BadAnswer: the answer does not have the required form.
	BadAnswer Kind = "bad_answer"
	// Failed: the server reports any other error.
	Failed Kind = "failed"
	// Cancelled: the caller cancelled the call.
	Cancelled Kind = "cancelled"
)

// Op is a kind of call.
type Op string

// The kinds of calls.
const (
	OpChat    Op = "chat"
	OpEmbed   Op = "embed"
	OpModels  Op = "models"
	OpPreload Op = "preload"
	OpPull    Op = "pull"
	OpPing    Op = "ping"
)

// Error is a failed call. Its text says what failed, on which server or model,
// and what to do next.
type Error struct {
	Kind   Kind
	Op     Op
	Engine string // the kind of server
	Server string // the server's address, without credentials
	Model  string // "": the call concerns no model
	Status int    // HTTP status; 0: none was received
	// Reason is the message of the server or of the system, on one line; may be "".
	Reason string
	// Wait is the time until the next trial call. It is set if the circuit was open
	// and this call was not sent.
	Wait time.Duration
	Err  error // the cause; may be nil
}

// Error is the message, on one line.
func (e *Error) Error() string {
	var b strings.Builder
	name := engineName(e.Engine)
	where := name
	if e.Server != "" {
		where += " at " + e.Server
	}
	because := ""
	if e.Reason != "" {
		because = ": " + e.Reason
	}
	switch e.Kind {
	case Unreachable:
		fmt.Fprintf(&b, "%s is not reachable%s", where, because)
		if e.Wait > 0 {
			fmt.Fprintf(&b, " (it is tried again in %v)", e.Wait.Round(time.Second))
		} else if e.Engine == "ollama" {
			b.WriteString("; start it with ollama serve, or give its address")
		}
	case TimedOut:
		fmt.Fprintf(&b, "%s does not answer%s", where, because)
	case Overloaded:
		fmt.Fprintf(&b, "%s has too much to do%s; try again later", where, because)
	case Denied:
		fmt.Fprintf(&b, "%s refuses the credentials%s", where, because)
	case NotFound:
		if e.Model == "" {
			fmt.Fprintf(&b, "%s does not know what it was asked for%s; is the address right?", where, because)
			break
		}
		if e.Op == OpPull {
			fmt.Fprintf(&b, "%s finds no model %q to pull", where, e.Model)
			break
		}
		fmt.Fprintf(&b, "%s has no model %q", where, e.Model)
	case Incapable:
		if e.Op == OpPull {
			fmt.Fprintf(&b, "%s cannot be asked to fetch a model%s", where, because)
			break
		}
		fmt.Fprintf(&b, "the model %q of %s cannot %s%s", e.Model, where, e.Op, because)
	case TooLong:
		fmt.Fprintf(&b, "the text is too long for the model %q%s", e.Model, because)
	case CutOff:
		fmt.Fprintf(&b, "the answer of the model %q was cut off%s", e.Model, because)
	case Broken:
		fmt.Fprintf(&b, "%s broke off%s", where, because)
	case BadAnswer:
		fmt.Fprintf(&b, "%s gave a bad answer%s", where, because)
	case Cancelled:
		fmt.Fprintf(&b, "the call of %s was cancelled", where)
	default:
		fmt.Fprintf(&b, "%s failed%s", where, because)
	}
	return b.String()
}

// engineName is the name of a kind of server in messages.
func engineName(engine string) string {
	switch engine {
	case "ollama":
		return "Ollama"
	case "openai":
		return "the OpenAI-compatible server"
	case "":
		return "the model server"
	}
	return engine
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every cancelled call equal to context.Canceled, whatever its cause.
func (e *Error) Is(target error) bool {
	return e.Kind == Cancelled && target == context.Canceled
}

// KindOf returns the kind of an *Error, and "" for all other errors and nil.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}
