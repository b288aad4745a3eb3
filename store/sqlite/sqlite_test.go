package sqlite_test

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"docent/store"
	"docent/store/sqlite"
)

// Errors of SQLite have their meaning wherever they come up, and keep their text.
func TestErrorsHaveTheirMeaning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	exec := func(path string, query url.Values, statement string) error {
		db, err := sqlite.OpenFile(path, query)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_, err = db.ExecContext(t.Context(), statement)
		return err
	}
	if err := exec(whole, nil, `CREATE TABLE lamps (name TEXT); INSERT INTO lamps VALUES ('Fresnel')`); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	if err := os.WriteFile(foreign, []byte("this is no database, and it is longer than a header"), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.db")
	for i := 100; i < 200; i++ {
		raw[i] = 0xff // the first page's list of cells
	}
	if err := os.WriteFile(broken, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, statement string
		query                 url.Values
		want                  error
		fault                 store.Fault
		text                  string
	}{
		{"no database", foreign, `SELECT * FROM lamps`, nil, store.ErrNoDatabase, store.DamagedFault, "file is not a database (26)"},
		{"malformed", broken, `SELECT * FROM lamps`, nil, store.ErrMalformed, store.DamagedFault, "database disk image is malformed (11)"},
		{"read-only", whole, `INSERT INTO lamps VALUES ('Argand')`, url.Values{"mode": {"ro"}}, store.ErrReadOnly, store.DiskFault, "attempt to write a readonly database (8)"},
		{"a missing folder", filepath.Join(dir, "missing", "a.db"), `SELECT 1`, url.Values{"mode": {"ro"}}, store.ErrUnopened, store.DiskFault, "unable to open database file (14)"},
		{"full", whole, `PRAGMA max_page_count = 2; CREATE TABLE more (a TEXT); INSERT INTO more VALUES (zeroblob(100000))`, nil, store.ErrDiskFull, store.DiskFault, "database or disk is full (13)"},
		{"a wrong statement", whole, `SELECT * FROM gone`, nil, nil, store.OtherFault, "SQL logic error: no such table: gone (1)"},
	} {
		err := exec(tt.path, tt.query, tt.statement)
		if err == nil || err.Error() != tt.text || tt.want != nil && !errors.Is(err, tt.want) || store.FaultOf(err) != tt.fault {
			t.Errorf("%s: %v, fault %d", tt.name, err, store.FaultOf(err))
		}
	}
}

// A database is put aside with what SQLite wrote next to it, and what takes its place is
// another one.
func TestPutAside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	write := func() sqlite.Identity {
		for _, ending := range []string{"", "-wal"} {
			if err := os.WriteFile(path+ending, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		id, err := sqlite.Identify(path)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := write()
	aside, err := sqlite.PutAside(path)
	if err != nil || aside != path+".damaged" {
		t.Fatalf("%q, %v", aside, err)
	}
	if _, err := os.Stat(path + "-wal.damaged"); err != nil {
		t.Error(err)
	}
	if _, err := sqlite.Identify(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was put aside: %v", err)
	}
	second := write()
	if !first.Same(first) || first.Same(second) || first.Same(nil) || (sqlite.Identity{}).Same(sqlite.Identity{}) {
		t.Error("files are mistaken for each other")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := sqlite.RemoveRemains(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log of a database that is gone is still there: %v", err)
	}
	if _, err := sqlite.PutAside(path); err != nil {
		t.Errorf("put aside what is missing: %v", err)
	}
}

// A new file that several processes open at once, each to turn it to write-ahead
// logging, opens for all of them.
func TestOpenedBySeveralAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round := range 200 {
		path := filepath.Join(dir, strconv.Itoa(round)+".db")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				db, err := sqlite.OpenFile(path, url.Values{"_pragma": {"journal_mode(WAL)", "busy_timeout(10000)"}})
				if err != nil {
					t.Error(err)
					return
				}
				_, err = db.ExecContext(t.Context(), `CREATE TABLE IF NOT EXISTS lamps (name TEXT)`)
				if err := errors.Join(err, db.Close()); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		wg.Wait()
	}
}
