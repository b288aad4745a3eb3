// Package pipeline runs a question through the phases: optimize (0a), route
// (0b), merge, search (1), rerank (1.5), extract (2), check (2.5), process (3)
// and cite.
//
// Every phase is a value in, a value out; the types are those of
// pipeline/contract. A Session is a run that can be changed and continued from
// any phase. The package wires phases behind one-method interfaces and refuses
// to know how any of them works, where documents lie, or who is watching.
package pipeline

import (
	"context"
	"slices"

	"docent/pipeline/contract"
)

// Optimizer is phase 0a.
type Optimizer interface {
	Optimize(context.Context, contract.OptimizeInput) (contract.Optimized, contract.Trace, error)
}

// Router is phase 0b.
type Router interface {
	Route(context.Context, contract.OptimizeInput) (contract.Routed, contract.Trace, error)
}

// Merger joins 0a and 0b into phase 1's input.
type Merger interface {
	Merge(contract.Optimized, contract.Routed) (contract.SearchInput, error)
}

// Searcher is phase 1.
type Searcher interface {
	Search(context.Context, contract.SearchInput, contract.SearchOptions) (contract.SearchOutput, contract.Trace, error)
}

// Reranker is phase 1.5.
type Reranker interface {
	Rerank(context.Context, contract.RerankInput, contract.RerankPolicy) (contract.RerankOutput, contract.Trace, error)
}

// Extractor is phase 2.
type Extractor interface {
	Extract(context.Context, contract.ExtractInput) (contract.Extraction, contract.Trace, error)
}

// Processor is phases 2.5 and 3.
type Processor interface {
	Check(contract.Extraction, contract.Preferences) (contract.Check, error)
	Process(context.Context, contract.Check) (contract.Processed, contract.Trace, error)
}

// Citer writes the AOP-FINAL block.
type Citer interface {
	Cite(contents map[string]string, documents []contract.Extracted) (final string, citations []contract.Citation, err error)
}

// Pipeline is the phases, wired.
type Pipeline struct {
	Optimizer Optimizer
	Router    Router
	Merger    Merger
	Searcher  Searcher
	Reranker  Reranker
	Extractor Extractor
	Processor Processor
	Citer     Citer
	Policy    contract.RerankPolicy
	// Recalled is this pipeline with models that answer only what they were asked
	// before; nil: the same pipeline.
	Recalled *Pipeline
	// NewID names a run; nil numbers runs "run". Clock gives milliseconds for
	// the _ms fields; nil leaves them zero.
	NewID func() string
	Clock func() float64
}

// Hit names one page of a result, or a section of that page.
type Hit struct {
	DocSet   string `json:"doc_set"`
	FilePath string `json:"file_path"`
	Section  string `json:"section,omitempty"` // contract.PathName of its headings; "": the page
}

// Request is a question and everything that a person may set about it. Zero
// values leave a decision to the phases.
type Request struct {
	Question string                    `json:"question"`
	DocSets  []string                  `json:"doc_sets,omitempty"` // narrows to these, explicitly
	Queries  []contract.OptimizedQuery `json:"queries,omitempty"`  // in place of phase 0a's
	Scene    string                    `json:"scene,omitempty"`    // in place of phase 0b's
	Intent   string                    `json:"intent,omitempty"`   // in place of phase 0b's
	// Confidence, Threshold and Reranker stand in place of phase 0b's too; a
	// Reranker of false means no reranking at all.
	Confidence *float64 `json:"confidence,omitempty"`
	Threshold  *float64 `json:"threshold,omitempty"`
	Reranker   *bool    `json:"reranker,omitempty"`
	// FallbackMode stands in place of the policy's.
	FallbackMode string               `json:"fallback_mode,omitempty"`
	Top          int                  `json:"top,omitempty"` // pages that phase 1 answers with
	Explain      bool                 `json:"explain,omitempty"`
	Exclude      []Hit                `json:"exclude,omitempty"`  // pages and sections left out after reranking
	MaxDocs      int                  `json:"max_docs,omitempty"` // documents that phase 2 extracts
	Preferences  contract.Preferences `json:"wishes,omitzero"`
}

// PolicyOf is the reranking policy of a request.
func (p *Pipeline) PolicyOf(req Request) contract.RerankPolicy {
	policy := p.Policy
	if req.FallbackMode != "" {
		policy.FallbackMode = req.FallbackMode
	}
	return policy
}

// PhaseResults holds each phase's output under its name.
type PhaseResults struct {
	Optimize *contract.Optimized    `json:"0a"`
	Route    *contract.Routed       `json:"0b"`
	Merge    *contract.SearchInput  `json:"merge"`
	Search   *contract.SearchOutput `json:"1"`
	Rerank   *contract.RerankOutput `json:"1.5"`
	Extract  *contract.Extraction   `json:"2"`
	Check    *contract.Check        `json:"2.5"`
	Process  *contract.Processed    `json:"3"` // nil when phase 2.5 skips it
}

// Result is a whole run: what `docent ask --json` prints.
type Result struct {
	Query     string              `json:"query"`
	Engine    map[string]string   `json:"engine"`
	Phases    PhaseResults        `json:"phases"`
	Final     string              `json:"final"`
	Citations []contract.Citation `json:"citations"`
	Degraded  []contract.Degraded `json:"degraded"`
	TimingsMS map[string]float64  `json:"timings_ms"`
}

// Unnoted are the second choices that no note of the search tells of already.
func (r Result) Unnoted() []contract.Degraded {
	return slices.DeleteFunc(slices.Clone(r.Degraded), func(d contract.Degraded) bool {
		return slices.Contains(r.Notes(), d.Reason)
	})
}

// Notes are the remarks of the search and of the reranking: pages that are gone, corrected
// words, doc sets that compete.
func (r Result) Notes() []string {
	switch {
	case r.Phases.Rerank != nil && r.Phases.Rerank.SearchStats != nil:
		return r.Phases.Rerank.SearchStats.Notes
	case r.Phases.Search != nil:
		return r.Phases.Search.SearchStats.Notes
	}
	return nil
}

// FoundPage reports whether the run found a page.
func (r Result) FoundPage() bool {
	return r.Phases.Extract != nil && len(r.Phases.Extract.Documents) > 0
}

// Run answers a request from the first phase to the last.
func (p *Pipeline) Run(ctx context.Context, req Request, sink Sink) (Result, error) {
	return p.NewSession(req).Run(ctx, sink)
}
