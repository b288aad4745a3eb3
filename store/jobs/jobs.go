// Package jobs keeps uploads and the durable queue of their jobs, in tables of their own
// next to the catalog's, on River (github.com/riverqueue/river).
//
// An upload and its job are written in one transaction, so none is without the other.
// A job is done at least once: a worker that is killed leaves it running, and the next
// look of any worker puts it back, because the dead one's lock is free (see rescue.go and
// workerList).
// River itself could tell a dead worker from a slow one by its time limit alone.
//
// Why River and not forty lines of our own: its queue, its migrations and its client are
// the same on PostgreSQL, where several machines share the catalog; only what a dialect has
// in river.go differs. It costs 2.5 MB of the binary and half a millisecond of a start.
// Its drivers for database/sql have no notifications: workers poll.
//
// It refuses to know what a job does, and to keep files: those are in the home.
package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivermigrate"

	"docent/store"
	"docent/store/queue"
	"docent/store/sqlite"
)

// Store is the opened uploads and jobs. It is safe for concurrent use.
type Store struct {
	db     engine
	client *river.Client[*sql.Tx] // inserts, cancels, retries; nil: opened for reading
}

// ErrNone means that nothing was handed in here yet.
var ErrNone = errors.New("there are no uploads yet")

// migrations bring the tables of uploads in a file from version i to i+1. Released entries
// are never changed.
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
	f, err := openFile(path, workers, url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(10000)"},
		"_txlock": {"immediate"},
		// River hands some times over as values, which must compare with those that it
		// writes as texts.
		"_time_format": {"sqlite"},
	})
	if err != nil {
		return nil, err
	}
	return prepareStore(ctx, f)
}

// prepareStore makes the tables of a store where they are missing.
func prepareStore(ctx context.Context, e engine) (*Store, error) {
	s := &Store{db: e}
	if err := s.prepareQueue(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the jobs in %s: %w", e.name(), err), s.Close())
	}
	return s, nil
}

// OpenReader opens them for listing. ErrNone where there are no such tables yet.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	f, err := openFile(path, "", url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}})
	if err != nil {
		return nil, err
	}
	v, err := f.schemaVersion(ctx)
	switch {
	case sqlite.NeedsWriter(err), err == nil && v == 0:
		err = ErrNone
	case err == nil && v != len(migrations):
		err = otherVersion(path, v)
	case err == nil:
		return &Store{db: f}, nil
	}
	return nil, errors.Join(err, f.close())
}

func (s *Store) prepareQueue(ctx context.Context) error {
	if err := s.db.migrateTables(ctx); err != nil {
		return err
	}
	quiet := slog.New(slog.DiscardHandler)
	m, err := rivermigrate.New(s.db.river(), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	if err := s.db.migrateRiver(ctx, m); err != nil {
		return err
	}
	if s.client, err = river.NewClient(s.db.river(), &river.Config{Logger: quiet, MaxAttempts: 1 + queue.Retries}); err != nil {
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
	rows, err := s.db.QueryContext(ctx, s.db.terms().selectJobless())
	if err != nil {
		return err
	}
	ids, err := allRows(rows, scanText)
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

// writeTransaction runs do in a change.
func (s *Store) writeTransaction(ctx context.Context, do func(tx change) error) (err error) {
	return inChange(ctx, s.db, do)
}

// Close closes the store. A worker must have ended.
func (s *Store) Close() error { return s.db.close() }
