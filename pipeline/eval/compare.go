package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Moved is a query whose result changed between two runs.
type Moved struct {
	ID     string  `json:"id"`
	Text   string  `json:"query"`
	Before float64 `json:"before"` // nDCG@10
	After  float64 `json:"after"`
	Ranks  [2]int  `json:"ranks"` // of the first relevant hit, before and after; 0: not found
}

// Comparison compares a run with an earlier one.
type Comparison struct {
	Before Metrics `json:"before"`
	After  Metrics `json:"after"`
	Common int     `json:"common"` // queries in both runs; the fields below are about these
	Better int     `json:"better"`
	Worse  int     `json:"worse"`
	Moved  []Moved `json:"moved"` // the largest loss first
	// P is the p-value of a paired t-test: the probability of a difference in
	// nDCG@10 at least this large by chance. It is 1 if no query changed, or if
	// the runs share fewer than two queries.
	P float64 `json:"p"`
}

// Compare compares two runs by the queries that both contain.
func Compare(before, after Report) Comparison {
	c := Comparison{Before: before.Metrics, After: after.Metrics, Moved: []Moved{}, P: 1}
	var diffs []float64
	for i, b := range matchOutcomes(before.Outcomes, after.Outcomes, func(o Outcome) (string, string) { return o.ID, o.Text }) {
		if b == nil {
			continue
		}
		o := after.Outcomes[i]
		c.Common++
		diffs = append(diffs, o.NDCG-b.NDCG)
		switch {
		case o.NDCG > b.NDCG:
			c.Better++
		case o.NDCG < b.NDCG:
			c.Worse++
		case o.Rank == b.Rank:
			continue
		}
		c.Moved = append(c.Moved, Moved{ID: o.ID, Text: o.Text, Before: b.NDCG, After: o.NDCG, Ranks: [2]int{b.Rank, o.Rank}})
	}
	slices.SortStableFunc(c.Moved, func(a, b Moved) int { return cmp.Compare(a.After-a.Before, b.After-b.Before) })
	c.P = pairedT(diffs)
	return c
}

// matchOutcomes returns for each outcome in after the outcome of the same query in before,
// or nil. It matches by ID and text, and then the rest by text alone: an ID may be a
// line number, and a new line at the top of a file changes all of them.
func matchOutcomes[O any](before, after []O, names func(O) (id, text string)) []*O {
	out := make([]*O, len(after))
	taken := map[*O]bool{}
	for _, withID := range []bool{true, false} {
		key := func(o *O) string {
			id, text := names(*o)
			if withID {
				return id + "\x00" + text
			}
			return text
		}
		old := map[string][]*O{}
		for i := range before {
			if b := &before[i]; !taken[b] {
				old[key(b)] = append(old[key(b)], b)
			}
		}
		for i := range after {
			k := key(&after[i])
			if out[i] != nil || len(old[k]) == 0 {
				continue
			}
			out[i], old[k] = old[k][0], old[k][1:]
			taken[out[i]] = true
		}
	}
	return out
}

// pairedT returns the two-sided p-value of Student's paired t-test. It uses the
// normal distribution, a good approximation from 30 queries on.
func pairedT(diffs []float64) float64 {
	n := float64(len(diffs))
	if n < 2 {
		return 1
	}
	mean, sq := 0.0, 0.0
	for _, d := range diffs {
		mean += d / n
	}
	for _, d := range diffs {
		sq += (d - mean) * (d - mean)
	}
	switch {
	case sq == 0 && mean == 0:
		return 1
	case sq == 0: // all queries changed by the same amount
		return 0
	}
	t := mean / math.Sqrt(sq/(n-1)/n)
	return roundToFourPlaces(math.Erfc(math.Abs(t) / math.Sqrt2))
}

// WriteRun writes the rankings in trec_eval's format: query, Q0, document, rank,
// score, tag. The scores only reflect the ranks. In a run by section the document
// is the page with the section's anchor, because trec_eval rejects duplicates.
func (r Report) WriteRun(w io.Writer, tag string) error {
	b := bufio.NewWriter(w)
	word := func(s string) string { return strings.Join(strings.Fields(s), "_") }
	for _, o := range r.Outcomes {
		for i, d := range o.ranked[:min(deepDepth, len(o.ranked))] {
			fmt.Fprintf(b, "%s Q0 %s %d %d %s\n", word(o.ID), word(d), i+1, 1000-i, tag)
		}
	}
	return b.Flush()
}
