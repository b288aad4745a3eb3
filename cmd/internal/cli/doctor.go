package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/home"
)

func (c *command) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "doctor",
		Short:             "what is wrong and how to mend it",
		Example:           `  docent doctor`,
		Args:              exactArgs(0, "no arguments"),
		ValidArgsFunction: words(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			opt := c.options()
			opt.Lenient = true // the faults are among the findings
			a, err := app.Open(ctx, opt)
			if err != nil {
				return err
			}
			return errors.Join(c.doctor(ctx, a), a.Close())
		},
	}
}

func (c *command) doctor(ctx context.Context, a *app.App) error {
	_, faults, err := app.LoadConfig(c.options())
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%s: %w", a.Config.Path, faults[0])
	}
	found, err := a.Doctor(ctx, err)
	if err != nil {
		return err
	}
	for i := range found.Findings {
		found.Findings[i].Mend = mend(found.Findings[i])
	}
	if c.json {
		if err := c.printJSON(found); err != nil {
			return err
		}
	} else {
		c.printFindings(found)
	}
	if found.Faults > 0 {
		return exitCode(codeNothing)
	}
	return nil
}

// mend is what to do about a finding, with the command that does it.
func mend(f home.Finding) string {
	if f.Remedy == nil || f.Remedy.Kind != contract.RemedyRun {
		return f.Mend
	}
	run := "docent " + strings.Join(f.Remedy.Command, " ")
	switch {
	case slices.Equal(f.Remedy.Command, []string{"config", "lint"}):
		return run + " lists the faults"
	case f.Mend != "":
		return f.Mend + ", or " + run
	}
	return run
}

func (c *command) printFindings(found home.Examination) {
	for _, f := range found.Findings {
		mark := "ok   "
		if !f.OK {
			mark = "FAULT"
		}
		fmt.Fprintf(c.io.Out, "%s  %s: %s\n", mark, clean(f.Check), clean(f.Text))
		if f.Mend != "" {
			fmt.Fprintf(c.io.Out, "       %s\n", clean(f.Mend))
		}
	}
	fmt.Fprintln(c.io.Out, plural(found.Faults, "fault", "faults"))
}
