package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"
)

// firstGC is the heap, in bytes, at which the collector begins to work. A
// command that answers a question allocates some 20 MB and ends: collecting in
// between took a third of its time (55 ms with the default, 39 ms without, on
// 11 500 passages).
const firstGC = 48 << 20

// askedGC is firstGC of a command that asks large doc sets. A search over 412 000 sections allocates 55 MB,
// of which it holds two thirds to its end: two collections took 40 of its 210 ms, for 2 MB less of memory
// at its peak. An update would only hold more.
const askedGC = 96 << 20

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

// appGC is the same of the terminal app, which stays open while its user does other things: its
// caches have 60 MB, and would take twice that with 100.
const appGC = 50

// appMemory is the memory, in bytes, that the app's heap and what goes with it take while little
// lives there: unused spans are given back sooner than the collector would. A heap of which more
// lives may take heldMemory percent of that.
const (
	appMemory  = 88 << 20
	heldMemory = 150
)

// commandMemory is the same of a command. What one step of an add leaves, 65 MB of 160 000 pages, is given back
// before the next one allocates as much, and not when the collector would have come to it.
const commandMemory = 320 << 20

// growth is how much the heap of this process may grow until it is collected.
type growth struct {
	first   int64 // the heap, in bytes, at which the collector begins to work
	percent atomic.Int64
	open    atomic.Bool // as an app
	bounded bool        // a large heap may grow by less
}

// allowedGrowth is what a command's heap may grow by.
func allowedGrowth(args []string) *growth {
	g := &growth{first: firstGC, bounded: true}
	g.percent.Store(100)
	switch {
	case slices.Contains(args, "serve"):
		g.percent.Store(servedGC)
		g.bounded = false
	case slices.Contains(args, "search") || slices.Contains(args, "ask"):
		g.first = askedGC
	}
	return g
}

// stayOpen is called where the process stays open as an app. It counts from the first collection
// on, which an app's start does not reach.
func (g *growth) stayOpen() {
	g.percent.Store(appGC)
	g.open.Store(true)
}

// deferGC leaves the collector off until the heap has the first bytes of the growth, and then has
// it work as the growth says.
func (g *growth) deferGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // somebody knows better
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(g.first)
	afterCollection(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		percent := int(g.percent.Load())
		debug.SetGCPercent(percent)
		if g.bounded {
			afterCollection(func() { g.bound(percent) })
		}
	})
}

// afterCollection has do called after the next collection: that takes away an object that nothing
// holds, whose cleanup do is.
func afterCollection(do func()) {
	runtime.AddCleanup(new([16]byte), func(struct{}) { do() }, struct{}{})
}

// bound sets the growth after each collection; now is what it is set to.
func (g *growth) bound(now int) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(g.limit(live[0].Value.Uint64()))
	if next := heapGrowth(live[0].Value.Uint64(), int(g.percent.Load())); next != now {
		debug.SetGCPercent(next)
		now = next
	}
	afterCollection(func() { g.bound(now) })
}

// limit is the memory that the process may take, in bytes, if so many live on its heap.
func (g *growth) limit(live uint64) int64 {
	least := int64(commandMemory)
	if g.open.Load() {
		least = appMemory
	}
	return max(least, int64(live)*heldMemory/100)
}

// heapGrowth is how much a heap that holds so many bytes may grow, in percent.
func heapGrowth(live uint64, percent int) int {
	for percent > leastGrowth && live*uint64(percent)/100 > freeGrowth {
		percent = max(leastGrowth, percent*3/4)
	}
	return percent
}
