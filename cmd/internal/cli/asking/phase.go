package asking

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// maxInput is the most that a phase reads, in bytes.
const maxInput = 256 << 20

func phaseCmd(c *invocation.Call) *cobra.Command {
	var f askFlags
	op := driver.FindOperation(c, "phase")
	cmd := &cobra.Command{
		Use:   "phase NAME",
		Short: op.Line,
		Long: `Reads one phase's input from standard input and writes its output to standard
output. NAME is 0a 0b merge 1 1.5 2 2.5 3, or optimize route merge search rerank
extract check process.`,
		Example: `  echo '{"query": "configure hooks"}' | docent phase 0a`,
		ValidArgsFunction: completing.Words("0a\toptimize", "0b\troute", "merge", "1\tsearch", "1.5\trerank", "2\textract", "2.5\tcheck",
			"3\tprocess"),
		Args: func(cmd *cobra.Command, args []string) error {
			c.Filter = true
			return arguments.ExactArgs(1, "one phase's name")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := driver.ReadRequest[answers.PhaseQuery](c, cmd, op)
			if err == nil {
				q.Extent, err = f.extent(q.Lines, q.Full)
			}
			if err == nil {
				q.Phase, err = answers.PhaseByName(args[0])
			}
			if err != nil {
				return err
			}
			q.Input, err = io.ReadAll(io.LimitReader(c.StandardInput(cmd.Context()), maxInput+1))
			if err != nil {
				return err
			}
			if len(q.Input) > maxInput {
				return contract.Invalid(contract.Input, "the input is larger than %d MB", maxInput>>20)
			}
			if err := answers.PassedOn(q.Input); err != nil {
				return err // before a home is opened
			}
			return runPhase(cmd.Context(), c, q)
		},
	}
	extentFlags(cmd, &f, "phase 2.5: ")
	usage := rankingUsage("phase 1.5: ")
	usage["explain"] = "phase 1: say how the scores came about"
	usage["lines"] = linesUsage("phase 2.5: ")
	usage["max-docs"] = "phase 2: documents at most (default 3)"
	usage["full"] = "phase 2.5: a wish for the whole documents"
	usage["compress"] = "phase 2.5: a wish for compression"
	usage["summarize"] = "phase 2.5: a wish for a model's words in place of long sections"
	usage["max-tokens"] = "phase 2.5: a budget for the block"
	driver.AddFlags(cmd, op.FieldsAt(operation.Flag), usage)
	return cmd
}

func runPhase(ctx context.Context, c *invocation.Call, q answers.PhaseQuery) error {
	return c.WithHome(ctx, func(a *app.App) error {
		answer, err := driver.FindOperation(c, "phase").Do(ctx, a.Services, q, nil)
		if err != nil {
			return err
		}
		out := answer.(answers.PhaseAnswer)
		degraded(c, out.Trace.Degraded)
		if c.Verbose > 0 && out.Trace.Engine != "" {
			c.Note("%s", out.Trace.Engine)
		}
		if err := c.PrintJSON(out.Output); err != nil {
			return err
		}
		if out.Nothing() {
			return failure.ExitCode(failure.CodeNothing)
		}
		return nil
	})
}
