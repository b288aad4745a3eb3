package httpapi

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// errBusy means that too many requests wait, or that one waited too long.
var errBusy = errors.New("the server is busy")

// queue lets a bounded number of requests run, and a bounded number wait, in the order
// in which they came.
type queue struct {
	slots   chan struct{}
	most    int64 // that wait
	wait    time.Duration
	waiting atomic.Int64
}

func newQueue(running, waiting int, wait time.Duration) *queue {
	return &queue{slots: make(chan struct{}, running), most: int64(waiting), wait: wait}
}

// enterQueue waits for a turn, which leave ends. The error is errBusy or ctx's.
func (q *queue) enterQueue(ctx context.Context) (leave func(), err error) {
	leave = func() { <-q.slots }
	select {
	case q.slots <- struct{}{}:
		return leave, nil
	default:
	}
	if q.waiting.Add(1) > q.most {
		q.waiting.Add(-1)
		return nil, errBusy
	}
	defer q.waiting.Add(-1)
	late := time.NewTimer(q.wait)
	defer late.Stop()
	select {
	case q.slots <- struct{}{}:
		return leave, nil
	case <-late.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// running and queued are how many there are now.
func (q *queue) running() int          { return len(q.slots) }
func (q *queue) queuedRequests() int64 { return q.waiting.Load() }
