package catalog

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"docent/store"
	"docent/store/doc"
)

// fixture is a catalog with one doc set.
type fixture struct {
	*Catalog
	t   *testing.T
	set int64
}

// onEachEngine runs a test on a new catalog of each engine, with one doc set.
func onEachEngine(t *testing.T, test func(t *testing.T, f fixture)) {
	for name, open := range map[string]func(testing.TB) *Catalog{"SQLite": openNewFile, "PostgreSQL": openNewSchema} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open(t)
			test(t, fixture{c, t, putSet(t, c, "A")})
		})
	}
}

func openNewFile(tb testing.TB) *Catalog {
	tb.Helper()
	c, err := OpenCatalog(tb.Context(), filepath.Join(tb.TempDir(), "catalog.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return c
}

func putSet(t *testing.T, c *Catalog, name string) int64 {
	t.Helper()
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set, err := tx.PutSet(t.Context(), store.Set{Ref: doc.Ref{Name: name, Version: "1"}, Root: "/x", Layout: doc.LayoutTree, Domain: "d"})
	if err := errors.Join(err, tx.Commit()); err != nil {
		t.Fatal(err)
	}
	return set
}

func (f fixture) stage(docs ...store.Document) []int64 {
	f.t.Helper()
	for i := range docs {
		docs[i].SetID = f.set
	}
	ids, err := f.Stage(f.t.Context(), docs)
	if err != nil {
		f.t.Fatal(err)
	}
	return ids
}

func (f fixture) publish(p store.Publication) {
	f.t.Helper()
	p.SetID = f.set
	if err := f.Publish(f.t.Context(), p); err != nil {
		f.t.Fatal(err)
	}
}

// live are the ids and titles that lists of the doc set show, by path.
func (f fixture) live() map[string]string {
	f.t.Helper()
	ctx := f.t.Context()
	docs, err := f.Documents(ctx, f.set)
	if err != nil {
		f.t.Fatal(err)
	}
	states, err := f.Files(ctx, f.set)
	if err != nil || len(states) != len(docs) {
		f.t.Fatalf("%d files, %d documents: %v", len(states), len(docs), err)
	}
	out := map[string]string{}
	for i, d := range docs {
		out[d.Path] = d.Title
		if has, err := f.Has(ctx, f.set, d.Path); err != nil || !has || states[i].ID != d.ID {
			f.t.Errorf("%s: has %v, %v, %d and %d", d.Path, has, err, d.ID, states[i].ID)
		}
	}
	return out
}

// titles are what ByID finds.
func (f fixture) titles(ids ...int64) []string {
	f.t.Helper()
	found, err := f.ByID(f.t.Context(), ids)
	if err != nil {
		f.t.Fatal(err)
	}
	var out []string
	for _, id := range ids {
		if d := found[id]; d != nil {
			out = append(out, d.Title)
		}
	}
	return out
}

// A page's new version is invisible before it is published. The old one is then found by
// its id only, as long as an index may serve it.
func TestDocumentsAreReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testDocumentsAreReplacedAsAWhole)
}

func testDocumentsAreReplacedAsAWhole(t *testing.T, f fixture) {
	first := f.stage(store.Document{Path: "a", Title: "A1", Lines: 2}, store.Document{Path: "b", Title: "B1", Lines: 3})
	if got := f.live(); len(got) != 0 || len(f.titles(first...)) != 0 {
		t.Fatalf("staged documents are seen: %v", got)
	}
	f.publish(store.Publication{})
	if got := f.live(); !reflect.DeepEqual(got, map[string]string{"a": "A1", "b": "B1"}) {
		t.Fatalf("%v", got)
	}
	second := f.stage(store.Document{Path: "a", Title: "A2", Lines: 20})
	if got := f.live(); got["a"] != "A1" {
		t.Fatalf("%v", got)
	}
	f.publish(store.Publication{Retire: first, Touched: nil}) // b is gone
	if got := f.live(); !reflect.DeepEqual(got, map[string]string{"a": "A2"}) {
		t.Fatalf("%v", got)
	}
	if got := f.titles(first[0], first[1], second[0]); !reflect.DeepEqual(got, []string{"A1", "B1", "A2"}) {
		t.Errorf("by id: %v", got)
	}
	sets, err := f.Sets(t.Context())
	if err != nil || sets[0].Documents != 1 || sets[0].Lines != 20 {
		t.Errorf("%+v, %v", sets, err)
	}
	// The next publication deletes what no index serves any more.
	f.publish(store.Publication{Serves: func(id int64) bool { return id == first[1] }, Touched: []store.Touch{{ID: second[0], ModTime: 77}}})
	if got := f.titles(first[0], first[1], second[0]); !reflect.DeepEqual(got, []string{"B1", "A2"}) {
		t.Errorf("by id: %v", got)
	}
	if files, err := f.Files(t.Context(), f.set); err != nil || files[0].ModTime != 77 {
		t.Errorf("%v, %v", files, err)
	}
}

// A document that is read again and is the same keeps its id, and ids of others are
// never used again.
func TestIDs(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testIDs)
}

func testIDs(t *testing.T, f fixture) {
	var last int64
	for i := range 3 {
		id := f.stage(store.Document{Path: "p"})[0]
		if id <= last {
			t.Fatalf("id %d after %d", id, last)
		}
		var retire []int64
		if i > 0 {
			retire = []int64{last}
		}
		f.publish(store.Publication{Retire: retire})
		last = id
	}
	f.publish(store.Publication{})
	if got := f.stage(store.Document{ID: last, Path: "p", Title: "again"})[0]; got != last {
		t.Errorf("it has the id %d, not %d", got, last)
	}
	if got := f.titles(last); got[0] != "" {
		t.Errorf("staged and seen: %q", got)
	}
	f.publish(store.Publication{})
	if got := f.live(); got["p"] != "again" || f.titles(last)[0] != "again" {
		t.Errorf("%v", got)
	}
	// Deleting the newest does not free its id.
	id := f.stage(store.Document{Path: "q"})[0]
	if err := f.Discard(t.Context(), f.set); err != nil {
		t.Fatal(err)
	}
	if next := f.stage(store.Document{Path: "q"})[0]; next <= id {
		t.Errorf("id %d after %d", next, id)
	}
}

// What one doc set publishes or discards is of no concern to another.
func TestDocSetsAreIndependent(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testDocSetsAreIndependent)
}

func testDocSetsAreIndependent(t *testing.T, f fixture) {
	g := f
	g.set = putSet(t, f.Catalog, "B")
	f.stage(store.Document{Path: "a", Title: "A"})
	g.stage(store.Document{Path: "a", Title: "B"})
	f.publish(store.Publication{Failures: []store.Failure{{Path: "x", Stage: "read", Reason: "may not be read"}}})
	if got := g.live(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if err := f.Discard(t.Context(), f.set); err != nil {
		t.Fatal(err)
	}
	g.publish(store.Publication{})
	if got := g.live(); got["a"] != "B" {
		t.Errorf("%v", got)
	}
	if got, err := f.Failures(t.Context(), f.set); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := f.Failures(t.Context(), g.set); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// The size of a doc set is updated with each added and removed document, and is that of
// its documents.
func TestSizeOfASet(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testSizeOfASet)
}

func testSizeOfASet(t *testing.T, f fixture) {
	rnd := rand.New(rand.NewPCG(3, 4))
	outline := func() store.Outline {
		o := sample()
		o.Chunks = o.Chunks[:rnd.IntN(len(o.Chunks)+1)]
		return o
	}
	live := map[int64]string{}
	for round := range 60 {
		var docs []store.Document
		var p store.Publication
		free := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		for id, path := range live {
			switch rnd.IntN(4) {
			case 0: // gone, perhaps changed
				p.Retire = append(p.Retire, id)
				delete(live, id)
				continue
			case 1: // read again
				docs = append(docs, store.Document{ID: id, Path: path, Lines: rnd.IntN(9), Bytes: rnd.Int64N(99), Outline: outline()})
			}
			free = slices.DeleteFunc(free, func(s string) bool { return s == path })
		}
		for _, path := range free {
			if rnd.IntN(2) == 0 {
				docs = append(docs, store.Document{Path: path, Lines: rnd.IntN(9), Bytes: rnd.Int64N(99), Outline: outline()})
			}
		}
		for i, id := range f.stage(docs...) {
			live[id] = docs[i].Path
		}
		p.Recount = round%7 == 6
		f.publish(p)
		sets, err := f.Sets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all, err := f.ByID(t.Context(), slices.Collect(maps.Keys(live)))
		if err != nil {
			t.Fatal(err)
		}
		var want store.Set
		for _, d := range all {
			want.Documents++
			want.Sections += 2 // of the outline's, those that have a heading
			want.Chunks += len(d.Outline.Chunks)
			want.Lines += d.Lines
			want.Bytes += d.Bytes
		}
		got := sets[0]
		if got.Documents != want.Documents || got.Sections != want.Sections || got.Chunks != want.Chunks || got.Lines != want.Lines || got.Bytes != want.Bytes {
			t.Fatalf("round %d: the set is counted as %+v, it has %+v", round, got, want)
		}
	}
}

// Nothing of a removed doc set comes back.
func TestPublishOfARemovedSet(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testPublishOfARemovedSet)
}

func testPublishOfARemovedSet(t *testing.T, f fixture) {
	ids := f.stage(store.Document{Path: "a"})
	tx, err := f.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tx.RemoveSet(t.Context(), f.set), tx.Commit()); err != nil {
		t.Fatal(err)
	}
	if err := f.Publish(t.Context(), store.Publication{SetID: f.set}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := f.Stage(t.Context(), []store.Document{{SetID: f.set, Path: "b"}}); err == nil {
		t.Error("a document of no doc set is staged")
	}
	if got := f.titles(ids...); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	onEachEngine(t, testFailuresAreKept)
}

func testFailuresAreKept(t *testing.T, f fixture) {
	want := []store.Failure{
		{Path: "a.md", Stage: "parse", Reason: "panic: x", Bytes: 3, ModTime: 4, TOCPath: "t", Format: doc.FormatMarkdown, Parser: 2, Code: "TIMEOUT", Again: true},
		{Path: "b.md", Stage: "read", Reason: "may not be read"},
	}
	f.publish(store.Publication{Failures: want})
	if got, err := f.Failures(t.Context(), f.set); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	f.publish(store.Publication{Failures: want[1:]})
	if got, err := f.Failures(t.Context(), f.set); err != nil || !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A catalog of the first version keeps its documents and the ids that it gave.
func TestMigratesDocuments(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := openFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		migrations[0],
		`PRAGMA user_version = 1`,
		`INSERT INTO sets (name, version, root, layout, domain, documents) VALUES ('A', '1', '/x', 'tree', 'd', 1)`,
		`INSERT INTO documents (set_id, path, title, h1, url, format, lines, bytes, sha256, mtime, toc_path, warnings, sections, chunks, outline)
			VALUES (1, 'a', 'A', '', '', 'markdown', 1, 2, 'ab', 3, '', '', 0, 0, x'010000'), (1, 'b', 'B', '', '', 'markdown', 1, 2, 'ab', 3, '', '', 0, 0, x'010000')`,
		`DELETE FROM documents WHERE path = 'b'`,
	} {
		if _, err := c.ExecContext(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := fixture{w, t, 1}
	if got := f.live(); !reflect.DeepEqual(got, map[string]string{"a": "A"}) {
		t.Errorf("%v", got)
	}
	if ids := f.stage(store.Document{Path: "c"}); ids[0] != 3 {
		t.Errorf("the next id is %d", ids[0])
	}
	if err := w.Check(ctx); err != nil {
		t.Error(err)
	}
}
