// Package projects has the command about projects: sync, which docent add without an
// argument stands for in a project's folder.
//
// It refuses to read a project's files and to fetch: the service syncing does.
package projects

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/undertaking"
	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/syncing"
	"docent/pipeline/source/planning"
	"docent/pipeline/source/project"
	"docent/pipeline/text/plural"
)

// Commands are the commands about projects.
func Commands(c *invocation.Call) []*cobra.Command { return []*cobra.Command{syncCmd(c)} }

func syncCmd(c *invocation.Call) *cobra.Command {
	var req syncing.Request
	var check bool
	cmd := &cobra.Command{
		Use:   "sync [DIR]",
		Short: "add the documentation of what a project uses",
		Long: `Reads a project's manifests and lock files and adds, for each direct dependency at
its locked version, the documentation: from a recipe, the package, or its repository at
the tag. Writes docent.lock, by which others get the same.`,
		Example: `  docent sync --dry-run`,
		Args:    folderOrNone,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Dir = "."
			if len(args) > 0 {
				req.Dir = args[0]
			}
			if check && req.DryRun {
				return contract.Invalid("check", "--check and --dry-run exclude each other; give one of them")
			}
			if check {
				return checkProject(cmd.Context(), c, req)
			}
			return syncProject(cmd.Context(), c, req)
		},
	}
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "say what would be added, and ask no network")
	cmd.Flags().StringSliceVar(&req.Only, "only", nil, "`NAMES` of dependencies; the others stay as they are")
	cmd.Flags().BoolVar(&check, "check", false, "compare project, docent.lock and home; exit 1 where they differ")
	return cmd
}

// folderOrNone takes one folder, or none for the current one. An empty argument is a variable of the
// shell that is not set: another project than the one that was meant would be synced.
func folderOrNone(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return failure.UsageError("%s takes one project's folder, and these are %d; sync them one by one", arguments.Called(cmd), len(args))
	case len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return failure.UsageError("the argument of %s is empty; give a project's folder, or leave it out for the folder you are in",
			arguments.Called(cmd))
	}
	return nil
}

// AddAlone makes the command add sync the project in whose folder it is called without an
// argument and a flag of its own.
func AddAlone(c *invocation.Call, add *cobra.Command) {
	check, run := add.Args, add.RunE
	alone := func(cmd *cobra.Command, args []string) bool {
		own := false
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { own = own || f.Changed })
		return len(args) == 0 && !own && project.HasManifest(".")
	}
	add.Args = func(cmd *cobra.Command, args []string) error {
		if alone(cmd, args) {
			return nil
		}
		return check(cmd, args)
	}
	add.RunE = func(cmd *cobra.Command, args []string) error {
		if alone(cmd, args) {
			return syncProject(cmd.Context(), c, syncing.Request{Dir: "."})
		}
		return run(cmd, args)
	}
}

func syncProject(ctx context.Context, c *invocation.Call, req syncing.Request) error {
	rest := []string{"the documentation of " + req.Dir}
	c.Work = &undertaking.Work{Kind: undertaking.Adding, Undone: rest}
	return c.WithHome(ctx, func(a *app.App) error {
		c.Work.NoteSources(ctx, a, rest)
		out, err := a.Syncing.Sync(ctx, req, watch(c))
		if err != nil {
			return err
		}
		tellFindings(c, out.Findings)
		if c.JSON {
			return c.PrintJSON(out)
		}
		printSynced(c, out, req.DryRun)
		return nil
	})
}

// watch tells of adding on the terminal.
func watch(c *invocation.Call) home.Watch {
	return home.Watch{Note: c.Note, Events: c.ProgressBar(), Report: func(r ingest.Report) {
		c.Work.Done = append(c.Work.Done, r.Set)
		if !c.JSON && !c.Quiet {
			fmt.Fprintln(c.IO.Out, console.OneLine(library.Summary(r)))
		}
	}}
}

func checkProject(ctx context.Context, c *invocation.Call, req syncing.Request) error {
	return c.WithHome(ctx, func(a *app.App) error {
		out, err := a.Syncing.Check(ctx, req)
		if err != nil {
			return err
		}
		tellFindings(c, out.Findings)
		if c.JSON {
			if err := c.PrintJSON(out); err != nil {
				return err
			}
		}
		for _, d := range out.Differences {
			if !c.JSON {
				fmt.Fprintln(c.IO.Out, console.OneLine(d.For+": "+d.Text))
			}
		}
		if len(out.Differences) > 0 {
			return failure.ExitCode(failure.CodeNothing)
		}
		if !c.JSON && !c.Quiet {
			fmt.Fprintf(c.IO.Out, "the project, %s and the home agree\n", planning.LockFile)
		}
		return nil
	})
}

// tellFindings says what of a project could not be read.
func tellFindings(c *invocation.Call, findings []project.Finding) {
	for _, f := range findings {
		c.Note("%s", console.OneLine(f.String()))
	}
}

// printSynced prints a table of the dependencies and their documentation.
func printSynced(c *invocation.Call, out syncing.Synced, dry bool) {
	table := driver.NewTable()
	table.Row("DEPENDENCY\tDOCUMENTATION\tFROM\tNAMED IN")
	for _, r := range out.Rows {
		if c.Verbose > 0 && r.State != syncing.Planned {
			for _, t := range r.Tried {
				c.Note("%s", console.OneLine(r.For+": "+t.Source+": "+t.Reason))
			}
		}
		name := r.For
		if r.Version != "" {
			name += "@" + r.Version
		}
		table.Row("%s\t%s\t%s\t%s", console.OneLine(name), console.OneLine(documentationOf(r)), console.OneLine(originOf(r)),
			console.OneLine(fmt.Sprintf("%s:%d", r.File, r.Line)))
	}
	table.Write(driver.Paper{Line: func(text string) { fmt.Fprintln(c.IO.Out, text) }})
	text := "%d of %s documented\n"
	if dry {
		text = "%d of %s have a source to try\n" // it may turn out to have no documentation
	}
	fmt.Fprintf(c.IO.Out, text, out.Documented, plural.Count(out.Dependencies, "dependency", "dependencies"))
}

// documentationOf is the doc set of a dependency, or what would become of it.
func documentationOf(r syncing.Row) string {
	switch r.State {
	case syncing.Missing:
		return "none"
	case syncing.Planned:
		return "planned"
	}
	return r.DocSet
}

// originOf is where the documentation comes from, or why it is missing.
func originOf(r syncing.Row) string {
	if r.State == syncing.Missing {
		return r.Reason
	}
	how := r.How
	if how == planning.HowListed {
		how = "repository known by docent's list"
	}
	return how + " " + r.Source
}
