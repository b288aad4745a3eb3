package asking

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/progress"
	"docent/cmd/internal/cli/saving"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// askFlags are what the command line adds to a question.
type askFlags struct {
	save                string
	sections, documents bool
	strict, noPager     bool
	events              bool
	contract            string
}

func askCmd(c *invocation.Call) *cobra.Command {
	var f askFlags
	op := driver.FindOperation(c, "ask")
	cmd := &cobra.Command{
		Use:   "ask QUESTION|-",
		Short: op.Line,
		Example: `  docent ask "how do I add a doc set"
  docent ask --set Docent_Manual --json "what is the threshold" | jq -r .final`,
		ValidArgsFunction: completing.Words(), // a question
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := driver.ReadRequest[answers.AskRequest](c, cmd, op)
			if err == nil {
				q.Extent, err = f.extent(q.Lines, q.Full)
			}
			if err == nil {
				q.Query, err = question(c, cmd, args)
			}
			if err != nil {
				return err
			}
			return askQuestion(cmd.Context(), c, q, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.sections, "sections", false, "the sections that answer (the default; [answer] extent changes it)")
	fl.BoolVar(&f.documents, "documents", false, "whole documents")
	usage := rankingUsage("")
	usage["lines"] = linesUsage("")
	usage["summarize"] = "a model writes in place of long sections; checked, and marked as unverified"
	usage["max-docs"] = "documents at most (default 3)"
	usage["max-tokens"] = "a budget for the block, in estimated tokens; compresses to fit"
	usage["explain"] = "with --json: every phase, and how the scores came about"
	driver.AddFlags(cmd, op.FieldsAt(operation.Flag), usage)
	fl.BoolVar(&f.events, "events", false, "print events as NDJSON, the result last")
	strictFlag(cmd, &f)
	fl.BoolVar(&f.noPager, "no-pager", false, "on a terminal: a long block at once, not in a pager (DOCENT_PAGER, PAGER)")
	fl.StringVar(&f.save, "save", "", "save the session to `FILE`, to open it with docent --session FILE")
	return cmd
}

// rankingUsage has the usage of the flags for the ranking; phase begins each text.
func rankingUsage(phase string) map[string]string {
	return map[string]string{
		"scene":         "instead of the router's: " + strings.Join(contract.Scenes(), ", "),
		"threshold":     "rerank_sim at which a heading is kept",
		"top":           "pages that the search answers with at most",
		"fallback-mode": phase + "where reranking fails: " + strings.Join(contract.FallbackModes(), ", "),
	}
}

// maxQuestion is the most that is read of a question on standard input, in bytes:
// more than a question may have.
const maxQuestion = 1 << 20

// question is what the arguments ask. Without any, or with "-" alone, it is read from
// standard input, unless somebody sits there.
func question(c *invocation.Call, cmd *cobra.Command, args []string) (string, error) {
	dash := len(args) == 1 && args[0] == "-" && cmd.ArgsLenAtDash() != 0
	if len(args) > 0 && !dash {
		return strings.Join(args, " "), nil
	}
	missing := failure.UsageError("%s takes a question, as an argument or on standard input; %s --help has an example",
		arguments.Called(cmd), arguments.Called(cmd))
	if !dash && c.IO.InTTY {
		return "", missing
	}
	raw, err := io.ReadAll(io.LimitReader(c.StandardInput(cmd.Context()), maxQuestion+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the question from standard input: %w", err)
	case len(raw) > maxQuestion:
		return "", failure.UsageError("what stands on standard input is larger than %d MB, and no question", maxQuestion>>20)
	case !utf8.Valid(raw):
		return "", failure.UsageError("what stands on standard input is no text in UTF-8")
	}
	question := strings.Join(strings.Fields(string(raw)), " ")
	if question == "" {
		return "", missing
	}
	return question, nil
}

func linesUsage(phase string) string {
	return fmt.Sprintf("%slines of a block of sections at most (default %d)", phase, contract.DefaultLines)
}

func strictFlag(cmd *cobra.Command, f *askFlags) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 when it is probably not in the documentation")
}

// extent is the extent that the flags ask for, or "". A bound on the lines of a block of
// sections asks for one.
func (f askFlags) extent(lines int, full bool) (string, error) {
	switch {
	case f.sections && f.documents:
		return "", contract.Invalid("extent", "--sections and --documents exclude each other; give one of them")
	case f.sections && full:
		return "", contract.Invalid("extent", "--sections and --full exclude each other: --full is whole documents")
	case lines > 0 && (f.documents || full):
		return "", contract.Invalid("lines", "--lines bounds a block of sections; leave it out, or give --sections")
	case f.sections || lines > 0:
		return contract.ExtentSections, nil
	case f.documents:
		return contract.ExtentDocuments, nil
	}
	return "", nil
}

// AskPlainly answers a question without flags of its own, as `docent QUESTION` does where
// there is no terminal for the app; "-" stands for a question on standard input.
func AskPlainly(c *invocation.Call, cmd *cobra.Command, args []string) error {
	asked, err := question(c, cmd, args)
	if err != nil {
		return err
	}
	return askQuestion(cmd.Context(), c, answers.AskRequest{Query: asked, DocSets: c.Sets}, askFlags{})
}

func askQuestion(ctx context.Context, c *invocation.Call, q answers.AskRequest, f askFlags) error {
	return c.WithHomeAtOnce(ctx, func(a *app.App) error {
		if err := contract.CheckQuery(q.Query); err != nil {
			return err
		}
		if q.Full && (q.Compress || q.Summarize) {
			return contract.Invalid("", "--full and --compress or --summarize exclude each other")
		}
		if q.Extent == "" {
			q.Extent = defaultExtent(a, q)
		}
		q.DocSets = c.NarrowToProject(ctx, a.Services, q.DocSets)
		req := q.Pipeline()
		if err := a.Answers.CheckQuestion(&req); err != nil { // the saved request has the configured limits
			return err
		}
		res, err := a.Answers.Ask(ctx, req, progressSink(c, f))
		if err != nil {
			return err
		}
		if f.save != "" {
			if err := saving.SaveSession(c, f.save, pipeline.SaveSession(req, nil, res)); err != nil {
				return err
			}
		}
		return answer(ctx, c, a, req, res, f)
	})
}

// defaultExtent is the extent of an answer where no flag names one: sections. Documents are
// what --full quotes, and what --compress shortens unless the configuration says sections.
func defaultExtent(a *app.App, q answers.AskRequest) string {
	if q.Full || (q.Compress || q.Summarize) && !a.Config.ExtentGiven() {
		return contract.ExtentDocuments
	}
	return a.Config.AnswerExtent()
}

// progressSink shows a run: as NDJSON on standard output, or on a terminal's standard
// error.
func progressSink(c *invocation.Call, f askFlags) pipeline.Sink {
	wait := progress.NewWaiting(c.IO.Err, c.Quiet || !c.IO.ErrTTY).ShowEvent
	switch {
	case f.events:
		enc := json.NewEncoder(c.JSONOut())
		return func(e pipeline.Event) { _ = enc.Encode(e) }
	case c.Verbose > 0 || c.IO.ErrTTY && !c.IO.OutTTY && !c.Quiet:
		return func(e pipeline.Event) {
			wait(e)
			if e.Kind == pipeline.PhaseDone || e.Kind == pipeline.PhaseSkipped {
				fmt.Fprintf(c.IO.Err, "%-5s %s\n", e.Phase, console.Clean(e.Text))
			}
		}
	}
	return wait
}
