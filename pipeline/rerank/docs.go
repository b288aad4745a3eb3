package rerank

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// Response is spec 2's DocsRerankedSearchResponse.
type Response struct {
	Query           string `json:"query"`
	Total           int    `json:"total"`
	AppliedStrategy string `json:"appliedStrategy"`
	FallbackApplied bool   `json:"fallbackApplied"`
	Results         []Item `json:"results"`
}

// Item is spec 2's RerankedResultItem: one heading.
type Item struct {
	DocumentPath   string         `json:"documentPath"`
	ChunkIndex     int            `json:"chunkIndex"`
	Snippet        string         `json:"snippet"`
	Score          float64        `json:"score"`
	SourceType     string         `json:"sourceType"`
	RankingSignals RankingSignals `json:"rankingSignals"`
}

// RankingSignals are all >= 0; Rerank is over 0 where reranking took place.
type RankingSignals struct {
	Lexical  float64 `json:"lexical"`
	Semantic float64 `json:"semantic"`
	Rerank   float64 `json:"rerank"`
}

// appliedStrategy is the one value that spec 2 allows.
const appliedStrategy = "bm25_plus_vector_rerank_docs_only"

// DocsResponse is phase 1.5's output in the form of spec 2: headings one by
// one, best first.
func DocsResponse(query string, out contract.RerankOutput) Response {
	r := Response{Query: query, AppliedStrategy: appliedStrategy, FallbackApplied: out.FallbackApplied, Results: []Item{}}
	for _, p := range out.Results {
		for _, h := range p.Headings {
			it := Item{DocumentPath: p.DocSet + "/" + p.FilePath, ChunkIndex: h.ChunkIndex, Snippet: h.Snippet,
				Score: h.Score, SourceType: "documentation",
				RankingSignals: RankingSignals{Lexical: max(0, h.Signals.Lexical), Semantic: max(0, cmp.Or(h.Signals.Model, h.Signals.Semantic))}}
			if h.RerankSim != nil && !out.FallbackApplied {
				it.Score, it.RankingSignals.Rerank = *h.RerankSim, *h.RerankSim
			}
			r.Results = append(r.Results, it)
		}
	}
	sortItems(r.Results)
	r.Total = len(r.Results)
	return r
}

// sortItems orders by score, what was not reranked last (its score is of another
// kind); ties by documentPath, then chunkIndex.
func sortItems(items []Item) {
	slices.SortStableFunc(items, func(a, b Item) int {
		if was := a.RankingSignals.Rerank > 0; was != (b.RankingSignals.Rerank > 0) {
			if was {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.DocumentPath, b.DocumentPath), cmp.Compare(a.ChunkIndex, b.ChunkIndex))
	})
}
