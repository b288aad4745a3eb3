// Package jobs keeps uploads and the durable queue of their jobs, in tables of their own
// in the catalog's file, on River (github.com/riverqueue/river).
//
// An upload and its job are written in one transaction, so none is without the other.
// A job is done at least once: a worker that is killed leaves it running, and the next
// look of any worker puts it back, because the dead one's lock is free (see rescue.go).
// River itself could tell a dead worker from a slow one by its time limit alone.
//
// Why River and not forty lines of our own: its queue, its migrations and its client are
// the same on PostgreSQL, where several machines share the catalog; only the statements of
// river.go are SQLite's. It costs 2.5 MB of the binary and half a millisecond of a start.
// Its SQLite driver has no notifications: workers poll.
//
// It refuses to know what a job does, and to keep files: those are in the home.
package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"docent/store"
	"docent/store/lock"
	"docent/store/queue"
	"docent/store/sqlite"
)

// Store is the opened uploads and jobs. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	path    string
	workers string // the folder of the workers' locks
	driver  *riversqlite.Driver
	client  *river.Client[*sql.Tx] // inserts, cancels, retries; nil: opened for reading
}

// ErrNone means that nothing was handed in here yet.
var ErrNone = errors.New("there are no uploads yet")

// migrations bring the tables of uploads from version i to i+1. Released entries are
// never changed.
var migrations = []string{
	`CREATE TABLE uploads (
		id        TEXT PRIMARY KEY,
		filename  TEXT NOT NULL,
		mime      TEXT NOT NULL,
		bytes     INTEGER NOT NULL,
		format    TEXT NOT NULL,
		lane      TEXT NOT NULL,
		status    TEXT NOT NULL,
		path      TEXT NOT NULL,
		md5       TEXT NOT NULL UNIQUE,
		ocr_mode  TEXT NOT NULL,
		ocr_languages TEXT NOT NULL,
		retries   INTEGER NOT NULL,
		fail_code TEXT NOT NULL,
		fail_reason TEXT NOT NULL,
		chunks    INTEGER NOT NULL,
		created   INTEGER NOT NULL,
		updated   INTEGER NOT NULL,
		revision  INTEGER NOT NULL,
		sum       INTEGER NOT NULL
	) STRICT;
	CREATE INDEX uploads_status ON uploads (status, created);
	CREATE INDEX uploads_created ON uploads (created);
	CREATE UNIQUE INDEX uploads_revision ON uploads (revision);
	CREATE TABLE uploads_gone (
		id       TEXT NOT NULL,
		revision INTEGER PRIMARY KEY
	) STRICT;
	CREATE TABLE uploads_clock (
		one      INTEGER PRIMARY KEY CHECK (one = 1),
		revision INTEGER NOT NULL
	) STRICT;
	INSERT INTO uploads_clock VALUES (1, 0);`,
}

// OpenStore opens the uploads and jobs in the catalog's file at path, which is there, and
// makes their tables where they are missing. workers is the folder of the workers' locks.
// Uploads whose rows are damaged are dropped: the owner of their files restores them.
func OpenStore(ctx context.Context, path, workers string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	s, err := openFile(path, workers, url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(10000)"},
		"_txlock": {"immediate"},
		// River hands some times over as values, which must compare with those that it
		// writes as texts.
		"_time_format": {"sqlite"},
	})
	if err != nil {
		return nil, err
	}
	if err := s.prepareQueue(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the jobs in %s: %w", path, err), s.Close())
	}
	return s, nil
}

// OpenReader opens them for listing. ErrNone where there are no such tables yet.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	s, err := openFile(path, "", url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}})
	if err != nil {
		return nil, err
	}
	v, err := s.schemaVersion(ctx)
	switch {
	case sqlite.NeedsWriter(err), err == nil && v == 0:
		err = ErrNone
	case err == nil && v != len(migrations):
		err = s.otherVersion(v)
	case err == nil:
		return s, nil
	}
	return nil, errors.Join(err, s.Close())
}

func openFile(path, workers string, query url.Values) (*Store, error) {
	db, err := sqlite.OpenFile(path, query)
	if err != nil {
		return nil, err
	}
	// River's driver wants one connection: it has no answer to SQLITE_BUSY of another
	// one of its own process.
	db.SetMaxOpenConns(1)
	return &Store{db: db, path: path, workers: workers, driver: riversqlite.New(db)}, nil
}

func (s *Store) prepareQueue(ctx context.Context) error {
	if err := s.migrateTables(ctx); err != nil {
		return err
	}
	quiet := slog.New(slog.DiscardHandler)
	m, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	// River's migrations are several transactions, of which two processes get in each
	// other's way.
	held, err := lock.Acquire(ctx, s.workers+".lock", "tables", time.Minute, nil)
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err = errors.Join(err, held.Release()); err != nil {
		return err
	}
	if s.client, err = river.NewClient(s.driver, &river.Config{Logger: quiet, MaxAttempts: 1 + queue.Retries}); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, indexJobsByUpload); err != nil {
		return err
	}
	if err := s.dropDamaged(ctx); err != nil {
		return err
	}
	return s.adoptWaiting(ctx)
}

// adoptWaiting gives the uploads that wait a job where they have none: the queue was lost, or
// its row is damaged.
func (s *Store) adoptWaiting(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, selectJobless)
	if err != nil {
		return err
	}
	ids, err := allRows(rows, func(row interface{ Scan(...any) error }) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
	for _, id := range ids {
		if err != nil {
			return err
		}
		_, err = s.ChangeUpload(ctx, id, func(u *store.Upload) (bool, error) {
			waits := u.Status == store.UploadPending || u.Status == store.UploadProcessing
			if waits {
				u.Status = store.UploadPending
			}
			return waits, nil
		})
		if errors.Is(err, store.ErrNoUpload) {
			err = nil
		}
	}
	return err
}

// schemaVersion is that of the tables of uploads; 0 without tables.
func (s *Store) schemaVersion(ctx context.Context) (v int, err error) {
	var n int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'uploads_version'`).Scan(
		&n); err != nil || n == 0 {
		return 0, err
	}
	err = s.db.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM uploads_version`).Scan(&v)
	return v, err
}

func (s *Store) otherVersion(v int) error {
	return fmt.Errorf("the uploads in %s have version %d and this program's is %d; use a newer docent, or another home", s.path, v,
		len(migrations))
}

// migrateTables brings the tables of uploads to the newest version, all steps in one
// transaction, which another process waits for.
func (s *Store) migrateTables(ctx context.Context) error {
	if v, err := s.schemaVersion(ctx); err != nil || v == len(migrations) {
		return err
	}
	return s.writeTransaction(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS uploads_version (version INTEGER NOT NULL) STRICT`); err != nil {
			return err
		}
		var v int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM uploads_version`).Scan(&v); err != nil {
			return err
		}
		if v > len(migrations) {
			return s.otherVersion(v)
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

// writeTransaction runs do in a transaction that has the right to write from its beginning.
func (s *Store) writeTransaction(ctx context.Context, do func(tx *sql.Tx) error) (err error) {
	if s.driver == nil {
		return fs.ErrPermission
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, rollBackChange(tx))
	}
	return tx.Commit()
}

func rollBackChange(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

// Close closes the store. A worker must have ended.
func (s *Store) Close() error { return s.db.Close() }
