package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
)

func (c *command) watchCmd() *cobra.Command {
	var polling bool
	cmd := &cobra.Command{
		Use:   "watch [SET...]",
		Short: "update as files change, until interrupted",
		Long: `Brings doc sets up to date as their files change, until it is interrupted: all of
them, or those named. With --json it prints one JSON object a line.`,
		Example:           `  docent watch`,
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withHome(cmd.Context(), func(a *app.App) error {
				return c.follow(cmd.Context(), a, append(slices.Clone(args), c.sets...), polling)
			})
		},
	}
	cmd.Flags().BoolVar(&polling, "poll", false, "look through the folders every 2 seconds in place of watching them")
	return cmd
}

// follow follows doc sets and prints each update.
func (c *command) follow(ctx context.Context, a *app.App, names []string, polling bool) error {
	sets, err := a.Home.ResolveOrAll(ctx, names)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range sets {
		if s.Ref != home.ManualRef() {
			n++
		}
	}
	if !c.quiet {
		c.note("watching %s; ctrl+c ends", plural(n, "doc set", "doc sets"))
	}
	req := library.FollowRequest{Sets: names, Polling: polling, Followed: func(f library.Followed) error {
		if c.json {
			return c.printJSON(f)
		}
		c.printReport(f.Report)
		if f.Lag > 0 && c.verbose > 0 {
			c.note("%s: can be found %d ms after the change", f.Set, f.Lag)
		}
		return nil
	}}
	if err := a.Library.Follow(ctx, req, home.Watch{Note: c.note, Trace: c.traceOptions()}); err != nil {
		return err
	}
	return ctx.Err()
}
