package tending

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/shellwords"
	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/text/plural"
)

func doctorCmd(c *invocation.Call) *cobra.Command {
	var deep, repair, dry bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "what is wrong and how to mend it",
		Long: `Looks at the configuration, the home, the catalog, each index, each doc set's files
and the model servers. --repair mends what can be mended, and says what it did.`,
		Example:           `  docent doctor --repair --dry-run`,
		Args:              arguments.ExactArgs(0, "no arguments"),
		ValidArgsFunction: completing.Words(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dry && !repair {
				return contract.Invalid("dry_run", "--dry-run says what --repair would do; give both")
			}
			ctx := cmd.Context()
			opt := c.Options()
			opt.Lenient = true // the faults are among the findings
			a, err := app.Open(ctx, opt)
			if err != nil {
				return err
			}
			found, err := examine(ctx, c, a, deep)
			if err != nil || !repair {
				return errors.Join(err, a.Close(), examined(c, found, err))
			}
			return repairFindings(ctx, c, a, found, deep, dry)
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "read every file too, and compare its content")
	cmd.Flags().BoolVar(&repair, "repair", false, "mend what can be mended")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what --repair would do")
	return cmd
}

// examine looks for faults.
func examine(ctx context.Context, c *invocation.Call, a *app.App, deep bool) (care.Examination, error) {
	_, faults, err := app.LoadConfig(c.Options())
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%s: %w", a.Config.Path, faults[0])
	}
	found, err := a.Care.Doctor(ctx, err)
	if err == nil && deep {
		found, err = a.Care.CompareContents(ctx, found)
	}
	for i := range found.Findings {
		found.Findings[i].Mend = remedyText(found.Findings[i])
	}
	return found, err
}

// examined prints the findings, unless the examination failed; faults are exit code 1.
func examined(c *invocation.Call, found care.Examination, failed error) error {
	if failed != nil {
		return nil
	}
	if c.JSON {
		if err := c.PrintJSON(found); err != nil {
			return err
		}
	} else {
		printFindings(c, found)
	}
	if found.Faults > 0 {
		return failure.ExitCode(failure.CodeNothing)
	}
	return nil
}

// repairFindings repairs the findings, examines the home again, and prints both. It closes the
// home.
func repairFindings(ctx context.Context, c *invocation.Call, a *app.App, found care.Examination, deep, dry bool) (err error) {
	defer func() {
		if a != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	plan, _ := care.PlanRepairs(found)
	for i, r := range plan {
		switch {
		case dry:
		case r.Reopen:
			opt := c.Options()
			opt.Lenient = true
			if a, err = a.OpenAgain(ctx, opt); err != nil {
				return err
			}
			plan[i].Done = true
		default:
			if plan[i], err = a.Care.Repair(ctx, r, home.Watch{Note: c.Note, Events: c.ProgressBar()}); err != nil {
				return err
			}
		}
		printRepair(c, plan[i], dry)
	}
	if !dry && len(plan) > 0 {
		if found, err = examine(ctx, c, a, deep); err != nil {
			return err
		}
	}
	if !c.JSON {
		return examined(c, found, nil)
	}
	if plan == nil {
		plan = []care.Repair{}
	}
	err = c.PrintJSON(struct {
		Repairs []care.Repair `json:"repairs"`
		care.Examination
	}{plan, found})
	if err == nil && found.Faults > 0 {
		err = failure.ExitCode(failure.CodeNothing)
	}
	return err
}

// printRepair prints the repairs, or those that a dry run would make.
func printRepair(c *invocation.Call, r care.Repair, dry bool) {
	switch {
	case c.JSON:
	case dry:
		fmt.Fprintf(c.IO.Out, "WOULD  %s: %s\n", console.OneLine(r.Check), console.OneLine(r.Action))
	case r.Done:
		fmt.Fprintf(c.IO.Out, "DONE   %s: %s\n", console.OneLine(r.Check), console.OneLine(r.Action))
	default:
		fmt.Fprintf(c.IO.Out, "FAILED %s: %s: %s\n", console.OneLine(r.Check), console.OneLine(r.Action),
			console.OneLine(strings.ReplaceAll(r.Error, "\n", "; ")))
	}
}

// remedyText is what to do about a finding, with the command that does it.
func remedyText(f finding.Finding) string {
	if f.Remedy == nil || shellwords.CommandLine().Words(f.Remedy) == "" {
		return f.Mend
	}
	run := shellwords.CommandLine().Words(f.Remedy)
	switch {
	case f.Mend == "":
		return run
	case f.Remedy.Effect != "":
		return f.Mend + "; " + run
	}
	return f.Mend + ", or " + run
}

func printFindings(c *invocation.Call, found care.Examination) {
	for _, f := range found.Findings {
		mark := "ok   "
		if !f.OK {
			mark = "FAULT"
		}
		fmt.Fprintf(c.IO.Out, "%s  %s: %s\n", mark, console.OneLine(f.Check), console.OneLine(f.Text))
		if f.Mend != "" {
			fmt.Fprintf(c.IO.Out, "       %s\n", console.OneLine(f.Mend))
		}
	}
	fmt.Fprintln(c.IO.Out, plural.Count(found.Faults, "fault", "faults"))
}
