// Package contracttest reads the errors of the contract in tests. No program imports it.
package contracttest

import (
	"errors"

	"docent/pipeline/contract"
)

// ErrorOf finds the contract's error in a chain of errors. Without one, the error that it returns has
// no code, no message and no details.
func ErrorOf(err error) *contract.Error {
	if e, ok := errors.AsType[*contract.Error](err); ok {
		return e
	}
	return &contract.Error{}
}
