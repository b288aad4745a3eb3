package catalog

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"docent/store"
	"docent/store/doc"
)

// inPostgres writes the bytes of the statements below as PostgreSQL reads them.
var inPostgres = strings.NewReplacer(`CAST(x'02'`, `'\x02'::bytea`, `|| x'ffff' AS BLOB)`, `|| '\xffff'::bytea`, `x'02'`, `'\x02'::bytea`)

// Every column that an answer depends on is covered by a checksum: a value that is
// changed behind the catalog's back is found where it is read, and the rows next to it
// are read as before. Damaged pages can be dropped.
func TestRowsHaveChecksums(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *Catalog{"SQLite": openNewFile, "PostgreSQL": openNewSchema} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testRowsHaveChecksums(t, name, open)
		})
	}
}

func testRowsHaveChecksums(t *testing.T, engine string, open func(testing.TB) *Catalog) {
	ctx := context.Background()
	for query, sets := range map[string]bool{ // whether the row is a doc set's
		`UPDATE documents SET title = 'Wich' WHERE path = 'a.md'`:                                                                      false,
		`UPDATE documents SET path = 'b.md' WHERE path = 'a.md'`:                                                                       false,
		`UPDATE documents SET lines = lines + 1 WHERE path = 'a.md'`:                                                                   false,
		`UPDATE documents SET url = 'https://b' WHERE path = 'a.md'`:                                                                   false,
		`UPDATE documents SET sha256 = 'cd' WHERE path = 'a.md'`:                                                                       false,
		`UPDATE documents SET set_id = 2 WHERE path = 'a.md'`:                                                                          false,
		`UPDATE documents SET words = 9 WHERE path = 'a.md'`:                                                                           false,
		`UPDATE documents SET fingerprint = x'02' WHERE path = 'a.md'`:                                                                 false,
		`UPDATE documents SET outline = CAST(x'02' || substr(outline, 2, length(outline) - 3) || x'ffff' AS BLOB) WHERE path = 'a.md'`: false,
		`UPDATE sets SET root = '/other' WHERE id = 1`:                                                                                 true,
		`UPDATE sets SET name = 'B' WHERE id = 1`:                                                                                      true,
		`UPDATE sets SET documents = 7 WHERE id = 1`:                                                                                   true,
	} {
		c := open(t)
		if engine == "PostgreSQL" {
			query = inPostgres.Replace(query)
		}
		tx, err := c.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"A", "Z"} {
			if _, err := tx.PutSet(ctx, store.Set{Ref: doc.Ref{Name: name, Version: "1"}, Root: "/" + name}); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		page := store.Document{SetID: 1, Path: "a.md", Title: "Wick", URL: "https://a", Lines: 3, SHA256: "ab", Fingerprint: []byte{1}, Warnings: []string{"w"},
			Outline: store.Outline{Sections: []doc.Section{{Level: 1, Parent: -1, Text: "Wick", Path: []string{"Wick"}, Source: true}}, Chunks: []doc.Chunk{}}}
		other := page
		other.Path = "z.md"
		ids, err := c.Stage(ctx, []store.Document{page, other})
		if err := errors.Join(err, c.Publish(ctx, store.Publication{SetID: 1})); err != nil {
			t.Fatal(err)
		}
		if err := c.Check(ctx); err != nil {
			t.Fatalf("undamaged: %v", err)
		}
		whole, err := c.ByID(ctx, ids)
		if err != nil || len(whole) != 2 || !reflect.DeepEqual(whole[ids[0]].Outline, page.Outline) {
			t.Fatal(whole, err)
		}
		if _, err := c.db.ExecContext(ctx, query); err != nil {
			t.Fatal(query, err)
		}
		if err := c.Check(ctx); !errors.Is(err, store.ErrCatalogDamaged) {
			t.Errorf("%s: check gives %v", query, err)
		}
		if sets {
			if got, err := c.Sets(ctx); !errors.Is(err, store.ErrCatalogDamaged) {
				t.Errorf("%s: sets gives %v, %v", query, got, err)
			}
		} else {
			got, err := c.ByID(ctx, ids)
			if !errors.Is(err, store.ErrCatalogDamaged) || len(got) != 1 || !reflect.DeepEqual(got[ids[1]], whole[ids[1]]) {
				t.Errorf("%s: by id gives %v, %v", query, got, err)
			}
			n := 0
			for _, set := range []int64{1, 2} {
				d, err := c.DropDamaged(ctx, set)
				if err != nil {
					t.Error(err)
				}
				n += d
			}
			if err := c.Check(ctx); n != 1 || err != nil {
				t.Errorf("%s: %d dropped, then check gives %v", query, n, err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
