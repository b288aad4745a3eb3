package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
)

func (c *command) updateCmd() *cobra.Command {
	var rebuild, settle, decisions, check bool
	cmd := &cobra.Command{
		Use:               "update [SET...]",
		Short:             "bring the index up to what is on disk",
		Example:           `  docent update`,
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			c.work = &undertaking{kind: updating, undone: c.namedOrListed(append(slices.Clone(args), c.sets...))}
			c.decisions = decisions
			if rebuild {
				c.work.kind = rebuilding
			}
			return c.withHome(ctx, func(a *app.App) error {
				chosen, err := a.Home.ResolveOrAll(ctx, append(slices.Clone(args), c.sets...))
				if err != nil {
					return err
				}
				c.work.noteState(ctx, a, setNamesOf(chosen))
				out, err := a.Library.Update(ctx, library.UpdateRequest{Sets: append(slices.Clone(args), c.sets...), Rebuild: rebuild,
					Settle: settle, Check: check}, c.upkeep())
				return c.updated(out, err)
			})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "compare every file by its content, not by its size and time")
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "read every page again and build the index from nothing")
	cmd.Flags().BoolVar(&decisions, "show-domain-decisions", false, aboutDecisions)
	cmd.Flags().BoolVar(&settle, "settle", false, "train the learned vectors again on the pages as they are")
	return cmd
}

// namedOrListed are the doc sets that a command names, or all that are on the list of the home,
// for what a signal ends before the home is open.
func (c *command) namedOrListed(names []string) []string {
	if len(names) > 0 {
		return names
	}
	return app.Listed(c.options())
}

// upkeep tells of adding and updating on the terminal.
func (c *command) upkeep() home.Watch {
	return home.Watch{Note: c.note, Events: newBar(c).showEvent, Trace: c.traceOptions(), Allow: c.allows(), Report: func(r ingest.Report) {
		if c.work != nil {
			c.work.done = append(c.work.done, r.Set)
		}
		c.printReport(r)
	}}
}

const aboutDecisions = "print the domain of each file and the reason, on standard error"

// traceOptions prints the lines of the domain specification: the files' domains on request, and
// with -v the result for each page.
func (c *command) traceOptions() (t ingest.Trace) {
	if c.decisions {
		t.Decided = func(d ingest.Decided) { fmt.Fprintln(c.io.Err, oneLine(d.String())) }
	}
	if c.verbose > 0 {
		t.Indexed = func(i ingest.Indexed) { fmt.Fprintln(c.io.Err, oneLine(i.String())) }
	}
	return t
}

// updated ends a command that indexed: with JSON where that is wanted, and with
// the exit code of missing folders.
func (c *command) updated(out library.Updated, err error) error {
	if err != nil {
		return err
	}
	if c.json {
		if err := c.printJSON(out); err != nil {
			return err
		}
	}
	for _, r := range out.Vectors {
		if r.Written && !c.json && !c.quiet {
			fmt.Fprintf(c.io.Out, "%s: vectors of %s by %s, %d made now\n", oneLine(r.Set), plural(r.Passages, "passage", "passages"),
				oneLine(r.Model), r.Embedded)
		}
	}
	if len(out.Missing) > 0 {
		return exitCode(codeUnavailable)
	}
	return nil
}

// maxWarnings is how many warnings of a doc set are printed without -v.
const maxWarnings = 5

func (c *command) printReport(r ingest.Report) {
	for i, w := range r.Warnings {
		if i == maxWarnings && c.verbose == 0 {
			c.note("%s: … %d more warnings (-v shows them)", r.Set, len(r.Warnings)-i)
			break
		}
		c.note("%s: %s", r.Set, w)
	}
	if c.verbose > 0 {
		for _, path := range r.Unread.Paths {
			c.note("%s: %s: no parser reads it, left out", r.Set, path)
		}
		if n := r.Unread.Files - len(r.Unread.Paths); n > 0 {
			c.note("%s: … %d more files that no parser reads", r.Set, n)
		}
		for _, o := range r.Unread.Others {
			for _, path := range o.Paths {
				c.note("%s: %s: %s, left out", r.Set, path, o.Reason)
			}
			if n := o.Files - len(o.Paths); n > 0 {
				c.note("%s: … %d more files: %s", r.Set, n, o.Reason)
			}
		}
	}
	if c.json || c.quiet {
		return
	}
	fmt.Fprintln(c.io.Out, oneLine(library.Summary(r)))
}
