// Package embeddings keeps the vectors that models made of texts, so that no
// text is sent to a model twice: by the model's identity and the text's hash,
// whichever doc sets and versions the text stands in.
//
// It is one SQLite file. Vectors stay once Put has returned, even if the process or the
// machine crashes then; several processes may read and write at once. Numbers are kept
// exactly, so that other stores can be made of them. Every vector has a checksum, and one
// that does not fit is as if it were not there. What it holds took hours to make and can
// be made again: a file that is damaged is put aside by its owner (PutAside), and a new
// one begun.
//
// It refuses to keep texts, to make vectors, and to search them: that is
// store/vector's.
//
// Terms: a model's probe is its vector of a fixed text. It shows whether the server still
// has the same model under this identity.
package embeddings

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
	"docent/store/floats"
	"docent/store/sqlite"
)

// The values of the cache, under short names.
type (
	Key   = store.TextKey
	Model = store.CachedModel
	Entry = store.TextVector
	Mark  = store.CacheMark
)

// ErrDimension means that a vector does not have its model's dimension.
var ErrDimension = errors.New("another dimension")

// Cache is an open file. It is safe for concurrent use.
type Cache struct {
	db   *sql.DB
	path string
}

// formatVersion is that of the tables. A file of another one is as good as
// damaged: its vectors are made again.
const formatVersion = 1

// A row's number is never used again, so that Mark can recognise later rows.
const schema = `CREATE TABLE models (
		id    INTEGER PRIMARY KEY AUTOINCREMENT,
		name  TEXT NOT NULL UNIQUE,
		dims  INTEGER NOT NULL,
		probe BLOB NOT NULL
	) STRICT;
	CREATE TABLE vectors (
		id     INTEGER PRIMARY KEY AUTOINCREMENT,
		model  INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
		key    BLOB NOT NULL,
		vector BLOB NOT NULL,
		UNIQUE (model, key)
	) STRICT;`

// OpenCache opens the file at path and makes it where it is missing. The error is a
// store.DamagedFault where the file must be put aside: it wraps store.ErrOtherFormat where
// its tables are of another version, or not this package's.
func OpenCache(ctx context.Context, path string) (*Cache, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := sqlite.OwnFiles(path); err != nil {
		return nil, err
	}
	db, err := sqlite.OpenFile(path, url.Values{
		// FULL: a batch took seconds to make, and writing it out takes
		// milliseconds. auto_vacuum must stand before the first table.
		"_pragma": {"auto_vacuum(INCREMENTAL)", "journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	c := &Cache{db: db, path: path}
	if err := c.prepareTables(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the vectors kept in %s: %w", path, err), db.Close())
	}
	return c, nil
}

func (c *Cache) prepareTables(ctx context.Context) error {
	v, err := schemaVersion(ctx, c.db)
	if err != nil || v == formatVersion {
		return err
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been quicker.
	if v, err = schemaVersion(ctx, tx); err != nil || v == formatVersion {
		return err
	}
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	if v != 0 || tables > 0 {
		return fmt.Errorf("%w (version %d, this program writes %d)", store.ErrOtherFormat, v, formatVersion)
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	// A pragma takes no parameters.
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, formatVersion)); err != nil {
		return err
	}
	return tx.Commit()
}

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

func schemaVersion(ctx context.Context, q querier) (v int, err error) {
	err = q.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v)
	return v, err
}

// Path is the file's.
func (c *Cache) Path() string { return c.path }

// Close closes the file.
func (c *Cache) Close() error {
	// A reader in the middle of something keeps the log: no error.
	_, _ = c.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	return c.db.Close()
}

// fileFault says what could not be done with the file.
func (c *Cache) fileFault(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s the vectors kept in %s: %w", what, c.path, err)
}

// Check has SQLite look for damage.
func (c *Cache) Check(ctx context.Context) error {
	var answer string
	if err := c.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&answer); err != nil {
		return c.fileFault("read", err)
	}
	if answer != "ok" {
		return fmt.Errorf("%s: %s: %w", c.path, answer, store.ErrOtherFormat)
	}
	return nil
}

// Model describes a model; the error is store.ErrUnknownModel for an unknown one.
func (c *Cache) Model(ctx context.Context, id string) (Model, error) {
	m := Model{ID: id}
	var raw []byte
	err := c.db.QueryRowContext(ctx, `SELECT dims, probe FROM models WHERE name = ?`, id).Scan(&m.Dimension, &raw)
	if errors.Is(err, sql.ErrNoRows) {
		return m, fmt.Errorf("%s: %w", id, store.ErrUnknownModel)
	}
	if err != nil {
		return m, c.fileFault("read", err)
	}
	if m.Probe, err = floats.Decode(raw); err != nil {
		return m, fmt.Errorf("%s: the probe of %s: %w: %w", c.path, id, err, store.ErrOtherFormat)
	}
	return m, nil
}

// Forget drops a model and its vectors.
func (c *Cache) Forget(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, `DELETE FROM models WHERE name = ?`, id); err != nil {
		return c.fileFault("write", err)
	}
	return c.shrinkFile(ctx)
}

// shrinkFile gives the pages that are empty back to the disk.
func (c *Cache) shrinkFile(ctx context.Context) error {
	return c.fileFault("write", c.queryRows(ctx, `PRAGMA incremental_vacuum`, nil, func(*sql.Rows) error { return nil }))
}

// Put keeps vectors of a model, in place of older ones; one that is not known yet
// is from now on. When it returns they are on the disk. Vectors of another
// dimension than the model's are refused with ErrDimension.
func (c *Cache) Put(ctx context.Context, m Model, entries []Entry) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return c.fileFault("write", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO models (name, dims, probe) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, m.ID, m.Dimension,
		floats.Encode(m.Probe)); err != nil {
		return c.fileFault("write", err)
	}
	var model int64
	var dims int
	if err := tx.QueryRowContext(ctx, `SELECT id, dims FROM models WHERE name = ?`, m.ID).Scan(&model, &dims); err != nil {
		return c.fileFault("write", err)
	}
	for _, e := range entries {
		if len(e.Vector) != dims {
			return fmt.Errorf("a vector of %d dimensions of %s, whose others have %d: %w", len(e.Vector), m.ID, dims, ErrDimension)
		}
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO vectors (model, key, vector) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET vector = excluded.vector`)
	if err != nil {
		return c.fileFault("write", err)
	}
	defer insert.Close()
	for _, e := range entries {
		if _, err := insert.ExecContext(ctx, model, e.Key[:], floats.Encode(e.Vector)); err != nil {
			return c.fileFault("write", err)
		}
	}
	return c.fileFault("write", tx.Commit())
}

// Get gives a model's vectors of texts, as many as there are.
func (c *Cache) Get(ctx context.Context, id string, keys []Key) (map[Key][]float32, error) {
	out := make(map[Key][]float32, len(keys))
	err := c.eachRow(ctx, id, keys, func(rows *sql.Rows) error {
		var k, raw []byte
		if err := rows.Scan(&k, &raw); err != nil {
			return err
		}
		if v, err := floats.Decode(raw); err == nil && len(k) == len(Key{}) {
			out[Key(k)] = v
		}
		return nil
	})
	return out, err
}

// Missing gives those of the keys of which there is no vector of a model, each
// once, in their order. A vector that does not have its checksum is missing.
func (c *Cache) Missing(ctx context.Context, id string, keys []Key) ([]Key, error) {
	there := make(map[Key]bool, len(keys))
	err := c.eachRow(ctx, id, keys, func(rows *sql.Rows) error {
		var k, raw sql.RawBytes
		if err := rows.Scan(&k, &raw); err != nil {
			return err
		}
		if len(k) == len(Key{}) && floats.Intact(raw) {
			there[Key(k)] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []Key
	for _, k := range keys {
		if !there[k] {
			there[k] = true
			out = append(out, k)
		}
	}
	return out, nil
}

// eachRow reads a model's rows of these keys.
func (c *Cache) eachRow(ctx context.Context, id string, keys []Key, f func(*sql.Rows) error) error {
	var model int64
	err := c.db.QueryRowContext(ctx, `SELECT id FROM models WHERE name = ?`, id).Scan(&model)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	const batch = 250
	for err == nil && len(keys) > 0 {
		n := min(batch, len(keys))
		args := []any{model}
		for _, k := range keys[:n] {
			args = append(args, k[:])
		}
		keys = keys[n:]
		err = c.queryRows(ctx, `SELECT key, vector FROM vectors WHERE model = ? AND key IN (?`+strings.Repeat(",?", n-1)+`)`, args, f)
	}
	return c.fileFault("read", err)
}

func (c *Cache) queryRows(ctx context.Context, query string, args []any, f func(*sql.Rows) error) error {
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Now is this moment.
func (c *Cache) Now(ctx context.Context) (m Mark, err error) {
	err = c.db.QueryRowContext(ctx, `SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'vectors'`).Scan(&m)
	return m, c.fileFault("read", err)
}

// Prune drops the vectors that were there at a moment and that drop says so of,
// and gives their number. A model of which none is left is forgotten with them.
func (c *Cache) Prune(ctx context.Context, before Mark, drop func(id string, k Key) bool) (int, error) {
	var unused []int64
	// The plus has the index read, and not the vectors.
	err := c.queryRows(ctx, `SELECT vectors.id, name, key FROM vectors JOIN models ON models.id = model WHERE +vectors.id <= ?`,
		[]any{int64(before)}, func(rows *sql.Rows) error {
			var id int64
			var name string
			var k sql.RawBytes
			if err := rows.Scan(&id, &name, &k); err != nil {
				return err
			}
			if len(k) != len(Key{}) || drop(name, Key(k)) {
				unused = append(unused, id)
			}
			return nil
		})
	if err != nil {
		return 0, c.fileFault("read", err)
	}
	if len(unused) == 0 {
		return 0, nil
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, c.fileFault("write", err)
	}
	defer tx.Rollback()
	del, err := tx.PrepareContext(ctx, `DELETE FROM vectors WHERE id = ?`)
	if err != nil {
		return 0, c.fileFault("write", err)
	}
	defer del.Close()
	for _, id := range unused {
		if _, err := del.ExecContext(ctx, id); err != nil {
			return 0, c.fileFault("write", err)
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM models WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE model = models.id)`); err != nil {
		return 0, c.fileFault("write", err)
	}
	if err := tx.Commit(); err != nil {
		return 0, c.fileFault("write", err)
	}
	return len(unused), c.shrinkFile(ctx)
}
