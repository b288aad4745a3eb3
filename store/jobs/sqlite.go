package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"docent/store/lock"
	"docent/store/sqlite"
)

// sqliteFile is the engine of jobs in the catalog's file.
type sqliteFile struct {
	*sql.DB
	path    string
	workers string // the folder of the workers' locks
	driver  *riversqlite.Driver
	dialect *dialect
}

func openFile(path, workers string, query url.Values) (*sqliteFile, error) {
	db, err := sqlite.OpenFile(path, query)
	if err != nil {
		return nil, err
	}
	// River's driver wants one connection: it has no answer to SQLITE_BUSY of another
	// one of its own process.
	db.SetMaxOpenConns(1)
	return &sqliteFile{DB: db, path: path, workers: workers, driver: riversqlite.New(db), dialect: sqliteDialect()}, nil
}

func (f *sqliteFile) name() string                       { return f.path }
func (f *sqliteFile) river() riverdriver.Driver[*sql.Tx] { return f.driver }
func (f *sqliteFile) terms() *dialect                    { return f.dialect }
func (f *sqliteFile) storable(text string) string        { return text }
func (f *sqliteFile) close() error                       { return f.DB.Close() }

// sqliteChange is a transaction, which no other writer is next to.
type sqliteChange struct{ *sql.Tx }

// SQL is change's.
func (c sqliteChange) SQL() *sql.Tx { return c.Tx }

// Rollback is change's.
func (c sqliteChange) Rollback() error {
	if err := c.Tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

func (f *sqliteFile) begin(ctx context.Context) (change, error) {
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return sqliteChange{tx}, nil
}

func (f *sqliteFile) schemaVersion(ctx context.Context) (v int, err error) {
	var n int
	if err := f.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'uploads_version'`).Scan(
		&n); err != nil || n == 0 {
		return 0, err
	}
	err = f.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM uploads_version`).Scan(&v)
	return v, err
}

// migrateTables is engine's: all steps are one transaction, which another process waits for.
func (f *sqliteFile) migrateTables(ctx context.Context) error {
	if v, err := f.schemaVersion(ctx); err != nil || v == len(migrations) {
		return err
	}
	return inChange(ctx, f, func(tx change) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS uploads_version (version INTEGER NOT NULL) STRICT`); err != nil {
			return err
		}
		var v int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM uploads_version`).Scan(&v); err != nil {
			return err
		}
		if v > len(migrations) {
			return otherVersion(f.path, v)
		}
		for ; v < len(migrations); v++ {
			if _, err := tx.ExecContext(ctx, migrations[v]); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO uploads_version VALUES (?)`, v+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// migrateRiver is engine's: River's migrations are several transactions, of which two
// processes get in each other's way.
func (f *sqliteFile) migrateRiver(ctx context.Context, m *rivermigrate.Migrator[*sql.Tx]) error {
	held, err := lock.Acquire(ctx, f.workers+".lock", "tables", time.Minute, nil)
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err = errors.Join(err, held.Release()); err != nil {
		return err
	}
	_, err = f.ExecContext(ctx, f.dialect.indexJobsByUpload())
	return err
}

// isDead is workerList's: a worker holds the lock file of its name as long as it lives, and
// removes it when it ends.
func (f *sqliteFile) isDead(ctx context.Context, name string) (bool, error) {
	return f.lookAt(ctx, name, false)
}

// lookAt reports whether the worker of a name has ended. With sweep the lock file of one
// that has is removed, under its lock: see join.
func (f *sqliteFile) lookAt(ctx context.Context, name string, sweep bool) (dead bool, err error) {
	path := filepath.Join(f.workers, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	held, err := lock.Acquire(ctx, path, "look", 0, nil)
	if _, alive := errors.AsType[*lock.LockedError](err); alive {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if sweep {
		_ = os.Remove(path) // a system that cannot now can later
	}
	return true, held.Release()
}

// lockFile is the membership of a worker: the lock by which others see that it lives.
type lockFile struct {
	name string
	path string
	held *lock.Lock
}

func (f *sqliteFile) join(ctx context.Context) (membership, error) {
	for {
		l := lockFile{name: newWorkerName()}
		l.path = filepath.Join(f.workers, l.name)
		var err error
		l.held, err = lock.Acquire(ctx, l.path, "worker", 0, nil)
		if _, looked := errors.AsType[*lock.LockedError](err); looked {
			continue // another worker just looks at it, and removes it
		}
		if err != nil {
			return nil, err
		}
		if l.held.InPlace() {
			return l, nil
		}
		if err := l.held.Release(); err != nil {
			return nil, err
		}
	}
}

func (l lockFile) workerName() string { return l.name }

func (l lockFile) keep(context.Context) error { return nil }

func (l lockFile) leave() error {
	err := l.held.Release()
	if rerr := os.Remove(l.path); !errors.Is(rerr, fs.ErrNotExist) { // another process swept it
		err = errors.Join(err, rerr)
	}
	return err
}

// sweepDead removes the lock files of workers that died.
func (f *sqliteFile) sweepDead(ctx context.Context) error {
	entries, err := os.ReadDir(f.workers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workerPrefix) {
			_, derr := f.lookAt(ctx, e.Name(), true)
			err = errors.Join(err, derr)
		}
	}
	return err
}

func otherVersion(name string, v int) error {
	return fmt.Errorf("the uploads in %s have version %d and this program's is %d; use a newer docent, or another home", name, v,
		len(migrations))
}
