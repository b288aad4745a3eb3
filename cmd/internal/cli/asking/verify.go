package asking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

func verifyCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:     "verify [FILE|-]",
		Short:   driver.FindOperation(c, "verify").Line,
		Example: `  docent ask "what does verify do" | docent verify`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return failure.UsageError("docent verify takes one file, or - for standard input")
			}
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" && c.IO.InTTY {
				return failure.UsageError("give a file, or the block on standard input: docent ask … | docent verify")
			}
			return verify(cmd.Context(), c, file)
		},
	}
}

func verify(ctx context.Context, c *invocation.Call, file string) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(io.LimitReader(c.StandardInput(ctx), maxInput))
	} else {
		raw, err = os.ReadFile(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return contract.Invalid("file", "verify %s: there is no such file; give one that holds a block, or - for standard input", file)
	}
	if err != nil {
		return contract.Invalid("file", "verify %s: %v; give a file that holds a block, or - for standard input", file, err)
	}
	return c.WithHome(ctx, func(a *app.App) error {
		answer, err := driver.FindOperation(c, "verify").Do(ctx, a.Services, answers.VerifyRequest{Block: string(raw)}, nil)
		if err != nil {
			return err
		}
		reports := answer.(answers.Verified)
		if err := printReports(c, reports); err != nil {
			return err
		}
		if !reports.Proven() {
			return failure.ExitCode(failure.CodeNothing)
		}
		return nil
	})
}

// printReports prints the report on each block.
func printReports(c *invocation.Call, reports answers.Verified) error {
	if c.JSON {
		return c.PrintJSON(reports)
	}
	for i, rep := range reports {
		if len(reports) > 1 {
			if _, err := fmt.Fprintf(c.IO.Out, "block %d of %d\n", i+1, len(reports)); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(c.IO.Out, c.ForTerminal(rep.String())); err != nil {
			return err
		}
	}
	return nil
}
