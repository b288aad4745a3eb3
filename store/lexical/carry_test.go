package lexical

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"docent/store"
	"docent/store/analysis"
)

// lamps are the passages of a page about lamps.
func lamps(page int) (out []store.Passage) {
	for i := range 7 {
		p := store.Passage{Chunk: i}
		p.Fields[store.Title] = fmt.Sprintf("Lamp %d", page)
		p.Fields[store.Body] = fmt.Sprintf("Trim wick %d of lamp %d with %d drops of oil", i, page, page*i)
		p.Fields[store.Code] = "func Trim() {}"
		out = append(out, p)
	}
	return out
}

// writeLamps makes an index of pages with the numbers from first.
func writeLamps(t *testing.T, dir string, first, pages int) {
	t.Helper()
	u, err := BeginUpdate(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	for n := range pages {
		d := Analyze(analysis.New(), lamps(n))
		d.SetID(int64(first + n))
		if err := u.Add(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(u.Prepare(t.Context()), u.Commit()); err != nil {
		t.Fatal(err)
	}
}

func exportLamps(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := Export(dir, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// The same pages give the same exported bytes, also where there are several batches of them.
func TestExportIsDeterministic(t *testing.T) {
	t.Parallel()
	var before []byte
	for range 4 {
		dir := filepath.Join(t.TempDir(), "1")
		writeLamps(t, dir, 1, 200)
		raw, err := os.ReadFile(filepath.Join(exportLamps(t, dir), carriedSegment))
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !bytes.Equal(raw, before) {
			t.Fatal("the same pages gave other bytes")
		}
		before = raw
	}
}

// An index that was taken over is found in, and updated, by the numbers of the home it is in.
func TestImportShiftsNumbers(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "1")
	writeLamps(t, from, 1, 3)
	dir := filepath.Join(t.TempDir(), "1")
	writeLamps(t, dir, 1000, 2) // goes
	imp, err := Import(t.Context(), dir, exportLamps(t, from), 40)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(imp.Documents()); got != "[41 42 43]" {
		t.Errorf("its documents are %s", got)
	}
	if err := imp.Commit(); err != nil {
		t.Fatal(err)
	}
	u, err := BeginUpdate(dir, false)
	if err != nil || u.Fresh() {
		t.Fatalf("the update begins from nothing: %v", err)
	}
	d := Analyze(analysis.New(), lamps(9))
	d.SetID(77)
	if err := errors.Join(u.Delete(42), u.Add(t.Context(), d), u.Prepare(t.Context()), u.Commit()); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	keys, err := r.Keys(t.Context())
	if err != nil || len(keys) != 21 {
		t.Fatalf("%d passages, %v", len(keys), err)
	}
	ids := map[int64]int{}
	for _, k := range keys {
		ids[k.Doc]++
	}
	if fmt.Sprint(ids) != "map[41:7 43:7 77:7]" {
		t.Errorf("passages by document: %v", ids)
	}
	found, err := r.Evidence(t.Context(), []string{"wick"}, []store.Key{{Doc: 43, Chunk: 2}, {Doc: 77, Chunk: 6}})
	if err != nil || len(found) != 2 {
		t.Errorf("%v, %v", found, err)
	}
}

// What is no exported index is refused, and the one that is there stays.
func TestImportOfDamage(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "1")
	writeLamps(t, from, 1, 3)
	dir := filepath.Join(t.TempDir(), "1")
	writeLamps(t, dir, 5, 2)
	for name, spoil := range map[string]func(folder string) error{
		"nothing":    func(folder string) error { return os.Remove(filepath.Join(folder, carriedDocs)) },
		"no segment": func(folder string) error { return os.Remove(filepath.Join(folder, carriedSegment)) },
		"half of it": func(folder string) error { return os.Truncate(filepath.Join(folder, carriedSegment), 300) },
		"text": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, carriedSegment), []byte("lamp"), 0o600)
		},
		"empty":         func(folder string) error { return os.Truncate(filepath.Join(folder, carriedSegment), 0) },
		"another index": func(folder string) error { return os.WriteFile(filepath.Join(folder, carriedDocs), nil, 0o600) },
		"zeros": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, carriedSegment), make([]byte, 4000), 0o600)
		},
	} {
		folder := exportLamps(t, from)
		if err := spoil(folder); err != nil {
			t.Fatal(err)
		}
		imp, err := Import(t.Context(), dir, folder, 0)
		if name == "another index" && err == nil { // no documents, so nothing of the segment is read
			if len(imp.Documents()) != 0 {
				t.Errorf("%s: %v", name, imp.Documents())
			}
			err = errors.Join(store.ErrDamaged, imp.Abort())
		}
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c, err := ReadContents(dir); err != nil || len(c.Documents) != 2 {
		t.Errorf("what was there: %v, %v", c.Documents, err)
	}
}
