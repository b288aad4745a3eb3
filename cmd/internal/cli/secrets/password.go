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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
	"docent/cmd/internal/password"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/store/durable"
	"docent/store/logins"
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

// SetPassword keeps the hash of a new password: in a file, or where the servers of the home share it.
func SetPassword(ctx context.Context, c *invocation.Call, file string) (err error) {
	opt := c.Options()
	if err := opt.CheckHome(); err != nil {
		return err
	}
	shared, closeShared, err := openShared(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeShared()) }()
	text, err := newPassword(ctx, c)
	if err != nil {
		return err
	}
	hash, err := password.HashPassword(text)
	if err != nil {
		return err
	}
	place := file
	if file == "" && shared != nil {
		place = "the catalog's database"
		if err := shared.SetPassword(ctx, hash, true); err != nil {
			return unread(err)
		}
		// Servers of a version before read it in the folder.
		if _, err := os.Stat(app.PasswordPath(opt.HomeDir())); err == nil {
			file = app.PasswordPath(opt.HomeDir())
		}
	} else if file == "" {
		file = app.PasswordPath(opt.HomeDir())
		place = file
		if err := os.MkdirAll(opt.HomeDir(), 0o700); err != nil {
			return &home.UnavailableError{What: "the home cannot be written", Err: err}
		}
	}
	if file != "" {
		if err := durable.WriteFile(file, []byte(hash+"\n")); err != nil {
			return &home.UnavailableError{What: "the password's hash cannot be written", Err: err}
		}
	}
	c.Note("docent serve asks for this password, also one that runs; sessions of an earlier one end; its hash is in %s", place)
	return nil
}

// openShared gives the place where the servers of the home share tokens and password; nil: its folder
// has them.
func openShared(c *invocation.Call) (shared logins.Secrets, closeShared func() error, err error) {
	opt := c.Options()
	cfg, _, err := app.LoadConfig(opt)
	if err != nil {
		return nil, nil, err
	}
	kept, closeShared, err := app.OpenOwnLogins(opt, cfg)
	if err != nil || kept == nil {
		return nil, closeShared, err
	}
	return kept, closeShared, nil
}

// Password compares passwords with the server's. Its hash is read at each comparison, from a file, or
// at most once a second from where servers share it, so that a new password counts for a server that
// runs.
type Password struct {
	path   string         // "": the hash is that of the configuration, or shared
	shared logins.Secrets // nil: it is not
	last   atomic.Pointer[string]

	mu    sync.Mutex // of read and alone
	read  time.Time
	alone bool // the folder has it, and the servers share none yet
}

// sharedFor is how long a hash that servers share counts, and sharedWithin bounds the look for it.
const (
	sharedFor    = time.Second
	sharedWithin = 3 * time.Second
)

// PasswordOf is the server's password; nil: it has none. Where the servers of a home share it, that of
// the folder counts until Share.
func PasswordOf(ctx context.Context, c *invocation.Call, cfg config.Config, file string, shared logins.Secrets) (*Password, error) {
	p, hash := &Password{}, cfg.PasswordHash
	if file != "" || hash == "" {
		p.path = cmp.Or(file, app.PasswordPath(c.Options().HomeDir()))
		raw, err := os.ReadFile(p.path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file == "" && shared == nil:
			return nil, nil
		case err != nil && (file != "" || !errors.Is(err, fs.ErrNotExist)):
			return nil, contract.Invalid("password_file",
				"the password's hash cannot be read: %v; docent serve --set-password --password-file %s makes the file", err,
				cmp.Or(file, "FILE"))
		}
		hash = strings.TrimSpace(string(raw))
	}
	if file == "" && cfg.PasswordHash == "" && shared != nil {
		known, err := shared.Password(ctx)
		if err != nil {
			return nil, unread(err)
		}
		p.path, p.shared, p.alone = "", shared, known == ""
		if hash = cmp.Or(known, hash); hash == "" {
			return nil, nil
		}
	}
	if err := password.CheckHash(hash); err != nil {
		return nil, contract.Invalid("password_file", "the file with the password: %v", err)
	}
	p.last.Store(&hash)
	return p, nil
}

// Share has the servers of a home share the password of the folder, of a time when it lay there, where
// they share none yet. The home is open by then, so that its database is known to be its own.
func (p *Password) Share(ctx context.Context) error {
	if p == nil || !p.alone {
		return nil
	}
	if err := p.shared.SetPassword(ctx, *p.last.Load(), false); err != nil {
		return unread(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alone = false
	return nil
}

func unread(err error) error {
	return &home.UnavailableError{What: "the password's hash cannot be read or kept", Err: err,
		Remedy: contract.Configure("store.catalog", "")}
}

// Version is the hash as it is now. While the file or the database cannot be read it is the last one
// that could; where it is gone, every password is refused.
func (p *Password) Version() string {
	if p.shared != nil {
		return p.sharedVersion()
	}
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

// sharedVersion looks at most once a second. Others do not wait for a look of one request.
func (p *Password) sharedVersion() string {
	if !p.mu.TryLock() {
		return *p.last.Load()
	}
	defer p.mu.Unlock()
	if !p.alone && time.Since(p.read) >= sharedFor {
		ctx, done := context.WithTimeout(context.Background(), sharedWithin)
		defer done()
		if hash, err := p.shared.Password(ctx); err == nil {
			p.last.Store(&hash)
		}
		p.read = time.Now()
	}
	return *p.last.Load()
}

// Matches reports whether a text is the password.
func (p *Password) Matches(text string) bool { return password.Matches(p.Version(), text) }
