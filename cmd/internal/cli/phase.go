package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/merge"
)

// phaseNames are the names that a phase may be called by.
var phaseNames = map[string]string{
	"0a": contract.PhaseOptimize, "optimize": contract.PhaseOptimize,
	"0b": contract.PhaseRoute, "route": contract.PhaseRoute,
	"merge": contract.PhaseMerge,
	"1":     contract.PhaseSearch, "search": contract.PhaseSearch,
	"1.5": contract.PhaseRerank, "rerank": contract.PhaseRerank,
	"2": contract.PhaseExtract, "extract": contract.PhaseExtract,
	"2.5": contract.PhaseCheck, "check": contract.PhaseCheck,
	"3": contract.PhaseProcess, "process": contract.PhaseProcess,
}

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
		Example: `  echo '{"query": "configure hooks"}' | docent phase 0a`,
		Args: func(cmd *cobra.Command, args []string) error {
			c.filter = true
			return exactArgs(1, "one phase's name")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atLeastOne(cmd, "max-tokens", "max-docs"); err != nil {
				return err
			}
			name, ok := phaseNames[args[0]]
			if !ok {
				return contract.Invalid("phase", "there is no phase %q; the phases are 0a 0b merge 1 1.5 2 2.5 3", args[0])
			}
			raw, err := io.ReadAll(io.LimitReader(c.io.In, maxInput+1))
			if err != nil {
				return err
			}
			if len(raw) > maxInput {
				return contract.Invalid(contract.Input, "the input is larger than %d MB", maxInput>>20)
			}
			if e := passedOn(raw); e != nil {
				return e
			}
			return c.phase(cmd.Context(), name, raw, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.full, "full", false, "phase 2.5: a wish for the whole documents")
	fl.BoolVar(&f.compress, "compress", false, "phase 2.5: a wish for compression")
	fl.BoolVar(&f.summarize, "summarize", false, "phase 2.5: a wish for a model's words in place of long sections")
	fl.IntVar(&f.maxTokens, "max-tokens", 0, "phase 2.5: a budget for the block")
	fl.IntVar(&f.maxDocs, "max-docs", 0, "phase 2: documents at most (default 3)")
	fl.BoolVar(&f.explain, "explain", false, "phase 1: say how the scores came about")
	return cmd
}

func (c *command) phase(ctx context.Context, name string, raw []byte, f askFlags) error {
	return c.with(ctx, func(a *app.App) error {
		var trace contract.Trace
		out, err := runPhase(ctx, a, c.sets, name, raw, f, &trace)
		if err != nil {
			return err
		}
		c.degraded(trace.Degraded)
		if c.verbose > 0 && trace.Engine != "" {
			c.note("%s", trace.Engine)
		}
		if err := c.printJSON(out); err != nil {
			return err
		}
		if nothingIn(out) {
			return exitCode(codeNothing)
		}
		return nil
	})
}

// passed is an error that an earlier filter of a chain wrote: it was told to a
// person there.
type passed struct {
	raw  []byte
	code int
}

func (p *passed) Error() string { return string(p.raw) }

// passedOn finds in the input an earlier phase's error, also as one of the
// merge's two outputs. nil: there is none.
func passedOn(raw []byte) error {
	isError := func(raw []byte) error {
		var e contract.Error
		if json.Unmarshal(raw, &e) != nil || e.Code == "" {
			return nil
		}
		var b bytes.Buffer
		if json.Compact(&b, raw) != nil {
			return nil
		}
		code, _ := classify(&e)
		return &passed{b.Bytes(), code}
	}
	switch trimmed := bytes.TrimSpace(raw); {
	case bytes.HasPrefix(trimmed, []byte("{")):
		return isError(trimmed)
	case bytes.HasPrefix(trimmed, []byte("[")):
		var entries []struct {
			Output json.RawMessage `json:"output"`
		}
		if json.Unmarshal(trimmed, &entries) != nil {
			return nil
		}
		for _, e := range entries {
			if err := isError(e.Output); err != nil {
				return err
			}
		}
	}
	return nil
}

// nothingIn says whether a phase's output has none of what it is to find.
func nothingIn(out any) bool {
	switch out := out.(type) {
	case contract.SearchOutput:
		return len(out.Results) == 0
	case contract.RerankOutput:
		return len(out.Results) == 0
	case contract.Extraction:
		return len(out.Documents) == 0
	case contract.Check:
		return len(out.Extraction.Contents) == 0
	case contract.Processed:
		return len(out.Contents) == 0
	}
	return false
}

// runPhase gives a phase's output; trace is who answered.
func runPhase(ctx context.Context, a *app.App, sets []string, name string, raw []byte, f askFlags, trace *contract.Trace) (any, error) {
	p := a.Pipelines.Ask
	traced := func(out any, t contract.Trace, err error) (any, error) {
		*trace = t
		return out, err
	}
	switch name {
	case contract.PhaseOptimize, contract.PhaseRoute:
		in, err := readQuestion(raw)
		if err != nil {
			return nil, err
		}
		if len(sets) > 0 {
			in.DocSets = sets
		}
		if in.DocSets, err = a.Canonical(ctx, in.DocSets); err != nil {
			return nil, err
		}
		if name == contract.PhaseOptimize {
			return traced(p.Optimizer.Optimize(ctx, in))
		}
		return traced(p.Router.Route(ctx, in))
	case contract.PhaseMerge:
		zeroA, zeroB, err := merge.Parse(raw)
		if e, ok := errors.AsType[*contract.Error](err); ok && e.Details == nil {
			e.Details = map[string]any{"field": contract.Input}
		}
		if err != nil {
			return nil, err
		}
		return p.Merger.Merge(zeroA, zeroB)
	case contract.PhaseSearch:
		var in contract.SearchInput
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if err := checkSearch(in); err != nil {
			return nil, err
		}
		if len(sets) > 0 {
			in.DocSets = strings.Join(sets, ",")
		}
		return traced(p.Searcher.Search(ctx, in, contract.SearchOptions{Explain: f.explain}))
	case contract.PhaseRerank:
		var in contract.RerankInput
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Results == nil {
			return nil, contract.Invalid("results", "the field results is missing")
		}
		if err := checkLevels(raw, in.Results); err != nil {
			return nil, err
		}
		return traced(p.Reranker.Rerank(ctx, in, p.Policy))
	case contract.PhaseExtract:
		var in contract.ExtractInput
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Results == nil && in.PageTitles == nil {
			return nil, contract.Invalid("page_titles", "give page_titles, or the results of phase 1.5")
		}
		if f.maxDocs > 0 {
			in.MaxDocs = f.maxDocs
		} else if in.MaxDocs == 0 && in.PageTitles == nil {
			in.MaxDocs = a.Config.MaxDocs
		}
		return traced(p.Extractor.Extract(ctx, in))
	case contract.PhaseCheck:
		var in contract.Extraction
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Contents == nil {
			return nil, contract.Invalid("contents", "the field contents is missing")
		}
		return p.Processor.Check(in, contract.Wishes{Full: f.full, Compress: f.compress, MaxTokens: f.maxTokens, Summarize: f.summarize})
	default:
		var in contract.Check
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Action == "" {
			return nil, contract.Invalid("action", "the field action is missing; give phase 2.5's output")
		}
		if in.Action != contract.ActionSkip && in.Action != contract.ActionProcess {
			return nil, contract.Invalid("action", "the action is %q, it must be skip or process", in.Action)
		}
		return traced(p.Processor.Process(ctx, in))
	}
}

// readQuestion reads {"query": …} or plain text.
func readQuestion(raw []byte) (contract.OptimizeInput, error) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		return contract.OptimizeInput{}, contract.Invalid("query", "the input is empty; give {\"query\": …} or the question as plain text")
	}
	if trimmed[0] != '{' && trimmed[0] != '[' {
		return contract.OptimizeInput{Query: string(trimmed)}, nil
	}
	var in struct {
		Query   *string  `json:"query"`
		DocSets []string `json:"doc_sets"`
	}
	if err := contract.Decode(raw, &in); err != nil {
		return contract.OptimizeInput{}, err
	}
	if in.Query == nil {
		return contract.OptimizeInput{}, contract.Invalid("query", "the field query is missing; give {\"query\": …} or the question as plain text")
	}
	if strings.TrimSpace(*in.Query) == "" {
		return contract.OptimizeInput{}, contract.EmptyQuery()
	}
	return contract.OptimizeInput{Query: *in.Query, DocSets: in.DocSets}, nil
}

func checkSearch(in contract.SearchInput) error {
	switch {
	case len(in.Query) == 0:
		return contract.Invalid("query", "the field query must be an array of at least one query")
	case len(in.Query) > contract.MaxQueries:
		return contract.Invalid("query", "the field query has %d queries, at most %d are allowed", len(in.Query), contract.MaxQueries)
	case !(in.RerankerThreshold >= 0 && in.RerankerThreshold <= 1):
		return contract.Invalid("reranker_threshold", "the field reranker_threshold is %v, it must lie between 0 and 1", in.RerankerThreshold)
	}
	for i, q := range in.Query {
		if strings.TrimSpace(q) == "" {
			return contract.Invalid(fmt.Sprintf("query[%d]", i), "query[%d] is empty", i)
		}
	}
	return nil
}

// checkLevels checks the headings' levels; one that is not there is that of the
// heading's text, for who writes by hand.
func checkLevels(raw []byte, results []contract.Result) error {
	var given struct {
		Results []struct {
			Headings []struct {
				Level *int `json:"level"`
			} `json:"headings"`
		} `json:"results"`
	}
	if err := contract.Decode(raw, &given); err != nil {
		return err
	}
	for i, r := range given.Results {
		for j, h := range r.Headings {
			head := &results[i].Headings[j]
			if h.Level == nil {
				marks := len(head.Text) - len(strings.TrimLeft(head.Text, "#"))
				head.Level = min(max(marks, 1), maxLevel)
				continue
			}
			if *h.Level < 1 || *h.Level > maxLevel {
				at := fmt.Sprintf("results[%d].headings[%d].level", i, j)
				return contract.Invalid(at, "%s is %d, it must lie between 1 and %d", at, *h.Level, maxLevel)
			}
		}
	}
	return nil
}

// maxLevel is a heading's deepest level.
const maxLevel = 6
