package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
)

// firstGC is the heap, in bytes, at which the collector begins to work. A
// command that answers a question allocates some 20 MB and ends: collecting in
// between took a third of its time (55 ms with the default, 39 ms without, on
// 11 500 passages).
const firstGC = 48 << 20

// servedGC is how much the heap of a server grows, in percent, until it is collected: it
// allocates 5 MB a question, and with the default of 100 collecting took a tenth of its
// processors' time. It costs 40 MB of memory.
const servedGC = 200

// A large heap grows by less, so that the memory of an update hardly exceeds what it holds: by
// freeGrowth, but by leastGrowth percent at the least, since collecting takes time for all that is
// held.
const (
	freeGrowth  = 64 << 20
	leastGrowth = 25
)

// allowedHeapGrowth is how much the heap may grow, in percent, and whether a large one may grow by
// less.
func allowedHeapGrowth(args []string) (percent int, bounded bool) {
	if slices.Contains(args, "serve") {
		return servedGC, false
	}
	return 100, true
}

// deferGC leaves the collector off until the heap has firstGC bytes, and then has it work as
// percent says.
func deferGC(percent int, bounded bool) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // somebody knows better
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstGC)
	afterCollection(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(percent)
		if bounded {
			afterCollection(func() { boundGrowth(percent, percent) })
		}
	})
}

// afterCollection has do called after the next collection: that takes away an object that nothing
// holds, whose cleanup do is.
func afterCollection(do func()) {
	runtime.AddCleanup(new([16]byte), func(struct{}) { do() }, struct{}{})
}

// boundGrowth sets the growth after each collection; now is what it is set to.
func boundGrowth(percent, now int) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if next := heapGrowth(live[0].Value.Uint64(), percent); next != now {
		debug.SetGCPercent(next)
		now = next
	}
	afterCollection(func() { boundGrowth(percent, now) })
}

// heapGrowth is how much a heap that holds so many bytes may grow, in percent.
func heapGrowth(live uint64, percent int) int {
	for percent > leastGrowth && live*uint64(percent)/100 > freeGrowth {
		percent = max(leastGrowth, percent*3/4)
	}
	return percent
}
