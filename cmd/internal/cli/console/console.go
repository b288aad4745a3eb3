// Package console is the terminal, or the pipes in its place: input, output that cannot
// steer a terminal, signals, secrets, text in lines and columns.
//
// It refuses to know a command, a flag or a home.
package console

import (
	"context"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// IO is the outside world of a command.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	// OutTTY and ErrTTY report whether those are terminals; InTTY too.
	InTTY, OutTTY, ErrTTY bool
	Env                   func(string) string
	// Look tells a variable of the environment that is empty from one that is not
	// set, and Screen is the size of the terminal of Out. nil: no pager.
	Look   func(string) (string, bool)
	Screen func() (w, h int)
	// Secret reads a line from the terminal of In without showing it; nil: it cannot.
	Secret func(context.Context) (string, error)
	// Waiting reports whether In is a pipe or a file with something in it that can be read at once;
	// nil: that is not known.
	Waiting func() bool
	// StayOpen is called when the app opens; nil: nothing is to be done then.
	StayOpen func()
}

// System is the process's own IO.
func System() IO {
	tty := func(f *os.File) bool { return term.IsTerminal(f.Fd()) }
	return IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, InTTY: tty(os.Stdin), OutTTY: tty(os.Stdout), ErrTTY: tty(os.Stderr),
		Env: os.Getenv, Look: os.LookupEnv, Screen: func() (w, h int) {
			w, h, err := term.GetSize(os.Stdout.Fd())
			if err != nil {
				return 0, 0
			}
			return w, h
		}, Secret: readSecret, Waiting: func() bool { return hasInput(os.Stdin) }}
}
