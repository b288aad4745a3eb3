package asking

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

// maxInput is the most that a phase reads, in bytes.
const maxInput = 256 << 20

// phaseView reads the input of a phase and prints its output.
func phaseView(c *invocation.Call) driver.View {
	var f askFlags
	usage := rankingUsage("phase 1.5: ")
	usage["explain"] = "phase 1: say how the scores came about"
	usage["lines"] = linesUsage("phase 2.5: ")
	usage["max-docs"] = "phase 2: documents at most (default 3)"
	usage["full"] = "phase 2.5: a wish for the whole documents"
	usage["compress"] = "phase 2.5: a wish for compression"
	usage["summarize"] = "phase 2.5: a wish for a model's words in place of long sections"
	usage["max-tokens"] = "phase 2.5: a budget for the block"
	return driver.View{
		Use: "NAME",
		Long: `Reads one phase's input from standard input and writes its output to standard
output. NAME is 0a 0b merge 1 1.5 2 2.5 3, or optimize route merge search rerank
extract check process.`,
		Example: `  echo '{"query": "configure hooks"}' | docent phase 0a`,
		Complete: completing.Words("0a\toptimize", "0b\troute", "merge", "1\tsearch", "1.5\trerank", "2\textract", "2.5\tcheck",
			"3\tprocess"),
		Usage: usage,
		Flags: func(fl *pflag.FlagSet) {
			fl.BoolVar(&f.sections, "sections", false, "phase 2.5: a wish for the sections that answer")
			fl.BoolVar(&f.documents, "documents", false, "phase 2.5: a wish for whole documents (the default)")
		},
		Read: func(cmd *cobra.Command, args []string) (any, error) {
			c.Filter = true
			return readPhase(c, cmd, args, f)
		},
		JSON: func(answer any) any { return answer.(answers.PhaseAnswer).Output },
		Before: driver.Typed(func(out answers.PhaseAnswer) error {
			degraded(c, out.Trace.Degraded)
			if c.Verbose > 0 && out.Trace.Engine != "" {
				c.Note("%s", out.Trace.Engine)
			}
			return nil
		}),
		After: driver.Typed(func(out answers.PhaseAnswer) error {
			if out.Nothing() {
				return failure.ExitCode(failure.CodeNothing)
			}
			return nil
		}),
	}
}

// readPhase reads which phase is meant, how, and its input.
func readPhase(c *invocation.Call, cmd *cobra.Command, args []string, f askFlags) (answers.PhaseQuery, error) {
	if err := arguments.ExactArgs(1, "one phase's name")(cmd, args); err != nil {
		return answers.PhaseQuery{}, err
	}
	q, err := driver.ReadRequest[answers.PhaseQuery](c, cmd, driver.FindOperation(c, "phase"))
	if err == nil {
		q.Extent, err = f.extent(q.Lines, q.Full)
	}
	if err == nil {
		q.Phase, err = answers.PhaseByName(args[0])
	}
	if err != nil {
		return q, err
	}
	q.Input, err = io.ReadAll(io.LimitReader(c.StandardInput(cmd.Context()), maxInput+1))
	if err != nil {
		return q, err
	}
	if len(q.Input) > maxInput {
		return q, contract.Invalid(contract.Input, "the input is larger than %d MB", maxInput>>20)
	}
	return q, answers.PassedOn(q.Input) // before a home is opened
}
