// Package cause says why a file could not be used, for messages that name the file themselves.
//
// It refuses to decide anything by an error: that is done with errors.Is on the whole one.
package cause

import (
	"errors"
	"io/fs"
)

// WithoutPath is an error of a file without the path and the call that it names.
func WithoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
