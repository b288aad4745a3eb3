package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
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

// allowedHeapGrowth is how much the heap may grow.
func allowedHeapGrowth(args []string) int {
	if slices.Contains(args, "serve") {
		return servedGC
	}
	return 100
}

// deferGC leaves the collector off until the heap has firstGC bytes, and then
// has it work as ever, or as percent says. The first collection tells: it takes away an object that
// nothing holds, whose cleanup sets things back.
func deferGC(percent int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // somebody knows better
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstGC)
	sentinel := new([16]byte)
	runtime.AddCleanup(sentinel, func(struct{}) {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(percent)
	}, struct{}{})
}
