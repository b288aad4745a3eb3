package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/keeping"
	"docent/cmd/internal/mcpserver"
)

func mcpCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "tools for agents: the Model Context Protocol on standard input and output",
		Long: `Serves one agent or editor, which starts it: tools that ask, search, read and verify
the documentation, and its sections as resources. docent serve offers the same at /mcp.`,
		Example:           `  claude mcp add docent -- docent mcp`,
		Args:              arguments.ExactArgs(0, "no arguments"),
		ValidArgsFunction: completing.Words(),
		RunE:              func(cmd *cobra.Command, _ []string) error { return serveAgent(cmd.Context(), c) },
	}
}

// serveAgent serves the agent at the other end of standard input and output until it
// leaves.
func serveAgent(ctx context.Context, c *invocation.Call) error {
	if c.IO.InTTY {
		return failure.UsageError("docent mcp is started by an agent or an editor, and speaks with it on standard input and output; " +
			"docent help " +
			"mcp says how to put it into one")
	}
	opt := c.Options()
	opt.Door = "" // each agent gets the notice
	level := slog.LevelWarn
	if c.Verbose > 0 {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(c.IO.Err, &slog.HandlerOptions{Level: level}))
	opt.Say = func(format string, args ...any) {
		log.Warn(console.Clean(fmt.Sprintf(format, console.CleanArgs(args)...)))
	}
	cfg, _, err := app.LoadConfig(opt) // opening the home tells of faults
	if err != nil {
		return err
	}
	shared, err := app.OpenShared(ctx, opt)
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { keeping.Keeper{Shared: shared, Log: log}.KeepUpToDate(work) })
	s := mcpserver.New(mcpserver.Options{Home: keeping.ServicesOf(shared), Operations: c.Operations, Log: log,
		Adds: len(cfg.SourceHosts) > 0})
	err = s.Run(ctx, mcpserver.Stdio(c.StandardInput(ctx), c.IO.Out))
	stop()
	background.Wait()
	if errors.Is(err, io.EOF) {
		err = nil // the agent left
	}
	return errors.Join(err, shared.Close())
}
