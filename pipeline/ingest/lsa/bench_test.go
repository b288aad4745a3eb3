package lsa

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

// zipf is a made-up corpus as an index would hand it out: words by Zipf's law,
// about 110 different ones a passage, twenty topics, so that there is something
// to find.
type zipf struct {
	passages int
	terms    []string
	postings [][]packed
}

type packed struct {
	passage int32
	count   float32
}

func newZipf(passages int) *zipf {
	const vocabulary = 150000
	z := &zipf{passages: passages, terms: make([]string, vocabulary), postings: make([][]packed, vocabulary)}
	for i := range z.terms {
		z.terms[i] = fmt.Sprintf("word%06d", i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for p := range passages {
		topic := rng.IntN(20)
		for range 150 {
			// Zipf's law by inversion: ranks with density 1/rank.
			w := int(math.Exp(rng.Float64()*math.Log(vocabulary))) - 1
			if w > 100 && rng.IntN(2) == 0 {
				w = w/20*20 + topic
			}
			w = min(w, vocabulary-1)
			if l := z.postings[w]; len(l) > 0 && l[len(l)-1].passage == int32(p) {
				l[len(l)-1].count++
				continue
			}
			z.postings[w] = append(z.postings[w], packed{int32(p), 1})
		}
	}
	return z
}

func (z *zipf) Passages() int { return z.passages }

func (z *zipf) Terms(_ context.Context, f func(string, []Posting) error) error {
	var buf []Posting
	for i, list := range z.postings {
		if len(list) == 0 {
			continue
		}
		buf = buf[:0]
		for _, p := range list {
			buf = append(buf, Posting{int(p.passage), p.count})
		}
		if err := f(z.terms[i], buf); err != nil {
			return err
		}
	}
	return nil
}

var zipfs sync.Map

func zipfOf(b *testing.B, n int) *zipf {
	if n > 20000 && testing.Short() {
		b.Skip("this takes a while")
	}
	if z, ok := zipfs.Load(n); ok {
		return z.(*zipf)
	}
	z := newZipf(n)
	zipfs.Store(n, z)
	return z
}

// BenchmarkTrain reports the heap's peak over what the corpus holds as MB.
func BenchmarkTrain(b *testing.B) {
	for _, n := range []int{11500, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			z := zipfOf(b, n)
			entries := 0
			for _, l := range z.postings {
				entries += len(l)
			}
			var peak uint64
			for b.Loop() {
				runtime.GC()
				before := heap()
				done, stopped := make(chan bool), make(chan bool)
				go func() {
					defer close(stopped)
					for {
						peak = max(peak, heap()-min(heap(), before))
						select {
						case <-done:
							return
						case <-time.After(5 * time.Millisecond):
						}
					}
				}()
				m, err := TrainModel(context.Background(), z, Options{})
				close(done)
				<-stopped
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(m.Encode()))/1e6, "MB-model")
			}
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
			b.ReportMetric(float64(entries)/float64(n), "terms/passage")
		})
	}
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func BenchmarkFoldAll(b *testing.B) {
	z := zipfOf(b, 11500)
	m := train(b, z, Options{})
	for b.Loop() {
		if err := m.FoldAll(context.Background(), z, func(int, []float32) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQuery is a query's whole way through a model: opening it and folding
// eight words.
func BenchmarkQuery(b *testing.B) {
	raw := train(b, zipfOf(b, 11500), Options{}).Encode()
	query := terms("word000100", "word000200", "word000300", "word000400", "word005000", "word000600", "nothing", "word000800")
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := Decode(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fold", func(b *testing.B) {
		m, err := Decode(raw)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			m.FoldText(query)
		}
	})
}

func BenchmarkEigen(b *testing.B) {
	const n = defaultDims + oversample
	rng := rand.New(rand.NewPCG(1, 2))
	x := newDense(1000, n)
	for i := range x.data {
		x.data[i] = float32((rng.Float64() - .5) / float64(1+i%n))
	}
	g, err := x.gramMatrix(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		eigenvalues(append([]float64(nil), g...), n)
	}
}
