package main

import "testing"

// A small heap doubles, a large one grows by a bounded amount, and a huge one by a quarter.
func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	for live := uint64(1 << 20); live < 4<<30; live += live / 3 {
		percent := heapGrowth(live, 100)
		grows := live * uint64(percent) / 100
		switch {
		case percent < leastGrowth || percent > 100:
			t.Errorf("%d bytes: %d percent", live, percent)
		case live <= freeGrowth && percent != 100:
			t.Errorf("%d bytes grow by %d percent only", live, percent)
		case grows > freeGrowth && percent > leastGrowth:
			t.Errorf("%d bytes grow by %d", live, grows)
		}
	}
	if percent, bounded := allowedHeapGrowth([]string{"serve"}); percent != servedGC || bounded {
		t.Error("the heap of a server is bounded")
	}
}
