package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
)

// askFlags are the flags of ask, and of search as far as they are the same.
type askFlags struct {
	save              string
	full, compress    bool
	sections          bool
	documents         bool
	lines             int
	summarize         bool
	strict, noPager   bool
	scene             string
	threshold         float64
	top, maxDocs      int
	maxTokens         int
	explain, events   bool
	noRerank          bool
	thresholdGiven    bool
	limit             int
	cursor, contractV string
	fallbackMode      string
}

func (c *command) askCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask QUESTION|-",
		Short: "the whole pipeline: a cited block on standard output",
		Example: `  docent ask "how do I add a doc set"
  docent ask --set Docent_Manual --json "what is the threshold" | jq -r .final`,
		ValidArgsFunction: words(), // a question
		RunE: func(cmd *cobra.Command, args []string) error {
			f.thresholdGiven = cmd.Flags().Changed("threshold")
			if err := atLeastOne(cmd, "top", "max-docs", "max-tokens", "lines"); err != nil {
				return err
			}
			if err := f.checkExtent(); err != nil {
				return err
			}
			question, err := c.question(cmd, args)
			if err != nil {
				return err
			}
			return c.ask(cmd.Context(), question, f)
		},
	}
	fl := cmd.Flags()
	extentFlags(cmd, &f, "")
	fl.BoolVar(&f.full, "full", false, "the documents whole, however long")
	fl.BoolVar(&f.compress, "compress", false, "only what matters for the question")
	fl.BoolVar(&f.summarize, "summarize", false, "a model writes in place of long sections; checked, and marked as unverified")
	c.retrievalFlags(cmd, &f)
	fl.IntVar(&f.maxDocs, "max-docs", 0, "documents at most (default 3)")
	fl.IntVar(&f.maxTokens, "max-tokens", 0, "a budget for the block, in estimated tokens; compresses to fit")
	fl.BoolVar(&f.explain, "explain", false, "say how the scores came about (with --json)")
	fl.BoolVar(&f.events, "events", false, "print events as NDJSON, the result last")
	strictFlag(cmd, &f)
	fl.BoolVar(&f.noPager, "no-pager", false, "on a terminal: a long block at once, not in a pager (DOCENT_PAGER, PAGER)")
	fl.StringVar(&f.save, "save", "", "save the session to `FILE`, to open it with docent --session FILE")
	return cmd
}

// maxQuestion is the most that is read of a question on standard input, in bytes:
// more than a question may have.
const maxQuestion = 1 << 20

// question is what the arguments ask. Without any, or with "-" alone, it is read from
// standard input, unless somebody sits there.
func (c *command) question(cmd *cobra.Command, args []string) (string, error) {
	dash := len(args) == 1 && args[0] == "-" && cmd.ArgsLenAtDash() != 0
	if len(args) > 0 && !dash {
		return strings.Join(args, " "), nil
	}
	missing := usage("%s takes a question, as an argument or on standard input; %s --help has an example", called(cmd), called(cmd))
	if !dash && c.io.InTTY {
		return "", missing
	}
	raw, err := io.ReadAll(io.LimitReader(c.input(cmd.Context()), maxQuestion+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the question from standard input: %w", err)
	case len(raw) > maxQuestion:
		return "", usage("what stands on standard input is larger than %d MB, and no question", maxQuestion>>20)
	case !utf8.Valid(raw):
		return "", usage("what stands on standard input is no text in UTF-8")
	}
	question := strings.Join(strings.Fields(string(raw)), " ")
	if question == "" {
		return "", missing
	}
	return question, nil
}

// extentFlags are those about how much of a page an answer is; phase begins what the
// help says of them.
func extentFlags(cmd *cobra.Command, f *askFlags, phase string) {
	fl := cmd.Flags()
	fl.BoolVar(&f.sections, "sections", false, phase+"only the sections that answer")
	fl.BoolVar(&f.documents, "documents", false, phase+"whole documents (the default; [answer] extent changes it)")
	fl.IntVar(&f.lines, "lines", 0, fmt.Sprintf("%slines of a block of sections at most (default %d)", phase, contract.DefaultLines))
}

func strictFlag(cmd *cobra.Command, f *askFlags) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 when it is probably not in the documentation")
}

// checkExtent checks the flags of extentFlags.
func (f askFlags) checkExtent() error {
	switch {
	case f.sections && f.documents:
		return contract.Invalid("extent", "--sections and --documents exclude each other; give one of them")
	case f.sections && f.full:
		return contract.Invalid("extent", "--sections and --full exclude each other: --full is whole documents")
	case f.lines > contract.MaxLines:
		return contract.Invalid("lines", "--lines is %d, it can be at most %d", f.lines, contract.MaxLines)
	case f.lines > 0 && (f.documents || f.full):
		return contract.Invalid("lines", "--lines bounds a block of sections; leave it out, or give --sections")
	}
	return nil
}

// extent is the extent that the flags ask for, "" for none. Who bounds the lines of
// a block of sections wants one.
func (f askFlags) extent() string {
	switch {
	case f.sections || f.lines > 0:
		return contract.ExtentSections
	case f.documents:
		return contract.ExtentDocuments
	}
	return ""
}

// retrievalFlags are those that steer the ranking.
func (c *command) retrievalFlags(cmd *cobra.Command, f *askFlags) {
	fl := cmd.Flags()
	fl.StringVar(&f.scene, "scene", "", "instead of the router's: "+strings.Join(contract.Scenes(), ", "))
	fl.Float64Var(&f.threshold, "threshold", contract.DefaultThreshold, "rerank_sim at which a heading is kept")
	fl.IntVar(&f.top, "top", 0, "pages that the search answers with at most")
	fl.BoolVar(&f.noRerank, "no-rerank", false, "leave the hits in the search's order")
	fallbackFlag(cmd, f, "")
	completeFlag(cmd, "scene", words(contract.Scenes()...))
}

// fallbackFlag is the flag about failed reranking; phase begins what the help says.
func fallbackFlag(cmd *cobra.Command, f *askFlags, phase string) {
	cmd.Flags().StringVar(&f.fallbackMode, "fallback-mode", "", phase+"where reranking fails: "+strings.Join(contract.FallbackModes(), ", "))
	completeFlag(cmd, "fallback-mode", words(contract.FallbackModes()...))
}

// atLeastOne checks flags that count something: given, they are 1 or more.
func atLeastOne(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if n, err := cmd.Flags().GetInt(name); err != nil || n < 1 {
			return contract.Invalid(strings.ReplaceAll(name, "-", "_"), "--%s is %d, it must be at least 1", name, n)
		}
	}
	return nil
}

// wishes are the flags about the length of the answer.
func (f askFlags) wishes() contract.Preferences {
	return contract.Preferences{Full: f.full, Compress: f.compress, MaxTokens: f.maxTokens, Summarize: f.summarize,
		Extent: f.extent(), Lines: f.lines}
}

// request checks the flags and makes a request of them.
func (c *command) request(question string, f askFlags) (pipeline.Request, error) {
	req := pipeline.Request{Question: question, DocSets: c.sets, Scene: f.scene, Top: f.top, Explain: f.explain, FallbackMode: f.fallbackMode, MaxDocs: f.maxDocs, Preferences: f.wishes()}
	switch {
	case strings.TrimSpace(question) == "":
		return req, contract.EmptyQuery()
	case !(f.threshold >= 0 && f.threshold <= 1):
		return req, contract.Invalid("threshold", "--threshold is %v, it must lie between 0 and 1", f.threshold)
	case f.full && (f.compress || f.summarize):
		return req, contract.Invalid("", "--full and --compress or --summarize exclude each other")
	}
	if f.thresholdGiven {
		req.Threshold = &f.threshold
	}
	if f.noRerank {
		off := false
		req.Reranker = &off
	}
	return req, nil
}

func (c *command) ask(ctx context.Context, question string, f askFlags) error {
	return c.with(ctx, func(a *app.App) error {
		req, err := c.request(question, f)
		if err == nil {
			err = a.Answers.CheckQuestion(&req) // the saved request has the configured limits
		}
		if err != nil {
			return err
		}
		res, err := a.Answers.Ask(ctx, req, c.watch(f))
		if err != nil {
			return err
		}
		if c.nearestOnly(a, res, f) {
			near := pipeline.WithExtent(contract.ExtentSections)
			shorter, err := a.Answers.Pipelines.Ask.Resume(req, res).Instead(ctx, near)
			if err != nil {
				return err
			}
			res = shorter
			near(&req)
		}
		if f.save != "" {
			if err := c.saveSession(f.save, pipeline.Save(req, nil, res)); err != nil {
				return err
			}
		}
		return c.answer(ctx, a, req, res, f)
	})
}

// nearestOnly says whether the nearest sections are printed in place of whole
// documents: of what is probably no answer nobody wants 700 lines. Who asks for an
// extent or a size gets it, and so does a program that reads JSON.
func (c *command) nearestOnly(a *app.App, res pipeline.Result, f askFlags) bool {
	r, check := res.Phases.Rerank, res.Phases.Check
	return r != nil && r.Unanswered && check != nil && !check.FullRequested && !check.CompressionRequested &&
		f.wishes() == (contract.Preferences{}) && !a.Config.ExtentGiven() && !c.json && !f.events
}

// watch shows a run: as NDJSON on standard output, or on a terminal's standard
// error.
func (c *command) watch(f askFlags) pipeline.Sink {
	wait := (&waiting{c: c}).sink
	switch {
	case f.events:
		enc := json.NewEncoder(c.jsonOut())
		return func(e pipeline.Event) { _ = enc.Encode(e) }
	case c.verbose > 0 || c.io.ErrTTY && !c.io.OutTTY && !c.quiet:
		return func(e pipeline.Event) {
			wait(e)
			if e.Kind == pipeline.PhaseDone || e.Kind == pipeline.PhaseSkipped {
				fmt.Fprintf(c.io.Err, "%-5s %s\n", e.Phase, clean(e.Text))
			}
		}
	}
	return wait
}
