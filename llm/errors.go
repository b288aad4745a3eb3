package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what went wrong, for callers to branch on.
type Kind string

// The kinds.
const (
	// Unreachable: nobody listens, or the name leads nowhere; also while the
	// circuit is open.
	Unreachable Kind = "unreachable"
	// TimedOut: it listens, and does not answer in the time that it has.
	TimedOut Kind = "timed_out"
	// Overloaded: it refuses for now (503, 429).
	Overloaded Kind = "overloaded"
	// Denied: it wants other credentials (401, 403).
	Denied Kind = "denied"
	// NotFound: the model is not there, or the address is of something else.
	NotFound Kind = "not_found"
	// Incapable: the model cannot do what it was asked to.
	Incapable Kind = "incapable"
	// TooLong: the text is longer than the model can read.
	TooLong Kind = "too_long"
	// CutOff: the answer was longer than it may be, and has no end.
	CutOff Kind = "cut_off"
	// Broken: the connection or the model's process ended in the middle.
	Broken Kind = "broken"
	// BadAnswer: an answer came that is none.
	BadAnswer Kind = "bad_answer"
	// Failed: the server says that it failed, for another reason.
	Failed Kind = "failed"
	// Cancelled: the caller did not want it any more.
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

// Error is what went wrong with a call, on what, and what to do next.
type Error struct {
	Kind   Kind
	Op     Op
	Engine string // the kind of server
	Server string // its address, without credentials
	Model  string // "": none is concerned
	Status int    // of HTTP; 0: none came
	// Reason is what the server or the system said, on one line; may be "".
	Reason string
	// Wait is in how long the server is tried again; not 0: the circuit is open,
	// and this call did not go out.
	Wait time.Duration
	Err  error // the cause; may be nil
}

// Error says it on one line.
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

// engineName is how people write the name of a kind of server.
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

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes a cancelled call context.Canceled, whatever its cause says.
func (e *Error) Is(target error) bool {
	return e.Kind == Cancelled && target == context.Canceled
}

// KindOf is the kind of an error, "" for nil and errors of others.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}
