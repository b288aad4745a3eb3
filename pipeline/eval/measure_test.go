package eval

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-4 }

// metricsOf returns the metrics of a single query, not rounded.
func metricsOf(ranked gains, relevant []int) Metrics {
	var m Metrics
	m.addQuery(ranked, relevant)
	return m
}

// The figures are calculated by hand: log2(3) = 1.58496, log2(11) = 3.45943.
func TestMeasuresByHand(t *testing.T) {
	t.Parallel()
	at := func(place int) gains { return append(make(gains, place-1), 1) }
	for name, c := range map[string]struct {
		ranked                       gains
		relevant                     []int
		ndcg, mrr, recall, recall100 float64
		zero                         int
	}{
		"the best order":              {gains{3, 1, 0}, []int{1, 3}, 1, 1, 1, 1, 0},
		"second":                      {gains{0, 1}, []int{1}, 0.63093, 0.5, 1, 1, 0},
		"tenth":                       {at(10), []int{1}, 0.28906, 0.1, 1, 1, 0},
		"eleventh":                    {at(11), []int{1}, 0, 0, 0, 1, 0},
		"hundredth":                   {at(100), []int{1}, 0, 0, 0, 1, 0},
		"hundred and first":           {at(101), []int{1}, 0, 0, 0, 0, 0},
		"graded, one missing":         {gains{3, 0, 1}, []int{3, 1, 1}, 3.5 / 4.13093, 1, 2. / 3, 2. / 3, 0},
		"graded, the wrong way round": {gains{1, 3}, []int{3, 1}, (1 + 3/1.58496) / (3 + 1/1.58496), 1, 1, 1, 0},
		"more than ten relevant":      {slices.Repeat(gains{1}, 11), slices.Repeat([]int{1}, 12), 1, 1, 10. / 12, 11. / 12, 0},
		"nothing relevant found":      {gains{0, 0}, []int{1}, 0, 0, 0, 0, 0},
		"nothing found":               {nil, []int{1}, 0, 0, 0, 0, 1},
	} {
		m := metricsOf(c.ranked, c.relevant)
		if !near(m.NDCG10, c.ndcg) || !near(m.MRR10, c.mrr) || !near(m.Recall10, c.recall) || !near(m.Recall100, c.recall100) || m.ZeroHits != c.zero || m.Queries != 1 {
			t.Errorf("%s: %+v, want %+v", name, m, c)
		}
	}
}

func TestMeanOfQueries(t *testing.T) {
	t.Parallel()
	var m Metrics
	m.addQuery(gains{1}, []int{1})
	m.addQuery(gains{0, 1}, []int{1, 1})
	m.addQuery(nil, []int{1})
	want := Metrics{Queries: 3, Recall10: 0.5, Recall100: 0.5, MRR10: 0.5, ZeroHits: 1}
	want.NDCG10 = roundToFourPlaces((1 + 0.63093/(1+0.63093)) / 3)
	if got := m.meanMetrics(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (Metrics{}).meanMetrics(); got != (Metrics{}) {
		t.Errorf("the mean of nothing is %+v", got)
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, c := range []struct {
		of   []float64
		p, v float64
	}{{nil, .5, 0}, {[]float64{7}, .5, 7}, {[]float64{7}, .95, 7}, {ten, .5, 5}, {ten, .95, 10}, {ten, 0, 1}, {ten[:3], .5, 2}} {
		if got := percentile(c.of, c.p); got != c.v {
			t.Errorf("%v of %v is %v, want %v", c.p, c.of, got, c.v)
		}
	}
}

// drawRanking draws a ranking and the grades of all relevant items. Some of these
// are missing in the ranking.
func drawRanking(t *rapid.T) (gains, []int) {
	grade := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3})
	ranked := gains(rapid.SliceOfN(grade, 0, 130).Draw(t, "ranked"))
	relevant := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 5).Draw(t, "not found")
	for _, g := range ranked {
		if g > 0 {
			relevant = append(relevant, g)
		}
	}
	return ranked, relevant
}

func TestMeasuresLieBetween0And1(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ranked, relevant := drawRanking(t)
		m := metricsOf(ranked, relevant)
		for _, x := range []float64{m.NDCG10, m.MRR10, m.Recall10, m.Recall100} {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("%+v", m)
			}
		}
		if m.Recall10 > m.Recall100 || (m.MRR10 > 0) != (m.Recall10 > 0) || (m.NDCG10 > 0) != (m.Recall10 > 0) {
			t.Fatalf("the measures contradict each other: %+v", m)
		}
		best := gains(slices.Clone(relevant))
		slices.Sort(best)
		slices.Reverse(best)
		if m := metricsOf(best, relevant); math.Abs(m.NDCG10-1) > 1e-12 || m.MRR10 != 1 {
			t.Fatalf("the best order has %+v", m)
		}
	})
}

// The order below the tenth place changes no metric. Only Recall@100 can change,
// if a hit crosses the hundredth place.
func TestBelowTheTenthPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ranked, relevant := drawRanking(t)
		if len(ranked) <= depth {
			return
		}
		before := metricsOf(ranked, relevant)
		mixed := append(slices.Clone(ranked[:depth]), rapid.Permutation(ranked[depth:]).Draw(t, "below")...)
		after := metricsOf(mixed, relevant)
		if len(ranked) > deepDepth {
			before.Recall100, after.Recall100 = 0, 0
		}
		if before != after {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
}

// Moving the better of two hits above the worse never lowers a metric.
func TestBetterOrderScoresNoLess(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ranked, relevant := drawRanking(t)
		if len(ranked) < 2 {
			return
		}
		i := rapid.IntRange(0, len(ranked)-2).Draw(t, "upper")
		j := rapid.IntRange(i+1, len(ranked)-1).Draw(t, "lower")
		better := slices.Clone(ranked)
		better[i], better[j] = max(ranked[i], ranked[j]), min(ranked[i], ranked[j])
		a, b := metricsOf(ranked, relevant), metricsOf(better, relevant)
		if b.NDCG10 < a.NDCG10-1e-12 || b.MRR10 < a.MRR10 || b.Recall10 < a.Recall10 || b.Recall100 < a.Recall100 {
			t.Fatalf("%v: %+v\n%v: %+v", ranked, a, better, b)
		}
		if j < depth && ranked[j] > ranked[i] && b.NDCG10 <= a.NDCG10 {
			t.Fatalf("a better order gains nothing: %v, %v", ranked, better)
		}
	})
}
