package indexing

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/undertaking"
	"docent/cmd/internal/cli/uploading"
	"docent/pipeline/service/library"
)

func removeCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:   "rm SET...",
		Short: "forget doc sets (their files stay), or delete single files",
		Long: `Forgets doc sets; their files stay. Uploads@latest/NAME deletes a file that was handed
in by itself, and its copy in the home; Uploads@latest/* deletes all of them.`,
		Example:           `  docent rm Kubernetes@1.30`,
		Args:              arguments.MinArgs(1, "at least one doc set"),
		ValidArgsFunction: completing.Sets(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch n := uploading.CountDocuments(args); {
			case n == len(args):
				return uploading.DeleteDocuments(ctx, c, args)
			case n > 0:
				return failure.UsageError("%s are doc sets and single files; remove them in two commands", strings.Join(args, " "))
			}
			c.Work = &undertaking.Work{Kind: undertaking.Forgetting, Undone: args}
			return c.WithHome(ctx, func(a *app.App) error {
				chosen, err := a.Home.ResolveOrAll(ctx, args)
				if err != nil {
					return err
				}
				c.Work.NoteState(ctx, a, undertaking.NamesOf(chosen))
				fetched := 0
				for _, s := range chosen {
					if a.Sourcing.Fetched(ctx, s) {
						fetched++
					}
				}
				out, err := a.Library.Remove(ctx, library.RemoveRequest{Sets: args})
				if err != nil {
					return err
				}
				if c.JSON {
					return c.PrintJSON(out)
				}
				if c.Quiet {
					return nil
				}
				fmt.Fprintf(c.IO.Out, "forgot %s; %s\n", console.OneLine(strings.Join(out.Removed, ", ")), whatStayed(len(chosen), fetched))
				return nil
			})
		},
	}
}

// whatStayed says what became of the files of doc sets that are forgotten.
func whatStayed(sets, fetched int) string {
	switch fetched {
	case 0:
		return "its files were not touched"
	case sets:
		return "what was fetched of it is gone"
	}
	return "what was fetched is gone, other files were not touched"
}
