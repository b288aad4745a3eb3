package vector

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docent/store"
)

// Vectors that are updated again and again answer as those that are written at once: searches, single
// vectors, the documents. Most updates write a small file, some write all vectors again.
func TestUpdatesAnswerLikeAWhole(t *testing.T) {
	t.Parallel()
	const dims = 6
	rnd := rand.New(rand.NewPCG(29, 1))
	dir, docs := t.TempDir(), map[int64][]store.Entry{}
	some := func() []store.Entry {
		list := []store.Entry{{Vector: random(rnd, dims)}, {Chunk: 1, Vector: random(rnd, dims)}}
		if rnd.IntN(3) == 0 { // it ties with others
			list[0].Vector = []float32{1, 0, 0, 0, 0, 0}
		}
		return list[:rnd.IntN(3)]
	}
	next := int64(1)
	for range 200 {
		docs[next] = some()
		next++
	}
	write(t, dir, dims, docs)
	layered, wholes := 0, 0
	for range 60 {
		u := begin(t, dir, dims, false)
		if u.Fresh() {
			t.Fatal("it begins from nothing")
		}
		ids := slices.Sorted(maps.Keys(docs))
		for range 1 + rnd.IntN(3) {
			id := ids[rnd.IntN(len(ids))]
			if u.Rows(id) != len(docs[id]) {
				t.Errorf("document %d has %d vectors, want %d", id, u.Rows(id), len(docs[id]))
			}
			if err := u.Delete(id); err != nil {
				t.Fatal(err)
			}
			delete(docs, id)
			if rnd.IntN(5) > 0 {
				docs[next] = some()
				add(t, u, map[int64][]store.Entry{next: docs[next]})
				next++
			}
		}
		if got, want := u.Documents(), slices.Sorted(maps.Keys(docs)); !slices.Equal(got, want) {
			t.Fatalf("the documents are %v, want %v", got, want)
		}
		commit(t, u)
		updated := openT(t, dir)
		if len(updated.layers) > 1 || len(updated.m.Gone) > 0 {
			layered++
		} else {
			wholes++
		}
		whole := t.TempDir()
		write(t, whole, dims, docs)
		sameAnswers(t, rnd, updated, openT(t, whole), docs)
		if err := Verify(dir); err != nil {
			t.Error(err)
		}
	}
	if layered < 20 || wholes < 2 {
		t.Errorf("%d updates wrote what changed, %d wrote all", layered, wholes)
	}
}

func sameAnswers(t *testing.T, rnd *rand.Rand, a, b *Reader, docs map[int64][]store.Entry) {
	t.Helper()
	if x, y := a.Info(), b.Info(); x.Documents != y.Documents || x.Vectors != y.Vectors {
		t.Errorf("%+v, want %+v", x, y)
	}
	for _, q := range [][]float32{random(rnd, a.m.Dims), {1, 0, 0, 0, 0, 0}} {
		for _, limit := range []int{0, 1, 7, 40} {
			if got, want := search(t, a, q, limit), search(t, b, q, limit); !slices.Equal(got, want) {
				t.Fatalf("the nearest %d are %v, want %v", limit, got, want)
			}
		}
		keys := []store.Key{{Doc: 1 << 40}}
		for id := range int64(300) {
			keys = append(keys, store.Key{Doc: id}, store.Key{Doc: id, Chunk: 1})
		}
		got, err := a.Similarities(ctx, q, keys)
		want, werr := b.Similarities(ctx, q, keys)
		if err != nil || werr != nil || !slices.Equal(got, want) {
			t.Fatalf("the similarities differ: %v, %v", err, werr)
		}
		x, err := a.Vectors(ctx, keys)
		y, werr := b.Vectors(ctx, keys)
		if err != nil || werr != nil || !slices.EqualFunc(x, y, slices.Equal[[]float32]) {
			t.Fatalf("the vectors differ: %v, %v", err, werr)
		}
	}
}

// Of an update that wrote what changed, every byte is compared with its checksum; and an update that is
// ended before it is committed leaves the generation before.
func TestDamagedChanges(t *testing.T) {
	t.Parallel()
	const dims = 3
	dir, rnd := t.TempDir(), rand.New(rand.NewPCG(29, 2))
	docs := map[int64][]store.Entry{}
	for id := range int64(40) {
		docs[id+1] = []store.Entry{{Vector: random(rnd, dims)}}
	}
	write(t, dir, dims, docs)
	change := func(gone, came int64) *Update {
		u := begin(t, dir, dims, false)
		if err := u.Delete(gone); err != nil {
			t.Fatal(err)
		}
		add(t, u, map[int64][]store.Entry{came: {{Vector: random(rnd, dims)}}})
		return u
	}
	commit(t, change(3, 41))
	u := change(4, 42)
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	if err := u.release(); err != nil { // as where the process ends
		t.Fatal(err)
	}
	r := openT(t, dir)
	if _, err := os.Stat(r.filePath(changesName)); err != nil || r.Info().Documents != 40 || len(r.m.Gone) != 1 {
		t.Fatalf("%+v, %v", r.Info(), err)
	}
	if err := Verify(dir); err != nil {
		t.Fatal(err)
	}
	path := r.filePath(changesName)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x20
		if err := errors.Join(os.Remove(path), os.WriteFile(path, bad, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := Verify(dir); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Fatalf("byte %d: verified, %v", i, err)
		}
		u, err := BeginUpdate(dir, model, dims, false)
		if err != nil {
			t.Fatal(err)
		}
		if u.Fresh() {
			if err := u.Abort(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		u.SetNote([]byte("{}"))
		if err := u.Prepare(ctx); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Fatalf("byte %d is copied: %v", i, err)
		}
		if err := u.Abort(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(path)); err != nil {
		t.Fatal(err)
	}
	if u := begin(t, dir, dims, false); !u.Fresh() {
		t.Error("it builds on what is missing")
	}
}
