// Package parallel runs independent tasks on all CPUs; results must not depend
// on their order.
//
// It refuses to bound anything but the number of workers: a caller of Do looks at
// the context between tasks.
package parallel

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do has worker called on as many goroutines as there are processors, at most n,
// and waits for them. Each takes numbers from 0 to n-1 until all are taken.
//
// A worker that panics has Do panic with a *Panic when the others have ended: on a
// goroutine of its own it would end the process before the terminal is restored.
func Do(n int, worker func(mine iter.Seq[int])) { do(n, runtime.GOMAXPROCS(0), worker) }

// mostAsked is how many tasks of Ask run at a time.
const mostAsked = 16

// Ask calls f with the numbers from 0 to n-1 as Do does, for tasks that may wait for a server:
// more of them run at a time than there are processors.
func Ask(n int, f func(i int)) {
	do(n, max(mostAsked, runtime.GOMAXPROCS(0)), func(mine iter.Seq[int]) {
		for i := range mine {
			f(i)
		}
	})
}

func do(n, most int, worker func(mine iter.Seq[int])) {
	var next atomic.Int64
	mine := func(yield func(int) bool) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if !yield(i) {
				return
			}
		}
	}
	workers := min(n, most)
	if workers == 1 {
		worker(mine)
		return
	}
	var wg sync.WaitGroup
	var first atomic.Pointer[Panic]
	for range workers {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					first.CompareAndSwap(nil, &Panic{Value: v, Stack: debug.Stack()})
				}
			}()
			worker(mine)
		})
	}
	wg.Wait()
	if p := first.Load(); p != nil {
		panic(p)
	}
}

// Ranges calls f with ranges of 0 to n, of size numbers each but for the last, as Do
// does. Which goroutine gets which range is left to chance: f must write only within its
// range. When the context ends, Ranges returns its error after the running ranges.
func Ranges(ctx context.Context, n, size int, f func(first, end int)) error {
	Do((n+size-1)/size, func(mine iter.Seq[int]) {
		for i := range mine {
			if ctx.Err() != nil {
				return
			}
			f(i*size, min(n, (i+1)*size))
		}
	})
	return ctx.Err()
}

// Panic is what a worker panicked with, and where.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }
