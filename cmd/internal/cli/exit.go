package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/pipeline/text/sanitize"
	"docent/tui"
)

// The exit codes, a promise to scripts.
const (
	codeOK          = 0
	codeNothing     = 1   // done and nothing found; altered; faults found
	codeUsage       = 2   // wrong usage, input or configuration
	codeUnavailable = 3   // something that is needed is not available
	codeInternal    = 4   // an internal error
	codeInterrupted = 130 // ctrl+c
	codeTerminated  = 143 // SIGTERM
)

// exitCode ends the program with a code and says nothing more.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is an error of the person's input.
func usageError(format string, args ...any) error { return contract.Invalid("", format, args...) }

// exitOf maps a class of errors to its exit code.
func exitOf(c home.Class) int {
	switch c {
	case home.Usage:
		return codeUsage
	case home.Unavailable:
		return codeUnavailable
	}
	return codeInternal
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
	if r == nil {
		return &out
	}
	candidates := e.Details["candidates"] != nil
	switch {
	case r.Kind == contract.RemedyChange && r.Key == "section" && candidates:
		out.Message += fmt.Sprintf(": --section '#%s'", r.Choices[len(r.Choices)-1])
	case r.Kind == contract.RemedyRun && r.Command[0] == "read" && strings.Contains(r.Command[1], "/"):
		out.Message += "; --toc lists its sections"
	case r.Kind == contract.RemedyRun && r.Command[0] == "read":
		out.Message += fmt.Sprintf(" (docent read %s --toc lists its pages)", r.Command[1])
	case r.Kind == contract.RemedyRun && r.Command[0] == "search":
		out.Message += "; docent search finds pages by what they say"
	}
	return &out
}

// codeEnded is the error code of a command that a signal ended.
const codeEnded = "INTERRUPTED"

// reportSignal reports that a signal ended the command, and what the command had done by then.
// The error is whatever a library made of the end of its context ("statement is closed"),
// so it is printed only with -v.
func (c *command) reportSignal(code int, did string, err error) int {
	e := &contract.Error{Code: codeEnded, Message: did}
	if w := c.work; w != nil {
		w.more = errors.Is(err, vectors.ErrUnembedded) || errors.Is(err, ingest.ErrUnlearned) || errors.Is(err, ingest.ErrUnreferred)
		e.Message += ": " + w.summary()
		e.Details = map[string]any{"done": append([]string{}, w.done...), "not_done": append(append([]string{}, w.undone...), w.bare...)}
	}
	if c.io.ErrTTY {
		fmt.Fprint(c.io.Err, "\r\x1b[K") // the terminal wrote ^C, perhaps next to a progress bar
	}
	if _, silent := errors.AsType[exitCode](err); err != nil && !silent && c.verbose > 0 {
		fmt.Fprintf(c.io.Err, "docent: %s\n", oneLine(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	c.report(e)
	return code
}

// reportError reports an error and gives the exit code.
func (c *command) reportError(err error) int {
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	class, e := home.Classify(err)
	if p, ok := errors.AsType[*answers.PassedError](err); ok {
		fmt.Fprintf(c.jsonOut(), "%s\n", p.Raw) // people see the error there
		return exitOf(class)
	}
	if crash, ok := errors.AsType[*tui.CrashError](err); ok {
		// The one error of several lines: where it happened is what a report needs.
		fmt.Fprintf(c.io.Err, "docent: %s\n", sanitize.Text(crash.Error()))
		return codeInternal
	}
	c.report(worded(err, e))
	return exitOf(class)
}

// report prints an error: JSON on standard output where that is asked for, else one
// line for a person.
func (c *command) report(e *contract.Error) {
	if c.json || c.filter || c.jsonErrors {
		raw, jerr := json.Marshal(e)
		if jerr == nil {
			_, jerr = fmt.Fprintf(c.jsonOut(), "%s\n", raw)
		}
		if jerr == nil { // else people see the error at least
			if !c.filter || c.io.OutTTY && c.io.ErrTTY { // on one screen it would be said twice
				return
			}
		}
	}
	fmt.Fprintf(c.io.Err, "docent: %s\n", oneLine(strings.ReplaceAll(e.Message, "\n", "; ")))
}

// printJSON writes one object a line.
func (c *command) printJSON(v any) error {
	enc := json.NewEncoder(c.jsonOut())
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
