package postgres

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// The engine's errors get their meaning in the driver, below database/sql: every statement of
// every store goes through here, also those of libraries that are built on the same database.

type connector struct {
	driver.Connector
	place place
}

// Connect is driver.Connector's.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, c.place.withReason(err)
	}
	whole, ok := inner.(*stdlib.Conn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of PostgreSQL gives connections of another kind"), inner.Close())
	}
	return conn{whole, c.place}, nil
}

type conn struct {
	*stdlib.Conn
	place place
}

// engine is the driver's own connection.
func (c conn) engine() *pgx.Conn { return c.Conn.Conn() }

// BeginTx is driver.ConnBeginTx's.
func (c conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	t, err := c.Conn.BeginTx(ctx, opts)
	if err != nil {
		return nil, c.place.withMeaning(err)
	}
	return tx{t, c.place}, nil
}

// PrepareContext is driver.ConnPrepareContext's.
func (c conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.Conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, c.place.withMeaning(err)
	}
	whole, ok := s.(*stdlib.Stmt)
	if !ok {
		return nil, errors.Join(errors.New("the driver of PostgreSQL gives statements of another kind"), s.Close())
	}
	return stmt{whole, c.place}, nil
}

// ExecContext is driver.ExecerContext's.
func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	r, err := c.Conn.ExecContext(ctx, query, args)
	return r, c.place.withMeaning(err)
}

// QueryContext is driver.QueryerContext's.
func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, c.place.withMeaning(err)
	}
	return rows{r, c.place}, nil
}

type stmt struct {
	*stdlib.Stmt
	place place
}

// ExecContext is driver.StmtExecContext's.
func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	r, err := s.Stmt.ExecContext(ctx, args)
	return r, s.place.withMeaning(err)
}

// QueryContext is driver.StmtQueryContext's.
func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r, err := s.Stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, s.place.withMeaning(err)
	}
	return rows{r, s.place}, nil
}

type tx struct {
	driver.Tx
	place place
}

// Commit is driver.Tx's.
func (t tx) Commit() error { return t.place.withMeaning(t.Tx.Commit()) }

// Rollback is driver.Tx's.
func (t tx) Rollback() error { return t.place.withMeaning(t.Tx.Rollback()) }

type rows struct {
	driver.Rows
	place place
}

// Next is driver.Rows'.
func (r rows) Next(dest []driver.Value) error { return r.place.withMeaning(r.Rows.Next(dest)) }

// Close is driver.Rows'.
func (r rows) Close() error { return r.place.withMeaning(r.Rows.Close()) }
