// Package parallel shares work that knows nothing of each other's parts among
// the processors, so that the order in which they are done does not show.
//
// It refuses to bound anything but the number of workers: who calls it looks at
// the context between parts.
package parallel

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do has worker called on as many goroutines as there are processors, at most n,
// and waits for them. Each takes numbers from 0 to n-1 until all are taken.
func Do(n int, worker func(mine iter.Seq[int])) {
	var next atomic.Int64
	mine := func(yield func(int) bool) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if !yield(i) {
				return
			}
		}
	}
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers == 1 {
		worker(mine)
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { worker(mine) })
	}
	wg.Wait()
}
