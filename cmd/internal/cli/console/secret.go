package console

import (
	"context"
	"errors"
	"os"

	"github.com/charmbracelet/x/term"
)

// readSecret reads a line from the terminal without showing it. A signal ends it, with the
// terminal as it was.
func readSecret(ctx context.Context) (string, error) {
	fd := os.Stdin.Fd()
	was, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() { // a read that waits for somebody to type ends with the process
		text, err := term.ReadPassword(fd)
		read <- line{text, err}
	}()
	select {
	case l := <-read:
		return string(l.text), l.err
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(fd, was))
	}
}
