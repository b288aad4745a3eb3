package home

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/durable"
	"docent/store/lock"
)

// CodeModelsUnavailable is the error code of a missing model or model server.
const CodeModelsUnavailable = "MODELS_UNAVAILABLE"

// UnavailableError means that something needed is not available: a home that
// cannot be written, a disk that is full.
type UnavailableError struct {
	What   string
	Err    error
	Remedy *contract.Remedy
}

func (e *UnavailableError) Error() string { return e.What + ": " + e.Err.Error() }

// NextStep is the error's remedy, or nil.
func (e *UnavailableError) NextStep() *contract.Remedy { return e.Remedy }

// Unwrap gives the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// Class is the kind of an error. Each door maps a class to its own sign: the
// command line to an exit code, an HTTP server to a status.
type Class int

// The classes.
const (
	Usage       Class = iota + 1 // wrong usage, input or configuration
	Unavailable                  // something needed is not available now
	Internal                     // a fault of this program
)

// LockedByAnother reports whether an error means that another process holds a lock that was
// needed.
func LockedByAnother(err error) bool { return isError[*lock.LockedError](err) }

// unreachable is an error of a server that a store lies on, see docent/store/remote.
type unreachable interface {
	error
	Unreachable()
}

// Classify is the one table of errors: the class of an error that is not nil, and
// its form for other programs.
func Classify(err error) (Class, *contract.Error) {
	if e, ok := errors.AsType[*contract.Error](err); ok && (e.Code != contract.CodeInternal || !refused(err)) {
		return classOf(e.Code), e
	}
	if e, ok := errors.AsType[*ElsewhereError](err); ok {
		return Unavailable, e.contractError(err)
	}
	code := contract.CodeInternal
	isModel, incapable := model.Failed(err)
	switch {
	case LockedByAnother(err), isError[*UnavailableError](err), isError[unreachable](err),
		errors.Is(err, ingest.ErrRootMissing):
		code = contract.CodeCollectionUnavailable
	case incapable: // another model, or another server
		code = contract.CodeInvalidRequest
	case isModel:
		code = CodeModelsUnavailable
	case errors.Is(err, store.ErrNotFound), errors.Is(err, corpus.ErrPageGone):
		code = contract.CodeInvalidRequest
	case errors.Is(err, store.ErrMalformed): // also where a disk gave nothing for a moment
		return Unavailable, &contract.Error{Code: contract.CodeCollectionUnavailable,
			Message: fmt.Sprintf("the home's database cannot be read as it is: %v", err), Err: err,
			Remedy: contract.RunDocent("doctor").To("says what is damaged").And(contract.RunDocent("doctor", "--repair").To("mends it"))}
	case refused(err):
		return Unavailable, &contract.Error{Code: contract.CodeCollectionUnavailable,
			Message: fmt.Sprintf("%v (%s)", err, HomeAdvice(err)), Err: err, Remedy: OtherHome(err)}
	}
	remedy := contract.RemedyOf(err)
	if LockedByAnother(err) {
		remedy = OtherHome(err)
	}
	return classOf(code), &contract.Error{Code: code, Message: err.Error(), Err: err, Remedy: remedy}
}

// refused reports whether an error means that the system refused to read or write,
// whatever the data.
func refused(err error) bool {
	return durable.Exhausted(err) || errors.Is(err, fs.ErrPermission) || DiskFull(err) || diskFails(err) ||
		errors.Is(err, store.ErrDiskFull) || errors.Is(err, store.ErrTooManyFiles) ||
		errors.Is(err, store.ErrUnopened) // for want of descriptors too
}

func isError[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// usageCodes are the codes of wrong usage.
var usageCodes = []string{
	contract.CodeInvalidRequest, contract.CodeQueryEmpty, contract.CodeInvalidFormat, contract.CodeFileTooLarge,
	contract.CodeDuplicate, contract.CodeNotFound, contract.CodeConflict,
}

// classOf is the class of an error code.
func classOf(code string) Class {
	switch {
	case slices.Contains(usageCodes, code):
		return Usage
	case strings.HasSuffix(code, "_UNAVAILABLE"):
		return Unavailable
	}
	return Internal
}
