package console

import (
	"errors"
	"io"
	"io/fs"

	"docent/pipeline/service/home"
	"docent/pipeline/text/sanitize"
)

// Outlet is standard output or standard error: the one way out of all that a command
// prints. It remembers why something could not be written, since most of what prints
// does not look, and lets nothing through that steers a terminal.
type Outlet struct {
	To  io.Writer
	TTY bool
	Err error // the first one
}

// Write writes text. What a terminal would obey is left out, see sanitize.Terminal.
func (o *Outlet) Write(b []byte) (int, error) {
	if o.Err != nil {
		return 0, o.Err
	}
	out := b
	if o.TTY {
		out = []byte(sanitize.Terminal(string(b)))
	}
	if n, err := o.To.Write(out); err != nil {
		o.Err = err
		return min(n, len(b)), err
	}
	return len(b), nil
}

// WriteError is the error of a command whose output could not be written; nil: it could.
func (o *Outlet) WriteError() error {
	if o.Err == nil {
		return nil
	}
	err := o.Err
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // the path is not a name that the user gave
	}
	return &home.UnavailableError{What: "standard output cannot be written", Err: err}
}
