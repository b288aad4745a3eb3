package store

import (
	"errors"
	"io/fs"
	"syscall"
)

// What an error means for a store, whichever engine the store is built on. An
// implementation wraps its engine's errors (see FaultError), whose codes and words stay in
// its package; callers test with errors.Is.
var (
	// ErrOlder means that the store must be opened for writing once: it is of an older
	// version, or a process was killed while it made it.
	ErrOlder = errors.New("the catalog must be opened for writing first")
	// ErrMalformed means that the engine finds its own structure broken.
	ErrMalformed = errors.New("the database is malformed")
	// ErrNoDatabase means that something else lies where the store should be.
	ErrNoDatabase = errors.New("it is no database")
	// ErrOtherFormat means that the store was written in a format that cannot be used
	// and is not migrated.
	ErrOtherFormat = errors.New("it is of another format")
	// ErrDiskFull means that there is no room left.
	ErrDiskFull = errors.New("the disk is full")
	// ErrReadOnly means that the store, or the disk that it is on, takes no changes.
	ErrReadOnly = errors.New("it can only be read")
	// ErrDiskFails means that the disk or the system failed in reading or writing.
	ErrDiskFails = errors.New("the disk fails")
	// ErrTooManyFiles means that the process may open no more files.
	ErrTooManyFiles = errors.New("too many files are open")
	// ErrUnopened means that the store is there and cannot be opened.
	ErrUnopened = errors.New("it cannot be opened")
)

// FaultError gives an error of an engine its meaning and keeps its text.
type FaultError struct {
	Kind error // one of the errors above
	Err  error
}

func (e *FaultError) Error() string { return e.Err.Error() }

// Unwrap gives the engine's error.
func (e *FaultError) Unwrap() error { return e.Err }

// Is reports whether the error has this meaning.
func (e *FaultError) Is(target error) bool { return target == e.Kind }

// Fault is the necessary reaction to an error of a store.
type Fault int

// The faults.
const (
	OtherFault   Fault = iota
	OlderFault         // the store must be migrated
	DamagedFault       // the store is damaged and must be mended or begun anew
	DiskFault          // the disk is full, read-only or failing
)

var (
	damages    = []error{ErrMalformed, ErrNoDatabase, ErrOtherFormat, ErrCatalogDamaged}
	diskFaults = []error{
		ErrReadOnly, ErrDiskFull, ErrUnopened, ErrDiskFails,
		fs.ErrPermission, syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, syscall.EFBIG, syscall.ENOTDIR,
	}
)

// FaultOf returns the necessary reaction to an error of a store.
func FaultOf(err error) Fault {
	switch {
	case errors.Is(err, ErrOlder):
		return OlderFault
	case isAnyOf(err, damages):
		return DamagedFault
	case isAnyOf(err, diskFaults):
		return DiskFault
	}
	return OtherFault
}

func isAnyOf(err error, targets []error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}
