package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"docent/store/parallel"
)

func TestDo(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 3, 1000} {
		times := make([]atomic.Int32, n)
		parallel.Do(n, func(mine iter.Seq[int]) {
			for i := range mine {
				times[i].Add(1)
			}
		})
		for i := range times {
			if k := times[i].Load(); k != 1 {
				t.Errorf("of %d, number %d was done %d times", n, i, k)
			}
		}
	}
}

// Every number is in one range, whatever the size; the end of a context is reported.
func TestRanges(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		times := make([]atomic.Int32, n)
		err := parallel.Ranges(t.Context(), n, 64, func(first, end int) {
			if end-first > 64 || end <= first {
				t.Errorf("of %d: a range from %d to %d", n, first, end)
			}
			for i := first; i < end; i++ {
				times[i].Add(1)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range times {
			if k := times[i].Load(); k != 1 {
				t.Errorf("of %d, number %d was in %d ranges", n, i, k)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var begun atomic.Int32
	err := parallel.Ranges(ctx, 1000, 1, func(int, int) { begun.Add(1); cancel() })
	if n := int(begun.Load()); !errors.Is(err, context.Canceled) || n > runtime.GOMAXPROCS(0) {
		t.Errorf("%d ranges were begun, %v", n, err)
	}
}

// A worker's panic is its caller's, who may recover from it; on a goroutine of
// its own it would end the process.
func TestAPanicIsTheCallers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 1000} {
		func() {
			defer func() {
				v := recover()
				text := fmt.Sprint(v)
				if !strings.Contains(text, "lantern 0") || n > 1 && !strings.Contains(text, "parallel_test.go") {
					t.Errorf("of %d: recovered %q", n, text)
				}
			}()
			parallel.Do(n, func(mine iter.Seq[int]) {
				for i := range mine {
					if i == 0 {
						panic("lantern 0")
					}
				}
			})
			t.Errorf("of %d: no panic", n)
		}()
	}
}
