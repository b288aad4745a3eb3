package httpapi

import (
	"net/http"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

// askRequest is a question. Its fields are the flags of docent ask.
type askRequest struct {
	Query        string   `json:"query" doc:"the question"`
	DocSets      []string `json:"doc_sets,omitempty" maxItems:"1000" doc:"narrows to these doc sets, Name or Name@version"`
	Scene        string   `json:"scene,omitempty" enum:"fact_lookup,tutorial,api_reference,troubleshooting" doc:"in place of the router's"`
	Threshold    *float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"rerank_sim at which a heading is kept"`
	Top          int      `json:"top,omitempty" minimum:"1" maximum:"1000" doc:"pages that the search answers with at most"`
	Reranker     *bool    `json:"reranker,omitempty" doc:"false leaves the hits in the search's order"`
	FallbackMode string   `json:"fallback_mode,omitempty" enum:"return_hybrid_candidates,error_on_total_failure" doc:"where reranking fails"`
	MaxDocs      int      `json:"max_docs,omitempty" minimum:"1" maximum:"100" doc:"documents at most"`
	Extent       string   `json:"extent,omitempty" enum:"documents,sections" doc:"whole documents, or only the sections that answer"`
	Lines        int      `json:"lines,omitempty" minimum:"1" maximum:"2000" doc:"lines of a block of sections at most"`
	MaxTokens    int      `json:"max_tokens,omitempty" minimum:"1" maximum:"10000000" doc:"a budget for the block, in estimated tokens"`
	Full         bool     `json:"full,omitempty" doc:"the documents whole, however long"`
	Compress     bool     `json:"compress,omitempty" doc:"only what matters for the question"`
	Summarize    bool     `json:"summarize,omitempty" doc:"a model writes in place of long sections; marked as unverified"`
	Explain      bool     `json:"explain,omitempty" doc:"says how the scores came about"`
}

func (q askRequest) request() (pipeline.Request, error) {
	p := contract.Preferences{Full: q.Full, Compress: q.Compress, Summarize: q.Summarize, MaxTokens: q.MaxTokens, Extent: q.Extent, Lines: q.Lines}
	err := answers.CheckWish(&p)
	return pipeline.Request{Question: q.Query, DocSets: q.DocSets, Scene: q.Scene, Threshold: q.Threshold, Top: q.Top, Reranker: q.Reranker,
		FallbackMode: q.FallbackMode, MaxDocs: q.MaxDocs, Explain: q.Explain, Preferences: p}, err
}

func askEndpoint() endpoint {
	return endpoint{method: http.MethodPost, path: "/api/ask", id: "ask", about: "the whole pipeline: what docent ask --json prints; with Accept: text/event-stream its events too",
		in: askRequest{}, out: answers.Traced{}, stream: pipeline.Event{}, closed: true, heavy: true, serve: serveAsk}
}

func serveAsk(c *call) error {
	var q askRequest
	if err := c.decode(&q); err != nil {
		return err
	}
	req, err := q.request()
	if err != nil {
		return err
	}
	if c.wantsEvents() {
		return c.stream(func(sink pipeline.Sink) (any, error) { return c.ask(req, sink) })
	}
	answer, err := c.ask(req, nil)
	if err != nil {
		return err
	}
	return c.ok(answer)
}

// ask runs a request through all phases.
func (c *call) ask(req pipeline.Request, sink pipeline.Sink) (answers.Traced, error) {
	if err := c.home.Answers.CheckQuestion(&req); err != nil {
		return answers.Traced{}, err
	}
	res, err := c.home.Answers.Ask(c.ctx, req, c.metrics.watched(sink))
	if err != nil {
		return answers.Traced{}, err
	}
	c.metrics.asked(res)
	return c.home.Answers.Traced(c.ctx, req, res), nil
}

// wantsEvents says whether the client asks for server-sent events.
func (c *call) wantsEvents() bool {
	for part := range strings.SplitSeq(c.r.Header.Get("Accept"), ",") {
		if kind, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
			return true
		}
	}
	return false
}
