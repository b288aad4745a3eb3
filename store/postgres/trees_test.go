package postgres_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"

	"docent/store"
	"docent/store/filetree"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/storetest"
)

func openTrees(tb testing.TB, db *postgres.Database) *postgres.Trees {
	tb.Helper()
	s, err := postgres.OpenTrees(db)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestTrees(t *testing.T) {
	t.Parallel()
	storetest.RunTrees(t, func(tb testing.TB) filetree.Store { return openTrees(tb, openDatabase(tb, postgrestest.Start(tb))) })
}

func TestContents(t *testing.T) {
	t.Parallel()
	storetest.RunBlobs(t, func(tb testing.TB) store.Blobs {
		c, err := postgres.OpenContents(openDatabase(tb, postgrestest.Start(tb)))
		if err != nil {
			tb.Fatal(err)
		}
		return c
	})
}

const lantern = "# Lantern\n\nA lantern has a wick, a wick has oil, and the lantern has a handle and a wick.\n"

// keepOne has a tree with one page and one packed file.
func keepOne(t *testing.T, s *postgres.Trees) (sum string) {
	t.Helper()
	h := sha256.Sum256([]byte(lantern))
	sum = hex.EncodeToString(h[:])
	err := s.Change(t.Context(), "lamps", nil, []filetree.File{{Path: "lantern.md", Bytes: int64(len(lantern)), ModTime: 1, SHA256: sum}},
		func(filetree.File) ([]byte, error) { return []byte(lantern), nil })
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func contentOf(ctx context.Context, s *postgres.Trees, sum string) (text string, err error) {
	err = s.Contents(ctx, []string{sum}, func(_ string, content []byte, err error) error {
		text = string(content)
		return err
	})
	return text, err
}

// Whatever happens to a content's row, no wrong bytes come out, the check finds it, and it can be
// kept again.
func TestDamagedContents(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	s := openTrees(t, db)
	sum := keepOne(t, s)
	other := sha256.Sum256([]byte("other"))
	for _, damage := range []string{
		`UPDATE contents SET bytes = set_byte(bytes, 9, 65)`, `UPDATE contents SET bytes = substr(bytes, 1, 5)`, `UPDATE contents SET bytes = ''`,
		`UPDATE contents SET packed = NOT packed`, `UPDATE contents SET sum = ''`,
		fmt.Sprintf(`UPDATE contents SET packed = false, bytes = 'other', sum = '\x%x'`, other),
	} {
		if err := s.Restore(ctx, sum, []byte(lantern)); err != nil {
			t.Fatal(err)
		}
		if text, err := contentOf(ctx, s, sum); text != lantern || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if _, err := db.SQL().ExecContext(ctx, damage); err != nil {
			t.Fatal(err)
		}
		if text, err := contentOf(ctx, s, sum); !errors.Is(err, store.ErrBlobDamaged) {
			t.Errorf("%s: %q, %v", damage, text, err)
		}
		f, err := s.Check(ctx, true)
		if want := (filetree.Fault{Tree: "lamps", Path: "lantern.md", SHA256: sum}); err != nil || len(f.Missing) > 0 ||
			!slices.Equal(f.Damaged, []filetree.Fault{want}) {
			t.Errorf("%s: %+v, %v", damage, f, err)
		}
	}
	if err := s.Discard(ctx, sum); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Check(ctx, false); err != nil || len(f.Missing) != 1 || f.Files != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	keepOne(t, s)
	if text, err := contentOf(ctx, s, sum); text != lantern || err != nil {
		t.Errorf("handed in again: %q, %v", text, err)
	}
}

// The files stay where the catalog's schema is put aside: nobody else may have them.
func TestFilesOfASchemaThatWasPutAside(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	s := openTrees(t, db)
	blobs := postgres.OpenBlobs(db)
	for range 2 {
		sum := keepOne(t, s)
		if err := blobs.Put(ctx, sum, []byte("converted")); err != nil {
			t.Fatal(err)
		}
		if aside, err := db.PutAside(ctx); aside == "" || err != nil {
			t.Fatalf("%q, %v", aside, err)
		}
		if text, err := contentOf(ctx, s, sum); text != lantern || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if _, err := blobs.Get(ctx, sum); !errors.Is(err, store.ErrNoBlob) {
			t.Errorf("a converted text: %v", err)
		}
		if v, err := db.Version(ctx, "files"); v != 1 || err != nil {
			t.Errorf("version %d, %v", v, err)
		}
	}
}

// A row of a file that went is forgotten in the end, and who did not hear of it compares all.
func TestForgottenFiles(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	s := openTrees(t, db)
	keepOne(t, s)
	before, err := s.State(ctx, "lamps")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Change(ctx, "lamps", []string{"lantern.md"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	// As if it were long ago.
	for _, table := range []string{"trees", "tree_files"} {
		if _, err := db.SQL().ExecContext(ctx, `UPDATE `+table+` SET revision = revision - 40::bigint * 24 * 3600 * 1000000`); err != nil {
			t.Fatal(err)
		}
	}
	before.Revision -= 40 * 24 * 3600 * 1000000
	if c, err := s.Changes(ctx, "lamps", before); err != nil || c.Whole || len(c.Gone) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := s.Sweep(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Changes(ctx, "lamps", before); err != nil || !c.Whole || len(c.Files)+len(c.Gone) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}
