package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

// maxInput is the most that a phase reads, in bytes.
const maxInput = 256 << 20

func (c *command) phaseCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "phase NAME",
		Short: "one phase as a filter: JSON in, JSON out",
		Long: `Reads one phase's input from standard input and writes its output to standard
output. NAME is 0a 0b merge 1 1.5 2 2.5 3, or optimize route merge search rerank
extract check process.`,
		Example:           `  echo '{"query": "configure hooks"}' | docent phase 0a`,
		ValidArgsFunction: words("0a\toptimize", "0b\troute", "merge", "1\tsearch", "1.5\trerank", "2\textract", "2.5\tcheck", "3\tprocess"),
		Args: func(cmd *cobra.Command, args []string) error {
			c.filter = true
			return exactArgs(1, "one phase's name")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atLeastOne(cmd, "max-tokens", "max-docs", "lines"); err != nil {
				return err
			}
			if err := f.checkExtent(); err != nil {
				return err
			}
			name, err := answers.PhaseByName(args[0])
			if err != nil {
				return err
			}
			raw, err := io.ReadAll(io.LimitReader(c.input(cmd.Context()), maxInput+1))
			if err != nil {
				return err
			}
			if len(raw) > maxInput {
				return contract.Invalid(contract.Input, "the input is larger than %d MB", maxInput>>20)
			}
			if err := answers.PassedOn(raw); err != nil {
				return err
			}
			return c.phase(cmd.Context(), answers.PhaseRequest{Phase: name, Input: raw, DocSets: c.sets, MaxDocs: f.maxDocs, Explain: f.explain, FallbackMode: f.fallbackMode, Preferences: f.wishes()})
		},
	}
	fl := cmd.Flags()
	extentFlags(cmd, &f, "phase 2.5: ")
	fl.BoolVar(&f.full, "full", false, "phase 2.5: a wish for the whole documents")
	fl.BoolVar(&f.compress, "compress", false, "phase 2.5: a wish for compression")
	fl.BoolVar(&f.summarize, "summarize", false, "phase 2.5: a wish for a model's words in place of long sections")
	fl.IntVar(&f.maxTokens, "max-tokens", 0, "phase 2.5: a budget for the block")
	fl.IntVar(&f.maxDocs, "max-docs", 0, "phase 2: documents at most (default 3)")
	fallbackFlag(cmd, &f, "phase 1.5: ")
	fl.BoolVar(&f.explain, "explain", false, "phase 1: say how the scores came about")
	return cmd
}

func (c *command) phase(ctx context.Context, req answers.PhaseRequest) error {
	return c.with(ctx, func(a *app.App) error {
		out, err := a.Answers.Phase(ctx, req)
		if err != nil {
			return err
		}
		c.degraded(out.Trace.Degraded)
		if c.verbose > 0 && out.Trace.Engine != "" {
			c.note("%s", out.Trace.Engine)
		}
		if err := c.printJSON(out.Output); err != nil {
			return err
		}
		if out.Nothing() {
			return exitCode(codeNothing)
		}
		return nil
	})
}
