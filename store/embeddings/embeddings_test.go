package embeddings

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"docent/store"
	"docent/store/floats"
)

func open(t *testing.T, path string) *Cache {
	t.Helper()
	c, err := OpenCache(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func model(id string) Model { return Model{ID: id, Dimension: 3, Probe: []float32{1, 0, 0}} }

// entries are vectors of texts that are numbers.
func entries(from, to int) (out []Entry) {
	for i := from; i < to; i++ {
		out = append(out, Entry{Key: keyOf(fmt.Sprint(i)), Vector: []float32{float32(i), 1.5, -1}})
	}
	return out
}

func keys(es []Entry) (out []Key) {
	for _, e := range es {
		out = append(out, e.Key)
	}
	return out
}

// Stored vectors come back unchanged, bit for bit, in this process and the next, and of
// their own model only.
func TestPutAndGet(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a home with % and ?", "vectors.db")
	c := open(t, path)
	odd := []Entry{{Key: keyOf("odd"), Vector: []float32{math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1))}}}
	if err := errors.Join(c.Put(t.Context(), model("a"), entries(0, 600)), c.Put(t.Context(), model("b"), odd), c.Put(t.Context(), model("b"), odd)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Cache{c, open(t, path)} {
		all := append(keys(entries(0, 610)), keyOf("odd"))
		got, err := c.Get(t.Context(), "a", all)
		if err != nil || len(got) != 600 || !slices.Equal(got[keyOf("599")], []float32{599, 1.5, -1}) {
			t.Errorf("%d vectors of a, %v, %v", len(got), got[keyOf("599")], err)
		}
		got, err = c.Get(t.Context(), "b", all)
		if err != nil || len(got) != 1 || !bytes.Equal(floats.Encode(got[keyOf("odd")]), floats.Encode(odd[0].Vector)) {
			t.Errorf("of b: %v, %v", got, err)
		}
		if got, err = c.Get(t.Context(), "c", all); err != nil || len(got) != 0 {
			t.Errorf("of c: %v, %v", got, err)
		}
		twice := append(slices.Clone(all), all...)
		missing, err := c.Missing(t.Context(), "a", twice)
		if want := append(keys(entries(600, 610)), keyOf("odd")); err != nil || !slices.Equal(missing, want) {
			t.Errorf("%d are missing, want %d in order: %v", len(missing), len(want), err)
		}
		if m, err := c.Model(t.Context(), "a"); err != nil || m.Dimension != 3 || !slices.Equal(m.Probe, []float32{1, 0, 0}) {
			t.Errorf("%+v, %v", m, err)
		}
		if _, err := c.Model(t.Context(), "c"); !errors.Is(err, store.ErrUnknownModel) {
			t.Errorf("model c: %v", err)
		}
	}
	if err := c.Put(t.Context(), model("a"), []Entry{{Key: keyOf("x"), Vector: []float32{1}}}); !errors.Is(err, ErrDimension) {
		t.Errorf("a vector of another dimension: %v", err)
	}
}

// A replaced model and unused vectors are dropped, later ones are not, and the file
// shrinks.
func TestPruneAndForget(t *testing.T) {
	t.Parallel()
	c := open(t, filepath.Join(t.TempDir(), "vectors.db"))
	long := make([]float32, 1000)
	m := Model{ID: "long", Dimension: len(long), Probe: long}
	var many []Entry
	for i := range 500 {
		many = append(many, Entry{Key: keyOf(fmt.Sprint(i)), Vector: long})
	}
	if err := errors.Join(c.Put(t.Context(), model("a"), entries(0, 20)), c.Put(t.Context(), m, many)); err != nil {
		t.Fatal(err)
	}
	before, err := c.Now(t.Context())
	if err == nil {
		err = c.Put(t.Context(), model("a"), entries(20, 30))
	}
	if err != nil {
		t.Fatal(err)
	}
	size := func() (n int) {
		var page int
		if err := errors.Join(c.db.QueryRow(`PRAGMA page_count`).Scan(&n), c.db.QueryRow(`PRAGMA page_size`).Scan(&page)); err != nil {
			t.Fatal(err)
		}
		return n * page
	}
	large := size()
	used := keys(entries(0, 5))
	n, err := c.Prune(t.Context(), before, func(id string, k Key) bool { return id != "a" || !slices.Contains(used, k) })
	if err != nil || n != 515 {
		t.Errorf("%d were dropped, %v", n, err)
	}
	if small := size(); small > large/4 {
		t.Errorf("the file has %d bytes, had %d", small, large)
	}
	if missing, err := c.Missing(t.Context(), "a", keys(entries(0, 30))); err != nil || !slices.Equal(missing, keys(entries(5, 20))) {
		t.Errorf("%d are missing, %v", len(missing), err)
	}
	if _, err := c.Model(t.Context(), "long"); !errors.Is(err, store.ErrUnknownModel) {
		t.Errorf("the model of which nothing is left: %v", err)
	}
	if err := c.Forget(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Get(t.Context(), "a", used); err != nil || len(got) != 0 {
		t.Errorf("forgotten: %v, %v", got, err)
	}
	// Its number is never given again: marked rows stay old.
	if now, err := c.Now(t.Context()); err != nil || now <= before {
		t.Errorf("now is %d, was %d: %v", now, before, err)
	}
}

// Several processes write and read at once.
func TestSeveralWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "vectors.db")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			c, err := OpenCache(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 5 {
				if err := c.Put(context.Background(), model("a"), entries(10*i, 10*i+20)); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if missing, err := open(t, path).Missing(t.Context(), "a", keys(entries(0, 61))); err != nil || len(missing) != 1 {
		t.Errorf("%d are missing, %v", len(missing), err)
	}
}

// Any other file in its place is distinguished from a missing one.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "none.db")
	if err := os.WriteFile(bad, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCache(t.Context(), bad); store.FaultOf(err) != store.DamagedFault {
		t.Errorf("no database: %v", err)
	}

	other := filepath.Join(dir, "other.db")
	c := open(t, other)
	if _, err := c.db.Exec(`PRAGMA user_version = 7`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCache(t.Context(), other); store.FaultOf(err) != store.DamagedFault {
		t.Errorf("another version: %v", err)
	}

	// A bit that fell over in a vector: it is missing, and only it.
	path := filepath.Join(dir, "flipped.db")
	c = open(t, path)
	if err := c.Put(t.Context(), model("a"), entries(0, 10)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.db.Exec(`UPDATE vectors SET vector = zeroblob(16) WHERE key = ?`, entries(3, 4)[0].Key[:]); err != nil {
		t.Fatal(err)
	}
	if missing, err := c.Missing(t.Context(), "a", keys(entries(0, 10))); err != nil || !slices.Equal(missing, keys(entries(3, 4))) {
		t.Errorf("missing are %v, %v", missing, err)
	}
	if got, err := c.Get(t.Context(), "a", keys(entries(0, 10))); err != nil || len(got) != 9 {
		t.Errorf("%d vectors, %v", len(got), err)
	}
	if err := c.Put(t.Context(), model("a"), entries(3, 4)); err != nil {
		t.Fatal(err)
	}
	if missing, err := c.Missing(t.Context(), "a", keys(entries(0, 10))); err != nil || len(missing) != 0 {
		t.Errorf("still missing are %v, %v", missing, err)
	}
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// keyOf is the key of a text.
func keyOf(text string) Key { return sha256.Sum256([]byte(text)) }
