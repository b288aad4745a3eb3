package secrets

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
	"docent/cmd/internal/password"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/store/durable"
)

// mostPassword is the most bytes of a password.
const mostPassword = 1024

// newPassword asks for a password: twice on a terminal, else it is the first line of
// standard input. It is never an argument, which other users of the machine could see.
func newPassword(ctx context.Context, c *invocation.Call) (string, error) {
	if !c.IO.InTTY || c.IO.Secret == nil {
		line, err := bufio.NewReader(io.LimitReader(c.StandardInput(ctx), mostPassword+2)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password from standard input: %w", err)
		}
		return checkPassword(strings.TrimRight(line, "\r\n"))
	}
	ask := func(prompt string) (string, error) {
		fmt.Fprint(c.IO.Err, prompt)
		text, err := c.IO.Secret(ctx)
		fmt.Fprintln(c.IO.Err)
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
		return "", failure.UsageError("the two passwords differ; nothing was changed")
	}
	return first, nil
}

func checkPassword(text string) (string, error) {
	switch {
	case len(text) < password.MinLength:
		return "", failure.UsageError("the password has %d bytes, it must have at least %d; nothing was changed", len(text),
			password.MinLength)
	case len(text) > mostPassword:
		return "", failure.UsageError("the password has more than %d bytes; nothing was changed", mostPassword)
	}
	return text, nil
}

// passwordPath is the file with the hash of the server's password where none is named.
func passwordPath(opt app.Options) string { return filepath.Join(opt.HomeDir(), "password") }

// SetPassword keeps the hash of a new password.
func SetPassword(ctx context.Context, c *invocation.Call, file string) error {
	opt := c.Options()
	if err := opt.CheckHome(); err != nil {
		return err
	}
	text, err := newPassword(ctx, c)
	if err != nil {
		return err
	}
	hash, err := password.HashPassword(text)
	if err != nil {
		return err
	}
	if file == "" {
		file = passwordPath(opt)
		if err := os.MkdirAll(opt.HomeDir(), 0o700); err != nil {
			return &home.UnavailableError{What: "the home cannot be written", Err: err}
		}
	}
	if err := durable.WriteFile(file, []byte(hash+"\n")); err != nil {
		return &home.UnavailableError{What: "the password's hash cannot be written", Err: err}
	}
	c.Note("docent serve asks for this password, also one that runs; sessions of an earlier one end; its hash is in %s", file)
	return nil
}

// Password compares passwords with the server's. A file with the hash is read at each
// comparison, so that a new password counts for a server that runs.
type Password struct {
	path string // "": the hash is that of the configuration
	last atomic.Pointer[string]
}

// PasswordOf is the server's password; nil: it has none.
func PasswordOf(c *invocation.Call, cfg config.Config, file string) (*Password, error) {
	p, hash := &Password{}, cfg.PasswordHash
	if file != "" || hash == "" {
		p.path = cmp.Or(file, passwordPath(c.Options()))
		raw, err := os.ReadFile(p.path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file == "":
			return nil, nil
		case err != nil:
			return nil, contract.Invalid("password_file",
				"the password's hash cannot be read: %v; docent serve --set-password --password-file %s makes the file", err,
				cmp.Or(file, "FILE"))
		}
		hash = strings.TrimSpace(string(raw))
	}
	if err := password.CheckHash(hash); err != nil {
		return nil, contract.Invalid("password_file", "the file with the password: %v", err)
	}
	p.last.Store(&hash)
	return p, nil
}

// Version is the hash as it is now. While the file cannot be read it is the last one that
// could; a file that is gone or holds no hash refuses every password.
func (p *Password) Version() string {
	if p.path == "" {
		return *p.last.Load()
	}
	raw, err := os.ReadFile(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return *p.last.Load()
	}
	hash := strings.TrimSpace(string(raw))
	p.last.Store(&hash)
	return hash
}

// Matches reports whether a text is the password.
func (p *Password) Matches(text string) bool { return password.Matches(p.Version(), text) }
