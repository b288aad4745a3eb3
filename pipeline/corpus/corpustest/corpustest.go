// Package corpustest makes small homes with doc sets for the tests of packages that read
// a corpus.
//
// It refuses to be more than files, a catalog and indexes in a test's own
// folder.
package corpustest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/store"
	"docent/store/catalog"
	"docent/store/doc"
	"docent/store/embedded"
)

// Home is a home in a test's folder.
type Home struct {
	tb      testing.TB
	Dir     string
	Catalog *catalog.Catalog
	Corpus  *corpus.Corpus
	Parsers *parse.Registry
	Workers int // of the ingester; 0: one a processor
}

// New makes an empty home.
func New(tb testing.TB) *Home {
	tb.Helper()
	h := &Home{tb: tb, Dir: tb.TempDir()}
	cat, err := catalog.OpenCatalog(context.Background(), filepath.Join(h.Dir, "catalog.db"))
	if err != nil {
		tb.Fatal(err)
	}
	if h.Parsers, err = formats.AllParsers(); err != nil {
		tb.Fatal(err)
	}
	h.Catalog, h.Corpus = cat, corpus.New(cat, h.Indexes(), h.Parsers)
	tb.Cleanup(func() {
		if err := errors.Join(h.Corpus.Close(), cat.Close()); err != nil {
			tb.Error(err)
		}
	})
	return h
}

// IndexDir is where a doc set's index lies.
func (h *Home) IndexDir(id int64) string {
	return filepath.Join(h.Dir, "index", strconv.FormatInt(id, 10))
}

// Indexes are those of the home.
func (h *Home) Indexes() embedded.Indexes { return embedded.Indexes{Dir: h.IndexDir} }

// Reopen closes the corpus and makes another, which has nothing open yet.
func (h *Home) Reopen() {
	h.tb.Helper()
	if err := h.Corpus.Close(); err != nil {
		h.tb.Fatal(err)
	}
	h.Corpus = corpus.New(h.Catalog, h.Indexes(), h.Parsers)
}

// Ingester writes to the home.
func (h *Home) Ingester() *ingest.Ingester {
	return &ingest.Ingester{Catalog: h.Catalog, Indexes: h.Indexes(), Parsers: h.Parsers, Workers: h.Workers}
}

// Add writes a doc set's files (by path), registers and indexes it. Its layout
// is titled where a path ends in doc.ContentFile.
func (h *Home) Add(ref string, files map[string]string) store.Set {
	h.tb.Helper()
	r, err := doc.ParseRef(ref)
	if err != nil {
		h.tb.Fatal(err)
	}
	set := store.Set{Ref: r, Root: filepath.Join(h.Dir, "docs", ref), Layout: doc.LayoutTree, Domain: "tech_docs"}
	if err := os.MkdirAll(set.Root, 0o755); err != nil {
		h.tb.Fatal(err)
	}
	for path := range files {
		if filepath.Base(path) == doc.ContentFile {
			set.Layout = doc.LayoutTitled
		}
	}
	set = h.Register(set)
	h.Write(set, files)
	h.Update(set, false)
	return set
}

// Register puts a doc set into the catalog and gives it its id.
func (h *Home) Register(set store.Set) store.Set {
	h.tb.Helper()
	tx, err := h.Catalog.Begin(context.Background())
	if err != nil {
		h.tb.Fatal(err)
	}
	if set.ID, err = tx.PutSet(context.Background(), set); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		h.tb.Fatal(err)
	}
	return set
}

// Write writes files of a doc set, without indexing them.
func (h *Home) Write(set store.Set, files map[string]string) {
	h.tb.Helper()
	for path, text := range files {
		file := filepath.Join(set.Root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			h.tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			h.tb.Fatal(err)
		}
	}
}

// Delete removes a file of a doc set, without taking it out of the index.
func (h *Home) Delete(set store.Set, path string) {
	h.tb.Helper()
	if err := os.Remove(filepath.Join(set.Root, filepath.FromSlash(path))); err != nil {
		h.tb.Fatal(err)
	}
}

// Update indexes a doc set.
func (h *Home) Update(set store.Set, rebuild bool) ingest.Report {
	h.tb.Helper()
	rep, err := h.Ingester().Update(context.Background(), set, rebuild, nil)
	if err != nil {
		h.tb.Fatal(err)
	}
	return rep
}

// Forget takes a doc set out of the catalog and removes its index.
func (h *Home) Forget(set store.Set) {
	h.tb.Helper()
	tx, err := h.Catalog.Begin(context.Background())
	if err != nil {
		h.tb.Fatal(err)
	}
	if err = tx.RemoveSet(context.Background(), set.ID); err == nil {
		err = tx.Commit()
	}
	if err = errors.Join(err, h.Indexes().Remove(set.ID)); err != nil {
		h.tb.Fatal(err)
	}
}

// MakePages makes n pages of made-up documentation, the same at every call, with
// headings, lists, code and words that some pages share.
func MakePages(n int) map[string]string {
	words := strings.Fields(`lantern wick burner harbour signal keeper tower beacon chart tide rope anchor hull mast sail
		compass engine valve gauge pump relay switch filter socket buffer cache token session secret policy route
		queue worker batch retry backoff quota limit schedule window replica shard snapshot restore migrate deploy`)
	rng := rand.New(rand.NewPCG(7, 11))
	word := func() string { return words[min(rng.IntN(len(words)), rng.IntN(len(words)))] }
	sentence := func() string {
		var b strings.Builder
		for i := range 6 + rng.IntN(12) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word())
		}
		return b.String() + "."
	}
	pages := make(map[string]string, n)
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s %s %d\n\n%s\n", word(), word(), i, sentence())
		for s := range 3 + rng.IntN(5) {
			fmt.Fprintf(&b, "\n## %s the %s\n\n", word(), word())
			for range 2 + rng.IntN(6) {
				b.WriteString(sentence() + " ")
			}
			fmt.Fprintf(&b, "\n\n- %s\n- %s\n\n```sh\n%s --%s-%s=%d\n```\n", sentence(), sentence(), word(), word(), word(), s)
		}
		pages[fmt.Sprintf("%s/page-%04d.md", words[i%7], i)] = b.String()
	}
	return pages
}
