// Package reporting prints the error or the signal that ended a command, as a line for a
// person or as JSON, and gives the exit code.
//
// It refuses to decide by the text of an error.
package reporting

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/pipeline/text/sanitize"
	"docent/tui"
)

// exitOf maps a class of errors to its exit code.
func exitOf(c home.Class) int {
	switch c {
	case home.Usage:
		return failure.CodeUsage
	case home.Unavailable:
		return failure.CodeUnavailable
	}
	return failure.CodeInternal
}

// worded is an error as the command line says it: with the command or flag that
// is its remedy.
func worded(err error, e *contract.Error) *contract.Error {
	out := *e
	if taken, ok := errors.AsType[*library.TakenError](err); ok {
		switch {
		case taken.Added != "":
			out.Message = fmt.Sprintf("%s is already %s, and %s is to be added under that name too; add it by itself and give it a name "+
				"with --name or --version", taken.Ref, taken.Root, taken.Added)
		case taken.Manual():
			out.Message = fmt.Sprintf("%s is the built-in manual; give the new one a name with --name or --version", taken.Ref)
		default:
			out.Message = fmt.Sprintf("%s is already %s; give the new one a name with --name or --version, or forget the old one with: "+
				"docent rm %s", taken.Ref, taken.Root, taken.Ref)
		}
		return &out
	}
	r := e.Remedy
	if r != nil && r.Kind == contract.RemedyChange && r.Key == "section" && e.Details["candidates"] != nil {
		out.Message += fmt.Sprintf(": --section '#%s'", r.Choices[len(r.Choices)-1])
		return &out
	}
	return invocation.Worded(e)
}

// codeEnded is the error code of a command that a signal ended.
const codeEnded = "INTERRUPTED"

// Signal reports that a signal ended the command, and what the command had done by then.
// The error is whatever a library made of the end of its context ("statement is closed"),
// so it is printed only with -v.
func Signal(c *invocation.Call, code int, did string, err error) int {
	e := &contract.Error{Code: codeEnded, Message: did}
	if w := c.Work; w != nil {
		w.More = errors.Is(err, vectors.ErrUnembedded) || errors.Is(err, ingest.ErrUnlearned) || errors.Is(err, ingest.ErrUnreferred)
		e.Message += ": " + w.Summary()
		e.Details = map[string]any{"done": append([]string{}, w.Done...), "not_done": append(append([]string{}, w.Undone...), w.Bare...)}
	}
	if c.IO.ErrTTY {
		fmt.Fprint(c.IO.Err, "\r\x1b[K") // the terminal wrote ^C, perhaps next to a progress bar
	}
	if _, silent := errors.AsType[failure.ExitCode](err); err != nil && !silent && c.Verbose > 0 {
		fmt.Fprintf(c.IO.Err, "docent: %s\n", console.OneLine(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	report(c, e)
	return code
}

// Error reports an error and gives the exit code.
func Error(c *invocation.Call, err error) int {
	if code, ok := errors.AsType[failure.ExitCode](err); ok {
		return int(code)
	}
	class, e := home.Classify(err)
	if p, ok := errors.AsType[*answers.PassedError](err); ok {
		fmt.Fprintf(c.JSONOut(), "%s\n", p.Raw) // people see the error there
		return exitOf(class)
	}
	if crash, ok := errors.AsType[*tui.CrashError](err); ok {
		// The one error of several lines: where it happened is what a report needs.
		fmt.Fprintf(c.IO.Err, "docent: %s\n", sanitize.Text(crash.Error()))
		return failure.CodeInternal
	}
	report(c, worded(err, e))
	return exitOf(class)
}

// report prints an error: JSON on standard output where that is asked for, else one
// line for a person.
func report(c *invocation.Call, e *contract.Error) {
	if c.JSON || c.Filter || c.JSONErrors {
		raw, jerr := json.Marshal(e)
		if jerr == nil {
			_, jerr = fmt.Fprintf(c.JSONOut(), "%s\n", raw)
		}
		if jerr == nil { // else people see the error at least
			if !c.Filter || c.IO.OutTTY && c.IO.ErrTTY { // on one screen it would be said twice
				return
			}
		}
	}
	fmt.Fprintf(c.IO.Err, "docent: %s\n", console.OneLine(strings.ReplaceAll(e.Message, "\n", "; ")))
}
