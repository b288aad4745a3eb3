package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/home"
	"docent/pipeline/ingest"
	"docent/pipeline/sanitize"
	"docent/store"
	"docent/store/lock"
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
)

// exitCode ends the program with a code and says nothing more.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usage is an error of the person's input.
func usage(format string, args ...any) error { return contract.Invalid("", format, args...) }

// classify is the one table from errors to exit codes and error codes.
func classify(err error) (int, *contract.Error) {
	if e, ok := errors.AsType[*contract.Error](err); ok {
		switch {
		case e.Code == contract.CodeInvalidRequest || e.Code == contract.CodeQueryEmpty:
			return codeUsage, e
		case strings.HasSuffix(e.Code, "_UNAVAILABLE"):
			return codeUnavailable, e
		}
		return codeInternal, e
	}
	wrap := func(code string) *contract.Error { return &contract.Error{Code: code, Message: err.Error(), Err: err} }
	if _, ok := errors.AsType[*lock.LockedError](err); ok {
		return codeUnavailable, wrap(contract.CodeCollectionUnavailable)
	}
	if _, ok := errors.AsType[*home.UnavailableError](err); ok {
		return codeUnavailable, wrap(contract.CodeCollectionUnavailable)
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		if e.Kind == llm.Incapable { // another model, or another server
			return codeUsage, wrap(contract.CodeInvalidRequest)
		}
		return codeUnavailable, wrap(codeModels)
	}
	switch {
	case errors.Is(err, ingest.ErrRootMissing):
		return codeUnavailable, wrap(contract.CodeCollectionUnavailable)
	case errors.Is(err, store.ErrNotFound), errors.Is(err, corpus.ErrPageGone):
		return codeUsage, wrap(contract.CodeInvalidRequest)
	}
	return codeInternal, wrap(contract.CodeInternal)
}

// fail reports an error and gives the exit code.
func (c *command) fail(ctx context.Context, err error) int {
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return codeInterrupted
	}
	if p, ok := errors.AsType[*passed](err); ok {
		fmt.Fprintf(c.jsonOut(), "%s\n", p.raw)
		return p.code
	}
	if crash, ok := errors.AsType[*tui.CrashError](err); ok {
		// The one error of several lines: where it happened is what a report needs.
		fmt.Fprintf(c.io.Err, "docent: %s\n", sanitize.Text(crash.Error()))
		return codeInternal
	}
	code, e := classify(err)
	if c.json || c.filter {
		raw, jerr := json.Marshal(e)
		if jerr == nil {
			fmt.Fprintf(c.jsonOut(), "%s\n", raw)
			if !c.filter {
				return code
			}
		}
	}
	fmt.Fprintf(c.io.Err, "docent: %s\n", clean(strings.ReplaceAll(e.Message, "\n", "; ")))
	return code
}

// printJSON writes one object a line.
func (c *command) printJSON(v any) error {
	enc := json.NewEncoder(c.jsonOut())
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
