package lsa

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f with stretches of 0 to n, on as many goroutines as there are
// processors. Which goroutine gets which is left to chance: f must write only
// what belongs to its stretch.
func parallel(ctx context.Context, n, stretch int, f func(first, end int)) error {
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			first := int(next.Add(int64(stretch))) - stretch
			if first >= n {
				return
			}
			f(first, min(n, first+stretch))
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+stretch-1)/stretch) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}
