package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docent/store"
	"docent/store/spool"
)

// chunkSize is how many bytes of a reference graph one row has.
const chunkSize = 1 << 20

// newSpool makes a spool in the folder for temporary files.
func (k Keeper) newSpool(setID int64) (*spool.Spool, error) {
	if err := os.MkdirAll(k.Temp, 0o700); err != nil {
		return nil, err
	}
	return spool.Next(filepath.Join(k.Temp, fmt.Sprintf("%d.references", setID))), nil
}

// SpoolReferences keeps the records of a doc set's pages until its graph is made.
func (k Keeper) SpoolReferences(ctx context.Context, setID int64) (store.Spool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return k.newSpool(setID)
}

// OpenReferences opens a doc set's reference graph, which the caller closes. It is read to its
// end at once, and a large one into a temporary file: later changes do not change it. The
// error wraps fs.ErrNotExist where it never was written.
func (k Keeper) OpenReferences(ctx context.Context, setID int64) (_ *io.SectionReader, _ io.Closer, err error) {
	rows, err := k.Database.Runner().QueryContext(ctx, `SELECT bytes FROM reference_graphs WHERE set_id = ? ORDER BY n`, setID)
	if IsMissing(err) {
		return nil, nil, missingGraph(setID)
	}
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	kept, err := k.newSpool(setID)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, kept.Close())
		}
	}()
	size, found := int64(0), false
	for ; rows.Next(); found = true {
		var chunk []byte
		if err := rows.Scan(&chunk); err != nil {
			return nil, nil, err
		}
		at, err := kept.Append(chunk)
		if err != nil {
			return nil, nil, err
		}
		size = at + int64(len(chunk))
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	if !found {
		return nil, nil, missingGraph(setID)
	}
	return io.NewSectionReader(kept, 0, size), kept, nil
}

func missingGraph(setID int64) error {
	return fmt.Errorf("the reference graph of doc set %d: %w", setID, fs.ErrNotExist)
}

// WriteReferences puts what write writes in the place of a doc set's reference graph. Readers
// see the graph before until all of it is written.
func (k Keeper) WriteReferences(ctx context.Context, setID int64, write func(io.Writer) error) (err error) {
	if err := k.Database.Migrate(ctx, keeperTables); err != nil {
		return err
	}
	tx, err := k.Database.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	// Another writer of the same graph waits.
	key := k.Database.lockKey(k.lockName(setID, "references"))
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(?)`, key); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM reference_graphs WHERE set_id = ?`, setID); err != nil {
		return err
	}
	n := 0
	chunks := &chunkWriter{put: func(chunk []byte) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO reference_graphs (set_id, n, bytes) VALUES (?, ?, ?)`, setID, n, chunk)
		n++
		return err
	}}
	if err := write(chunks); err != nil {
		return err
	}
	if err := chunks.put(append([]byte{}, chunks.waiting...)); err != nil { // an empty graph has a row too
		return err
	}
	return tx.Commit()
}

// chunkWriter cuts what it is given into chunks.
type chunkWriter struct {
	put     func(chunk []byte) error
	waiting []byte
}

// Write is io.Writer's.
func (w *chunkWriter) Write(b []byte) (n int, err error) {
	n = len(b)
	for len(b) > 0 {
		take := min(len(b), chunkSize-len(w.waiting))
		w.waiting, b = append(w.waiting, b[:take]...), b[take:]
		if len(w.waiting) == chunkSize {
			if err := w.put(w.waiting); err != nil {
				return 0, err
			}
			w.waiting = w.waiting[:0]
		}
	}
	return n, nil
}
