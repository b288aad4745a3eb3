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
		Args:    exactArgs(1, "one phase's name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.json = true // what a filter says is JSON, its errors too
			name, ok := phaseNames[args[0]]
			if !ok {
				return contract.Invalid("phase", "there is no phase %q; the phases are 0a 0b merge 1 1.5 2 2.5 3", args[0])
			}
			raw, err := io.ReadAll(io.LimitReader(c.io.In, maxInput+1))
			if err != nil {
				return err
			}
			if len(raw) > maxInput {
				return contract.Invalid("", "the input is larger than %d MB", maxInput>>20)
			}
			return c.phase(cmd.Context(), name, raw, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.full, "full", false, "phase 2.5: a wish for the whole documents")
	fl.BoolVar(&f.compress, "compress", false, "phase 2.5: a wish for compression")
	fl.IntVar(&f.maxTokens, "max-tokens", 0, "phase 2.5: a budget for the block")
	fl.IntVar(&f.maxDocs, "max-docs", 0, "phase 2: documents at most (default 3)")
	fl.BoolVar(&f.explain, "explain", false, "phase 1: say how the scores came about")
	return cmd
}

func (c *command) phase(ctx context.Context, name string, raw []byte, f askFlags) error {
	return c.with(ctx, func(a *app.App) error {
		out, err := runPhase(ctx, a, c.sets, name, raw, f)
		if err != nil {
			return err
		}
		return c.printJSON(out)
	})
}

func runPhase(ctx context.Context, a *app.App, sets []string, name string, raw []byte, f askFlags) (any, error) {
	p := a.Pipeline
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
			out, _, err := p.Optimizer.Optimize(ctx, in)
			return out, err
		}
		out, _, err := p.Router.Route(ctx, in)
		return out, err
	case contract.PhaseMerge:
		zeroA, zeroB, err := merge.Parse(raw)
		if err != nil {
			return nil, err
		}
		return p.Merger.Merge(zeroA, zeroB)
	case contract.PhaseSearch:
		var in contract.SearchInput
		if err := decode(raw, &in); err != nil {
			return nil, err
		}
		if err := checkSearch(in); err != nil {
			return nil, err
		}
		if len(sets) > 0 {
			in.DocSets = strings.Join(sets, ",")
		}
		out, _, err := p.Searcher.Search(ctx, in, contract.SearchOptions{Explain: f.explain})
		return out, err
	case contract.PhaseRerank:
		var in contract.RerankInput
		if err := decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Results == nil {
			return nil, contract.Invalid("results", "the field results is missing")
		}
		out, _, err := p.Reranker.Rerank(ctx, in, p.Policy)
		return out, err
	case contract.PhaseExtract:
		var in contract.ExtractInput
		if err := decode(raw, &in); err != nil {
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
		out, _, err := p.Extractor.Extract(ctx, in)
		return out, err
	case contract.PhaseCheck:
		var in contract.Extraction
		if err := decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Contents == nil {
			return nil, contract.Invalid("contents", "the field contents is missing")
		}
		return p.Processor.Check(in, contract.Wishes{Full: f.full, Compress: f.compress, MaxTokens: f.maxTokens})
	default:
		var in contract.Check
		if err := decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Action != contract.ActionSkip && in.Action != contract.ActionProcess {
			return nil, contract.Invalid("action", "the action is %q, it must be skip or process", in.Action)
		}
		out, _, err := p.Processor.Process(ctx, in)
		return out, err
	}
}

// readQuestion reads {"query": …} or plain text.
func readQuestion(raw []byte) (contract.OptimizeInput, error) {
	var in contract.OptimizeInput
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		return in, contract.EmptyQuery()
	}
	if trimmed[0] != '{' && trimmed[0] != '[' {
		in.Query = string(trimmed)
		return in, nil
	}
	if err := decode(raw, &in); err != nil {
		return in, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return in, contract.EmptyQuery()
	}
	return in, nil
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

// decode reads one JSON value; the error is INVALID_REQUEST and names the
// field. Unknown fields are let through: filters of later versions add some.
func decode(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	err := dec.Decode(v)
	if err == nil {
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return contract.Invalid("", "there is more than one JSON value on standard input")
		}
		return nil
	}
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := te.Field
		if field == "" {
			return contract.Invalid("", "the input is a JSON %s, it must be an object", te.Value)
		}
		return contract.Invalid(field, "the field %s is a JSON %s, it must be %s", field, te.Value, jsonType(te.Type.Kind().String()))
	}
	if errors.Is(err, io.EOF) {
		return contract.Invalid("", "standard input is empty; give the phase's JSON")
	}
	return contract.Invalid("", "standard input is no JSON: %v", err)
}

func jsonType(kind string) string {
	switch kind {
	case "slice", "array":
		return "an array"
	case "struct", "map", "ptr":
		return "an object"
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	}
	return "a number"
}
