package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
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
	"docent/pipeline/service"
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
	ctx, ended, err := keeping.Recording{Program: "docent mcp", Collector: cfg.Traces, Env: c.IO.Env, Log: log}.Begin(ctx)
	if err != nil {
		return err
	}
	opt.MendsLater = true
	shared, err := app.OpenShared(ctx, opt)
	if err != nil {
		return errors.Join(err, ended())
	}
	work, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	k := keeping.Keeper{Shared: shared, Log: log}
	background.Go(func() { k.KeepUpToDate(work) })
	background.Go(func() { k.MendBehind(work) })
	s := mcpserver.New(mcpserver.Options{Home: keeping.ServicesOf(shared), Operations: c.Operations, Log: log,
		Adds: len(cfg.SourceHosts) > 0, Project: projectSets(c), About: aboutProject(ctx, c, shared)})
	err = s.Run(ctx, mcpserver.Stdio(c.StandardInput(ctx), c.IO.Out))
	stop()
	background.Wait()
	if errors.Is(err, io.EOF) {
		err = nil // the agent left
	}
	return errors.Join(err, shared.Close(), ended())
}

// projectSets gives the doc sets of the project that the agent works in: it starts the server
// in the project's folder.
func projectSets(c *invocation.Call) func(context.Context, *service.Services) []string {
	return func(ctx context.Context, h *service.Services) []string {
		if len(c.Sets) > 0 {
			return c.Sets
		}
		n, _ := c.ProjectSets(ctx, h)
		return n.DocSets
	}
}

// aboutProject tells an agent which doc sets its calls concern.
func aboutProject(ctx context.Context, c *invocation.Call, shared *app.Shared) string {
	h, release, err := keeping.ServicesOf(shared)()
	if err != nil {
		return ""
	}
	defer release()
	names, whose := c.Sets, "these doc sets"
	if len(names) == 0 {
		n, remark := c.ProjectSets(ctx, h)
		if remark != "" {
			c.Note("%s", remark)
		}
		names, whose = n.DocSets, fmt.Sprintf("the documentation of the project %q, at the versions that it uses", n.Project)
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Calls without doc_sets concern %s: %s. doc_sets [\"*\"] stands for all documentation on this machine.\n", whose,
		strings.Join(names, ", "))
}
