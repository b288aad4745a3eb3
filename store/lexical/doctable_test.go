package lexical

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"docent/store"
)

// A table of documents has what a map would have, whatever comes and goes, and is read as it was written.
func TestDocTable(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	table, want := &docTable{}, map[int64]docInfo{}
	for i := range 3000 {
		id := rnd.Int64N(200) + int64(i/10)
		if _, ok := want[id]; ok {
			got, ok := table.remove(id)
			if !ok || !reflect.DeepEqual(got, want[id]) {
				t.Fatalf("document %d: %v, not %v", id, got, want[id])
			}
			delete(want, id)
		} else {
			var d docInfo
			for range rnd.IntN(4) {
				d.parts = append(d.parts, rnd.IntN(300))
			}
			for f := range d.tokens {
				d.tokens[f] = rnd.Int64N(1000)
			}
			table.put(id, d)
			want[id] = d
		}
		if gone := rnd.Int64N(500); table.has(gone) != (want[gone].tokens != [store.NumFields]int64{}) {
			t.Fatalf("document %d is in only one of both", gone)
		}
	}
	path := filepath.Join(t.TempDir(), "docs")
	if err := writeDocs(path, table); err != nil {
		t.Fatal(err)
	}
	read, err := readDocs(path)
	if err != nil {
		t.Fatal(err)
	}
	var passages int
	var tokens [store.NumFields]int64
	for _, d := range want {
		passages += d.countPassages()
		for f, n := range d.tokens {
			tokens[f] += n
		}
	}
	for name, got := range map[string]*docTable{"changed": table, "read": read} {
		if ids := got.ids(); !slices.Equal(ids, slices.Sorted(maps.Keys(want))) || got.live != len(want) {
			t.Errorf("%s: %d of %d documents, or others", name, len(ids), len(want))
		}
		if got.passages != passages || got.tokens != tokens {
			t.Errorf("%s: %d passages, %v tokens; want %d, %v", name, got.passages, got.tokens, passages, tokens)
		}
	}
	record := make([]byte, 2+store.NumFields) // no passages, no tokens
	if err := os.WriteFile(path, slices.Repeat(record, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readDocs(path); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a document that is there twice: %v", err)
	}
}
