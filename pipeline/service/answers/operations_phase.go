package answers

import (
	"context"
	"reflect"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// PhaseQuery is one phase's input, with the general options of phases.
type PhaseQuery struct {
	Phase  string // of contract.Phases
	Input  []byte // JSON
	Remote bool   // the input comes from another machine

	DocSets      []string `json:"doc_sets,omitempty" flag:"set"`
	Explain      bool     `json:"explain,omitempty" flag:"explain" query:"explain"`
	FallbackMode string   `json:"fallback_mode,omitempty" enum:"return_hybrid_candidates,error_on_total_failure" flag:"fallback-mode"`
	MaxDocs      int      `json:"max_docs,omitempty" minimum:"1" maximum:"100" flag:"max-docs" flag.maximum:"" query:"max_docs"`
	Extent       string   `json:"extent,omitempty" enum:"documents,sections" query:"extent"`
	Lines        int      `json:"lines,omitempty" minimum:"1" maximum:"2000" flag:"lines" query:"lines"`
	MaxTokens    int      `json:"max_tokens,omitempty" minimum:"1" maximum:"10000000" flag:"max-tokens" flag.maximum:"" query:"max_tokens"`
	Full         bool     `json:"full,omitempty" flag:"full" query:"full"`
	Compress     bool     `json:"compress,omitempty" flag:"compress" query:"compress"`
	Summarize    bool     `json:"summarize,omitempty" flag:"summarize" query:"summarize"`
}

// FieldTags are the texts of the fields.
func (PhaseQuery) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"DocSets": `query:"doc_set,narrows to a doc set, Name or Name@version; may be repeated"` +
			` doc:"narrows to these doc sets, Name or Name@version"`,
		"Explain":      `doc:"say how the scores came about"`,
		"FallbackMode": `query:"fallback_mode" doc:"where reranking fails"`,
		"MaxDocs":      `doc:"documents at most"`,
		"Extent":       `doc:"whole documents, or sections"`,
		"Lines":        `doc:"of a block of sections at most"`,
		"MaxTokens":    `doc:"a budget for the block"`,
		"Full":         `doc:"a wish for the whole documents"`,
		"Compress":     `doc:"a wish for compression"`,
		"Summarize":    `doc:"a wish for a model's words"`,
	}
}

// phaseOperations are the operation that runs one phase. The doors that offer a phase each
// give it their own names and the fields that it reads.
func phaseOperations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("phase", "one phase as a filter: JSON in, JSON out",
			func(ctx context.Context, svc *Service, q PhaseQuery) (PhaseAnswer, error) {
				p := contract.Preferences{Full: q.Full, Compress: q.Compress, Summarize: q.Summarize, MaxTokens: q.MaxTokens,
					Extent: q.Extent,
					Lines:  q.Lines}
				if err := CheckWish(&p); err != nil {
					return PhaseAnswer{}, err
				}
				if err := PassedOn(q.Input); err != nil {
					return PhaseAnswer{}, err
				}
				return svc.Phase(ctx, PhaseRequest{Phase: q.Phase, Input: q.Input, Remote: q.Remote, DocSets: q.DocSets, Explain: q.Explain,
					FallbackMode: q.FallbackMode, MaxDocs: q.MaxDocs, Preferences: p})
			}).OnCommandLine(),
	}
}
