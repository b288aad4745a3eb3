package weaviate

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"docent/store/parallel"
)

// Lags says of each node for how long it has not had the newest generation of one of some doc sets; 0
// where it has all of them. A node that does not answer is left out. The engine has no figure for it: it
// counts objects when it writes them to disk, and keeps the time of its last comparison of two nodes, but
// not whether they were the same.
//
// The record of a generation says which one a node has. It lies in another collection than the passages, which
// may come later: some of those are asked for too.
func (x Indexes) Lags(ctx context.Context, sets []int64, nodes []string) (map[string]time.Duration, error) {
	newest, err := askEach(len(sets), func(i int) (state, error) { return undamaged(x.c.readState(ctx, sets[i], words)) })
	if err != nil {
		return nil, err
	}
	out := map[string]time.Duration{}
	for _, node := range nodes {
		has, err := askEach(len(sets), func(i int) (state, error) {
			s, err := x.stateAt(ctx, sets[i], words, node)
			if err != nil || s.Change < newest[i].Change {
				return s, err
			}
			whole, err := x.c.hasSample(ctx, sets[i], s, node)
			if !whole {
				s = state{}
			}
			return s, err
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		out[node] = lagOf(newest, has, time.Now())
	}
	return out, nil
}

// lagOf is for how long the oldest of the newest states has been there that a node does not have.
func lagOf(newest, has []state, now time.Time) (lag time.Duration) {
	for i, s := range newest {
		if has[i].Change < s.Change {
			lag = max(lag, now.Sub(time.UnixMilli(s.Written)))
		}
	}
	return lag
}

// askEach asks for states, several at a time. The error is that of the first one that has any.
func askEach(n int, ask func(i int) (state, error)) ([]state, error) {
	out, errs := make([]state, n), make([]error, n)
	parallel.Ask(n, func(i int) { out[i], errs[i] = ask(i) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// undamaged gives the zero state for one that is missing or damaged.
func undamaged(s state, err error) (state, error) {
	if isDamaged(err) {
		return state{}, nil
	}
	return s, err
}

// stateAt gives the state that one node has; the zero state where it has none, or one that cannot be read.
func (x Indexes) stateAt(ctx context.Context, set int64, k kind, node string) (state, error) {
	content, err := x.c.readRecordAs(ctx, x.c.stateID(set, k), url.Values{"node_name": {node}})
	if err != nil {
		return state{}, fmt.Errorf("node %s: %w", node, err)
	}
	return undamaged(decodeState(x.c.At, content, set, k))
}

// mostSampled is how many passages of a change are asked for.
const mostSampled = 16

// sample takes some IDs of many, evenly spread.
type sample struct {
	ids    []string
	step   int // each so many is taken
	passed int
}

func (s *sample) add(id string) {
	if s.step = max(1, s.step); s.passed%s.step == 0 {
		if len(s.ids) == mostSampled {
			for i := range s.ids[:mostSampled/2] {
				s.ids[i] = s.ids[2*i]
			}
			s.ids = s.ids[:mostSampled/2]
			s.step *= 2
		}
		s.ids = append(s.ids, id)
	}
	s.passed++
}

// wholeNodes are the nodes that had the sampled passages of a doc set when they were asked for.
type wholeNodes struct {
	mu sync.Mutex
	at map[wholeKey]int64 // the number of the change
}

type wholeKey struct {
	set  int64
	node string
}

func newWholeNodes() wholeNodes { return wholeNodes{at: map[wholeKey]int64{}} }

func (w *wholeNodes) has(k wholeKey, change int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at[k] == change
}

func (w *wholeNodes) keep(k wholeKey, change int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at[k] = change
}

// hasSample reports whether a node has the passages that a state of a doc set's words names.
func (c *client) hasSample(ctx context.Context, set int64, s state, node string) (bool, error) {
	key := wholeKey{set, node}
	if c.whole.has(key, s.Change) {
		return true, nil
	}
	q := url.Values{"tenant": {s.Tenant}, "node_name": {node}}
	for _, id := range s.Sample {
		err := c.Do(ctx, http.MethodGet, "/v1/objects/"+c.wordsName()+"/"+id, q, nil, nil)
		if isMissing(err) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("node %s: %w", node, err)
		}
	}
	c.whole.keep(key, s.Change)
	return true, nil
}
