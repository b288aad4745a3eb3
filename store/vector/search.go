package vector

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"docent/store"
	"docent/store/cosine"
	"docent/store/parallel"
)

// part are rows of a layer.
type part struct {
	*layer
	first, end int
}

// stretch is how many rows a worker takes at a time: some 20 µs.
const stretch = 2048

// Search gives the passages nearest to the query, best first, at least limit of
// them where there are so many: all that tie with the last one are given too, so
// that the caller can break ties by what it knows of them. Those that tie stand
// by document, chunk and part. A limit of zero or less gives all. A query of
// zeros has no direction and finds nothing.
func (r *Reader) Search(ctx context.Context, vector []float32, limit int) ([]store.Neighbor, error) {
	q, err := r.makeQuery(vector)
	if err != nil || q == nil {
		return nil, err
	}
	if limit <= 0 {
		limit = r.m.Vectors
	}
	var stretches []part
	for _, l := range r.layers {
		for first := 0; first < l.t.numRows(); first += stretch {
			stretches = append(stretches, part{l, first, min(l.t.numRows(), first+stretch)})
		}
	}
	var mu sync.Mutex
	var found []nearest
	var failed error
	parallel.Do(len(stretches), func(mine iter.Seq[int]) {
		n := nearest{limit: limit, slack: 2 * q.SlackOf()}
		err := r.guardRead(func() error {
			for i := range mine {
				if err := ctx.Err(); err != nil {
					return err
				}
				p := stretches[i]
				before := p.isIntact(p.first, p.end)
				if err := p.checkRows(p.first, p.end); err != nil {
					return err
				}
				n.scanRows(p, q)
				if !before { // a process that searches once keeps none of it
					p.releaseRows(p.first, p.end)
				}
			}
			return nil
		})
		mu.Lock()
		defer mu.Unlock()
		found = append(found, n)
		if failed == nil {
			failed = err
		}
	})
	if failed != nil {
		return nil, failed
	}
	if len(found) == 0 {
		return nil, ctx.Err()
	}
	all := found[0]
	for _, f := range found[1:] {
		all.rows = append(all.rows, f.rows...)
	}
	all.pruneWorst()
	hits := make([]store.Neighbor, len(all.rows))
	err = r.guardRead(func() error {
		for i, c := range all.rows {
			hits[i] = store.Neighbor{Key: c.of.t.keyOfAnyRow(c.row), Cosine: q.Cosine(c.of.t.codeOfRow(c.row))}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b store.Neighbor) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), a.Key.Compare(b.Key))
	})
	n := min(limit, len(hits))
	for n > 0 && n < len(hits) && hits[n].Cosine == hits[n-1].Cosine {
		n++
	}
	return hits[:n:n], nil
}

// Similarities gives the score of each of the keys, in their order: the one that
// Search gives it. A passage without a vector has 0, as one at a right angle.
func (r *Reader) Similarities(ctx context.Context, vector []float32, keys []store.Key) ([]float64, error) {
	scores := make([]float64, len(keys))
	q, err := r.makeQuery(vector)
	if err != nil || q == nil {
		return scores, err
	}
	err = r.guardRead(func() error {
		for i, k := range keys {
			l, n, err := r.findRow(k)
			if err != nil {
				return err
			}
			if n >= 0 {
				scores[i] = q.Cosine(l.t.codeOfRow(n))
			}
		}
		return ctx.Err()
	})
	return scores, err
}

func (r *Reader) makeQuery(v []float32) (*cosine.Query, error) {
	if len(v) != r.m.Dims {
		return nil, fmt.Errorf("the query has %d dimensions, the vectors of %s have %d", len(v), r.m.Model, r.m.Dims)
	}
	q, err := cosine.NewQuery(v)
	if err != nil {
		return nil, fmt.Errorf("the query's vector: %w", err)
	}
	return q, nil
}

// nearest collects the rows that may be among the best: those whose coarse score
// is less than twice the slack below the limit-th best coarse one. No other can
// be: the limit-th best score is at most the slack below the limit-th best
// coarse one, and a row's score is at most the slack above its coarse one.
type nearest struct {
	limit int
	slack float64
	rows  []candidate
	floor float64 // coarse score that a row needs, once full
	full  bool
	next  int // length at which to prune again
}

type candidate struct {
	of     *layer
	row    int
	coarse float64
}

func (n *nearest) scanRows(p part, q *cosine.Query) {
	size := rowLength(p.t.dims)
	var buf [256]float64
	for first := p.first; first < p.end; {
		out := buf[:min(len(buf), p.end-first)]
		q.Coarse(p.t.rows[first*size:(first+len(out))*size], size, keyLen, out)
		for i, c := range out {
			if n.full && c < n.floor || p.hides(first+i) {
				continue
			}
			n.rows = append(n.rows, candidate{p.layer, first + i, c})
			if len(n.rows) > n.limit && len(n.rows) >= n.next {
				n.pruneWorst()
				n.next = 2*len(n.rows) + 512
			}
		}
		first += len(out)
	}
}

func (n *nearest) pruneWorst() {
	if len(n.rows) <= n.limit {
		return
	}
	scores := make([]float64, len(n.rows))
	for i, c := range n.rows {
		scores[i] = c.coarse
	}
	slices.Sort(scores)
	n.floor, n.full = scores[len(scores)-n.limit]-n.slack, true
	n.rows = slices.DeleteFunc(n.rows, func(c candidate) bool { return c.coarse < n.floor })
}
