package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/merge"
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

// PhaseByName gives the phase that a name stands for.
func PhaseByName(name string) (string, error) {
	phase, ok := phaseNames[name]
	if !ok {
		return "", contract.Invalid("phase", "there is no phase %q; the phases are 0a 0b merge 1 1.5 2 2.5 3", name)
	}
	return phase, nil
}

// PhaseRequest is one phase's input in its wire form, as specification 1 writes
// it.
type PhaseRequest struct {
	Phase       string // of contract.Phases
	Input       []byte // JSON; phases 0a and 0b also take a question as plain text
	DocSets     []string
	MaxDocs     int                  // phase 2
	Explain     bool                 // phase 1
	Preferences contract.Preferences // phase 2.5
	// FallbackMode stands in place of the policy's, in phase 1.5; "": the policy's.
	FallbackMode string
	// Remote says that the input comes from another machine, so that no path in it is
	// looked up on this one.
	Remote bool
}

// PhaseAnswer is one phase's output.
type PhaseAnswer struct {
	// Output is the type of package contract that the phase's specification
	// describes.
	Output any
	Trace  contract.Trace // the engine that answered
}

// PassedError is an error that an earlier phase of a chain wrote, found in the
// input.
type PassedError struct {
	Raw []byte // as it was written, on one line
	Err *contract.Error
}

func (p *PassedError) Error() string { return string(p.Raw) }

// Unwrap gives the earlier phase's error.
func (p *PassedError) Unwrap() error { return p.Err }

// PassedOn finds an earlier phase's error in a phase's input, also as one of the
// merge's two inputs: a *PassedError, or nil.
func PassedOn(raw []byte) error {
	isError := func(raw []byte) error {
		var e contract.Error
		if json.Unmarshal(raw, &e) != nil || e.Code == "" {
			return nil
		}
		var b bytes.Buffer
		if json.Compact(&b, raw) != nil {
			return nil
		}
		return &PassedError{b.Bytes(), &e}
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

// Nothing reports whether the phase found nothing.
func (a PhaseAnswer) Nothing() bool {
	switch out := a.Output.(type) {
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

// Phase runs one phase.
func (svc *Service) Phase(ctx context.Context, req PhaseRequest) (PhaseAnswer, error) {
	var trace contract.Trace
	switch req.Phase {
	case contract.PhaseOptimize, contract.PhaseRoute, contract.PhaseSearch, contract.PhaseRerank,
		contract.PhaseProcess: // which models may answer
		if err := svc.models.Ready(ctx); err != nil {
			return PhaseAnswer{}, err
		}
	}
	out, err := svc.runPhase(ctx, req, &trace)
	if found, ok := out.(contract.SearchOutput); ok && req.Explain {
		sayWhy(found.Results)
	}
	return PhaseAnswer{Output: out, Trace: trace}, err
}

func (svc *Service) runPhase(ctx context.Context, req PhaseRequest, trace *contract.Trace) (any, error) {
	p, name, raw := svc.Pipelines.Ask, req.Phase, req.Input
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
		if len(req.DocSets) > 0 {
			in.DocSets = req.DocSets
		}
		if in.DocSets, err = svc.home.Canonical(ctx, in.DocSets); err != nil {
			return nil, err
		}
		if name == contract.PhaseOptimize {
			return traced(p.Optimizer.Optimize(ctx, in))
		}
		return traced(p.Router.Route(ctx, in))
	case contract.PhaseMerge:
		zeroA, zeroB, err := merge.ParseInput(raw)
		if e, ok := errors.AsType[*contract.Error](err); ok && e.Details == nil {
			e.Details = map[string]any{"field": contract.Input}
		}
		if err != nil {
			return nil, err
		}
		return p.Merger.Merge(zeroA, zeroB)
	case contract.PhaseSearch:
		return traced(svc.searchPhase(ctx, p, req))
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
		if err := checkBounds(AskRequest{FallbackMode: req.FallbackMode}); err != nil {
			return nil, err
		}
		return traced(p.Reranker.Rerank(ctx, in, p.PolicyOf(pipeline.Request{FallbackMode: req.FallbackMode})))
	case contract.PhaseExtract:
		var in contract.ExtractInput
		if err := contract.Decode(raw, &in); err != nil {
			return nil, err
		}
		if in.Results == nil && in.PageTitles == nil {
			return nil, contract.Invalid("page_titles", "give page_titles, or the results of phase 1.5")
		}
		if req.MaxDocs > 0 {
			in.MaxDocs = req.MaxDocs
		} else if in.MaxDocs == 0 && in.PageTitles == nil {
			in.MaxDocs = svc.home.Settings.MaxDocs
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
		if err := svc.checkPreferences(&req.Preferences); err != nil {
			return nil, err
		}
		return p.Processor.Check(in, req.Preferences)
	default:
		in, err := svc.checkedInput(raw)
		if err != nil {
			return nil, err
		}
		return traced(p.Processor.Process(ctx, in))
	}
}

// searchPhase is phase 1 as a filter.
func (svc *Service) searchPhase(ctx context.Context, p *pipeline.Pipeline, req PhaseRequest) (contract.SearchOutput, contract.Trace,
	error) {
	var in contract.SearchInput
	if err := contract.Decode(req.Input, &in); err != nil {
		return contract.SearchOutput{}, contract.Trace{}, err
	}
	if err := checkSearch(in); err != nil {
		return contract.SearchOutput{}, contract.Trace{}, err
	}
	if len(req.DocSets) > 0 {
		in.DocSets = strings.Join(req.DocSets, ",")
	}
	note, err := svc.within(ctx, &in, !req.Remote)
	if err != nil {
		return contract.SearchOutput{}, contract.Trace{}, err
	}
	out, t, err := p.Searcher.Search(ctx, in, contract.SearchOptions{Explain: req.Explain})
	if note != "" {
		out.SearchStats.Notes = append([]string{note}, out.SearchStats.Notes...)
	}
	return out, t, err
}

// checkedInput reads what phase 3 is given.
func (svc *Service) checkedInput(raw []byte) (contract.Check, error) {
	var in contract.Check
	if err := contract.Decode(raw, &in); err != nil {
		return in, err
	}
	if in.Action == "" {
		return in, contract.Invalid("action", "the field action is missing; give phase 2.5's output")
	}
	if in.Action != contract.ActionSkip && in.Action != contract.ActionProcess {
		return in, contract.Invalid("action", "the action is %q, it must be skip or process", in.Action)
	}
	if err := svc.checkPreferences(&contract.Preferences{Extent: in.Extent, Lines: in.Lines}); err != nil {
		return in, err
	}
	if in.MaxTokens < 0 {
		return in, contract.Invalid("max_tokens", "max_tokens is %d, it must be at least 1, or 0 for no budget", in.MaxTokens)
	}
	return in, nil
}

// readQuestion reads {"query": …} or plain text. Text that begins with a brace or a
// bracket and is no JSON object is a question: a pasted log line, a template. An object
// without a query is a slip, and so is one that breaks off.
func readQuestion(raw []byte) (contract.OptimizeInput, error) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		return contract.OptimizeInput{}, contract.Invalid("query", "the input is empty; give {\"query\": …} or the question as plain text")
	}
	meant := trimmed[0] == '{' && (json.Valid(trimmed) || bytes.HasPrefix(bytes.TrimSpace(trimmed[1:]), []byte(`"query"`)))
	if !meant {
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
		return contract.OptimizeInput{}, contract.Invalid("query",
			"the field query is missing; give {\"query\": …} or the question as plain text")
	}
	if strings.TrimSpace(*in.Query) == "" {
		return contract.OptimizeInput{}, contract.EmptyQuery()
	}
	return contract.OptimizeInput{Query: *in.Query, DocSets: in.DocSets}, nil
}

// within narrows a search to the doc sets that lie in its base_dir. Doc sets that
// are named win over it. The note says why base_dir was not used, "" if it was. With
// links, symbolic links in base_dir are followed.
func (svc *Service) within(ctx context.Context, in *contract.SearchInput, links bool) (note string, err error) {
	if in.BaseDir == "" {
		return "", nil
	}
	base := filepath.Clean(in.BaseDir)
	if links {
		if real, err := filepath.EvalSymlinks(base); err == nil {
			base = real // the folders of doc sets are real ones
		}
	}
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return "", err
	}
	var inside []string
	for _, s := range sets {
		if rel, err := filepath.Rel(base, s.Root); err == nil && filepath.IsLocal(rel) {
			inside = append(inside, s.Ref.String())
		}
	}
	var named []string
	for n := range strings.SplitSeq(in.DocSets, ",") {
		if n = strings.TrimSpace(n); n != "" {
			named = append(named, n)
		}
	}
	if c := in.Context; len(named) == 0 && c != nil {
		named = c.DocSets
	}
	if named, err = svc.home.Canonical(ctx, named); err != nil {
		return "", err
	}
	for _, n := range named {
		if !slices.Contains(inside, n) {
			return fmt.Sprintf("base_dir was not used: %s does not lie in %s", n, in.BaseDir), nil
		}
	}
	switch {
	case len(named) > 0:
	case len(inside) == 0:
		return fmt.Sprintf("base_dir was not used: no doc set lies in %s; add it as one, or give the folder of one", in.BaseDir), nil
	default:
		in.DocSets = strings.Join(inside, ",")
	}
	return "", nil
}

func checkSearch(in contract.SearchInput) error {
	switch {
	case len(in.Query) == 0:
		return contract.Invalid("query", "the field query must be an array of at least one query")
	case len(in.Query) > contract.MaxQueries:
		return contract.Invalid("query", "the field query has %d queries, at most %d are allowed", len(in.Query), contract.MaxQueries)
	case !(in.RerankerThreshold >= 0 && in.RerankerThreshold <= 1):
		return contract.Invalid("reranker_threshold", "the field reranker_threshold is %v, it must lie between 0 and 1",
			in.RerankerThreshold)
	}
	for i, q := range in.Query {
		if strings.TrimSpace(q) == "" {
			return contract.Invalid(fmt.Sprintf("query[%d]", i), "query[%d] is empty", i)
		}
	}
	return nil
}

// checkLevels checks the headings' levels. A missing level is taken from the heading's
// text, for results written by hand.
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
