package weaviate

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"docent/store/parallel"
)

// Lags says of each node for how long it has not had the newest generation of one of some doc sets; 0
// where it has all of them. A node that does not answer is left out. The engine has no figure for it: it
// counts objects when it writes them to disk, and keeps the time of its last comparison of two nodes, but
// not whether they were the same.
//
// The record of a generation comes to a node as its passages do, so that the one stands for the others.
func (x Indexes) Lags(ctx context.Context, sets []int64, nodes []string) (map[string]time.Duration, error) {
	newest, err := askEach(len(sets), func(i int) (state, error) { return undamaged(x.c.readState(ctx, sets[i], words)) })
	if err != nil {
		return nil, err
	}
	out := map[string]time.Duration{}
	for _, node := range nodes {
		has, err := askEach(len(sets), func(i int) (state, error) { return x.stateAt(ctx, sets[i], words, node) })
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
	return undamaged(decodeState(x.c.at, content, set, k))
}
