package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// A start of the server ends all connections, and it refuses new ones for a second or two.
// Connecting, the begin of a transaction and queries that change nothing are repeated.
// A change whose connection is lost fails, because it may have been made.

// restartTime bounds how long a process waits for a server that it has met before.
const restartTime = 15 * time.Second

// link is what the connections of a database have in common.
type link struct {
	place place
	met   atomic.Bool  // the server has let this process in
	lost  atomic.Int64 // when a connection was found lost; nanoseconds since 1970
}

// connect runs do, which connects, and again while a server that is known is away.
func (l *link) connect(ctx context.Context, do func() error) error {
	end := time.Now().Add(restartTime)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		err := do()
		if err == nil {
			l.met.Store(true)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err() // the driver's error has it among lines on each address
		}
		starting := codeOf(err) == cannotConnectNow
		if !starting && !(l.met.Load() && isLost(err)) || time.Now().After(end) {
			return l.place.withReason(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// shouldPing reports whether a connection is tried before it is used: one that was idle for
// long, or was used last before another one was lost.
func (l *link) shouldPing(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > time.Second || time.Now().Add(-p.IdleDuration).UnixNano() <= l.lost.Load()
}

// withMeaning is place's, and notes that a connection was lost.
func (l *link) withMeaning(err error) error {
	if isLost(err) {
		l.lost.Store(time.Now().UnixNano())
	}
	return l.place.withMeaning(err)
}

// lostError is the error of a statement that may be run again. database/sql does that on another
// connection, for what it takes for driver.ErrBadConn.
type lostError struct{ error }

// Unwrap gives the error with its meaning.
func (e lostError) Unwrap() error { return e.error }

// Is reports whether target is driver.ErrBadConn.
func (e lostError) Is(target error) bool { return target == driver.ErrBadConn }

// repeatable gives the error of a statement that may be run again.
func (l *link) repeatable(err error) error {
	if err = l.withMeaning(err); isUnreachable(err) {
		return lostError{err}
	}
	return err
}

// isQuery reports whether a statement changes nothing.
func isQuery(statement string) bool { return strings.HasPrefix(statement, "SELECT") }

// attempts is how often the pool runs a query whose connection is lost. database/sql tries one
// new connection alone, which a server that is about to end gives and ends.
const attempts = 4

// pool runs statements on the connections of a database, and queries again where a connection
// is lost.
type pool struct{ *sql.DB }

// QueryContext is Runner's.
func (p pool) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	for range attempts {
		rows, err = p.DB.QueryContext(ctx, query, args...)
		if !isUnreachable(err) || !isQuery(query) {
			break
		}
	}
	return rows, err
}

// QueryRowContext is Runner's.
func (p pool) QueryRowContext(ctx context.Context, query string, args ...any) (row *sql.Row) {
	for range attempts {
		row = p.DB.QueryRowContext(ctx, query, args...)
		if !isUnreachable(row.Err()) || !isQuery(query) {
			break
		}
	}
	return row
}
