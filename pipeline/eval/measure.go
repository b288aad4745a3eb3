package eval

import (
	"math"
	"slices"
)

// The cut-offs of the metrics, in hits.
const (
	depth     = 10
	deepDepth = 100
)

// gains are the relevance grades of the hits of a ranking, in order; 0: irrelevant.
type gains []int

// ndcgAt10 is the normalized discounted cumulative gain at 10 with linear gains
// (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
// 2002; with the base-2 logarithm, like trec_eval).
func ndcgAt10(ranked gains, relevant []int) float64 {
	sum := func(g []int) float64 {
		s := 0.0
		for i, x := range g[:min(depth, len(g))] {
			s += float64(x) / math.Log2(float64(i)+2)
		}
		return s
	}
	ideal := slices.Clone(relevant)
	slices.Sort(ideal)
	slices.Reverse(ideal)
	if best := sum(ideal); best > 0 {
		return sum(ranked) / best
	}
	return 0
}

// recallAtRank is the fraction of the relevant items that are among the first k hits.
func recallAtRank(ranked gains, relevant int, k int) float64 {
	n := 0
	for _, x := range ranked[:min(k, len(ranked))] {
		if x > 0 {
			n++
		}
	}
	return float64(n) / float64(relevant)
}

// firstRelevant is the rank of the first relevant hit, from 1; 0: none.
func firstRelevant(ranked gains) int {
	return slices.IndexFunc(ranked, func(x int) bool { return x > 0 }) + 1
}

// Metrics are means over queries.
type Metrics struct {
	Queries   int     `json:"queries"`
	Recall10  float64 `json:"recall@10"`
	Recall100 float64 `json:"recall@100"`
	MRR10     float64 `json:"mrr@10"`
	NDCG10    float64 `json:"ndcg@10"`
	ZeroHits  int     `json:"zero_hits"` // queries without any hit
}

// addQuery adds one query to the sums. mean turns the sums into means.
func (m *Metrics) addQuery(ranked gains, relevant []int) {
	m.Queries++
	if len(ranked) == 0 {
		m.ZeroHits++
	}
	m.Recall10 += recallAtRank(ranked, len(relevant), depth)
	m.Recall100 += recallAtRank(ranked, len(relevant), deepDepth)
	if r := firstRelevant(ranked); r > 0 && r <= depth {
		m.MRR10 += 1 / float64(r)
	}
	m.NDCG10 += ndcgAt10(ranked, relevant)
}

func (m Metrics) meanMetrics() Metrics {
	if m.Queries == 0 {
		return m
	}
	n := float64(m.Queries)
	m.Recall10, m.Recall100, m.MRR10, m.NDCG10 = roundToFourPlaces(m.Recall10/n), roundToFourPlaces(m.Recall100/n),
		roundToFourPlaces(m.MRR10/n), roundToFourPlaces(m.NDCG10/n)
	return m
}

// roundToFourPlaces keeps four decimal places. Smaller differences are noise.
func roundToFourPlaces(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// percentile is the nearest-rank percentile of sorted values.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}
