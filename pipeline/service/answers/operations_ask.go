package answers

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/versioning"
	"docent/pipeline/text/tokens"
)

// AskRequest is a question with what a program or a person may ask of its answer.
type AskRequest struct {
	Query        string   `json:"query" arg:"QUESTION"`
	DocSets      []string `json:"doc_sets,omitempty" maxItems:"1000" flag:"set"`
	Scene        string   `json:"scene,omitempty" enum:"fact_lookup,tutorial,api_reference,troubleshooting" flag:"scene"`
	Threshold    *float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" flag:"threshold" flag.default:"0.63"`
	Top          int      `json:"top,omitempty" minimum:"1" maximum:"1000" flag:"top" flag.maximum:""`
	Reranker     *bool    `json:"reranker,omitempty"`
	NoRerank     bool     `json:"-" flag:"no-rerank"`
	FallbackMode string   `json:"fallback_mode,omitempty" enum:"return_hybrid_candidates,error_on_total_failure" flag:"fallback-mode"`
	MaxDocs      int      `json:"max_docs,omitempty" minimum:"1" maximum:"100" flag:"max-docs" flag.maximum:""`
	Extent       string   `json:"extent,omitempty" enum:"documents,sections"`
	Lines        int      `json:"lines,omitempty" minimum:"1" maximum:"2000" flag:"lines"`
	MaxTokens    int      `json:"max_tokens,omitempty" minimum:"1" maximum:"10000000" flag:"max-tokens" flag.maximum:""`
	Full         bool     `json:"full,omitempty" flag:"full"`
	Compress     bool     `json:"compress,omitempty" flag:"compress"`
	Summarize    bool     `json:"summarize,omitempty" flag:"summarize"`
	Explain      bool     `json:"explain,omitempty" flag:"explain"`
}

// FieldTags are the texts of the fields.
func (AskRequest) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Query": `tool:"question,the question, in any language" doc:"the question"`,
		"DocSets": `tool:"doc_sets,narrows to these doc sets, Name or Name@version; list_doc_sets lists them"` +
			` doc:"narrows to these doc sets, Name or Name@version"`,
		"Scene":        `doc:"in place of the router's"`,
		"Threshold":    `doc:"rerank_sim at which a heading is kept"`,
		"Top":          `doc:"pages that the search answers with at most"`,
		"Reranker":     `doc:"false leaves the hits in the search's order"`,
		"NoRerank":     `doc:"leave the hits in the search's order"`,
		"FallbackMode": `doc:"where reranking fails"`,
		"MaxDocs":      `doc:"documents at most"`,
		"Extent": `tool:"extent,sections (the sections that answer, the default) or documents (whole pages)"` +
			` doc:"whole documents, or only the sections that answer"`,
		"Lines":     `doc:"lines of a block of sections at most"`,
		"MaxTokens": `doc:"a budget for the block, in estimated tokens"`,
		"Full":      `doc:"the documents whole, however long"`,
		"Compress":  `doc:"only what matters for the question"`,
		"Summarize": `doc:"a model writes in place of long sections; marked as unverified"`,
		"Explain":   `doc:"says how the scores came about"`,
	}
}

// Preferences are the wishes about the length of the answer.
func (q AskRequest) Preferences() contract.Preferences {
	return contract.Preferences{Full: q.Full, Compress: q.Compress, Summarize: q.Summarize, MaxTokens: q.MaxTokens, Extent: q.Extent,
		Lines: q.Lines}
}

// Pipeline is the question as the pipeline takes it.
func (q AskRequest) Pipeline() pipeline.Request {
	if q.NoRerank {
		off := false
		q.Reranker = &off
	}
	return pipeline.Request{Question: q.Query, DocSets: q.DocSets, Scene: q.Scene, Threshold: q.Threshold, Top: q.Top, Reranker: q.Reranker,
		FallbackMode: q.FallbackMode, MaxDocs: q.MaxDocs, Explain: q.Explain, Preferences: q.Preferences()}
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return slices.Concat(askOperations(), searchOperations(), phaseOperations(), verifyOperations())
}

// askOperations are the operation of the whole pipeline.
func askOperations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.Watched("ask", "the whole pipeline: a cited block on standard output", askTraced).
			OnCommandLine().
			OverHTTP(operation.Route{Method: http.MethodPost, Path: "/api/ask", ID: "ask", About: "the whole pipeline",
				Prints: "ask --json",
				Events: true}).
			ForAgents(operation.Shortened("ask_docs", "Ask the documentation",
				"Answers a question from the documentation: the sections that answer it, verbatim, as one AOP-FINAL block with page, "+
					"file, address and doc set under each part. Use it first for any question about an API, a tool, a setting or an "+
					"error. The answer never has more than max_tokens.", askForAgent)),
	}
}

func askTraced(ctx context.Context, svc *Service, q AskRequest, sink pipeline.Sink) (Traced, error) {
	req := q.Pipeline()
	if err := CheckWish(&req.Preferences); err != nil {
		return Traced{}, err
	}
	if err := svc.CheckQuestion(&req); err != nil {
		return Traced{}, err
	}
	res, err := svc.Ask(ctx, req, sink)
	if err != nil {
		return Traced{}, err
	}
	return svc.Traced(ctx, req, res), nil
}

// Outcome is the result of the run.
func (t Traced) Outcome() pipeline.Result { return t.Result }

// noteTokens are kept free for the notes on a block.
const noteTokens = 60

// askForAgent returns the block for a question, after its notes.
func askForAgent(ctx context.Context, svc *Service, q AskRequest, room operation.Room) (string, error) {
	q.MaxTokens = room.Most - noteTokens
	if q.Extent == "" {
		q.Extent = contract.ExtentSections
	}
	req := q.Pipeline()
	if err := svc.CheckQuestion(&req); err != nil {
		return "", err
	}
	res, err := svc.Ask(ctx, req, room.Sink)
	if err != nil {
		return "", err
	}
	notes := notesForAgent(res)
	for _, line := range versioning.NewerLines(svc.versioning.NewerThan(ctx, res), nil) {
		notes = append(notes, "Note: "+line+".")
	}
	if res.Final == "" {
		return tokens.ShortenTo(strings.Join(append(notes, "Nothing was found; search_docs with other words, or list_doc_sets, may help."),
			"\n"), room.Most), nil
	}
	left := room.Most - tokens.Count(res.Final)
	if left < 0 {
		return "", contract.Invalid("max_tokens", "the answer does not fit into %d tokens; give more, or read a section with "+
			"search_docs and read_doc", room.Most)
	}
	// The notes are before the block, as far as there is room.
	head := ""
	for _, n := range notes {
		if tokens.Count(head+n+"\n\n") <= left {
			head += n + "\n"
		}
	}
	if head != "" {
		head += "\n"
	}
	return head + res.Final, nil
}

// notesForAgent is what an agent must know of an answer, the most important first.
func notesForAgent(res pipeline.Result) []string {
	var out []string
	switch r := res.Phases.Rerank; {
	case r == nil || !res.FoundPage():
	case r.Unanswered:
		out = append(out, "Note: this is probably not in the documentation; these are the nearest sections.")
	case r.BelowThreshold:
		out = append(out, "Note: not sure: no heading reached the threshold; this is the best there is"+
			res.Phases.Search.LackedWords(res.Phases.Rerank)+".")
	}
	for _, n := range res.Notes() {
		out = append(out, "Note: "+n+".")
	}
	for _, d := range res.Unnoted() {
		out = append(out, fmt.Sprintf("Note: phase %s was answered by %s instead of %s: %s.", d.Phase, d.Used, d.Wanted, d.Reason))
	}
	if e := res.Phases.Extract; e != nil {
		for _, d := range e.Documents {
			if d.Changed {
				out = append(out, fmt.Sprintf("Note: %s of %s changed since it was indexed; this is the file as it is now.", d.Title,
					d.DocSet))
			}
		}
	}
	return out
}
