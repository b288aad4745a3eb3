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
	link *link
}

func newConnector(config *pgx.ConnConfig, l *link) connector {
	return connector{stdlib.GetConnector(*config, stdlib.OptionShouldPing(l.shouldPing)), l}
}

// Connect is driver.Connector's.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	var inner driver.Conn
	err := c.link.connect(ctx, func() (err error) {
		inner, err = c.Connector.Connect(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	whole, ok := inner.(*stdlib.Conn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of PostgreSQL gives connections of another kind"), inner.Close())
	}
	return conn{whole, c.link}, nil
}

type conn struct {
	*stdlib.Conn
	link *link
}

// engine is the driver's own connection.
func (c conn) engine() *pgx.Conn { return c.Conn.Conn() }

// BeginTx is driver.ConnBeginTx's.
func (c conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	t, err := c.Conn.BeginTx(ctx, opts)
	if err != nil {
		return nil, c.link.repeatable(err)
	}
	return tx{t, c.link}, nil
}

// PrepareContext is driver.ConnPrepareContext's.
func (c conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.Conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, c.link.withMeaning(err)
	}
	whole, ok := s.(*stdlib.Stmt)
	if !ok {
		return nil, errors.Join(errors.New("the driver of PostgreSQL gives statements of another kind"), s.Close())
	}
	return stmt{whole, c.link}, nil
}

// ExecContext is driver.ExecerContext's.
func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	r, err := c.Conn.ExecContext(ctx, query, args)
	return r, c.link.withMeaning(err)
}

// QueryContext is driver.QueryerContext's.
func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	const idle = 'I'
	alone := c.engine().PgConn().TxStatus() == idle
	r, err := c.Conn.QueryContext(ctx, query, args)
	switch {
	case err != nil && alone && isQuery(query):
		return nil, c.link.repeatable(err)
	case err != nil:
		return nil, c.link.withMeaning(err)
	}
	return rows{r, c.link}, nil
}

type stmt struct {
	*stdlib.Stmt
	link *link
}

// ExecContext is driver.StmtExecContext's.
func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	r, err := s.Stmt.ExecContext(ctx, args)
	return r, s.link.withMeaning(err)
}

// QueryContext is driver.StmtQueryContext's.
func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r, err := s.Stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, s.link.withMeaning(err)
	}
	return rows{r, s.link}, nil
}

type tx struct {
	driver.Tx
	link *link
}

// Commit is driver.Tx's.
func (t tx) Commit() error { return t.link.withMeaning(t.Tx.Commit()) }

// Rollback is driver.Tx's.
func (t tx) Rollback() error { return t.link.withMeaning(t.Tx.Rollback()) }

type rows struct {
	driver.Rows
	link *link
}

// Next is driver.Rows'.
func (r rows) Next(dest []driver.Value) error { return r.link.withMeaning(r.Rows.Next(dest)) }

// Close is driver.Rows'.
func (r rows) Close() error { return r.link.withMeaning(r.Rows.Close()) }
