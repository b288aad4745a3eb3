package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
)

// askFlags are the flags of ask, and of search as far as they are the same.
type askFlags struct {
	save              string
	full, compress    bool
	summarize         bool
	sections          bool
	scene             string
	threshold         float64
	top, maxDocs      int
	maxTokens         int
	explain, events   bool
	noRerank          bool
	thresholdGiven    bool
	limit             int
	cursor, contractV string
}

func (c *command) askCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "the whole pipeline: a cited block on standard output",
		Example: `  docent ask "how do I add a doc set"
  docent ask --set Docent_Manual --json "what is the threshold" | jq -r .final`,
		Args: minArgs(1, "a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.thresholdGiven = cmd.Flags().Changed("threshold")
			if err := atLeastOne(cmd, "top", "max-docs", "max-tokens"); err != nil {
				return err
			}
			return c.ask(cmd.Context(), strings.Join(args, " "), f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.full, "full", false, "the documents whole, however long")
	fl.BoolVar(&f.compress, "compress", false, "only what matters for the question")
	fl.BoolVar(&f.summarize, "summarize", false, "a model writes in place of long sections; checked, and marked as unverified")
	fl.BoolVar(&f.sections, "sections", false, "only the sections that answer")
	c.retrievalFlags(cmd, &f)
	fl.IntVar(&f.maxDocs, "max-docs", 0, "documents at most (default 3)")
	fl.IntVar(&f.maxTokens, "max-tokens", 0, "a budget for the block, in estimated tokens; compresses to fit")
	fl.BoolVar(&f.explain, "explain", false, "say how the scores came about (with --json)")
	fl.BoolVar(&f.events, "events", false, "print events as NDJSON, the result last")
	fl.StringVar(&f.save, "save", "", "save the session to `FILE`, to open it with docent --session FILE")
	return cmd
}

// retrievalFlags are those that steer the ranking.
func (c *command) retrievalFlags(cmd *cobra.Command, f *askFlags) {
	fl := cmd.Flags()
	fl.StringVar(&f.scene, "scene", "", "instead of the router's: "+strings.Join(contract.Scenes(), ", "))
	fl.Float64Var(&f.threshold, "threshold", contract.DefaultThreshold, "rerank_sim at which a heading is kept")
	fl.IntVar(&f.top, "top", 0, "pages that the search answers with at most")
	fl.BoolVar(&f.noRerank, "no-rerank", false, "leave the hits in the search's order")
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
	extent := ""
	if f.sections {
		extent = contract.ExtentSections
	}
	return contract.Preferences{Extent: extent, Full: f.full, Compress: f.compress, MaxTokens: f.maxTokens, Summarize: f.summarize}
}

// request checks the flags and makes a request of them.
func (c *command) request(question string, f askFlags) (pipeline.Request, error) {
	req := pipeline.Request{Question: question, DocSets: c.sets, Scene: f.scene, Top: f.top, Explain: f.explain, MaxDocs: f.maxDocs, Preferences: f.wishes()}
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
			err = a.CheckQuestion(&req) // the saved request has the configured limits
		}
		if err != nil {
			return err
		}
		res, err := a.Ask(ctx, req, c.watch(f))
		if err != nil {
			return err
		}
		if f.save != "" {
			if err := c.saveSession(f.save, pipeline.Save(req, nil, res)); err != nil {
				return err
			}
		}
		return c.answer(res, f)
	})
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

// answer prints what was found.
func (c *command) answer(res pipeline.Result, f askFlags) error {
	if c.json || f.events {
		if err := c.printJSON(res); err != nil {
			return err
		}
	} else if res.Final != "" {
		fmt.Fprint(c.io.Out, c.forTerminal(ensureNewline(res.Final)))
	}
	c.remarks(res)
	if !res.Found() {
		return exitCode(codeNothing)
	}
	return nil
}

// remarks says on standard error what a person should know of an answer.
func (c *command) remarks(res pipeline.Result) {
	c.degraded(res.Degraded)
	if s := res.Phases.Search; s != nil {
		for _, n := range s.SearchStats.Notes {
			c.note("%s", n)
		}
	}
	if !res.Found() {
		if !c.json {
			c.nothing(res.Phases.Search)
		}
		return
	}
	switch r := res.Phases.Rerank; {
	case r == nil:
	case r.Unanswered:
		c.note("this is probably not in your documentation; what follows is what is nearest to it")
	case r.BelowThreshold:
		c.note("no heading reached the threshold %.2f; this is the best there is", r.RerankStats.Threshold)
	}
	for _, d := range res.Phases.Extract.Documents {
		if d.Changed {
			c.note("%s of %s changed since it was indexed; this is the file as it is now (docent update %s)", d.Title, d.DocSet, d.DocSet)
		}
	}
}

// degraded says what was a second choice, each reason once.
func (c *command) degraded(all []contract.Degraded) {
	for i, d := range all {
		same := func(o contract.Degraded) bool {
			return o.Reason == d.Reason && o.Used == d.Used && o.Wanted == d.Wanted
		}
		if slices.ContainsFunc(all[:i], same) {
			continue
		}
		phases, verb := []string{d.Phase}, "phase %s was"
		for _, o := range all[i+1:] {
			if same(o) && !slices.Contains(phases, o.Phase) {
				phases, verb = append(phases, o.Phase), "phases %s were"
			}
		}
		c.note(verb+" answered by %s instead of %s: %s", strings.Join(phases, ", "), d.Used, d.Wanted, d.Reason)
	}
}

// nothing says that nothing was found, and what is nearest by spelling.
func (c *command) nothing(s *contract.SearchOutput) {
	if s == nil || !s.SearchStats.Nearest || len(s.Results) == 0 {
		c.note("nothing was found; docent sets lists what is searched")
		return
	}
	const most = 3
	var names []string
	for _, r := range s.Results[:min(most, len(s.Results))] {
		name := r.PageTitle
		if h := strings.TrimLeft(r.Headings[0].Text, "# "); h != name {
			name += " › " + h
		}
		names = append(names, name)
	}
	c.note("this is probably not in your documentation: no word of the question stands there; the nearest headings by spelling: %s", strings.Join(names, "; "))
}

func ensureNewline(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
