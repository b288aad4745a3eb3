package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/keeping"
	"docent/cmd/internal/cli/secrets"
	"docent/cmd/internal/dashboard"
	"docent/cmd/internal/httpapi"
	"docent/cmd/internal/mcpserver"
	"docent/pipeline/contract"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, passwordFile string
	setPassword, watch   bool
	workers              int
}

func serveCmd(c *invocation.Call) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "the HTTP API and the dashboard, until interrupted",
		Long: `Answers over HTTP, until it is interrupted: questions, single phases, searches, doc
sets and pages. Prints its address, at which a browser shows the dashboard. Others
than this machine reach it only with a password, which --set-password asks for and
keeps as a hash. docent serve token makes tokens for scripts.`,
		Example:           `  docent serve --listen 127.0.0.1:0`,
		Args:              arguments.ExactArgs(0, "no arguments but token"),
		ValidArgsFunction: completing.Words(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.workers < 0 || f.workers > 256 {
				return contract.Invalid("workers", "--workers is %d, it can be 0 to 256", f.workers)
			}
			if f.setPassword {
				return secrets.SetPassword(cmd.Context(), c, f.passwordFile)
			}
			return serveUntilDone(cmd.Context(), c, f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", "", "`HOST:PORT` to listen on (default "+httpapi.DefaultAddress+"); port 0 takes any that is free")
	fl.StringVar(&f.passwordFile, "password-file", "", "`FILE` with the hash of the password (default: password in the home)")
	fl.BoolVar(&f.setPassword, "set-password", false, "ask for a password, write its hash into that file, and end")
	fl.IntVar(&f.workers, "workers", 1, "files that were handed in are read, so many at the same time; 0 leaves them to docent worker")
	fl.BoolVar(&f.watch, "watch", false, "update doc sets as their files change")
	cmd.AddCommand(secrets.TokenCommand(c))
	return cmd
}

// shortestSecret is the least number of bytes of the callback's secret.
const shortestSecret = 16

// serveUntilDone opens the home, listens, and answers until ctx ends.
func serveUntilDone(ctx context.Context, c *invocation.Call, f serveFlags) (err error) {
	opt := c.Options()
	opt.Door = ""
	cfg, _, err := app.LoadConfig(opt)
	if err != nil {
		return err
	}
	kept, closeLogins, err := app.OpenLogins(cfg, c.IO.Env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLogins()) }()
	guard, err := secrets.PasswordOf(ctx, c, cfg, f.passwordFile, kept)
	if err != nil {
		return err
	}
	secret, err := app.Secret(c.IO.Env, "DOCENT_CALLBACK_SECRET")
	if err != nil {
		return err
	}
	if secret != "" && len(secret) < shortestSecret {
		return failure.UsageError("DOCENT_CALLBACK_SECRET has %d bytes, it must have at least %d: openssl rand -hex 16 makes one",
			len(secret),
			shortestSecret)
	}
	listener, loopback, err := httpapi.Listen(ctx, cmp.Or(f.listen, cfg.Listen), guard != nil)
	if err != nil {
		return err
	}
	log := serverLog(c)
	opt.Say = func(format string, args ...any) {
		log.Warn(console.Clean(fmt.Sprintf(format, console.CleanArgs(args)...)))
	}
	opt.MendsLater = true
	shared, err := app.OpenShared(ctx, opt)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	tokenName, err := secrets.TokenChecker(ctx, c, kept)
	if err == nil {
		err = guard.Share(ctx)
	}
	if err != nil {
		return errors.Join(err, listener.Close(), shared.Close())
	}
	page, err := dashboard.Handler()
	if err != nil {
		return errors.Join(err, listener.Close(), shared.Close())
	}
	var agents *mcpserver.Server
	s := httpapi.New(withPassword(guard, httpapi.Options{Hosts: cfg.Hosts, Proxies: cfg.Proxies, Loopback: loopback,
		CallbackSecret: secret, Log: log,
		Home: keeping.ServicesOf(shared), Operations: c.Operations, Dashboard: page,
		Packages: packagesOf(cfg, log), Around: keeping.Around,
		Logins: kept,
		Token:  tokenName,
		MCP: func(enter func(context.Context) (func(), error)) http.Handler {
			agents = mcpserver.New(mcpserver.Options{Home: keeping.ServicesOf(shared), Operations: c.Operations, Enter: enter, Log: log,
				Adds: len(cfg.SourceHosts) > 0})
			return agents.Handler()
		},
		Reranked: func() (int64, float64) {
			a, release, err := shared.Use()
			if err != nil {
				return 0, 0
			}
			defer release()
			return a.Reranked.Totals()
		}}))
	ctx, ended, err := keeping.Recording{Program: "docent serve", Collector: cfg.Traces, Env: c.IO.Env, Log: log,
		Asked: s.CountAsked}.Begin(ctx)
	if err != nil {
		return errors.Join(err, listener.Close(), shared.Close())
	}
	if err := printAddress(c, listener, s.Locked()); err != nil {
		return errors.Join(err, listener.Close(), shared.Close(), ended())
	}
	work, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	k := keeping.Keeper{Shared: shared, Log: log}
	background.Go(func() { k.KeepUpToDate(work) })
	background.Go(func() { k.MendBehind(work) })
	background.Go(func() { agents.Watch(work) })
	if f.workers > 0 {
		background.Go(func() { k.WorkOnFiles(work, f.workers) })
	}
	if f.watch {
		background.Go(func() { k.Follow(work) })
	}
	err = s.Serve(ctx, listener)
	stop()
	background.Wait()
	return errors.Join(err, shared.Close(), ended())
}

// withPassword adds the server's password, which may be nil, to its options.
func withPassword(p *secrets.Password, opt httpapi.Options) httpapi.Options {
	if p != nil {
		opt.Matches, opt.PasswordVersion = p.Matches, p.Version
	}
	return opt
}

// printAddress prints where the server listens, which port 0 leaves open.
func printAddress(c *invocation.Call, l net.Listener, locked bool) error {
	url := "http://" + l.Addr().String()
	if !locked {
		c.Note("there is no password: any program on this machine may ask (docent serve --set-password); ctrl+c ends")
	} else {
		c.Note("ctrl+c ends")
	}
	if c.JSON {
		return c.PrintJSON(map[string]any{"url": url, "password": locked})
	}
	_, err := fmt.Fprintln(c.IO.Out, url)
	return err
}

// serverLog writes to standard error: for a person on a terminal, else as JSON. -q keeps
// faults only, -v adds connections that break off.
func serverLog(c *invocation.Call) *slog.Logger {
	level := slog.LevelInfo
	switch {
	case c.Quiet:
		level = slog.LevelWarn
	case c.Verbose > 0:
		level = slog.LevelDebug
	}
	opt := &slog.HandlerOptions{Level: level}
	if c.IO.ErrTTY {
		return slog.New(slog.NewTextHandler(c.IO.Err, opt))
	}
	return slog.New(slog.NewJSONHandler(c.IO.Err, opt))
}
