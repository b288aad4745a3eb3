package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"docent/store"
	"docent/store/postgres"
	"docent/store/sqlite"
)

// sqliteFile is the engine of a catalog that is a file.
type sqliteFile struct {
	*sql.DB
	path   string
	writer bool
	watch  *sql.Conn // its data_version changes when another connection writes
	asked  *sql.Stmt // reads it
}

func openFile(path string, query url.Values) (*sqliteFile, error) {
	db, err := sqlite.OpenFile(path, query)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	return &sqliteFile{DB: db, path: path}, nil
}

func (f *sqliteFile) readOnlyDisk() bool {
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err == nil {
		file.Close()
		probe, err := os.CreateTemp(filepath.Dir(f.path), ".probe")
		if err == nil {
			probe.Close()
			os.Remove(probe.Name())
			return false
		}
	}
	return true
}

func (f *sqliteFile) name() string { return f.path }

// close closes the file. A writer moves the log into the file where no reader prevents it,
// because every later opening would have to read the log first.
func (f *sqliteFile) close() error {
	if f.writer {
		// A reader at work keeps the log, which is no error.
		_, _ = f.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	var err error
	if f.watch != nil {
		err = f.stopWatching()
	}
	return errors.Join(err, f.DB.Close())
}

// changeCounter is engine's. The connection watch never writes.
func (f *sqliteFile) changeCounter(ctx context.Context) (n int64, renewed bool, err error) {
	if f.watch == nil {
		// Not bound to ctx, which ends before the catalog is closed.
		conn, err := f.Conn(context.WithoutCancel(ctx))
		if err != nil {
			return 0, true, err
		}
		stmt, err := conn.PrepareContext(context.WithoutCancel(ctx), `PRAGMA data_version`)
		if err != nil {
			return 0, true, errors.Join(err, conn.Close())
		}
		f.watch, f.asked, renewed = conn, stmt, true
	}
	if err = f.asked.QueryRowContext(ctx).Scan(&n); err != nil {
		return 0, true, errors.Join(err, f.stopWatching())
	}
	return n, renewed, nil
}

func (f *sqliteFile) stopWatching() error {
	err := errors.Join(f.asked.Close(), f.watch.Close())
	f.watch, f.asked = nil, nil
	return err
}

func (f *sqliteFile) queryCounted(ctx context.Context, query string) (*sql.Rows, error) {
	return f.watch.QueryContext(ctx, query)
}

func (f *sqliteFile) amongIDs(ids []int64) (condition string, args []any) {
	args = make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return `id IN (?` + strings.Repeat(",?", len(ids)-1) + `)`, args
}

// check has SQLite compare the tables with their indexes.
func (f *sqliteFile) check(ctx context.Context) error {
	var answer string
	if err := f.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&answer); err != nil {
		return err
	}
	if answer != "ok" {
		return fmt.Errorf("the catalog %s: %s: %w", f.path, answer, store.ErrCatalogDamaged)
	}
	return nil
}

// stage is engine's: one prepared statement, run once for each document.
func (f *sqliteFile) stage(ctx context.Context, docs []store.Document, _ func(change) error) (ids []int64, err error) {
	err = inChange(ctx, f, func(tx change) error {
		insert, err := tx.(sqliteChange).PrepareContext(ctx, `INSERT INTO documents (state, `+strings.Join(stagedColumns, ", ")+`)
			VALUES (0`+strings.Repeat(", ?", len(stagedColumns))+`)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i := range docs {
			values, err := stagedValues(&docs[i])
			if err != nil {
				return fmt.Errorf("page %s: %w", docs[i].Path, err)
			}
			id := docs[i].ID
			res, err := insert.ExecContext(ctx, values...)
			if err == nil && id == 0 {
				id, err = res.LastInsertId()
			}
			if err != nil {
				return fmt.Errorf("page %s: %w", docs[i].Path, err)
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

func (f *sqliteFile) begin(ctx context.Context) (change, error) {
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return sqliteChange{tx}, nil
}

// sqliteChange is a transaction, which no other writer is next to.
type sqliteChange struct{ *sql.Tx }

// Rollback is change's.
func (c sqliteChange) Rollback() error {
	if err := c.Tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

func (c sqliteChange) repeat(ctx context.Context, query string, n int, args func(i int) []any, scan func(postgres.Row) error) error {
	stmt, err := c.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range n {
		if scan != nil {
			err = scan(stmt.QueryRowContext(ctx, args(i)...))
		} else {
			_, err = stmt.ExecContext(ctx, args(i)...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c sqliteChange) storable(text string) string { return text }

func (c sqliteChange) lockSet(context.Context, int64) error { return nil }

// checkHolder has nothing to look at: the lock of a file is held until the process ends.
func (c sqliteChange) checkHolder(context.Context, store.Held) error { return nil }
