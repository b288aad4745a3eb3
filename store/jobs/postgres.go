package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"

	"docent/store"
	"docent/store/postgres"
)

// tables are those of uploads on PostgreSQL, from SQLite's version 1 on. River has its own.
var tables = postgres.Part{Name: "uploads", Steps: []string{
	`CREATE TABLE uploads (
		id        TEXT COLLATE "C" PRIMARY KEY,
		filename  TEXT NOT NULL,
		mime      TEXT NOT NULL,
		bytes     BIGINT NOT NULL,
		format    TEXT NOT NULL,
		lane      TEXT NOT NULL,
		status    TEXT NOT NULL,
		path      TEXT NOT NULL,
		md5       TEXT NOT NULL UNIQUE,
		ocr_mode  TEXT NOT NULL,
		ocr_languages TEXT NOT NULL,
		retries   BIGINT NOT NULL,
		fail_code TEXT NOT NULL,
		fail_reason TEXT NOT NULL,
		chunks    BIGINT NOT NULL,
		created   BIGINT NOT NULL,
		updated   BIGINT NOT NULL,
		revision  BIGINT NOT NULL,
		sum       BIGINT NOT NULL
	);
	CREATE INDEX uploads_status ON uploads (status, created);
	CREATE INDEX uploads_created ON uploads (created);
	CREATE UNIQUE INDEX uploads_revision ON uploads (revision);
	CREATE TABLE uploads_gone (
		id       TEXT NOT NULL,
		revision BIGINT PRIMARY KEY
	);
	CREATE TABLE uploads_clock (
		one      INTEGER PRIMARY KEY CHECK (one = 1),
		revision BIGINT NOT NULL
	);
	INSERT INTO uploads_clock VALUES (1, 0);
	CREATE TABLE uploads_workers (
		name TEXT PRIMARY KEY,
		seen TIMESTAMPTZ NOT NULL
	);`,
}}

// OpenPostgres opens the uploads and jobs in a database, and makes their tables where they
// are missing. Closing the store leaves the database open. Uploads whose rows are damaged are
// dropped: the owner of their files restores them.
func OpenPostgres(ctx context.Context, db *postgres.Database) (*Store, error) {
	return prepareStore(ctx, newSchema(db))
}

// OpenPostgresReader opens them for listing. ErrNone where there are no such tables yet.
func OpenPostgresReader(ctx context.Context, db *postgres.Database) (*Store, error) {
	s := newSchema(db)
	s.reader = true
	v, err := s.schemaVersion(ctx)
	switch {
	case err != nil:
		return nil, err
	case v == 0:
		return nil, ErrNone
	case v != len(tables.Steps):
		return nil, db.NewerError(tables, v)
	}
	return &Store{db: s}, nil
}

// schema is the engine of jobs in a schema of PostgreSQL.
type schema struct {
	postgres.Numbered
	db      *postgres.Database
	reader  bool // it is open for listing
	driver  *riverdatabasesql.Driver
	dialect *dialect
}

func newSchema(db *postgres.Database) *schema {
	return &schema{Numbered: db.Runner(), db: db, driver: riverdatabasesql.New(db.SQL()), dialect: postgresDialect()}
}

func (s *schema) name() string                       { return s.db.Name() }
func (s *schema) river() riverdriver.Driver[*sql.Tx] { return s.driver }
func (s *schema) terms() *dialect                    { return s.dialect }
func (s *schema) storable(text string) string        { return postgres.Storable(text) }
func (s *schema) close() error                       { return nil }

// begin is engine's. The row of the clock is locked first: revisions come in the order of
// their transactions.
func (s *schema) begin(ctx context.Context) (change, error) {
	if s.reader {
		return nil, &store.FaultError{Kind: store.ErrReadOnly, Err: errors.New("the jobs are open for reading")}
	}
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `SELECT revision FROM uploads_clock FOR UPDATE`); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

func (s *schema) schemaVersion(ctx context.Context) (int, error) {
	return s.db.Version(ctx, tables.Name)
}

func (s *schema) migrateTables(ctx context.Context) error { return s.db.Migrate(ctx, tables) }

// migrateRiver is engine's. The lock is taken by the first process alone: the others find
// that everything is there.
func (s *schema) migrateRiver(ctx context.Context, m *rivermigrate.Migrator[*sql.Tx]) (err error) {
	ready := func() (bool, error) {
		done, err := m.ExistingVersions(ctx)
		if err != nil || len(done) < len(m.AllVersions()) {
			return false, err
		}
		var there bool
		err = s.QueryRowContext(ctx, `SELECT to_regclass('uploads_jobs') IS NOT NULL`).Scan(&there)
		return there, err
	}
	if ok, err := ready(); ok || err != nil {
		return err
	}
	held, err := s.db.Lock(ctx, "river", "tables", time.Minute, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if ok, err := ready(); ok || err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	_, err = s.ExecContext(ctx, s.dialect.indexJobsByUpload())
	return err
}

// A worker shows that it lives in two ways: it holds a lock of its name, and writes the time
// into its row at each look at running jobs. It is taken for dead where both are missing: the
// lock alone is lost with a connection, and the time alone stands still where the machine is
// busy. A worker that is killed is found within silence.

// silence is how long a worker may write no time. It is also how long workers have after a
// start of the server, which ends all locks.
const silence = 3 * time.Second

func workerLock(name string) string { return "worker " + name }

func (s *schema) isDead(ctx context.Context, name string) (bool, error) {
	var alive bool
	err := s.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM uploads_workers WHERE name = ? AND
		greatest(seen, pg_postmaster_start_time()) > clock_timestamp() - ? * interval '1 microsecond')`,
		name, silence.Microseconds()).Scan(&alive)
	if err != nil || alive {
		return false, err
	}
	_, locked, err := s.db.LockHolder(ctx, workerLock(name))
	return !locked, err
}

// sweepDead removes the rows of workers that died.
func (s *schema) sweepDead(ctx context.Context) error {
	rows, err := s.QueryContext(ctx, `SELECT name FROM uploads_workers WHERE seen < clock_timestamp() - ? * interval '1 microsecond'`,
		silence.Microseconds())
	if err != nil {
		return err
	}
	names, err := allRows(rows, scanText)
	for _, name := range names {
		dead, derr := s.isDead(ctx, name)
		if err == nil {
			err = derr
		}
		if dead && err == nil {
			_, err = s.ExecContext(ctx, `DELETE FROM uploads_workers WHERE name = ?`, name)
		}
	}
	return err
}

// member is a worker that lives. It is used by one goroutine.
type member struct {
	schema *schema
	name   string
	held   store.Held
}

func (s *schema) join(ctx context.Context) (membership, error) {
	m := &member{schema: s, name: newWorkerName()}
	if err := m.keep(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *member) workerName() string { return m.name }

// keep is membership's. It takes the lock again where that was lost.
func (m *member) keep(ctx context.Context) error {
	_, err := m.schema.ExecContext(ctx, `INSERT INTO uploads_workers (name, seen) VALUES (?, clock_timestamp())
		ON CONFLICT (name) DO UPDATE SET seen = excluded.seen`, m.name)
	if err != nil {
		return fmt.Errorf("show that this worker lives: %w", err)
	}
	_, locked, err := m.schema.db.LockHolder(ctx, workerLock(m.name))
	if err != nil || locked {
		return err
	}
	if m.held != nil {
		_ = m.held.Release() // its connection is lost
	}
	m.held, err = m.schema.db.Lock(ctx, workerLock(m.name), "worker", 0, nil)
	return err
}

// leaveTime bounds the last statement of a worker, whose own context has ended.
const leaveTime = 10 * time.Second

func (m *member) leave() error {
	ctx, done := context.WithTimeout(context.Background(), leaveTime)
	defer done()
	_, err := m.schema.ExecContext(ctx, `DELETE FROM uploads_workers WHERE name = ?`, m.name)
	if m.held != nil {
		err = errors.Join(err, m.held.Release())
	}
	return err
}
