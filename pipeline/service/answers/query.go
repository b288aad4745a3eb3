package answers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers/passages"
	"docent/pipeline/service/home"
)

// QueryRequest is specification 4's: passages of the documents that were handed in.
type QueryRequest struct {
	Query string
	TopK  int // 1 to maxTopK
}

// maxTopK is specification 4's bound.
const maxTopK = 100

// Query finds the passages nearest to a question. A score is the cosine of two vectors,
// in 0..1: by a model where one made vectors, else by those learned from the documents,
// and where there are too few documents to learn from, of the weighted words.
func (svc *Service) Query(ctx context.Context, req QueryRequest) (contract.QueryResponse, error) {
	out := contract.QueryResponse{Results: []contract.QueryResult{}}
	if req.TopK < 1 || req.TopK > maxTopK {
		return out, contract.Invalid("topK", "topK is %d, it can be 1 to %d", req.TopK, maxTopK)
	}
	documents, err := svc.inbox.CompletedPages(ctx)
	if err != nil || len(documents) == 0 {
		return out, err
	}
	uploads := home.UploadsRef().String()
	if _, err := svc.home.Canonical(ctx, []string{uploads}); err != nil {
		return out, nil // none of them is a page yet
	}
	off, all := false, 0.0
	res, err := svc.runTo(ctx, svc.Pipelines.Search,
		pipeline.Request{Question: req.Query, DocSets: []string{uploads}, Reranker: &off, Threshold: &all, Top: req.TopK},
		contract.PhaseRerank, nil)
	if err != nil {
		return out, err
	}
	sets, err := svc.home.Corpus.Resolve(ctx, []string{uploads})
	if err != nil {
		return out, err
	}
	found := passages.Reader{Corpus: svc.home.Corpus}
	list, err := found.OfResults(ctx, sets[0], res.Phases.Rerank.Results, documents)
	if err != nil {
		return out, err
	}
	if !slices.ContainsFunc(list, func(r contract.QueryResult) bool { return r.Score > 0 }) {
		if err := found.ScoreByWords(ctx, uploads, req.Query, list); err != nil {
			return out, err
		}
	}
	if len(list) < req.TopK {
		more, err := found.Others(ctx, sets[0], passages.Wanted{Query: req.Query, Most: req.TopK}, list, documents)
		if err != nil {
			return out, err
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b contract.QueryResult) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.DocumentID, b.DocumentID),
			cmp.Compare(a.Metadata.CharStart, b.Metadata.CharStart))
	})
	out.Results = list[:min(len(list), req.TopK)]
	return out, nil
}
