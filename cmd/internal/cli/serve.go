package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/apitoken"
	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/cmd/internal/dashboard"
	"docent/cmd/internal/httpapi"
	"docent/cmd/internal/mcpserver"
	"docent/cmd/internal/password"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	"docent/store/durable"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, passwordFile string
	setPassword, watch   bool
	workers              int
}

func (c *command) serveCmd() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "the HTTP API and the dashboard, until interrupted",
		Long: `Answers over HTTP, until it is interrupted: questions, single phases, searches, doc
sets and pages. Prints its address, at which a browser shows the dashboard. Others
than this machine reach it only with a password, which --set-password asks for and
keeps as a hash. docent serve token makes tokens for scripts.`,
		Example:           `  docent serve --listen 127.0.0.1:0`,
		Args:              exactArgs(0, "no arguments but token"),
		ValidArgsFunction: completeWords(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.workers < 0 || f.workers > 256 {
				return contract.Invalid("workers", "--workers is %d, it can be 0 to 256", f.workers)
			}
			if f.setPassword {
				return c.setPassword(cmd.Context(), f.passwordFile)
			}
			return c.serveUntilDone(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", "", "`HOST:PORT` to listen on (default "+httpapi.DefaultAddress+"); port 0 takes any that is free")
	fl.StringVar(&f.passwordFile, "password-file", "", "`FILE` with the hash of the password (default: password in the home)")
	fl.BoolVar(&f.setPassword, "set-password", false, "ask for a password, write its hash into that file, and end")
	fl.IntVar(&f.workers, "workers", 1, "files that were handed in are read, so many at the same time; 0 leaves them to docent worker")
	fl.BoolVar(&f.watch, "watch", false, "update doc sets as their files change")
	cmd.AddCommand(c.tokenCmd())
	return cmd
}

// shortestSecret is the least number of bytes of the callback's secret.
const shortestSecret = 16

// passwordPath is the file with the hash of the server's password where none is named.
func passwordPath(opt app.Options) string { return filepath.Join(opt.HomeDir(), "password") }

// setPassword keeps the hash of a new password.
func (c *command) setPassword(ctx context.Context, file string) error {
	opt := c.options()
	if err := opt.CheckHome(); err != nil {
		return err
	}
	text, err := c.newPassword(ctx)
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
	c.note("docent serve asks for this password; its hash is in %s", file)
	return nil
}

// passwordOf is what compares passwords with the server's; nil: it has none.
func (c *command) passwordOf(cfg config.Config, file string) (func(string) bool, error) {
	hash := cfg.PasswordHash
	if file != "" || hash == "" {
		raw, err := os.ReadFile(cmp.Or(file, passwordPath(c.options())))
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
	return func(text string) bool { return password.Matches(hash, text) }, nil
}

// serveUntilDone opens the home, listens, and answers until ctx ends.
func (c *command) serveUntilDone(ctx context.Context, f serveFlags) error {
	opt := c.options()
	opt.Door = ""
	cfg, _, err := app.LoadConfig(opt)
	if err != nil {
		return err
	}
	matches, err := c.passwordOf(cfg, f.passwordFile)
	if err != nil {
		return err
	}
	secret := c.io.Env("DOCENT_CALLBACK_SECRET")
	if secret != "" && len(secret) < shortestSecret {
		return usageError("DOCENT_CALLBACK_SECRET has %d bytes, it must have at least %d: openssl rand -hex 16 makes one", len(secret),
			shortestSecret)
	}
	listener, loopback, err := httpapi.Listen(ctx, cmp.Or(f.listen, cfg.Listen), matches != nil)
	if err != nil {
		return err
	}
	log := c.serverLog()
	opt.Say = func(format string, args ...any) { log.Warn(cleanForTerminal(fmt.Sprintf(format, args...))) }
	shared, err := app.OpenShared(ctx, opt)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	page, err := dashboard.Handler()
	if err != nil {
		return errors.Join(err, listener.Close(), shared.Close())
	}
	var agents *mcpserver.Server
	s := httpapi.New(httpapi.Options{Matches: matches, Hosts: cfg.Hosts, Loopback: loopback, CallbackSecret: secret, Log: log,
		Home: homeOf(shared), Operations: c.operations, Dashboard: page,
		Token: apitoken.NewChecker(c.tokens(), time.Now).Name,
		MCP: func(enter func(context.Context) (func(), error)) http.Handler {
			agents = mcpserver.New(mcpserver.Options{Home: homeOf(shared), Operations: c.operations, Enter: enter, Log: log})
			return agents.Handler()
		},
		Reranked: func() (int64, float64) {
			a, release, err := shared.Use()
			if err != nil {
				return 0, 0
			}
			defer release()
			return a.Reranked.Totals()
		}})
	if err := c.printAddress(listener, s.Locked()); err != nil {
		return errors.Join(err, listener.Close(), shared.Close())
	}
	work, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	k := keeper{shared: shared, log: log}
	background.Go(func() { k.keepUpToDate(work) })
	background.Go(func() { agents.Watch(work) })
	if f.workers > 0 {
		background.Go(func() { k.workOnFiles(work, f.workers) })
	}
	if f.watch {
		background.Go(func() { k.follow(work) })
	}
	err = s.Serve(ctx, listener)
	stop()
	background.Wait()
	return errors.Join(err, shared.Close())
}

// homeOf gives the service of a home that several requests share.
func homeOf(shared *app.Shared) func() (*service.Services, func(), error) {
	return func() (*service.Services, func(), error) {
		a, release, err := shared.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}
}

// printAddress prints where the server listens, which port 0 leaves open.
func (c *command) printAddress(l net.Listener, locked bool) error {
	url := "http://" + l.Addr().String()
	if !locked {
		c.note("there is no password: any program on this machine may ask (docent serve --set-password); ctrl+c ends")
	} else {
		c.note("ctrl+c ends")
	}
	if c.json {
		return c.printJSON(map[string]any{"url": url, "password": locked})
	}
	_, err := fmt.Fprintln(c.io.Out, url)
	return err
}

// serverLog writes to standard error: for a person on a terminal, else as JSON. -q keeps
// faults only, -v adds connections that break off.
func (c *command) serverLog() *slog.Logger {
	level := slog.LevelInfo
	switch {
	case c.quiet:
		level = slog.LevelWarn
	case c.verbose > 0:
		level = slog.LevelDebug
	}
	opt := &slog.HandlerOptions{Level: level}
	if c.io.ErrTTY {
		return slog.New(slog.NewTextHandler(c.io.Err, opt))
	}
	return slog.New(slog.NewJSONHandler(c.io.Err, opt))
}
