package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

func (c *command) verifyCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "verify [FILE|-]",
		Short:   c.operation("verify").Line,
		Example: `  docent ask "what does verify do" | docent verify`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("docent verify takes one file, or - for standard input")
			}
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" && c.io.InTTY {
				return usageError("give a file, or the block on standard input: docent ask … | docent verify")
			}
			return c.verify(cmd.Context(), file)
		},
	}
}

func (c *command) verify(ctx context.Context, file string) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(io.LimitReader(c.standardInput(ctx), maxInput))
	} else {
		raw, err = os.ReadFile(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return contract.Invalid("file", "verify %s: there is no such file; give one that holds a block, or - for standard input", file)
	}
	if err != nil {
		return contract.Invalid("file", "verify %s: %v; give a file that holds a block, or - for standard input", file, err)
	}
	return c.withHome(ctx, func(a *app.App) error {
		answer, err := c.operation("verify").Do(ctx, a.Services, answers.VerifyRequest{Block: string(raw)}, nil)
		if err != nil {
			return err
		}
		reports := answer.(answers.Verified)
		if err := c.printReports(reports); err != nil {
			return err
		}
		if !reports.Proven() {
			return exitCode(codeNothing)
		}
		return nil
	})
}

// printReports prints the report on each block.
func (c *command) printReports(reports answers.Verified) error {
	if c.json {
		return c.printJSON(reports)
	}
	for i, rep := range reports {
		if len(reports) > 1 {
			if _, err := fmt.Fprintf(c.io.Out, "block %d of %d\n", i+1, len(reports)); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(c.io.Out, c.forTerminal(rep.String())); err != nil {
			return err
		}
	}
	return nil
}
