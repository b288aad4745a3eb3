package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"docent/store"
	"docent/store/doc"
)

func sample() store.Outline {
	return store.Outline{
		Sections: []doc.Section{
			{Index: 0, Level: 0, Parent: -1, Source: true, Span: doc.Span{Start: 0, End: 10, StartLine: 1, EndLine: 2}},
			{Index: 1, Level: 1, Text: "Größe", Anchor: "größe", Parent: -1, Source: true, Path: []string{"Größe"}},
			{Index: 2, Level: 3, Text: "Two", Anchor: "two", Parent: 1, Source: true, Path: []string{"Größe", "Two"}},
		},
		Chunks: []doc.Chunk{
			{Index: 0, Section: 1, Span: doc.Span{Start: 3, End: 9, StartLine: 1, EndLine: 4}, Kind: doc.List, Prev: -1, Next: 1},
			{Index: 1, Section: 2, Kind: doc.Paragraph, Prev: 0, Next: -1},
		},
	}
}

func TestCatalogRoundTrip(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a home with ? and #", "catalog.db")
	if _, err := OpenReader(ctx, path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing catalog opens with %v", err)
	}
	c, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tx, err := c.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tx.PutSet(ctx, store.Set{Ref: doc.Ref{Name: "A", Version: "1"}, Root: "/x", Layout: doc.LayoutTree, Domain: "tech_docs"})
	if err != nil {
		t.Fatal(err)
	}
	want := store.Document{SetID: set, Path: "p.md", Title: "P", H1: "p", URL: "https://e.org", Format: "markdown", Lines: 3, Bytes: 9,
		SHA256: "ab", ModTime: 7, TOCPath: "t", Warnings: []string{"w"}, Outline: sample()}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	ids, err := c.Stage(ctx, []store.Document{want})
	if err != nil {
		t.Fatal(err)
	}
	want.ID = ids[0]
	if err := c.Publish(ctx, store.Publication{SetID: set}); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.ByPath(ctx, set, "p.md")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
	byID, err := r.ByID(ctx, []int64{want.ID, 999})
	if err != nil || len(byID) != 1 || !reflect.DeepEqual(*byID[want.ID], want) {
		t.Errorf("by id: %v %v", byID, err)
	}
	if _, err := r.ByPath(ctx, set, "no.md"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a missing page gives %v", err)
	}
	sets, err := r.Sets(ctx)
	if err != nil || len(sets) != 1 || sets[0].Documents != 1 || sets[0].Sections != 2 || sets[0].Chunks != 2 {
		t.Errorf("sets: %+v %v", sets, err)
	}
	if err := r.Check(ctx); err != nil {
		t.Error(err)
	}
}

func TestMigratesFromTheFirstVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := openFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Version 0 is an empty file: every version so far begins there.
	if _, err := c.ExecContext(ctx, `PRAGMA user_version = 0`); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(ctx, path); !errors.Is(err, store.ErrOlder) && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("an older catalog opens for reading with %v", err)
	}
	w, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := w.db.(*sqliteFile).schemaVersion(ctx); err != nil || v != len(migrations) {
		t.Fatalf("version %d: %v", v, err)
	}
	if _, err := w.db.ExecContext(ctx, `PRAGMA user_version = 99`); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(context.Context, string) (*Catalog, error){OpenCatalog, OpenReader} {
		if _, err := open(ctx, path); err == nil {
			t.Error("a newer catalog was opened")
		}
	}
}

func TestForeignFileIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalog.db")
	if err := os.WriteFile(path, make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("this is no catalog at all, but a text that somebody put here\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(context.Background(), path); store.FaultOf(err) != store.DamagedFault {
		t.Errorf("a foreign file gives %v", err)
	}
}

func FuzzOutline(f *testing.F) {
	f.Add(encodeOutline(sample()))
	f.Add([]byte{outlineVersion, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := decodeOutline(b)
		if err != nil {
			return
		}
		again, err := decodeOutline(encodeOutline(o))
		if err != nil || !reflect.DeepEqual(o, again) {
			t.Fatalf("%+v is read again as %+v (%v)", o, again, err)
		}
	})
}

// The result of Sets is kept while nothing changed: a write by another process' catalog
// or this one is noticed, and so is a write between two cancelled calls.
func TestSetsAreNeverStale(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "catalog.db")
	w, err := OpenCatalog(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := OpenReader(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for i := range 20 {
		for _, c := range []*Catalog{w, r} {
			if sets, err := c.Sets(ctx); err != nil || len(sets) != i {
				t.Fatalf("%d sets, not %d: %v", len(sets), i, err)
			}
			if _, err := c.Sets(cancelled); !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled: %v", err)
			}
		}
		tx, err := w.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tx.PutSet(ctx, store.Set{Ref: doc.Ref{Name: "A", Version: string(rune('a' + i))}, Root: "/x", Layout: doc.LayoutTree, Domain: "tech_docs"})
		if sets, serr := r.Sets(ctx); serr != nil || len(sets) != i {
			t.Fatalf("what is not committed shows: %d, %v", len(sets), serr)
		}
		if err := errors.Join(err, tx.Commit()); err != nil {
			t.Fatal(err)
		}
	}
	// The caller's to change.
	a, _ := r.Sets(ctx)
	a[0].Root = "/elsewhere"
	if b, err := r.Sets(ctx); err != nil || b[0].Root != "/x" {
		t.Errorf("what was given is kept: %q, %v", b[0].Root, err)
	}
}
