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
	Total           int    `json:"total"` // that there are, also of other pages of the answer
	AppliedStrategy string `json:"appliedStrategy"`
	FallbackApplied bool   `json:"fallbackApplied"`
	Results         []Item `json:"results"`

	// Additive.
	NextCursor string `json:"next_cursor,omitempty"`
	// Candidates is the set before reranking, if it was asked for.
	Candidates *CandidateSet `json:"hybridCandidateSet,omitempty"`
	// Degraded lists what was answered by less than was wanted.
	Degraded []contract.Degraded `json:"degraded,omitempty"`
}

// CandidateSet is spec 2's HybridCandidateSet: what phase 1 found, best first.
type CandidateSet struct {
	Query           string                `json:"query"`
	CollectionScope string                `json:"collectionScope"`
	CandidateCount  int                   `json:"candidateCount"`
	Items           []CandidateItem       `json:"items"`
	Policy          contract.RerankPolicy `json:"rerankingPolicy"` // additive: the policy that the set is reranked by
}

// CandidateItem is spec 2's HybridCandidateItem: one heading before reranking.
type CandidateItem struct {
	DocumentPath string           `json:"documentPath"`
	ChunkIndex   int              `json:"chunkIndex"`
	Snippet      string           `json:"snippet"`
	HybridScore  float64          `json:"hybridScore"`
	Signals      CandidateSignals `json:"signals"`
}

// CandidateSignals are all >= 0.
type CandidateSignals struct {
	Lexical  float64 `json:"lexical"`
	Semantic float64 `json:"semantic"`
}

// collectionScope is the one value that spec 2 allows.
const collectionScope = "docs_markdown"

// Candidates is phase 1's output in the form of spec 2: headings one by one, in the
// order of the tie-break rule.
func Candidates(query string, out contract.SearchOutput, policy contract.RerankPolicy) CandidateSet {
	set := CandidateSet{Query: query, CollectionScope: collectionScope, Items: []CandidateItem{}, Policy: policy}
	for _, p := range out.Results {
		for _, h := range p.Headings {
			set.Items = append(set.Items, CandidateItem{DocumentPath: p.DocSet + "/" + p.FilePath, ChunkIndex: h.ChunkIndex,
				Snippet:     h.Snippet,
				HybridScore: max(0, h.Score), Signals: CandidateSignals{Lexical: max(0, h.Signals.Lexical), Semantic: semanticSignal(h)}})
		}
	}
	slices.SortStableFunc(set.Items, func(a, b CandidateItem) int {
		return cmp.Or(cmp.Compare(b.HybridScore, a.HybridScore), strings.Compare(a.DocumentPath, b.DocumentPath),
			cmp.Compare(a.ChunkIndex, b.ChunkIndex))
	})
	set.CandidateCount = len(set.Items)
	return set
}

// semanticSignal is the similarity by a model's vectors, or by the built-in ones where no
// model has any.
func semanticSignal(h contract.Heading) float64 {
	return max(0, cmp.Or(h.Signals.Model, h.Signals.Semantic))
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
				RankingSignals: RankingSignals{Lexical: max(0, h.Signals.Lexical), Semantic: semanticSignal(h)}}
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

// sortItems orders by score, items that were not reranked last (their score is of another
// kind); ties by documentPath, then chunkIndex.
func sortItems(items []Item) {
	slices.SortStableFunc(items, func(a, b Item) int {
		if was := a.RankingSignals.Rerank > 0; was != (b.RankingSignals.Rerank > 0) {
			if was {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.DocumentPath, b.DocumentPath),
			cmp.Compare(a.ChunkIndex, b.ChunkIndex))
	})
}
