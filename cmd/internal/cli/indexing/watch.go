package indexing

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

func watchCmd(c *invocation.Call) *cobra.Command {
	var polling bool
	cmd := &cobra.Command{
		Use:   "watch [SET...]",
		Short: "update as files change, until interrupted",
		Long: `Brings doc sets up to date as their files change, until it is interrupted: all of
them, or those named. With --json it prints one JSON object a line.`,
		Example:           `  docent watch`,
		ValidArgsFunction: completing.Sets(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.WithHome(cmd.Context(), func(a *app.App) error {
				return followSets(cmd.Context(), c, a, append(slices.Clone(args), c.Sets...), polling)
			})
		},
	}
	cmd.Flags().BoolVar(&polling, "poll", false, "look through the folders every 2 seconds in place of watching them")
	return cmd
}

// followSets follows doc sets and prints each update.
func followSets(ctx context.Context, c *invocation.Call, a *app.App, names []string, polling bool) error {
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
	if !c.Quiet {
		c.Note("watching %s; ctrl+c ends", plural.Count(n, "doc set", "doc sets"))
	}
	req := library.FollowRequest{Sets: names, Polling: polling, Followed: func(f library.Followed) error {
		if c.JSON {
			return c.PrintJSON(f)
		}
		printReport(c, f.Report)
		if f.Lag > 0 && c.Verbose > 0 {
			c.Note("%s: can be found %d ms after the change", f.Set, f.Lag)
		}
		return nil
	}}
	if err := a.Library.Follow(ctx, req, home.Watch{Note: c.Note, Trace: traceOptions(c)}); err != nil {
		return err
	}
	return ctx.Err()
}
