package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"docent/cmd/internal/password"
)

// secret reads a line from the terminal without showing it. A signal ends it, with the
// terminal as it was.
func secret(ctx context.Context) (string, error) {
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

// mostPassword is the most bytes of a password.
const mostPassword = 1024

// newPassword asks for a password: twice on a terminal, else it is the first line of
// standard input. It is never an argument, which other users of the machine could see.
func (c *command) newPassword(ctx context.Context) (string, error) {
	if !c.io.InTTY || c.io.Secret == nil {
		line, err := bufio.NewReader(io.LimitReader(c.standardInput(ctx), mostPassword+2)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password from standard input: %w", err)
		}
		return checkPassword(strings.TrimRight(line, "\r\n"))
	}
	ask := func(prompt string) (string, error) {
		fmt.Fprint(c.io.Err, prompt)
		text, err := c.io.Secret(ctx)
		fmt.Fprintln(c.io.Err)
		return text, err
	}
	first, err := ask("the server's password: ")
	if err != nil {
		return "", err
	}
	if first, err = checkPassword(first); err != nil {
		return "", err
	}
	again, err := ask("once more: ")
	if err != nil {
		return "", err
	}
	if first != again {
		return "", usageError("the two passwords differ; nothing was changed")
	}
	return first, nil
}

func checkPassword(text string) (string, error) {
	switch {
	case len(text) < password.MinLength:
		return "", usageError("the password has %d bytes, it must have at least %d; nothing was changed", len(text), password.MinLength)
	case len(text) > mostPassword:
		return "", usageError("the password has more than %d bytes; nothing was changed", mostPassword)
	}
	return text, nil
}
