package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"docent/store"
)

// keyLength is the length of a blob's key: SHA-256 in hexadecimal digits.
const keyLength = 2 * sha256.Size

// blobTables have the SHA-256 of each blob's bytes: damage is found when they are read.
var blobTables = Part{Name: "blobs", Steps: []string{
	`CREATE TABLE blobs (
		key     TEXT COLLATE "C" PRIMARY KEY,
		written TIMESTAMPTZ NOT NULL,
		sum     BYTEA NOT NULL,
		bytes   BYTEA NOT NULL
	)`,
}}

// Blobs is store.Blobs in a table. The first Put makes it.
type Blobs struct{ db *Database }

var _ store.Blobs = Blobs{}

// OpenBlobs gives the blobs of a database.
func OpenBlobs(db *Database) Blobs { return Blobs{db} }

func checkKey(key string) error {
	if len(key) != keyLength || strings.Trim(key, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is no key of a blob: it must be %d hexadecimal digits", key, keyLength)
	}
	return nil
}

// Get is store.Blobs'.
func (b Blobs) Get(ctx context.Context, key string) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	var want, data []byte
	err := b.db.Runner().QueryRowContext(ctx, `SELECT sum, bytes FROM blobs WHERE key = ?`, key).Scan(&want, &data)
	switch {
	case errors.Is(err, sql.ErrNoRows), IsMissing(err):
		return nil, fmt.Errorf("read blob %s: %w", key, store.ErrNoBlob)
	case errors.Is(err, store.ErrMalformed):
		return nil, fmt.Errorf("read blob %s: %w: %w", key, err, store.ErrBlobDamaged)
	case err != nil:
		return nil, fmt.Errorf("read blob: %w", err)
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], want) {
		return nil, fmt.Errorf("read blob %s: %w", key, store.ErrBlobDamaged)
	}
	return data, nil
}

// Put is store.Blobs'.
func (b Blobs) Put(ctx context.Context, key string, parts ...[]byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	data := bytes.Join(parts, nil)
	if data == nil {
		data = []byte{} // nil would be NULL
	}
	sum := sha256.Sum256(data)
	err := b.db.makeAndRun(ctx, blobTables, func() error {
		_, err := b.db.Runner().ExecContext(ctx, `INSERT INTO blobs (key, written, sum, bytes) VALUES (?, clock_timestamp(), ?, ?)
			ON CONFLICT (key) DO UPDATE SET written = excluded.written, sum = excluded.sum, bytes = excluded.bytes`, key, sum[:], data)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep a blob: %w", err)
	}
	return nil
}

// sweepBatch is how many blobs a sweep removes by one statement.
const sweepBatch = 1000

// Sweep is store.Blobs'.
func (b Blobs) Sweep(ctx context.Context, spare time.Duration, wanted func(key string) bool) (removed int, err error) {
	return sweepKeys(ctx, b.db, "blobs", spare, wanted)
}

// sweepKeys is store.Blobs' Sweep in a table. It reads keys alone. A blob that is put again while it runs stays.
func sweepKeys(ctx context.Context, db *Database, table string, spare time.Duration,
	wanted func(key string) bool) (removed int, err error) {
	var before time.Time
	err = db.Runner().QueryRowContext(ctx, `SELECT clock_timestamp() - ? * interval '1 microsecond'`, spare.Microseconds()).Scan(&before)
	if err != nil {
		return 0, err
	}
	keys, err := keysBefore(ctx, db, table, before)
	if IsMissing(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var unwanted []string
	for i, key := range keys {
		if !wanted(key) {
			unwanted = append(unwanted, key)
		}
		if len(unwanted) < sweepBatch && i < len(keys)-1 || len(unwanted) == 0 {
			continue
		}
		res, err := db.Runner().ExecContext(ctx, `DELETE FROM `+table+` WHERE key = ANY (?) AND written <= ?`, unwanted, before)
		if err != nil {
			return removed, fmt.Errorf("remove blobs: %w", err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return removed, err
		}
		removed, unwanted = removed+int(n), unwanted[:0]
	}
	return removed, nil
}

// keysBefore lists the keys of the blobs that were written up to a time.
func keysBefore(ctx context.Context, db *Database, table string, before time.Time) ([]string, error) {
	rows, err := db.Runner().QueryContext(ctx, `SELECT key FROM `+table+` WHERE written <= ?`, before)
	if err != nil {
		return nil, err
	}
	return readColumn[string](rows)
}

// readColumn reads the rows of a query with one column, and closes it.
func readColumn[T any](rows *sql.Rows) ([]T, error) {
	defer rows.Close()
	var out []T
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
