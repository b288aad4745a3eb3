package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/store"
	"docent/store/doc"
)

// Catalog is a catalog under test, as its one writer sees it.
type Catalog interface {
	// Open opens it for another reader, until close.
	Open(context.Context) (c store.Catalog, close func() error, err error)
	// AddSet adds a doc set and gives its id.
	AddSet(context.Context, store.Set) (int64, error)
	// RemoveSet forgets a doc set and its documents.
	RemoveSet(ctx context.Context, id int64) error
	// Stage adds documents that no reader sees yet, and gives their ids.
	Stage(context.Context, []store.Document) ([]int64, error)
	// Publish makes the staged documents visible, and more.
	Publish(context.Context, store.Publication) error
}

// RunCatalog runs the cases of a catalog. fresh makes an empty one.
func RunCatalog(t *testing.T, fresh func(testing.TB) Catalog) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, Catalog)
	}{
		{"doc sets", catalogSets},
		{"documents", catalogDocuments},
		{"whole or not at all", catalogWhole},
		{"ids are never used again", catalogIDs},
		{"readers while one writes", catalogConcurrent},
		{"paths between", catalogPathsBetween},
		{"cancelled", catalogCancelled},
		{"10 000 documents", catalogLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, fresh(t))
		})
	}
}

// reader opens a reader for the length of a test.
func reader(t *testing.T, c Catalog) store.Catalog {
	t.Helper()
	r, closed, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closed(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func addSet(t *testing.T, c Catalog, name, version string) int64 {
	t.Helper()
	id, err := c.AddSet(t.Context(), store.Set{Ref: doc.Ref{Name: name, Version: version}, Root: "/docs/" + name, Layout: doc.LayoutTree,
		Domain: "tech_docs", URLBase: "https://" + name + "/"})
	if err != nil || id == 0 {
		t.Fatalf("add %s: %d, %v", name, id, err)
	}
	return id
}

// replace stages documents and publishes them in the place of others.
func (w writing) replace(docs []store.Document, retire ...int64) []int64 {
	w.t.Helper()
	ids, err := w.c.Stage(w.t.Context(), docs)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.c.Publish(w.t.Context(), store.Publication{SetID: w.set, Retire: retire, Site: "https://docs/"}); err != nil {
		w.t.Fatal(err)
	}
	return ids
}

// writing is a doc set of a catalog that is written to.
type writing struct {
	t   *testing.T
	c   Catalog
	set int64
}

// document is a page with two sections and a chunk in each.
func (w writing) document(path, title string) store.Document {
	d := store.Document{SetID: w.set, Path: path, Title: title, H1: title, URL: "https://docs/" + path, Format: doc.FormatMarkdown,
		Lines: 9, Bytes: 120, SHA256: "sum of " + path, ModTime: 1e18, TOCPath: "toc.md", TOCModTime: 1e17,
		Warnings: []string{"a warning"}, Fingerprint: []byte{0, 1, 2}, Words: 7,
		Arrival: doc.WordCount{Source: 50, Arrived: 49}}
	span := func(start int) doc.Span {
		return doc.Span{Start: start, End: start + 10, StartLine: start, EndLine: start + 1}
	}
	d.Outline.Sections = []doc.Section{
		{Level: 1, Text: title, Anchor: "top", Parent: -1, Span: span(0), Tree: span(0), Path: []string{title}, Source: true},
		{Index: 1, Level: 2, Text: "Part", Anchor: "part", Parent: 0, Span: span(10), Tree: span(10), Path: []string{title, "Part"},
			Source: true},
	}
	d.Outline.Chunks = []doc.Chunk{{Span: span(0), Prev: -1, Next: 1}, {Index: 1, Section: 1, Span: span(10), Prev: 0, Next: -1}}
	return d
}

func catalogSets(t *testing.T, c Catalog) {
	r := reader(t, c)
	if sets, err := r.Sets(t.Context()); len(sets) != 0 || err != nil {
		t.Fatalf("an empty catalog has %v, %v", sets, err)
	}
	b2, a, b1 := addSet(t, c, "B", "2"), addSet(t, c, "A", "latest"), addSet(t, c, "B", "1")
	names := func() (out []string) {
		t.Helper()
		sets, err := r.Sets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sets {
			out = append(out, fmt.Sprintf("%s %d", s.Ref, s.ID))
		}
		return out
	}
	if got, want := names(), []string{fmt.Sprint("A@latest ", a), fmt.Sprint("B@1 ", b1), fmt.Sprint("B@2 ", b2)}; !slices.Equal(got,
		want) {
		t.Errorf("the doc sets are %q, want %q", got, want)
	}
	w := writing{t, c, a}
	w.replace([]store.Document{w.document("a.md", "A"), w.document("b.md", "B")})
	sets, err := r.Sets(t.Context())
	if err != nil || sets[0].Documents != 2 || sets[0].Sections != 4 || sets[0].Chunks != 4 || sets[0].Lines != 18 ||
		sets[0].Bytes != 240 || sets[1].Documents != 0 {
		t.Errorf("counted were %+v, %v", sets, err)
	}
	if sets[0].URLBase != "https://A/" || sets[0].Site != "https://docs/" || sets[1].Site != "" {
		t.Errorf("the addresses are %q, %q, %q", sets[0].URLBase, sets[0].Site, sets[1].Site)
	}
	if err := c.RemoveSet(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got := names(); len(got) != 2 {
		t.Errorf("left are %q", got)
	}
	if docs, err := r.Documents(t.Context(), a); len(docs) != 0 || err != nil {
		t.Errorf("a doc set that is gone has %v, %v", docs, err)
	}
}

func catalogDocuments(t *testing.T, c Catalog) {
	r := reader(t, c)
	w := writing{t, c, addSet(t, c, "A", "1")}
	want := w.document("pods.md", "Pods")
	ids := w.replace([]store.Document{w.document("z/volumes.md", "Volumes"), want, w.document("more.md", "Pods")})
	want.ID = ids[1]
	got, err := r.ByPath(t.Context(), w.set, "pods.md")
	if err != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("by path:\n%+v, want\n%+v, %v", got, want, err)
	}
	byID, err := r.ByID(t.Context(), []int64{ids[1], 1 << 40, ids[1]})
	if err != nil || len(byID) != 1 || !reflect.DeepEqual(*byID[ids[1]], want) {
		t.Errorf("by id: %+v, %v", byID, err)
	}
	if _, err := r.ByPath(t.Context(), w.set, "nothing.md"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown path: %v", err)
	}
	if _, err := r.ByPath(t.Context(), w.set+1, "pods.md"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another doc set's path: %v", err)
	}
	paths := func(docs []store.Document, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range docs {
			out = append(out, d.Path)
		}
		return strings.Join(out, " ")
	}
	if got := paths(r.ByTitle(t.Context(), w.set, "Pods")); got != "more.md pods.md" {
		t.Errorf("by title: %s", got)
	}
	if got := paths(r.Documents(t.Context(), w.set)); got != "more.md pods.md z/volumes.md" {
		t.Errorf("all: %s", got)
	}
	files, err := r.Files(t.Context(), w.set)
	if err != nil || len(files) != 3 || files[1].ID != ids[1] || files[1].Path != "pods.md" || files[1].SHA256 != want.SHA256 ||
		files[1].Bytes != 120 || files[1].ModTime != want.ModTime || files[1].TOCPath != "toc.md" || files[1].TOCModTime != 1e17 {
		t.Errorf("files %+v, %v", files, err)
	}
	for path, is := range map[string]bool{"pods.md": true, "Pods.md": false, "": false} {
		if has, err := r.Has(t.Context(), w.set, path); has != is || err != nil {
			t.Errorf("has %q: %v, %v", path, has, err)
		}
	}
}

// Paths between two texts are those of published documents, in order, the first text included.
func catalogPathsBetween(t *testing.T, c Catalog) {
	r := reader(t, c)
	w := writing{t, c, addSet(t, c, "A", "1")}
	other := writing{t, c, addSet(t, c, "A", "2")}
	w.replace([]store.Document{w.document("a.md", "A"), w.document("a.rst", "A"), w.document("a/b.md", "B"), w.document("b.md", "B")})
	other.replace([]store.Document{other.document("a.txt", "A")})
	for _, tt := range []struct{ from, before, want string }{
		{"a.", "a/", "a.md a.rst"}, {"a.rst", "b.md", "a.rst a/b.md"}, {"", "z", "a.md a.rst a/b.md b.md"}, {"A.", "A/", ""}, {"b", "a", ""},
	} {
		got, err := r.PathsBetween(t.Context(), w.set, tt.from, tt.before)
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("from %q to %q: %q, %v; want %q", tt.from, tt.before, got, err, tt.want)
		}
	}
}

// Nothing is seen of a change before it is published, nor of one that fails.
func catalogWhole(t *testing.T, c Catalog) {
	r := reader(t, c)
	w := writing{t, c, addSet(t, c, "A", "1")}
	old := w.replace([]store.Document{w.document("a.md", "Old"), w.document("b.md", "Old")})
	titles := func() string {
		t.Helper()
		docs, err := r.Documents(t.Context(), w.set)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range docs {
			out = append(out, d.Path+" "+d.Title)
		}
		return strings.Join(out, ", ")
	}
	staged, err := c.Stage(t.Context(), []store.Document{w.document("a.md", "New"), w.document("c.md", "New")})
	if err != nil {
		t.Fatal(err)
	}
	if got := titles(); got != "a.md Old, b.md Old" {
		t.Errorf("staged: %s", got)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Publish(cancelled, store.Publication{SetID: w.set, Retire: old}); err == nil {
		t.Error("a cancelled publication succeeded")
	}
	if got := titles(); got != "a.md Old, b.md Old" {
		t.Errorf("after a publication that failed: %s", got)
	}
	if err := c.Publish(t.Context(), store.Publication{SetID: w.set, Retire: old, Serves: func(int64) bool { return true }}); err != nil {
		t.Fatal(err)
	}
	if got := titles(); got != "a.md New, c.md New" {
		t.Errorf("published: %s", got)
	}
	// An index of the generation before still gives the numbers of retired documents.
	docs, err := r.ByID(t.Context(), append(old, staged...))
	if err != nil || len(docs) != 4 || docs[old[0]].Title != "Old" {
		t.Errorf("by id: %+v, %v", docs, err)
	}
	w.replace(nil)
	if docs, err := r.ByID(t.Context(), old); err != nil || len(docs) != 0 {
		t.Errorf("what no index serves any more: %+v, %v", docs, err)
	}
	if err := c.Publish(t.Context(), store.Publication{SetID: w.set + 1000}); err == nil {
		t.Error("a publication for a doc set that is not there succeeded")
	}
}

func catalogIDs(t *testing.T, c Catalog) {
	w := writing{t, c, addSet(t, c, "A", "1")}
	seen := map[int64]bool{}
	var last []int64
	for round := range 5 {
		last = w.replace([]store.Document{w.document("a.md", "A"), w.document("b.md", "B")}, last...)
		w.replace(nil) // retired documents are deleted
		if round == 2 {
			if err := c.RemoveSet(t.Context(), w.set); err != nil {
				t.Fatal(err)
			}
			w.set, last = addSet(t, c, "A", "1"), nil
			continue
		}
		for _, id := range last {
			if id <= 0 || seen[id] {
				t.Fatalf("round %d: the id %d was used before", round, id)
			}
			seen[id] = true
		}
	}
}

// Readers see all documents of one publication.
func catalogConcurrent(t *testing.T, c Catalog) {
	const pages, rounds = 6, 15
	w := writing{t, c, addSet(t, c, "A", "1")}
	docs := func(round int) (out []store.Document) {
		for i := range pages {
			out = append(out, w.document(fmt.Sprintf("p%d.md", i), fmt.Sprint("Round ", round)))
		}
		return out
	}
	last := w.replace(docs(0))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		r := reader(t, c)
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				list, err := r.Documents(t.Context(), w.set)
				if err != nil || len(list) != pages {
					t.Errorf("%d documents, %v", len(list), err)
					return
				}
				for _, d := range list {
					if d.Title != list[0].Title {
						t.Errorf("documents of %q and %q", d.Title, list[0].Title)
						return
					}
				}
				if _, err := r.ByPath(t.Context(), w.set, "p3.md"); err != nil {
					t.Errorf("by path: %v", err)
					return
				}
			}
		})
	}
	for round := range rounds {
		last = w.replace(docs(round+1), last...)
	}
	close(stop)
	wg.Wait()
}

func catalogCancelled(t *testing.T, c Catalog) {
	r := reader(t, c)
	w := writing{t, c, addSet(t, c, "A", "1")}
	ids := w.replace([]store.Document{w.document("a.md", "A")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"by id":     second(r.ByID(ctx, ids)),
		"by path":   second(r.ByPath(ctx, w.set, "a.md")),
		"by title":  second(r.ByTitle(ctx, w.set, "A")),
		"has":       second(r.Has(ctx, w.set, "a.md")),
		"documents": second(r.Documents(ctx, w.set)),
		"files":     second(r.Files(ctx, w.set)),
		"paths":     second(r.Paths(ctx, w.set)),
		"between":   second(r.PathsBetween(ctx, w.set, "a", "b")),
		"stage":     second(c.Stage(ctx, []store.Document{w.document("b.md", "B")})),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d, err := r.ByPath(t.Context(), w.set, "a.md"); err != nil || d.Title != "A" {
		t.Errorf("afterwards: %+v, %v", d, err)
	}
}

func catalogLarge(t *testing.T, c Catalog) {
	r := reader(t, c)
	w := writing{t, c, addSet(t, c, "A", "1")}
	docs := make([]store.Document, 10_000)
	for i := range docs {
		docs[i] = w.document(fmt.Sprintf("p%05d.md", i), fmt.Sprint("Page ", i))
	}
	ids := w.replace(docs)
	list, err := r.Documents(t.Context(), w.set)
	if err != nil || len(list) != len(docs) || list[4242].Title != "Page 4242" {
		t.Fatalf("%d documents, %v", len(list), err)
	}
	byID, err := r.ByID(t.Context(), ids)
	if err != nil || len(byID) != len(docs) || len(byID[ids[9_999]].Outline.Chunks) != 2 {
		t.Errorf("%d by id, %v", len(byID), err)
	}
}
