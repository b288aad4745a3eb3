package indexing

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/undertaking"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/text/plural"
)

func updateCmd(c *invocation.Call) *cobra.Command {
	var rebuild, settle, decisions, check, offline, force bool
	cmd := &cobra.Command{
		Use:               "update [SET...]",
		Short:             "ask the sources for what is new, and bring the index up to date",
		Example:           `  docent update`,
		ValidArgsFunction: completing.Sets(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			c.Work = &undertaking.Work{Kind: undertaking.Updating, Undone: namedOrListed(c, append(slices.Clone(args), c.Sets...))}
			c.Decisions = decisions
			if rebuild {
				c.Work.Kind = undertaking.Rebuilding
			}
			return c.WithHome(ctx, func(a *app.App) error {
				chosen, err := a.Home.ResolveOrAll(ctx, append(slices.Clone(args), c.Sets...))
				if err != nil {
					return err
				}
				c.Work.NoteState(ctx, a, undertaking.NamesOf(chosen))
				out, err := a.Sourcing.Update(ctx, sourcing.UpdateRequest{Offline: offline, Force: force,
					UpdateRequest: library.UpdateRequest{Sets: append(slices.Clone(args), c.Sets...), Rebuild: rebuild,
						Settle: settle, Check: check}}, upkeep(c))
				return updated(c, out, err)
			})
		},
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "ask no source")
	cmd.Flags().BoolVar(&force, "force", false, "ask each source, and take what it has now although it is far less than before")
	cmd.Flags().BoolVar(&check, "check", false, "compare every file by its content, not by its size and time")
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "read every page again and build the index from nothing")
	cmd.Flags().BoolVar(&decisions, "show-domain-decisions", false, aboutDecisions)
	cmd.Flags().BoolVar(&settle, "settle", false, "train the learned vectors again on the pages as they are")
	return cmd
}

// namedOrListed are the doc sets that a command names, or all that are on the list of the home,
// for what a signal ends before the home is open.
func namedOrListed(c *invocation.Call, names []string) []string {
	if len(names) > 0 {
		return names
	}
	return app.Listed(c.Options())
}

// upkeep tells of adding and updating on the terminal.
func upkeep(c *invocation.Call) home.Watch {
	return home.Watch{Note: c.Note, Events: c.ProgressBar(), Trace: traceOptions(c), Allow: allows(c), Report: func(r ingest.Report) {
		if c.Work != nil {
			c.Work.Done = append(c.Work.Done, r.Set)
		}
		printReport(c, r)
	}}
}

const aboutDecisions = "print the domain of each file and the reason, on standard error"

// traceOptions prints the lines of the domain specification: the files' domains on request, and
// with -v the result for each page and how many of its words arrive.
func traceOptions(c *invocation.Call) (t ingest.Trace) {
	if c.Decisions {
		t.Decided = func(d ingest.Decided) { fmt.Fprintln(c.IO.Err, console.OneLine(d.String())) }
	}
	if c.Verbose > 0 {
		t.Indexed = func(i ingest.Indexed) {
			fmt.Fprintln(c.IO.Err, console.OneLine(i.String()))
			if i.Words.Source > 0 {
				fmt.Fprintln(c.IO.Err, console.OneLine(i.File+": "+i.Words.String()))
			}
		}
	}
	return t
}

// updated ends a command that indexed: with JSON where that is wanted, and with
// the exit code of missing folders.
func updated(c *invocation.Call, out library.Updated, err error) error {
	if err != nil {
		return err
	}
	if c.JSON {
		for i, e := range out.Missing {
			out.Missing[i] = invocation.Worded(e)
		}
		if err := c.PrintJSON(out); err != nil {
			return err
		}
	}
	for _, r := range out.Vectors {
		if r.Written && !c.JSON && !c.Quiet {
			fmt.Fprintf(c.IO.Out, "%s: vectors of %s by %s, %d made now\n", console.OneLine(r.Set),
				plural.Count(r.Passages, "passage", "passages"),
				console.OneLine(r.Model), r.Embedded)
		}
	}
	if len(out.Missing) > 0 {
		return failure.ExitCode(failure.CodeUnavailable)
	}
	return nil
}

// maxWarnings is how many warnings of a doc set are printed without -v.
const maxWarnings = 5

// maxKnown is how many warnings are printed again where nothing changed: one may be of a
// docent.toml that did.
const maxKnown = 2

func printReport(c *invocation.Call, r ingest.Report) {
	known := !r.Touched() && c.Verbose == 0 && len(r.Warnings) > maxKnown
	if known {
		c.Note("%s: nothing changed, and %s as before (-v shows them)", r.Set, plural.Count(len(r.Warnings), "warning", "warnings"))
	}
	for i, w := range r.Warnings {
		if known {
			break
		}
		if i == maxWarnings && c.Verbose == 0 {
			c.Note("%s: … %d more warnings (-v shows them)", r.Set, len(r.Warnings)-i)
			break
		}
		c.Note("%s: %s", r.Set, w)
	}
	if c.Verbose > 0 {
		for _, path := range r.Unread.Paths {
			c.Note("%s: %s: no parser reads it, left out", r.Set, path)
		}
		if n := r.Unread.Files - len(r.Unread.Paths); n > 0 {
			c.Note("%s: … %d more files that no parser reads", r.Set, n)
		}
		for _, o := range r.Unread.Others {
			for _, path := range o.Paths {
				c.Note("%s: %s: %s, left out", r.Set, path, o.Reason)
			}
			if n := o.Files - len(o.Paths); n > 0 {
				c.Note("%s: … %d more files: %s", r.Set, n, o.Reason)
			}
		}
	}
	if c.JSON || c.Quiet {
		return
	}
	fmt.Fprintln(c.IO.Out, console.OneLine(library.Summary(r)))
}
