// Package failure has the exit codes, which are a promise to scripts, and the errors that
// the command line makes itself.
//
// It prints nothing; see package reporting.
package failure

import (
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// The exit codes, a promise to scripts.
const (
	CodeOK          = 0
	CodeNothing     = 1   // done and nothing found; altered; faults found
	CodeUsage       = 2   // wrong usage, input or configuration
	CodeUnavailable = 3   // something that is needed is not available
	CodeInternal    = 4   // an internal error
	CodeInterrupted = 130 // ctrl+c
	CodeTerminated  = 143 // SIGTERM
)

// ExitCode ends the program with a code and says nothing more.
type ExitCode int

// Error is the message of a code, which is not printed.
func (e ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// UsageError is an error of the person's input.
func UsageError(format string, args ...any) error { return contract.Invalid("", format, args...) }

// Unwritten is the error of a file that a person named and that was not written: it
// is unavailable where the disk is full or read-only, else the name is wrong.
func Unwritten(what string, err error) error {
	if home.DiskFull(err) {
		return &home.UnavailableError{What: what, Err: err}
	}
	return UsageError("%s: %v", what, err)
}
