package pipeline

import (
	"context"
	"fmt"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/text/plural"
)

// step is one phase of a run: do computes it from the request and the results
// before it and returns a line for a person; clear takes its result away.
type step struct {
	phase string
	do    func(context.Context, *Pipeline, Request, *Result) (contract.Trace, string, error)
	clear func(*Result)
}

var steps = []step{
	{contract.PhaseOptimize, doOptimize, func(r *Result) { r.Phases.Optimize = nil }},
	{contract.PhaseRoute, runRoutePhase, func(r *Result) { r.Phases.Route = nil }},
	{contract.PhaseMerge, runMergePhase, func(r *Result) { r.Phases.Merge = nil }},
	{contract.PhaseSearch, runSearchPhase, func(r *Result) { r.Phases.Search = nil }},
	{contract.PhaseRerank, runRerankPhase, func(r *Result) { r.Phases.Rerank = nil }},
	{contract.PhaseExtract, doExtract, func(r *Result) { r.Phases.Extract = nil }},
	{contract.PhaseCheck, runCheckPhase, func(r *Result) { r.Phases.Check = nil }},
	{contract.PhaseProcess, doProcess, func(r *Result) { r.Phases.Process = nil }},
	{contract.PhaseCite, runCitePhase, func(r *Result) { r.Final, r.Citations = "", []contract.Citation{} }},
}

func doOptimize(ctx context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	out, tr, err := p.Optimizer.Optimize(ctx, contract.OptimizeInput{Query: req.Question, DocSets: req.DocSets})
	if err != nil {
		return tr, "", err
	}
	if len(req.Queries) > 0 {
		out.OptimizedQueries = slices.Clone(req.Queries)
		for i := range out.OptimizedQueries {
			out.OptimizedQueries[i].Rank = i + 1
		}
		if out.Context != nil {
			out.Context.Queries = queryTexts(out.OptimizedQueries)
		}
	}
	res.Phases.Optimize = &out
	return tr, plural.Count(len(out.OptimizedQueries), "query", "queries"), nil
}

func queryTexts(qs []contract.OptimizedQuery) []string {
	texts := make([]string, len(qs))
	for i, q := range qs {
		texts[i] = q.Query
	}
	return texts
}

func runRoutePhase(ctx context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	out, tr, err := p.Router.Route(ctx, contract.OptimizeInput{Query: req.Question, DocSets: req.DocSets, Reading: res.reading()})
	if err != nil {
		return tr, "", err
	}
	if req.Scene != "" {
		out.Scene = req.Scene
	}
	if req.Intent != "" {
		out.Intent = req.Intent
	}
	if req.Confidence != nil {
		out.Confidence = *req.Confidence
	}
	if req.Threshold != nil {
		out.RerankerThreshold = *req.Threshold
	}
	if req.Reranker != nil {
		out.RerankerEnabled = *req.Reranker
	}
	if c := out.Context; c != nil {
		c.Scene, c.Intent, c.Confidence = out.Scene, out.Intent, out.Confidence
		c.RerankerThreshold, c.RerankerEnabled = &out.RerankerThreshold, &out.RerankerEnabled
	}
	res.Phases.Route = &out
	return tr, fmt.Sprintf("%s; threshold %.2f", contract.SceneName(out.Scene), out.RerankerThreshold), nil
}

// reading is how phase 0a read the question, nil where it did not run.
func (r *Result) reading() *contract.Reading {
	if o := r.Phases.Optimize; o != nil && o.Context != nil {
		return o.Context.Reading
	}
	return nil
}

func runMergePhase(_ context.Context, p *Pipeline, _ Request, res *Result) (contract.Trace, string, error) {
	out, err := p.Merger.Merge(*res.Phases.Optimize, *res.Phases.Route)
	if err != nil {
		return contract.Trace{}, "", err
	}
	res.Phases.Merge = &out
	where := out.DocSets
	if where == "" {
		where = "all doc sets"
	}
	return contract.Trace{}, where, nil
}

func runSearchPhase(ctx context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	out, tr, err := p.Searcher.Search(ctx, *res.Phases.Merge, contract.SearchOptions{Limit: req.Top, Explain: req.Explain})
	if err != nil {
		return tr, "", err
	}
	res.Phases.Search = &out
	return tr, plural.Count(countSections(out.Results), "section", "sections") + " found", nil
}

func runRerankPhase(ctx context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	in := RerankInput(*res.Phases.Search)
	out, tr, err := p.Reranker.Rerank(ctx, in, p.PolicyOf(req))
	if err != nil {
		return tr, "", err
	}
	res.Phases.Rerank = &out
	listed := slices.DeleteFunc(slices.Clone(out.Results), func(r contract.Result) bool { return !r.Listed })
	line := fmt.Sprintf("%d of %s kept", countSections(out.Results)-countSections(listed),
		plural.Count(countSections(in.Results), "section", "sections"))
	switch {
	case out.Unanswered:
		line += ", probably no answer"
	case out.BelowThreshold:
		line += ", below the threshold"
	}
	return tr, line, nil
}

// countSections counts the sections of some pages, each once.
func countSections(pages []contract.Result) int {
	seen := map[string]bool{}
	for _, r := range pages {
		for _, h := range r.Headings {
			seen[fmt.Sprintf("%s\x00%s\x00%s\x00%v", r.DocSet, r.FilePath, h.Text, h.Section)] = true
		}
	}
	return len(seen)
}

// RerankInput is phase 1's output as phase 1.5 reads it.
func RerankInput(s contract.SearchOutput) contract.RerankInput {
	stats := s.SearchStats
	return contract.RerankInput{Results: s.Results, SearchStats: &stats, TotalHits: s.TotalHits, Context: s.Context}
}

func doExtract(ctx context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	in := extractInput(*res.Phases.Rerank)
	in.Sections = req.Preferences.Extent == contract.ExtentSections
	if in.MaxDocs = req.MaxDocs; in.MaxDocs == 0 && in.Sections {
		in.MaxDocs = contract.SectionDocs
	}
	in.Results, in.Near = req.includedResults(in.Results), req.includedResults(in.Near)
	out, tr, err := p.Extractor.Extract(ctx, in)
	if err != nil {
		return tr, "", err
	}
	req.leaveOutSections(&out)
	res.Phases.Extract = &out
	return tr, fmt.Sprintf("%s, %s", plural.Count(len(out.Documents), "page", "pages"), plural.Count(out.TotalLineCount, "line", "lines")),
		nil
}

// extractInput is phase 1.5's output as phase 2 reads it.
func extractInput(r contract.RerankOutput) contract.ExtractInput {
	return contract.ExtractInput{Results: r.Results, Near: r.Near, Context: r.Context}
}

func runCheckPhase(_ context.Context, p *Pipeline, req Request, res *Result) (contract.Trace, string, error) {
	out, err := p.Processor.Check(*res.Phases.Extract, req.Preferences)
	if err != nil {
		return contract.Trace{}, "", err
	}
	res.Phases.Check = &out
	return contract.Trace{}, out.Reason, nil
}

func doProcess(ctx context.Context, p *Pipeline, _ Request, res *Result) (contract.Trace, string, error) {
	if res.Phases.Check.Action == contract.ActionSkip {
		res.Phases.Process = nil
		return contract.Trace{}, "not needed", nil
	}
	out, tr, err := p.Processor.Process(ctx, *res.Phases.Check)
	if err != nil {
		return tr, "", err
	}
	res.Phases.Process = &out
	total := res.Phases.Check.TotalLineCount
	return tr, fmt.Sprintf("%d of %s kept", out.Kept(total), plural.Count(total, "line", "lines")), nil
}

func runCitePhase(_ context.Context, p *Pipeline, _ Request, res *Result) (contract.Trace, string, error) {
	contents, docs := res.Phases.Extract.Contents, res.Phases.Extract.Documents
	if res.Phases.Process != nil {
		contents = res.Phases.Process.Contents
		if cited := res.Phases.Process.Documents; len(cited) > 0 {
			docs = cited
		}
	}
	res.Final, res.Citations = "", []contract.Citation{}
	if len(docs) == 0 {
		return contract.Trace{}, "nothing to cite", nil
	}
	final, citations, err := p.Citer.Cite(contents, docs)
	if err != nil {
		return contract.Trace{}, "", err
	}
	res.Final, res.Citations = final, citations
	return contract.Trace{}, res.Size().String(), nil
}
