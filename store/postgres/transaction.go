package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Runner runs statements: a pool of connections, a connection or a transaction.
type Runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Row is one row of an answer.
type Row interface{ Scan(dest ...any) error }

// Numbered runs statements that stores share with another engine: their parameters are
// question marks, which PostgreSQL numbers.
type Numbered struct{ inner Runner }

// ExecContext is Runner's.
func (n Numbered) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return n.inner.ExecContext(ctx, numbered(query), args...)
}

// QueryContext is Runner's.
func (n Numbered) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return n.inner.QueryContext(ctx, numbered(query), args...)
}

// QueryRowContext is Runner's.
func (n Numbered) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return n.inner.QueryRowContext(ctx, numbered(query), args...)
}

// numbered turns question marks into $1, $2 and so on. The statements of the stores have none
// inside of texts, and use no operator with one.
func numbered(query string) string {
	first, rest, found := strings.Cut(query, "?")
	if !found {
		return query
	}
	var b strings.Builder
	b.WriteString(first)
	for n := 1; found; n++ {
		b.WriteString("$" + strconv.Itoa(n))
		first, rest, found = strings.Cut(rest, "?")
		b.WriteString(first)
	}
	return b.String()
}

// Tx is a transaction on a connection of its own. It is not safe for concurrent use.
type Tx struct {
	Numbered
	tx   *sql.Tx
	conn *sql.Conn
	link *link
}

// Begin begins a transaction. It is dropped where ctx ends before Commit.
func (d *Database) Begin(ctx context.Context) (*Tx, error) {
	c, err := d.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	t, err := c.BeginTx(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &Tx{Numbered{t}, t, c, d.link}, nil
}

// SQL is the transaction for libraries. They must not end it.
func (t *Tx) SQL() *sql.Tx { return t.tx }

// Commit makes the changes visible.
func (t *Tx) Commit() error { return errors.Join(t.tx.Commit(), t.closeConn()) }

// Rollback drops the changes. It does nothing after Commit.
func (t *Tx) Rollback() error {
	err := t.tx.Rollback()
	if errors.Is(err, sql.ErrTxDone) {
		err = nil
	}
	return errors.Join(err, t.closeConn())
}

func (t *Tx) closeConn() error {
	if err := t.conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		return err
	}
	return nil
}

// onConn runs do with the driver's own connection.
func (t *Tx) onConn(do func(c *pgx.Conn) error) error {
	return t.conn.Raw(func(inner any) error {
		c, ok := inner.(conn)
		if !ok {
			return fmt.Errorf("a connection to PostgreSQL is a %T", inner)
		}
		return t.link.withMeaning(do(c.engine()))
	})
}

// batchSize bounds how many statements are sent at once.
const batchSize = 1000

// Repeat runs a statement n times with the parameters of each turn, a thousand in each round
// trip. Where scan is not nil, it gets the one row of each.
func (t *Tx) Repeat(ctx context.Context, query string, n int, args func(i int) []any, scan func(Row) error) error {
	query = numbered(query)
	return t.onConn(func(c *pgx.Conn) error {
		for begin := 0; begin < n; begin += batchSize {
			batch := &pgx.Batch{}
			end := min(n, begin+batchSize)
			for i := begin; i < end; i++ {
				batch.Queue(query, args(i)...)
			}
			if err := readBatch(c.SendBatch(ctx, batch), end-begin, scan); err != nil {
				return err
			}
		}
		return nil
	})
}

func readBatch(results pgx.BatchResults, n int, scan func(Row) error) (err error) {
	defer func() { err = errors.Join(err, results.Close()) }()
	for range n {
		if scan == nil {
			_, err = results.Exec()
		} else {
			err = scan(results.QueryRow())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Copy adds n rows to a table of the schema in one stream.
func (t *Tx) Copy(ctx context.Context, table string, columns []string, n int, row func(i int) ([]any, error)) error {
	return t.onConn(func(c *pgx.Conn) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{t.link.place.schema, table}, columns, pgx.CopyFromSlice(n, row))
		return err
	})
}

// Storable replaces what a text of PostgreSQL cannot have: zero bytes, and bytes that are not
// UTF-8.
func Storable(text string) string {
	const replacement = "\ufffd"
	return strings.ReplaceAll(strings.ToValidUTF8(text, replacement), "\x00", replacement)
}
