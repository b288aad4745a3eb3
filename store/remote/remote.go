// Package remote has the error of a store on a server that cannot be used, whichever engine
// the server runs. Callers find it with errors.AsType.
//
// It refuses to connect to anything.
package remote

import "fmt"

// UnreachableError means that a server cannot be reached, or does not let this program in.
type UnreachableError struct {
	Store   string // "the database postgres://host:5432/docs?schema=docent", without a password
	Setting string // where a person names the server: "[store] catalog"
	Reason  string // what failed, and what to do; one line
	Err     error  // the driver's
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s cannot be used: %s (setting %s)", e.Store, e.Reason, e.Setting)
}

// Unreachable marks the error for callers that do not import this package.
func (e *UnreachableError) Unreachable() {}

// Unwrap gives the driver's error.
func (e *UnreachableError) Unwrap() error { return e.Err }
