package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/mcpserver"
)

func (c *command) mcpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "tools for agents: the Model Context Protocol on standard input and output",
		Long: `Serves one agent or editor, which starts it: tools that ask, search, read and verify
the documentation, and its sections as resources. docent serve offers the same at /mcp.`,
		Example:           `  claude mcp add docent -- docent mcp`,
		Args:              exactArgs(0, "no arguments"),
		ValidArgsFunction: completeWords(),
		RunE:              func(cmd *cobra.Command, _ []string) error { return c.serveAgent(cmd.Context()) },
	}
}

// serveAgent serves the agent at the other end of standard input and output until it
// leaves.
func (c *command) serveAgent(ctx context.Context) error {
	if c.io.InTTY {
		return usageError("docent mcp is started by an agent or an editor, and speaks with it on standard input and output; docent help " +
			"mcp says how to put it into one")
	}
	opt := c.options()
	opt.Door = "" // each agent is told
	level := slog.LevelWarn
	if c.verbose > 0 {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(c.io.Err, &slog.HandlerOptions{Level: level}))
	opt.Say = func(format string, args ...any) { log.Warn(cleanForTerminal(fmt.Sprintf(format, args...))) }
	shared, err := app.OpenShared(ctx, opt)
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { keeper{shared: shared, log: log}.keepUpToDate(work) })
	s := mcpserver.New(mcpserver.Options{Home: homeOf(shared), Operations: c.operations, Log: log})
	err = s.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(c.standardInput(ctx)), Writer: unclosed{c.io.Out}})
	stop()
	background.Wait()
	if errors.Is(err, io.EOF) {
		err = nil // the agent left
	}
	return errors.Join(err, shared.Close())
}

// unclosed is standard output, which the protocol does not close.
type unclosed struct{ io.Writer }

// Close is io.Closer's.
func (unclosed) Close() error { return nil }
