package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"docent/store"
	"docent/store/cosine"
)

// Vectors are one doc set's vectors under test.
type Vectors interface {
	// Open opens the current generation.
	Open(context.Context) (store.Vectors, error)
	// Publish makes a change and has new readers see it.
	Publish(context.Context, VectorChange) error
}

// VectorChange is what Publish does: it deletes documents, adds some, and attaches
// bytes if there are any.
type VectorChange struct {
	Model  string
	Dims   int
	Delete []int64
	Add    map[int64][]store.Entry
	Attach []byte
}

// RunVectors runs the cases of stored vectors. fresh makes an empty store.
func RunVectors(t *testing.T, fresh func(testing.TB) Vectors) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, func(testing.TB) Vectors)
	}{
		{"like the reference", vectorsReference},
		{"ties", vectorsTies},
		{"generations", vectorsGenerations},
		{"readers while publishing", vectorsConcurrent},
		{"cancelled", vectorsCancelled},
		{"damaged files", vectorsDamaged},
		{"many documents", vectorsLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, fresh)
		})
	}
}

func publishVectors(t fataler, x Vectors, c VectorChange) {
	t.Helper()
	if c.Model == "" {
		c.Model = "test:1"
	}
	if err := x.Publish(context.Background(), c); err != nil {
		t.Fatalf("publish: %v", err)
	}
}

func openVectors(t fataler, x Vectors, f func(store.Vectors)) {
	t.Helper()
	r, err := x.Open(context.Background())
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	f(r)
	if err := r.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// neighbors is the search by its definition: every cosine, sorted.
func neighbors(t fataler, docs map[int64][]store.Entry, query []float32, limit int) []store.Neighbor {
	t.Helper()
	q, err := cosine.NewQuery(query)
	if err != nil {
		t.Fatalf("the query: %v", err)
	}
	var out []store.Neighbor
	for id, list := range docs {
		for _, e := range list {
			code, err := cosine.Append(nil, e.Vector)
			if err != nil {
				t.Fatalf("a vector: %v", err)
			}
			if len(code) > 0 && q != nil {
				out = append(out, store.Neighbor{Key: store.Key{Doc: id, Chunk: e.Chunk, Part: e.Part}, Cosine: q.Cosine(code)})
			}
		}
	}
	slices.SortFunc(out, func(a, b store.Neighbor) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), a.Key.Compare(b.Key))
	})
	n := len(out)
	if limit > 0 && limit < n {
		for n = limit; n < len(out) && out[n].Cosine == out[n-1].Cosine; n++ {
		}
	}
	return out[:n]
}

func vectorsReference(t *testing.T, fresh func(testing.TB) Vectors) {
	const dims = 5
	vector := rapid.SliceOfN(rapid.SampledFrom([]float32{0, 0, 1, -1, .5, .25, -.3}), dims, dims)
	rapid.Check(t, func(rt *rapid.T) {
		x, docs := fresh(t), map[int64][]store.Entry{}
		next := int64(1)
		for range rapid.IntRange(1, 3).Draw(rt, "changes") {
			c := VectorChange{Dims: dims, Add: map[int64][]store.Entry{}}
			for id := range next {
				if _, ok := docs[id]; ok && rapid.Bool().Draw(rt, "delete") {
					c.Delete = append(c.Delete, id)
					delete(docs, id)
				}
			}
			for range rapid.IntRange(0, 4).Draw(rt, "add") {
				var list []store.Entry
				for i, v := range rapid.SliceOfN(vector, 0, 4).Draw(rt, "vectors") {
					list = append(list, store.Entry{Chunk: i / 2, Part: i % 2, Vector: v})
				}
				c.Add[next], docs[next] = list, list
				next++
			}
			publishVectors(rt, x, c)
			query := vector.Draw(rt, "query")
			openVectors(rt, x, func(r store.Vectors) {
				likeNeighbors(rt, r, docs, query)
			})
		}
	})
}

// likeNeighbors compares searches with their definition.
func likeNeighbors(t fataler, r store.Vectors, docs map[int64][]store.Entry, query []float32) {
	t.Helper()
	ctx := context.Background()
	all := neighbors(t, docs, query, 0)
	for _, limit := range []int{0, 1, 2, 5} {
		got, err := r.Search(ctx, query, limit)
		if want := neighbors(t, docs, query, limit); err != nil || !slices.Equal(got, want) {
			t.Fatalf("the nearest %d are\n%v, want\n%v, %v", limit, got, want, err)
		}
	}
	keys := []store.Key{{Doc: 1 << 40}}
	for _, n := range all {
		keys = append(keys, n.Key)
	}
	cosines, err := r.Similarities(ctx, query, keys)
	if err != nil || cosines[0] != 0 {
		t.Fatalf("similarities %v, %v", cosines, err)
	}
	vectors, err := r.Vectors(ctx, keys)
	if err != nil || vectors[0] != nil {
		t.Fatalf("vectors %v, %v", vectors, err)
	}
	for i, n := range all {
		length := 0.0
		for _, x := range vectors[i+1] {
			length += float64(x) * float64(x)
		}
		if cosines[i+1] != n.Cosine || math.Abs(length-1) > 1e-5 {
			t.Fatalf("%v has the cosine %v by itself, and a vector of length %v", n, cosines[i+1], math.Sqrt(length))
		}
	}
	if info := r.Info(); info.Documents != len(docs) || len(all) > 0 && info.Vectors != len(all) {
		t.Fatalf("%+v is said of %d documents with %d vectors", info, len(docs), len(all))
	}
}

func vectorsTies(t *testing.T, fresh func(testing.TB) Vectors) {
	x := fresh(t)
	c := VectorChange{Dims: 2, Add: map[int64][]store.Entry{}}
	for id := range int64(20) {
		c.Add[id+1] = []store.Entry{{Vector: []float32{1, 1}}, {Chunk: 1, Vector: []float32{-1, 2}}}
	}
	publishVectors(t, x, c)
	openVectors(t, x, func(r store.Vectors) { likeNeighbors(t, r, c.Add, []float32{1, .9}) })
}

func vectorsGenerations(t *testing.T, fresh func(testing.TB) Vectors) {
	x := fresh(t)
	if _, err := x.Open(t.Context()); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("what was never published opens with %v", err)
	}
	publishVectors(t, x, VectorChange{Dims: 2, Add: map[int64][]store.Entry{1: {{Vector: []float32{1, 0}}}}, Attach: []byte("first")})
	old, err := x.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	publishVectors(t, x, VectorChange{Dims: 2, Delete: []int64{1}, Add: map[int64][]store.Entry{2: {{Vector: []float32{0, 1}}}},
		Attach: []byte("second")})
	if current, err := old.Current(t.Context()); current || err != nil {
		t.Errorf("an old generation is current: %v", err)
	}
	attached := func(r store.Vectors) (text string) {
		t.Helper()
		raw, err := r.Attachment(t.Context())
		if err == nil {
			err = r.Guard(func() error { text = string(raw); return nil })
		}
		if err != nil {
			t.Error(err)
		}
		return text
	}
	if hits, err := old.Search(t.Context(), []float32{1, 1}, 0); err != nil || len(hits) != 1 || hits[0].Doc != 1 ||
		attached(old) != "first" {
		t.Errorf("the old generation gives %v, %v", hits, err)
	}
	openVectors(t, x, func(r store.Vectors) {
		hits, err := r.Search(t.Context(), []float32{1, 1}, 0)
		if err != nil || len(hits) != 1 || hits[0].Doc != 2 || attached(r) != "second" || r.Generation() == old.Generation() {
			t.Errorf("the new generation gives %v, %v", hits, err)
		}
		if current, err := r.Current(t.Context()); !current || err != nil {
			t.Errorf("it is not current: %v", err)
		}
	})
	if err := old.Close(); err != nil {
		t.Error(err)
	}
}

func vectorsConcurrent(t *testing.T, fresh func(testing.TB) Vectors) {
	x := fresh(t)
	const pages, rounds = 6, 12
	change := func(round int64) VectorChange {
		c := VectorChange{Dims: 2, Add: map[int64][]store.Entry{}, Attach: fmt.Append(nil, round)}
		for i := range int64(pages) {
			if round > 0 {
				c.Delete = append(c.Delete, (round-1)*pages+i+1)
			}
			c.Add[round*pages+i+1] = []store.Entry{{Vector: []float32{1, float32(round)}}}
		}
		return c
	}
	publishVectors(t, x, change(0))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				openVectors(t, x, func(r store.Vectors) {
					hits, err := r.Search(t.Context(), []float32{1, 1}, 0)
					raw, aerr := r.Attachment(t.Context())
					err = errors.Join(err, aerr, r.Guard(func() error {
						for _, h := range hits {
							if string(raw) != fmt.Sprint((h.Doc-1)/pages) {
								return fmt.Errorf("%v was found in round %s", h, raw)
							}
						}
						return nil
					}))
					if err != nil || len(hits) != pages {
						t.Errorf("%d hits, %v", len(hits), err)
					}
				})
			}
		})
	}
	for round := range int64(rounds) {
		publishVectors(t, x, change(round+1))
	}
	close(stop)
	wg.Wait()
}

func vectorsCancelled(t *testing.T, fresh func(testing.TB) Vectors) {
	x := fresh(t)
	publishVectors(t, x, VectorChange{Dims: 2, Add: map[int64][]store.Entry{1: {{Vector: []float32{1, 0}}}}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := x.Publish(ctx, VectorChange{Model: "test:1", Dims: 2, Delete: []int64{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("publish: %v", err)
	}
	openVectors(t, x, func(r store.Vectors) {
		for name, err := range map[string]error{
			"search":       second(r.Search(ctx, []float32{1, 1}, 1)),
			"similarities": second(r.Similarities(ctx, []float32{1, 1}, []store.Key{{Doc: 1}})),
			"vectors":      second(r.Vectors(ctx, []store.Key{{Doc: 1}})),
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := r.Info().Vectors; n != 1 {
			t.Errorf("a cancelled publication left %d vectors", n)
		}
	})
}

func vectorsDamaged(t *testing.T, fresh func(testing.TB) Vectors) {
	c := VectorChange{Dims: 4, Add: map[int64][]store.Entry{}, Attach: []byte("what a model needs")}
	for id := range int64(30) {
		c.Add[id+1] = []store.Entry{{Vector: []float32{1, float32(id), 2, 3}}}
	}
	damaged(t, func(t testing.TB) (any, func() error) {
		x := fresh(t)
		publishVectors(t, x, c)
		return x, func() error {
			r, err := x.Open(t.Context())
			if err != nil {
				return err
			}
			_, err = r.Search(t.Context(), []float32{1, 2, 3, 4}, 3)
			_, aerr := r.Attachment(t.Context())
			return errors.Join(err, aerr, r.Close())
		}
	}, store.ErrVectorsDamaged)
}

func vectorsLarge(t *testing.T, fresh func(testing.TB) Vectors) {
	if testing.Short() {
		t.Skip("many documents take a while")
	}
	const dims = 16
	x := fresh(t)
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() []float32 {
		v := make([]float32, dims)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	c := VectorChange{Dims: dims, Add: map[int64][]store.Entry{}}
	for id := range manyDocuments(x) {
		c.Add[id+1] = []store.Entry{{Vector: random()}}
	}
	publishVectors(t, x, c)
	openVectors(t, x, func(r store.Vectors) {
		for range 3 {
			likeNeighbors(t, r, c.Add, random())
		}
	})
}
