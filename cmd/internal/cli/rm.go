package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/home"
)

func (c *command) rmCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "rm SET...",
		Short:             "forget doc sets (their files stay)",
		Example:           `  docent rm Kubernetes@1.30`,
		Args:              minArgs(1, "at least one doc set"),
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			c.work = &undertaking{kind: forgetting}
			return c.with(ctx, func(a *app.App) error {
				chosen, err := a.Chosen(ctx, args)
				if err != nil {
					return err
				}
				c.work.begin(ctx, a, setNamesOf(chosen))
				out, err := a.Remove(ctx, home.RemoveRequest{Sets: args})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(out)
				}
				if c.quiet {
					return nil
				}
				fmt.Fprintf(c.io.Out, "forgot %s; its files were not touched\n", clean(strings.Join(out.Removed, ", ")))
				return nil
			})
		},
	}
}
