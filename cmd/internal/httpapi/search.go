package httpapi

import (
	"cmp"
	"net/http"

	"docent/pipeline"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service/answers"
)

// defaultLimit is the number of passages that a search answers with, as docent search
// has it.
const defaultLimit = 10

// searchRequest is a docs search. Limit and cursor count passages, as total does.
type searchRequest struct {
	Query        string   `json:"query" doc:"what is looked for"`
	Limit        int      `json:"limit,omitempty" minimum:"1" maximum:"1000" default:"10" doc:"passages at most"`
	Cursor       string   `json:"cursor,omitempty" maxLength:"200" doc:"next_cursor of an earlier answer to the same query"`
	DocSets      []string `json:"docSets,omitempty" maxItems:"1000" doc:"narrows to these doc sets, Name or Name@version"`
	FallbackMode string   `json:"fallbackMode,omitempty" enum:"return_hybrid_candidates,error_on_total_failure" doc:"where reranking fails; without it the configuration's"`
	Scene        string   `json:"scene,omitempty" enum:"fact_lookup,tutorial,api_reference,troubleshooting" doc:"in place of the router's"`
	Threshold    *float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"rerank_sim at which a passage is kept"`
	Top          int      `json:"top,omitempty" minimum:"1" maximum:"1000" doc:"pages that the first stage answers with at most"`
	Explain      bool     `json:"explain,omitempty" doc:"adds the candidates before reranking"`
}

func searchEndpoint() endpoint {
	return endpoint{method: http.MethodPost, path: "/api/docs/search", id: "searchDocs", about: "passages of the documentation, reranked (specification 2): what docent search --contract docs prints",
		in: searchRequest{}, out: rerank.Response{}, closed: true, heavy: true, serve: func(c *call) error {
			var q searchRequest
			if err := c.decode(&q); err != nil {
				return err
			}
			req := answers.SearchRequest{Limit: cmp.Or(q.Limit, defaultLimit), Cursor: q.Cursor, Request: pipeline.Request{Question: q.Query, DocSets: q.DocSets,
				FallbackMode: q.FallbackMode, Scene: q.Scene, Threshold: q.Threshold, Top: q.Top, Explain: q.Explain}}
			out, res, err := c.home.Answers.SearchDocs(c.ctx, req, c.metrics.watched(nil))
			if err != nil {
				return err
			}
			c.metrics.asked(res)
			c.note.degraded = res.Degraded
			return c.ok(out)
		}}
}
