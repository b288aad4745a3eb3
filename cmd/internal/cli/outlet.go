package cli

import (
	"errors"
	"io"
	"io/fs"

	"docent/pipeline/service/home"
	"docent/pipeline/text/sanitize"
)

// outlet is standard output or standard error: the one way out of all that a command
// prints. It remembers why something could not be written, since most of what prints
// does not look, and lets nothing through that steers a terminal.
type outlet struct {
	to  io.Writer
	tty bool
	err error // the first one
}

// Write writes text. What a terminal would obey is left out, see sanitize.Terminal.
func (o *outlet) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	out := b
	if o.tty {
		out = []byte(sanitize.Terminal(string(b)))
	}
	if n, err := o.to.Write(out); err != nil {
		o.err = err
		return min(n, len(b)), err
	}
	return len(b), nil
}

// writeError is the error of a command whose output could not be written; nil: it could.
func (o *outlet) writeError() error {
	if o.err == nil {
		return nil
	}
	err := o.err
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // the path is not a name that the user gave
	}
	return &home.UnavailableError{What: "standard output cannot be written", Err: err}
}
