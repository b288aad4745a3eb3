package parallel_test

import (
	"fmt"
	"iter"
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
