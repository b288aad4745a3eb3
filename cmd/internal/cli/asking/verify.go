package asking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

// verifyView reads a block and prints the report on it.
func verifyView(c *invocation.Call) driver.View {
	return driver.View{
		Use:      "[FILE|-]",
		Example:  `  docent ask "what does verify do" | docent verify`,
		Complete: completing.Files,
		Read: func(cmd *cobra.Command, args []string) (any, error) {
			if len(args) > 1 {
				return nil, failure.UsageError("docent verify takes one file, or - for standard input")
			}
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" && c.IO.InTTY {
				return nil, failure.UsageError("give a file, or the block on standard input: docent ask … | docent verify")
			}
			block, err := readBlock(cmd.Context(), c, file)
			return answers.VerifyRequest{Block: block}, err
		},
		Show: driver.Typed(func(reports answers.Verified) error { return printReports(c, reports) }),
		After: driver.Typed(func(reports answers.Verified) error {
			if !reports.Proven() {
				return failure.ExitCode(failure.CodeNothing)
			}
			return nil
		}),
	}
}

func readBlock(ctx context.Context, c *invocation.Call, file string) (string, error) {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(io.LimitReader(c.StandardInput(ctx), maxInput))
	} else {
		raw, err = os.ReadFile(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", contract.Invalid("file", "verify %s: there is no such file; give one that holds a block, or - for standard input", file)
	}
	if err != nil {
		return "", contract.Invalid("file", "verify %s: %v; give a file that holds a block, or - for standard input", file, err)
	}
	return string(raw), nil
}

// printReports prints the report on each block.
func printReports(c *invocation.Call, reports answers.Verified) error {
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
