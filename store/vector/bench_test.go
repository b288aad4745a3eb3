package vector

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"docent/store"
)

// benchStore is n vectors of 128 dimensions about twenty centres, as texts have
// topics.
func benchStore(b *testing.B, n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, 20)
	for i := range centres {
		centres[i] = random(rng, 128)
	}
	dir := b.TempDir()
	u := begin(b, dir, 128, true)
	for id := range n / 10 {
		list := make([]store.Entry, 10)
		for c := range list {
			v := random(rng, 128)
			for i, x := range centres[rng.IntN(len(centres))] {
				v[i] += x
			}
			list[c] = store.Entry{Chunk: c, Vector: v}
		}
		if err := u.Add(int64(id), list); err != nil {
			b.Fatal(err)
		}
	}
	commit(b, u)
	return dir
}

var sink uint64

// read is the yardstick: every byte once, eight at a time.
func read(p []byte) {
	var a, b, c, d uint64
	for len(p) >= 32 {
		a += binary.LittleEndian.Uint64(p)
		b += binary.LittleEndian.Uint64(p[8:16])
		c += binary.LittleEndian.Uint64(p[16:24])
		d += binary.LittleEndian.Uint64(p[24:32])
		p = p[32:]
	}
	sink += a + b + c + d
}

// BenchmarkSearch measures a search for 100 hits and, in turn with it, so that
// both see the same machine, reading the same bytes once by one goroutine. It
// reports the quickest of each, which the rest of the machine disturbed least,
// and how many times as long the search takes (x-read): "memory" with the
// vectors not in the processor's caches when either begins, "cache" with them
// there as far as they fit.
func BenchmarkSearch(b *testing.B) {
	other := make([]byte, 96<<20) // more than the caches hold
	for _, n := range []int{11500, 100000} {
		for _, procs := range []int{1, runtime.GOMAXPROCS(0)} {
			for _, from := range []string{"memory", "cache"} {
				b.Run(fmt.Sprintf("%d/procs=%d/%s", n, procs, from), func(b *testing.B) {
					r := openT(b, benchStore(b, n))
					q := random(rand.New(rand.NewPCG(3, 4)), 128)
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					quickest := func(best time.Duration, f func()) time.Duration {
						if from == "memory" {
							for i := 0; i < len(other); i += 64 {
								other[i]++
							}
						}
						start := time.Now()
						f()
						return min(best, time.Since(start))
					}
					reading, searching := time.Hour, time.Hour
					for b.Loop() {
						reading = quickest(reading, func() { read(r.layers[0].t.rows) })
						searching = quickest(searching, func() { search(b, r, q, 100) })
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(reading.Microseconds()), "µs-read")
					b.ReportMetric(float64(searching.Microseconds()), "µs-search")
					b.ReportMetric(float64(searching)/float64(reading), "x-read")
				})
			}
		}
	}
}

// BenchmarkOpenAndSearch is what one run of the program pays.
func BenchmarkOpenAndSearch(b *testing.B) {
	for _, n := range []int{11500, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := benchStore(b, n)
			q := random(rand.New(rand.NewPCG(3, 4)), 128)
			for b.Loop() {
				r, err := OpenReader(dir)
				if err != nil {
					b.Fatal(err)
				}
				search(b, r, q, 100)
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUpdate is one document replaced.
func BenchmarkUpdate(b *testing.B) {
	dir := benchStore(b, 100000)
	v := random(rand.New(rand.NewPCG(3, 4)), 128)
	for b.Loop() {
		u := begin(b, dir, 128, false)
		_ = u.Delete(77)
		if err := u.Add(77, []store.Entry{{Vector: v}}); err != nil {
			b.Fatal(err)
		}
		commit(b, u)
	}
}

func BenchmarkSimilarities(b *testing.B) {
	r := openT(b, benchStore(b, 11500))
	q := random(rand.New(rand.NewPCG(3, 4)), 128)
	keys := make([]store.Key, 200)
	for i := range keys {
		keys[i] = store.Key{Doc: int64(i * 5), Chunk: i % 10}
	}
	for b.Loop() {
		if _, err := r.Similarities(ctx, q, keys); err != nil {
			b.Fatal(err)
		}
	}
}
