package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
)

func (c *command) removeCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "rm SET...",
		Short: "forget doc sets (their files stay), or delete single files",
		Long: `Forgets doc sets; their files stay. Uploads@latest/NAME deletes a file that was handed
in by itself, and its copy in the home; Uploads@latest/* deletes all of them.`,
		Example:           `  docent rm Kubernetes@1.30`,
		Args:              minArgs(1, "at least one doc set"),
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch n := countDocuments(args); {
			case n == len(args):
				return c.deleteDocuments(ctx, args)
			case n > 0:
				return usageError("%s are doc sets and single files; remove them in two commands", strings.Join(args, " "))
			}
			c.work = &undertaking{kind: forgetting, undone: args}
			return c.withHome(ctx, func(a *app.App) error {
				chosen, err := a.Home.ResolveOrAll(ctx, args)
				if err != nil {
					return err
				}
				c.work.noteState(ctx, a, setNamesOf(chosen))
				out, err := a.Library.Remove(ctx, library.RemoveRequest{Sets: args})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(out)
				}
				if c.quiet {
					return nil
				}
				fmt.Fprintf(c.io.Out, "forgot %s; its files were not touched\n", oneLine(strings.Join(out.Removed, ", ")))
				return nil
			})
		},
	}
}

func countDocuments(names []string) (n int) {
	for _, name := range names {
		if intake.NamesDocument(name) {
			n++
		}
	}
	return n
}

// deleteDocuments deletes files that were handed in.
func (c *command) deleteDocuments(ctx context.Context, names []string) error {
	return c.withHome(ctx, func(a *app.App) error {
		var ids []string
		for _, name := range names {
			found, err := a.Intake.FindDocuments(ctx, name)
			if err != nil {
				return err
			}
			ids = append(ids, found...)
		}
		slices.Sort(ids)
		deleted, err := a.Intake.DeleteDocuments(ctx, slices.Compact(ids)...)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]any{"deleted": deleted})
		}
		if !c.quiet {
			fmt.Fprintf(c.io.Out, "deleted %s and the copies in the home\n", plural(len(deleted), "document", "documents"))
		}
		return nil
	})
}
