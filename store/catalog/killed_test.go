package catalog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"docent/store"
	"docent/store/sqlite"
)

// A process that is killed while it makes the catalog leaves a journal that only a
// writer may roll back: a reader says that one is needed, as of an older catalog, and
// not that the disk is read-only.
func TestAReaderAsksForAWriterAfterAKill(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	from, to := filepath.Join(dir, "being-made.db"), filepath.Join(dir, "catalog.db")
	db, err := sqlite.OpenFile(from, url.Values{"_pragma": {"journal_mode(DELETE)", "cache_size(1)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	// A little that is committed, and so much behind it that it is written before.
	for _, query := range []string{fmt.Sprintf(`PRAGMA user_version = %d`, len(migrations)), `CREATE TABLE t (x BLOB)`, `INSERT INTO t VALUES (zeroblob(50000))`, `BEGIN`, `UPDATE t SET x = randomblob(50000)`, `INSERT INTO t VALUES (randomblob(500000))`} {
		if _, err := db.ExecContext(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	for _, ending := range []string{"", "-journal"} { // as the kill leaves them
		raw, err := os.ReadFile(from + ending)
		if err := errors.Join(err, os.WriteFile(to+ending, raw, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := OpenReader(ctx, to); !errors.Is(err, store.ErrOlder) {
		t.Errorf("a reader gives %v, %v", c, err)
	}
	w, err := OpenCatalog(ctx, to)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(ctx, to)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Error(err)
	}
}
