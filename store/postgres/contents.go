package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"docent/store"
)

// contents are the contents of files by their checksums: packed, and kept in a table that outlives the
// catalog. Trees says which of them are needed, and sweeps the others.
type contents struct {
	db   *Database
	pack *zstd.Encoder
	open *zstd.Decoder
}

// mostContent bounds what a packed content unpacks to, in bytes.
const mostContent = 1 << 30

// openContents gives the contents of files in a database.
func openContents(db *Database) (*contents, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	open, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostContent))
	if err != nil {
		return nil, err
	}
	return &contents{db, pack, open}, nil
}

// content is a row of the table.
type content struct {
	key    string
	sum    []byte // SHA-256 of the content
	packed bool
	bytes  []byte
}

// packContent packs a content, unless that saves nothing: images and archives are packed already.
func (c *contents) packContent(key string, data []byte) content {
	sum := sha256.Sum256(data)
	out := content{key: key, sum: sum[:], bytes: data}
	if packed := c.pack.EncodeAll(data, make([]byte, 0, len(data)/2)); len(packed) < len(data) {
		out.packed, out.bytes = true, packed
	}
	if out.bytes == nil {
		out.bytes = []byte{} // nil would be NULL
	}
	return out
}

// unpack gives the content of a row. The error wraps store.ErrBlobDamaged.
func (c *contents) unpack(row content) ([]byte, error) {
	data := row.bytes
	if row.packed {
		var err error
		if data, err = c.open.DecodeAll(row.bytes, nil); err != nil { // its text is about the inside of the format
			return nil, fmt.Errorf("content %s: %w", row.key, store.ErrBlobDamaged)
		}
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], row.sum) {
		return nil, fmt.Errorf("content %s: %w", row.key, store.ErrBlobDamaged)
	}
	return data, nil
}

// put keeps a content, in parts.
func (c *contents) put(ctx context.Context, key string, parts ...[]byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return c.putMany(ctx, []content{c.packContent(key, bytes.Join(parts, nil))})
}

// putMany keeps contents, in few round trips.
func (c *contents) putMany(ctx context.Context, rows []content) error {
	// In order, so that two transactions do not wait for each other.
	slices.SortFunc(rows, func(a, b content) int { return strings.Compare(a.key, b.key) })
	err := c.db.makeAndRun(ctx, treeTables, func() (err error) {
		tx, err := c.db.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, tx.Rollback()) }()
		err = tx.Repeat(ctx, `INSERT INTO contents (key, written, sum, packed, bytes) VALUES (?, clock_timestamp(), ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET written = excluded.written, sum = excluded.sum, packed = excluded.packed,
			bytes = excluded.bytes`, len(rows), func(i int) []any {
			return []any{rows[i].key, rows[i].sum, rows[i].packed, rows[i].bytes}
		}, nil)
		if err != nil {
			return err
		}
		return tx.Commit()
	})
	if err != nil {
		return fmt.Errorf("keep the contents of files in %s: %w", c.db.Name(), err)
	}
	return nil
}

// Contents are read in batches of so many rows and bytes, so that memory is bounded.
const (
	mostBatch      = 500
	mostBatchBytes = 8 << 20
)

// getMany gives contents, each once and in any order.
func (c *contents) getMany(ctx context.Context, keys []string, each func(key string, content []byte, err error) error) error {
	for len(keys) > 0 {
		n, err := c.batchOf(ctx, keys)
		if err != nil {
			return err
		}
		if err := c.getBatch(ctx, keys[:n], each); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// batchOf is how many of the next contents are read at once, by their sizes.
func (c *contents) batchOf(ctx context.Context, keys []string) (n int, err error) {
	keys = keys[:min(len(keys), mostBatch)]
	if len(keys) == 1 {
		return 1, nil
	}
	rows, err := c.db.Runner().QueryContext(ctx, `SELECT key, octet_length(bytes) FROM contents WHERE key = ANY (?)`, keys)
	if IsMissing(err) {
		return len(keys), nil
	}
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	sizes := map[string]int64{}
	for rows.Next() {
		var key string
		var size int64
		if err := rows.Scan(&key, &size); err != nil {
			return 0, err
		}
		sizes[key] = size
	}
	for sum := int64(0); n < len(keys); n++ {
		if sum += sizes[keys[n]]; n > 0 && sum > mostBatchBytes {
			break
		}
	}
	return n, rows.Err()
}

func (c *contents) getBatch(ctx context.Context, keys []string, each func(key string, content []byte, err error) error) error {
	got, err := c.readRows(ctx, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		row, ok := got[key]
		if !ok {
			err = each(key, nil, fmt.Errorf("content %s: %w", key, store.ErrNoBlob))
		} else {
			data, uerr := c.unpack(row)
			err = each(key, data, uerr)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *contents) readRows(ctx context.Context, keys []string) (map[string]content, error) {
	rows, err := c.db.Runner().QueryContext(ctx, `SELECT key, sum, packed, bytes FROM contents WHERE key = ANY (?)`, keys)
	if IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the contents of files: %w", err)
	}
	defer rows.Close()
	got := make(map[string]content, len(keys))
	for rows.Next() {
		var row content
		if err := rows.Scan(&row.key, &row.sum, &row.packed, &row.bytes); err != nil {
			return nil, err
		}
		got[row.key] = row
	}
	return got, rows.Err()
}
