package parallel_test

import (
	"iter"
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
