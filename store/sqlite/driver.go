package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"modernc.org/sqlite"

	"docent/store"
)

// SQLite's errors get their meaning in the driver, between SQLite and database/sql: every
// statement of every store goes through here, also those of libraries that are built on
// the same database.

// SQLite's result codes that have a meaning for callers: https://sqlite.org/rescode.html
const (
	sqliteBusy     = 5
	sqliteReadOnly = 8
	sqliteIOErr    = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

var meanings = map[int]error{
	sqliteReadOnly: store.ErrReadOnly,
	sqliteIOErr:    store.ErrDiskFails,
	sqliteCorrupt:  store.ErrMalformed,
	sqliteFull:     store.ErrDiskFull,
	sqliteCantOpen: store.ErrUnopened,
	sqliteNotADB:   store.ErrNoDatabase,
}

// withMeaning wraps an error of SQLite whose code has a meaning for callers. All other
// errors stay as they are: database/sql compares some of them.
func withMeaning(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		if kind := meanings[e.Code()&0xff]; kind != nil {
			return &store.FaultError{Kind: kind, Err: err}
		}
	}
	return err
}

// openDatabase opens a database whose errors have their meaning.
func openDatabase(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, withMeaning(err)
	}
	return sql.OpenDB(connector{c}), nil
}

type connector struct{ driver.Connector }

// Connect is driver.Connector's.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.connectWhenFree(ctx)
	if err != nil {
		return nil, withMeaning(err)
	}
	whole, ok := inner.(fullConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite lacks what database/sql needs of it"), inner.Close())
	}
	return conn{whole}, nil
}

// openingTime bounds how long Connect asks again for a database that is busy.
const openingTime = 10 * time.Second

// connectWhenFree connects, and asks again while other connections keep the database
// busy. A busy_timeout does not hold here: SQLite answers at once where two connections
// turn a new file to write-ahead logging, and where the last one to close removes the log
// (https://sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
func (c connector) connectWhenFree(ctx context.Context) (driver.Conn, error) {
	end := time.Now().Add(openingTime)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		inner, err := c.Connector.Connect(ctx)
		if e, ok := errors.AsType[*sqlite.Error](err); !ok || e.Code()&0xff != sqliteBusy || time.Now().After(end) {
			return inner, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// fullConn is what SQLite's driver offers to database/sql. It has many methods because
// database/sql finds out by each which way of working a driver knows.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type conn struct{ fullConn }

// BeginTx is driver.ConnBeginTx's.
func (c conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	t, err := c.fullConn.BeginTx(ctx, opts)
	if err != nil {
		return nil, withMeaning(err)
	}
	return tx{t}, nil
}

// PrepareContext is driver.ConnPrepareContext's.
func (c conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.fullConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, withMeaning(err)
	}
	whole, ok := s.(fullStmt)
	if !ok {
		return nil, errors.Join(errors.New("a statement of SQLite's driver lacks what database/sql needs of it"), s.Close())
	}
	return stmt{whole}, nil
}

// ExecContext is driver.ExecerContext's.
func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	r, err := c.fullConn.ExecContext(ctx, query, args)
	return r, withMeaning(err)
}

// QueryContext is driver.QueryerContext's.
func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.fullConn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, withMeaning(err)
	}
	return rows{r}, nil
}

// Ping is driver.Pinger's.
func (c conn) Ping(ctx context.Context) error { return withMeaning(c.fullConn.Ping(ctx)) }

// Close is driver.Conn's.
func (c conn) Close() error { return withMeaning(c.fullConn.Close()) }

type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type stmt struct{ fullStmt }

// ExecContext is driver.StmtExecContext's.
func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	r, err := s.fullStmt.ExecContext(ctx, args)
	return r, withMeaning(err)
}

// QueryContext is driver.StmtQueryContext's.
func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r, err := s.fullStmt.QueryContext(ctx, args)
	if err != nil {
		return nil, withMeaning(err)
	}
	return rows{r}, nil
}

// Close is driver.Stmt's.
func (s stmt) Close() error { return withMeaning(s.fullStmt.Close()) }

type tx struct{ driver.Tx }

// Commit is driver.Tx's.
func (t tx) Commit() error { return withMeaning(t.Tx.Commit()) }

// Rollback is driver.Tx's.
func (t tx) Rollback() error { return withMeaning(t.Tx.Rollback()) }

type rows struct{ driver.Rows }

// Next is driver.Rows'.
func (r rows) Next(dest []driver.Value) error { return withMeaning(r.Rows.Next(dest)) }

// Close is driver.Rows'.
func (r rows) Close() error { return withMeaning(r.Rows.Close()) }
