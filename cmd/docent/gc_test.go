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
	for first, args := range map[int64][]string{askedGC: {"search", "pods"}, firstGC: {"update", "Bench"}} {
		if got := allowedGrowth(args).first; got != first {
			t.Errorf("docent %v: the first collection is at %d bytes, not %d", args, got, first)
		}
	}
	if g := allowedGrowth([]string{"serve"}); g.percent.Load() != servedGC || g.bounded {
		t.Error("the heap of a server is bounded")
	}
	g := allowedGrowth(nil)
	if g.percent.Load() != 100 || !g.bounded {
		t.Error("the heap of a command is not bounded")
	}
	for live, limit := range map[uint64]int64{20 << 20: commandMemory, 400 << 20: 600 << 20} {
		if got := g.limit(live); got != limit {
			t.Errorf("a command may take %d bytes with %d on its heap, not %d", got, live, limit)
		}
	}
	if g.stayOpen(); g.percent.Load() != appGC || !g.open.Load() {
		t.Error("the heap of the app grows as a command's does")
	}
	for live, limit := range map[uint64]int64{20 << 20: appMemory, 100 << 20: 150 << 20} {
		if got := g.limit(live); got != limit {
			t.Errorf("the app may take %d bytes with %d on its heap, not %d", got, live, limit)
		}
	}
}
