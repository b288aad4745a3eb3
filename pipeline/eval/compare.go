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

// Moved is a query whose answer became better or worse.
type Moved struct {
	ID     string  `json:"id"`
	Text   string  `json:"query"`
	Before float64 `json:"before"` // nDCG@10
	After  float64 `json:"after"`
	Ranks  [2]int  `json:"ranks"` // of the first relevant one, before and after; 0: not found
}

// Comparison sets a run beside an earlier one.
type Comparison struct {
	Before Metrics `json:"before"`
	After  Metrics `json:"after"`
	Common int     `json:"common"` // queries that both runs have; the rest is said of these
	Better int     `json:"better"`
	Worse  int     `json:"worse"`
	Moved  []Moved `json:"moved"` // those that lost most first
	// P is the probability that a difference of nDCG@10 as large as this one
	// comes of chance alone, by a paired t-test; 1 where nothing moved, or where
	// fewer than two queries are common.
	P float64 `json:"p"`
}

// Compare sets after beside before, by the queries that both have.
func Compare(before, after Report) Comparison {
	c := Comparison{Before: before.Metrics, After: after.Metrics, Moved: []Moved{}, P: 1}
	var diffs []float64
	for i, b := range earlier(before.Outcomes, after.Outcomes) {
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

// earlier finds the outcomes before of the queries after, nil where there is
// none: by ID and text, and what is left by text alone, for an ID may be a line
// number, and one line more at the top of a file would part all the others.
func earlier(before, after []Outcome) []*Outcome {
	out := make([]*Outcome, len(after))
	taken := map[*Outcome]bool{}
	for _, key := range []func(o *Outcome) string{
		func(o *Outcome) string { return o.ID + "\x00" + o.Text },
		func(o *Outcome) string { return o.Text },
	} {
		old := map[string][]*Outcome{}
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

// pairedT is the two-sided p-value of Student's paired t-test, by the normal
// distribution, which is close from 30 queries on.
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
	case sq == 0: // all moved by the same
		return 0
	}
	t := mean / math.Sqrt(sq/(n-1)/n)
	return round(math.Erfc(math.Abs(t) / math.Sqrt2))
}

// WriteRun writes the rankings in the form that trec_eval reads: query, Q0,
// document, rank, score, tag. Scores are those of the ranks alone. By section a
// document is a page and the section's anchor, for trec_eval takes each once.
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
