package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"docent/store"
	"docent/store/durable"
)

// Keeper keeps small things of the doc sets of a home: locks of work, records, reference
// graphs. They go with a doc set, and are not part of the catalog's changes. Its tables are made when something is kept for the first time.
type Keeper struct {
	Database *Database
	// Temp is a folder of this machine for temporary files: large graphs that are being read,
	// and records of pages whose graph is being made.
	Temp string
}

// keeperTables have no foreign keys to the catalog's: the packages are made apart, and doc
// sets are removed in two steps.
var keeperTables = Part{Name: "records", Steps: []string{
	`CREATE TABLE set_records (
		set_id  BIGINT NOT NULL,
		record  TEXT NOT NULL,
		content BYTEA NOT NULL,
		PRIMARY KEY (set_id, record)
	);
	CREATE TABLE reference_graphs (
		set_id BIGINT NOT NULL,
		n      BIGINT NOT NULL,
		bytes  BYTEA NOT NULL,
		PRIMARY KEY (set_id, n)
	);`,
}, Same: 2} // version 2 had the table of holders too

func (k Keeper) lockName(setID int64, work store.SetWork) string {
	return fmt.Sprintf("set %d %s", setID, work)
}

// LockSet takes the right to do one kind of work on a doc set, as store.Exclusion's Lock. That of work
// on an index has a number, see Tx.CheckHolder, and numbers changes.
func (k Keeper) LockSet(ctx context.Context, setID int64, work store.SetWork, purpose string, wait time.Duration,
	waiting func(holder string)) (store.Held, error) {
	held, err := k.Database.Lock(ctx, k.lockName(setID, work), purpose, wait, waiting)
	if err != nil || work != store.Updating && work != store.Embedding {
		return held, err
	}
	numbered, err := k.takeNumber(ctx, held, setID, work)
	if err != nil {
		return nil, errors.Join(err, held.Release())
	}
	return numbered, nil
}

// Locked reports whether a process is at one kind of work on a doc set.
func (k Keeper) Locked(ctx context.Context, setID int64, work store.SetWork) (bool, error) {
	_, locked, err := k.Database.LockHolder(ctx, k.lockName(setID, work))
	return locked, err
}

// ForgetLock deletes what a lock of a removed doc set left: nothing.
func (k Keeper) ForgetLock(int64, store.SetWork) error { return nil }

// keepTime bounds the short statements of calls that no context ends.
const keepTime = time.Minute

// changeRows runs a statement that removes or replaces rows. Missing tables have none.
func (k Keeper) changeRows(query string, args ...any) error {
	ctx, done := context.WithTimeout(context.Background(), keepTime)
	defer done()
	_, err := k.Database.Runner().ExecContext(ctx, query, args...)
	if IsMissing(err) {
		return nil
	}
	return err
}

// ReadRecord gives a record of a doc set. The error wraps fs.ErrNotExist where it never was
// written.
func (k Keeper) ReadRecord(setID int64, record store.SetRecord) (content []byte, err error) {
	ctx, done := context.WithTimeout(context.Background(), keepTime)
	defer done()
	err = k.Database.Runner().QueryRowContext(ctx, `SELECT content FROM set_records WHERE set_id = ? AND record = ?`,
		setID, string(record)).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) {
		return nil, fmt.Errorf("the record %q of doc set %d: %w", record, setID, fs.ErrNotExist)
	}
	return content, err
}

// WriteRecord puts a record of a doc set in the place of the one before.
func (k Keeper) WriteRecord(setID int64, record store.SetRecord, content []byte) error {
	ctx, done := context.WithTimeout(context.Background(), keepTime)
	defer done()
	return k.Database.makeAndRun(ctx, keeperTables, func() error {
		_, err := k.Database.Runner().ExecContext(ctx, `INSERT INTO set_records (set_id, record, content) VALUES (?, ?, ?)
			ON CONFLICT (set_id, record) DO UPDATE SET content = excluded.content`, setID, string(record), append([]byte{}, content...))
		return err
	})
}

// RemoveRecord deletes a record of a doc set. One that is missing is no error.
func (k Keeper) RemoveRecord(setID int64, record store.SetRecord) error {
	return k.changeRows(`DELETE FROM set_records WHERE set_id = ? AND record = ?`, setID, string(record))
}

// Sets lists the doc sets of which anything is kept, in no order.
func (k Keeper) Sets() ([]int64, error) {
	ctx, done := context.WithTimeout(context.Background(), keepTime)
	defer done()
	rows, err := k.Database.Runner().QueryContext(ctx, `SELECT set_id FROM set_records UNION SELECT set_id FROM reference_graphs`)
	if IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readColumn[int64](rows)
}

// Remove deletes the reference graph of a doc set. Its records stay.
func (k Keeper) Remove(setID int64) error {
	return k.changeRows(`DELETE FROM reference_graphs WHERE set_id = ?`, setID)
}

// Purge deletes all that is kept of a doc set.
func (k Keeper) Purge(setID int64) error {
	return errors.Join(k.Remove(setID), k.changeRows(`DELETE FROM set_records WHERE set_id = ?`, setID))
}

// RemoveAll deletes all that is kept of all doc sets.
func (k Keeper) RemoveAll() error {
	return errors.Join(k.changeRows(`DELETE FROM reference_graphs`), k.changeRows(`DELETE FROM set_records`))
}

// SweepTemporary deletes temporary files that are older than age: their writers were killed.
func (k Keeper) SweepTemporary(age time.Duration) (removed int, err error) {
	return durable.SweepTemporary(k.Temp, age)
}
