package vector

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docent/store"
	"docent/store/cosine"
	"docent/store/generation"
)

const model = "test:1"

var ctx = context.Background()

func random(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = rng.Float32() - .5
	}
	return v
}

// corpus makes n documents of up to four chunks, some of them in parts.
func corpus(n, dims int) map[int64][]store.Entry {
	rng := rand.New(rand.NewPCG(1, 2))
	docs := map[int64][]store.Entry{}
	for id := range int64(n) {
		var list []store.Entry
		for c := range rng.IntN(5) {
			for p := range 1 + rng.IntN(2) {
				list = append(list, store.Entry{Chunk: c, Part: p, Vector: random(rng, dims)})
			}
		}
		docs[id*7-20] = list
	}
	return docs
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func begin(t fataler, dir string, dims int, fresh bool) *Update {
	t.Helper()
	u, err := BeginUpdate(dir, model, dims, fresh)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func commit(t fataler, u *Update) {
	t.Helper()
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	if err := u.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := u.Abort(); err != nil { // as by defer: does nothing
		t.Fatal(err)
	}
}

func add(t fataler, u *Update, docs map[int64][]store.Entry) {
	t.Helper()
	for id, list := range docs {
		if err := u.Add(id, list); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t fataler, dir string, dims int, docs map[int64][]store.Entry) {
	t.Helper()
	u := begin(t, dir, dims, true)
	add(t, u, docs)
	commit(t, u)
}

func openT(t testing.TB, dir string) *Reader {
	t.Helper()
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func search(t fataler, r *Reader, v []float32, limit int) []store.Neighbor {
	t.Helper()
	hits, err := r.Search(ctx, v, limit)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// plainly is a search as anybody would write it, over the vectors as they were
// given.
func plainly(docs map[int64][]store.Entry, q []float32) []store.Neighbor {
	var hits []store.Neighbor
	for id, list := range docs {
		for _, e := range list {
			var d, a, b float64
			for i := range q {
				d += float64(q[i]) * float64(e.Vector[i])
				a += float64(q[i]) * float64(q[i])
				b += float64(e.Vector[i]) * float64(e.Vector[i])
			}
			if b > 0 {
				hits = append(hits, store.Neighbor{Key: store.Key{Doc: id, Chunk: e.Chunk, Part: e.Part}, Cosine: d / math.Sqrt(a*b)})
			}
		}
	}
	slices.SortFunc(hits, func(a, b store.Neighbor) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), a.Key.Compare(b.Key))
	})
	return hits
}

// Scores are the cosines, to what seven bits allow.
func TestScoresAreCosines(t *testing.T) {
	t.Parallel()
	for _, dims := range []int{1, 2, 31, 32, 33, 128, 300, 768} {
		docs := corpus(60, dims)
		dir := t.TempDir()
		write(t, dir, dims, docs)
		r := openT(t, dir)
		q := random(rand.New(rand.NewPCG(3, uint64(dims))), dims)
		want := map[store.Key]float64{}
		for _, h := range plainly(docs, q) {
			want[h.Key] = h.Cosine
		}
		hits := search(t, r, q, 0)
		if len(hits) != len(want) || r.Info() != (store.VectorInfo{Model: model, Dims: dims, Documents: len(docs), Vectors: len(want), Bytes: r.Info().Bytes}) {
			t.Fatalf("%d dimensions: %d hits of %d", dims, len(hits), len(want))
		}
		for _, h := range hits {
			if math.Abs(h.Cosine-want[h.Key]) > 0.02 || math.Abs(h.Cosine) > 1 {
				t.Errorf("%d dimensions: %v has %.4f, the cosine is %.4f", dims, h.Key, h.Cosine, want[h.Key])
			}
			v, err := r.Vectors(ctx, []store.Key{h.Key})
			if err != nil || len(v[0]) != dims {
				t.Fatalf("%v has no vector: %v", h.Key, err)
			}
			length := 0.0
			for _, x := range v[0] {
				length += float64(x) * float64(x)
			}
			if math.Abs(length-1) > 1e-5 {
				t.Errorf("a vector of length %v", math.Sqrt(length))
			}
		}
	}
}

// A search with a limit gives the begin of a search without: what it leaves out
// on the way, by the coarse scores, could never have been among the best.
func TestLimitIsExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, 70).Draw(t, "dims")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, spread := rapid.IntRange(0, 3000).Draw(t, "n"), rapid.SampledFrom([]float64{0, 1e-4, 0.01, 0.3, 5}).Draw(t, "spread")
		centre := random(rng, dims)
		list := make([]store.Entry, n)
		for i := range list {
			v := slices.Clone(centre) // near each other, so that the coarse scores err
			for j := range v {
				v[j] += float32(spread * rng.NormFloat64())
			}
			list[i] = store.Entry{Chunk: i / 3, Part: i % 3, Vector: v}
		}
		write(t, dir, dims, map[int64][]store.Entry{5: list})
		r, err := OpenReader(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		q := random(rng, dims)
		all := search(t, r, q, 0)
		if len(all) != n {
			t.Fatalf("%d hits of %d", len(all), n)
		}
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		want := all[:min(limit, n)]
		for len(want) > 0 && len(want) < n && all[len(want)].Cosine == all[len(want)-1].Cosine {
			want = all[:len(want)+1]
		}
		if got := search(t, r, q, limit); !slices.Equal(got, want) {
			t.Fatalf("limit %d: %d hits, must be %d", limit, len(got), len(want))
		}
		keys := make([]store.Key, len(all))
		for i, h := range all {
			keys[i] = h.Key
		}
		scores, err := r.Similarities(ctx, q, keys)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range all {
			if scores[i] != h.Cosine {
				t.Fatalf("%v: %v by itself, %v in a search", h.Key, scores[i], h.Cosine)
			}
		}
	})
}

func TestTies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	same, other := []float32{1, 2, 3}, []float32{-1, 0, 0}
	write(t, dir, 3, map[int64][]store.Entry{
		9: {{Chunk: 1, Part: 0, Vector: same}, {Chunk: 0, Part: 1, Vector: same}, {Chunk: 0, Part: 0, Vector: same}}, 2: {{Chunk: 4, Part: 0, Vector: same}}, 3: {{Chunk: 0, Part: 0, Vector: other}}, 4: nil,
	})
	r := openT(t, dir)
	got := search(t, r, []float32{2, 4, 6}, 2)
	want := []store.Key{{Doc: 2, Chunk: 4, Part: 0}, {Doc: 9, Chunk: 0, Part: 0}, {Doc: 9, Chunk: 0, Part: 1}, {Doc: 9, Chunk: 1, Part: 0}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i].Key != want[i] || math.Abs(got[i].Cosine-1) > 1e-3 {
			t.Errorf("hit %d is %v, must be %v", i, got[i], want[i])
		}
	}
}

// The same answer whatever the number of processors, and whatever the history
// of updates: after deleting, replacing and adding as after building at once,
// down to the bytes of the file.
func TestDeterministic(t *testing.T) {
	const dims = 40
	docs := corpus(3000, dims)
	fresh, grown := t.TempDir(), t.TempDir()
	write(t, fresh, dims, docs)
	write(t, grown, dims, corpus(1000, dims))
	u := begin(t, grown, dims, false)
	if u.Fresh() {
		t.Fatal("it begins from nothing")
	}
	for _, id := range u.Documents() {
		if id%2 == 0 {
			if err := u.Delete(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(t, u, map[int64][]store.Entry{1 << 40: {{Chunk: 0, Part: 0, Vector: random(rand.New(rand.NewPCG(5, 6)), dims)}}})
	commit(t, u)
	u = begin(t, grown, dims, false)
	if err := u.Delete(1 << 40); err != nil {
		t.Fatal(err)
	}
	for id, list := range docs {
		if _, ok := u.docs[id]; ok && id%3 != 0 {
			continue
		}
		_ = u.Delete(id)
		backwards := slices.Clone(list)
		slices.Reverse(backwards)
		if err := u.Add(id, backwards); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, u)
	a, b := openT(t, fresh), openT(t, grown)
	for _, r := range []*Reader{a, b} {
		if err := r.layers[0].t.checkOrder(func(int) {}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.layers[0].bytes, b.layers[0].bytes) {
		t.Error("the grown file is not the fresh one")
	}
	q := random(rand.New(rand.NewPCG(7, 8)), dims)
	want := search(t, a, q, 50)
	for _, procs := range []int{1, 2, 4, 7} {
		was := runtime.GOMAXPROCS(procs)
		got := search(t, b, q, 50)
		runtime.GOMAXPROCS(was)
		if !slices.Equal(got, want) {
			t.Errorf("with GOMAXPROCS=%d the hits are others", procs)
		}
	}
	// The same result on every machine.
	const golden = "9647 0.5271194918"
	if got := fmt.Sprintf("%d %.10f", want[0].Doc, want[0].Cosine); got != golden {
		t.Errorf("the best hit is %s, not %s", got, golden)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	dir := t.TempDir()
	for _, dims := range []int{0, -1, cosine.MaxDims + 1} {
		if _, err := BeginUpdate(dir, model, dims, true); err == nil {
			t.Errorf("%d dimensions", dims)
		}
	}
	if _, err := BeginUpdate(dir, "\xff", 2, true); err == nil {
		t.Error("a model whose name is no text")
	}
	u := begin(t, dir, 2, true)
	if err := u.Commit(); err == nil {
		t.Error("committed what was not prepared")
	}
	for name, list := range map[string][]store.Entry{
		"dimensions": {{Chunk: 0, Part: 0, Vector: []float32{1}}}, "NaN": {{Chunk: 0, Part: 0, Vector: []float32{1, nan}}}, "infinite": {{Chunk: 0, Part: 0, Vector: []float32{inf, 1}}},
		"chunk": {{Chunk: -1, Part: 0, Vector: []float32{1, 1}}}, "part": {{Chunk: 0, Part: -1, Vector: []float32{1, 1}}},
		"twice": {{Chunk: 0, Part: 0, Vector: []float32{1, 1}}, {Chunk: 0, Part: 0, Vector: []float32{1, 2}}},
	} {
		if err := u.Add(1, list); err == nil {
			t.Errorf("%s: added", name)
		}
	}
	add(t, u, map[int64][]store.Entry{1: {{Chunk: 0, Part: 0, Vector: []float32{0, 0}}, {Chunk: 0, Part: 1, Vector: []float32{math.MaxFloat32, -math.MaxFloat32}}, {Chunk: 0, Part: 2, Vector: []float32{math.SmallestNonzeroFloat32, 0}}}})
	if err := u.Add(1, nil); err == nil {
		t.Error("a document twice")
	}
	commit(t, u)
	r := openT(t, dir)
	if r.Info().Vectors != 2 {
		t.Errorf("%d vectors, of zeros there must be none", r.Info().Vectors)
	}
	if v, err := r.Vectors(ctx, []store.Key{{Doc: 1}}); v[0] != nil || err != nil {
		t.Errorf("zeros have the vector %v, %v", v, err)
	}
	if hits, err := r.Search(ctx, []float32{0, 0}, 5); err != nil || len(hits) != 0 {
		t.Errorf("zeros find %v, %v", hits, err)
	}
	for _, q := range [][]float32{nil, {1}, {nan, 0}, {inf, 0}} {
		if _, err := r.Search(ctx, q, 5); err == nil {
			t.Errorf("searched %v", q)
		}
		if _, err := r.Similarities(ctx, q, nil); err == nil {
			t.Errorf("compared %v", q)
		}
	}
	scores, err := r.Similarities(ctx, []float32{1, -1}, []store.Key{{Doc: 1, Chunk: 0, Part: 0}, {Doc: 1, Chunk: 0, Part: 1}, {Doc: 2, Chunk: 0, Part: 0}, {Doc: 1, Chunk: 9, Part: 9}})
	if err != nil || scores[0] != 0 || math.Abs(scores[1]-1) > 1e-6 || scores[2] != 0 || scores[3] != 0 {
		t.Errorf("%v, %v", scores, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Search(cancelled, []float32{1, 1}, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
	u = begin(t, dir, 2, false)
	if err := u.Prepare(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled update: %v", err)
	}
	if err := u.Abort(); err != nil {
		t.Fatal(err)
	}
	if err := Verify(dir); err != nil {
		t.Errorf("after an update that was dropped: %v", err)
	}
	// Other dimensions, another model: nothing can stay.
	for _, u := range []func() (*Update, error){
		func() (*Update, error) { return BeginUpdate(dir, model, 3, false) },
		func() (*Update, error) { return BeginUpdate(dir, "other", 2, false) },
	} {
		u, err := u()
		if err != nil || !u.Fresh() || len(u.Documents()) != 0 {
			t.Errorf("built on vectors of another kind: %v", err)
		}
		_ = u.Abort()
	}
}

// A store without documents is one.
func TestEmpty(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, 4, nil)
	r := openT(t, dir)
	if hits := search(t, r, []float32{1, 2, 3, 4}, 5); len(hits) != 0 || r.Info().Vectors != 0 {
		t.Errorf("%v", hits)
	}
	if err := Verify(dir); err != nil {
		t.Error(err)
	}
	if docs, err := documentsIn(dir); err != nil || len(docs) != 0 {
		t.Errorf("%v, %v", docs, err)
	}
	if err := Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(dir); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("a removed store: %v", err)
	}
}

// Attached bytes stay through updates until they are replaced, and are removed with the
// vectors when those are made again.
func TestBasis(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check := func(want string) {
		t.Helper()
		r := openT(t, dir)
		if b, err := r.BasisBytes(); err != nil || string(b) != want || (want == "") != (b == nil) {
			t.Errorf("%q, %v; must be %q", b, err, want)
		}
		if err := Verify(dir); err != nil {
			t.Error(err)
		}
	}
	u := begin(t, dir, 2, true)
	u.Attach([]byte("first"))
	commit(t, u)
	check("first")
	for id := range int64(3) {
		u = begin(t, dir, 2, false)
		add(t, u, map[int64][]store.Entry{id: {{Chunk: 0, Part: 0, Vector: []float32{1, 2}}}})
		commit(t, u)
		check("first")
	}
	u = begin(t, dir, 2, false)
	if u.Changed() {
		t.Error("changed before anything is done")
	}
	u.Attach([]byte("second"))
	commit(t, u)
	check("second")
	write(t, dir, 2, nil)
	check("")
}

// Readers keep what they opened while writers go on; a crash leaves the last
// whole generation.
func TestGenerations(t *testing.T) {
	t.Parallel()
	const dims = 8
	dir := t.TempDir()
	write(t, dir, dims, corpus(20, dims))
	old := openT(t, dir)
	q := random(rand.New(rand.NewPCG(1, 1)), dims)
	want := search(t, old, q, 0)

	u := begin(t, dir, dims, false) // a writer that dies before it commits
	_ = u.Delete(u.Documents()[3])
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	if current, err := old.Current(ctx); !current || err != nil || !slices.Equal(search(t, openT(t, dir), q, 0), want) {
		t.Error("what was not committed can be seen")
	}
	crashed := u.gen
	u = begin(t, dir, dims, false)
	if _, err := os.Stat(crashed); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the crashed writer's folder is still there: %v", err)
	}
	add(t, u, map[int64][]store.Entry{999: {{Chunk: 0, Part: 0, Vector: q}}})
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	add(t, u, map[int64][]store.Entry{1000: {{Chunk: 0, Part: 0, Vector: q}}})
	if err := u.Commit(); err == nil {
		t.Error("committed although there was a change after Prepare")
	}
	commit(t, u)
	if current, err := old.Current(ctx); current || err != nil || !slices.Equal(search(t, old, q, 0), want) {
		t.Error("the old reader does not read what it opened")
	}
	r := openT(t, dir)
	if got := search(t, r, q, 1); len(got) != 2 || got[0].Doc != 999 || got[1].Doc != 1000 {
		t.Errorf("the new vectors are not found: %v", got)
	}
	docs, err := documentsIn(dir)
	if err != nil || docs[999] != 1 || len(docs) != 22 {
		t.Errorf("%v, %v", docs, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: more than the manifest and one generation", entries, err)
	}
}

// Every byte of every file flipped, every file cut and removed: ErrDamaged, and
// an update begins from nothing and mends it.
func TestDamage(t *testing.T) {
	t.Parallel()
	const dims = 3
	dir := t.TempDir()
	docs := map[int64][]store.Entry{1: {{Chunk: 0, Part: 0, Vector: []float32{1, 2, 3}}, {Chunk: 1, Part: 0, Vector: []float32{3, 2, 1}}}, 7: {{Chunk: 0, Part: 0, Vector: []float32{-1, 0, 1}}}, 8: nil}
	u := begin(t, dir, dims, true)
	add(t, u, docs)
	u.Attach([]byte("a basis"))
	commit(t, u)
	r := openT(t, dir)
	check := func(what string) {
		t.Helper()
		r, err := OpenReader(dir)
		if err == nil {
			_, err = r.BasisBytes()
			_ = r.Close()
		}
		if !errors.Is(err, store.ErrVectorsDamaged) {
			t.Fatalf("%s: opened, %v", what, err)
		}
		if err := Verify(dir); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Fatalf("%s: verified, %v", what, err)
		}
	}
	for _, name := range []string{generation.Manifest, filepath.Join(r.Generation(), vectorsName), filepath.Join(r.Generation(), basisName)} {
		path := filepath.Join(dir, name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		put := func(b []byte) {
			// A new file, as the old one is mapped.
			_ = os.Remove(path)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for i := range good {
			bad := slices.Clone(good)
			bad[i] ^= 0x20 // in a manifest this makes upper case of lower
			put(bad)
			check(fmt.Sprintf("%s, byte %d of %d", name, i, len(good)))
			put(good[:i])
			check(fmt.Sprintf("%s cut to %d of %d", name, i, len(good)))
		}
		put(append(slices.Clone(good), 'x'))
		check(name + " longer")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		check(name + " removed")
		put(good)
		if err := Verify(dir); err != nil {
			t.Fatalf("%s as it was: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, r.Generation(), vectorsName+".x"), []byte("foreign"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, r.Generation(), vectorsName)); err != nil {
		t.Fatal(err)
	}
	u = begin(t, dir, dims, false)
	if !u.Fresh() || len(u.Documents()) != 0 {
		t.Fatal("built on what is damaged")
	}
	add(t, u, docs)
	commit(t, u)
	if got := openT(t, dir); got.Info().Vectors != 3 {
		t.Errorf("%d vectors after mending", got.Info().Vectors)
	}
}

// A file that is cut while it is read is an error, not the end of the process.
func TestCutUnderTheReader(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cuts no file that is mapped")
	}
	t.Parallel()
	const dims = 64
	dir := t.TempDir()
	write(t, dir, dims, corpus(2000, dims))
	r := openT(t, dir)
	if err := os.Truncate(filepath.Join(dir, r.Generation(), vectorsName), 10); err != nil {
		t.Fatal(err)
	}
	q := random(rand.New(rand.NewPCG(1, 1)), dims)
	if _, err := r.Search(ctx, q, 10); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("a search: %v", err)
	}
	if _, err := r.Similarities(ctx, q, []store.Key{{Doc: 1, Chunk: 0, Part: 0}}); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("similarities: %v", err)
	}
	if _, err := r.Vectors(ctx, []store.Key{{Doc: 1}}); !errors.Is(err, store.ErrVectorsDamaged) {
		t.Errorf("vectors: %v", err)
	}
}

// FuzzOpen writes any bytes as the vectors, with a manifest that fits them: vectors that
// can be opened can be searched, and an update can build on them or start from nothing.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	write(f, dir, 3, map[int64][]store.Entry{1: {{Chunk: 0, Part: 0, Vector: []float32{1, 2, 3}}, {Chunk: 1, Part: 0, Vector: []float32{3, 2, 1}}}, 7: nil})
	m, err := readManifest(dir)
	if err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, m.Generation, vectorsName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 3, 2, 2)
	f.Add(good[:headLen], 3, 0, 0)
	f.Add([]byte("docentv1"), 1, 0, 0)
	f.Fuzz(func(t *testing.T, b []byte, dims, docs, vectors int) {
		dir := t.TempDir()
		gen := filepath.Join(dir, "g000001")
		if err := os.Mkdir(gen, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(gen, vectorsName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		m := manifest{Format: formatVersion, Generation: "g000001", Model: model, Dims: dims, Documents: docs, Vectors: vectors,
			Files: map[string]generation.File{vectorsName: generation.Describe(b)}}
		if p, err := parseHead(b); err == nil {
			m.Model, m.Dims, m.Documents, m.Vectors = p.model, p.dims, p.numDocs(), p.numRows()
		}
		if err := m.writeFile(dir); err != nil {
			t.Fatal(err)
		}
		r, err := OpenReader(dir)
		if err != nil {
			if !errors.Is(err, store.ErrVectorsDamaged) {
				t.Fatal(err)
			}
		} else {
			q := make([]float32, r.Dimensions())
			q[0] = 1
			hits, err := r.Search(ctx, q, 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				if _, err := r.Vectors(ctx, []store.Key{h.Key}); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := documentsIn(dir); err != nil {
				t.Fatal(err)
			}
		}
		u, err := BeginUpdate(dir, model, 3, false)
		if err != nil {
			t.Fatal(err)
		}
		_ = u.Delete(1)
		if err := u.Add(1, []store.Entry{{Chunk: 0, Part: 0, Vector: []float32{1, 1, 1}}}); err != nil {
			t.Fatal(err)
		}
		commit(t, u)
		if err := Verify(dir); err != nil {
			t.Fatal(err)
		}
	})
}

// A note is kept by updates that do not set another, and the basis next to it is the same
// file.
func TestNote(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	step := func(note string, fresh bool, do func(*Update)) {
		t.Helper()
		up, err := BeginUpdate(dir, "m", 2, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if note != "" {
			up.SetNote([]byte(note))
		}
		do(up)
		if err := errors.Join(up.Prepare(ctx), up.Commit()); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (string, string) {
		t.Helper()
		r, err := OpenReader(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		basis, err := r.BasisBytes()
		if err != nil {
			t.Fatal(err)
		}
		return r.Info().Note, string(basis)
	}
	one := []store.Entry{{Vector: []float32{1, 2}}, {Chunk: 1, Vector: []float32{2, 1}}}
	step(`{"n":1}`, true, func(up *Update) {
		up.Attach([]byte("basis"))
		if err := up.Add(7, one); err != nil || up.Rows(7) != 2 || up.Rows(8) != 0 {
			t.Errorf("%d rows, %v", up.Rows(7), err)
		}
	})
	step("", false, func(up *Update) {
		if up.Rows(7) != 2 {
			t.Errorf("%d rows", up.Rows(7))
		}
		if err := up.Add(8, one[:1]); err != nil {
			t.Fatal(err)
		}
	})
	if note, basis := read(); note != `{"n":1}` || basis != "basis" {
		t.Errorf("%q, %q", note, basis)
	}
	step(`{"n":2}`, false, func(*Update) {})
	if note, basis := read(); note != `{"n":2}` || basis != "basis" {
		t.Errorf("%q, %q", note, basis)
	}
	step("", true, func(*Update) {})
	if note, basis := read(); note != "" || basis != "" {
		t.Errorf("%q, %q", note, basis)
	}
}

// A byte that is another gives no other answer, whatever time its file has: what
// reads it fails, and what does not read it answers as before.
func TestFlippedBytesAreFound(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	const dims = 128
	rnd := rand.New(rand.NewPCG(9, 9))
	docs := map[int64][]store.Entry{}
	for id := range int64(2000) { // 4 blocks and more
		docs[id+1] = []store.Entry{{Vector: random(rnd, dims)}}
	}
	write(t, dir, dims, docs)
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, m.Generation, vectorsName)
	good, err := os.ReadFile(path)
	if err != nil || len(good) < 3*generation.Block {
		t.Fatal(len(good), err)
	}
	q := random(rnd, dims)
	first := []store.Key{{Doc: 1}}
	intact := openT(t, dir)
	want, err := intact.Similarities(ctx, q, first)
	if err != nil || want[0] == 0 {
		t.Fatal(want, err)
	}
	begin := intact.layers[0].t.begin
	for range 60 {
		at := rnd.IntN(len(good))
		bad := slices.Clone(good)
		bad[at] ^= 1 << rnd.IntN(8)
		// A new file with the time of the old one, so that intact keeps what it has.
		st, err := os.Stat(path)
		if err := errors.Join(err, os.Remove(path), os.WriteFile(path, bad, 0o600), os.Chtimes(path, st.ModTime(), st.ModTime())); err != nil {
			t.Fatal(err)
		}
		r, err := OpenReader(dir)
		if at < begin {
			if !errors.Is(err, store.ErrVectorsDamaged) {
				t.Errorf("byte %d: opened with %v", at, err)
			}
			continue
		}
		if err != nil {
			if at/generation.Block != begin/generation.Block {
				t.Errorf("byte %d: %v", at, err)
			}
			continue
		}
		got, err := r.Similarities(ctx, q, first)
		if at/generation.Block > begin/generation.Block && (err != nil || got[0] != want[0]) {
			t.Errorf("byte %d: what is not damaged gives %v, %v", at, got, err)
		}
		if hits, err := r.Search(ctx, q, 5); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Errorf("byte %d: the search gives %v, %v", at, hits, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := Verify(dir); !errors.Is(err, store.ErrVectorsDamaged) {
			t.Errorf("byte %d: verify gives %v", at, err)
		}
	}
}

// documentsIn lists the documents of the generation in dir, by catalog id, with
// their number of vectors.
func documentsIn(dir string) (map[int64]int, error) {
	r, err := OpenReader(dir)
	if err != nil {
		return nil, err
	}
	ids := map[int64]int{}
	err = r.guardRead(func() error {
		for _, l := range r.layers {
			for i := range l.t.numDocs() {
				id := l.t.documentAt(i)
				if n, first, end := l.findDoc(id); n >= 0 {
					ids[id] = end - first
				}
			}
		}
		return nil
	})
	return ids, errors.Join(err, r.Close())
}
