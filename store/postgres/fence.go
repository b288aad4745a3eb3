package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docent/store"
)

// A lock can be lost without its holder knowing: the process is paused, or cut off, while the
// server ends its connection and gives the lock to another process. A look at the lock before a
// change does not help, since the pause may come right behind it. So each holder of a lock of a
// doc set has a number, one more than the holder before, and a change names its number: the
// transaction that makes it reads the number of the last holder, and keeps it from growing until
// its end. This is Kleppmann's fencing token, "How to do distributed locking", 2016.
//
// A store that takes no part in the transactions, such as an index on other servers, numbers its
// changes by NextNumber, and tells by them what an earlier holder left or sends late.

// holderTables are a part of their own: a program of a version before refuses a newer version of the
// records, and made no reference graphs while a program of this version was running.
var holderTables = Part{Name: "holders", Steps: []string{
	`CREATE TABLE IF NOT EXISTS set_holders (
		set_id BIGINT NOT NULL,
		work   TEXT NOT NULL,
		n      BIGINT NOT NULL,
		PRIMARY KEY (set_id, work)
	);`,
}}

// fenced is a lock with the number of its holder.
type fenced struct {
	*heldLock
	database *Database
	setID    int64
	work     store.SetWork
	n        int64
}

// takeNumber gives the holder of a lock its number. It waits for a change by the holder before.
func (k Keeper) takeNumber(ctx context.Context, held store.Held, setID int64, work store.SetWork) (_ fenced, err error) {
	l, ok := held.(*heldLock)
	if !ok {
		return fenced{}, fmt.Errorf("the lock of doc set %d is a %T", setID, held)
	}
	f := fenced{heldLock: l, database: k.Database, setID: setID, work: work}
	f.n, err = f.raise(ctx, string(work), 0)
	return f, err
}

// ofChanges stands behind the work in the row that has the last number of a change.
const ofChanges = " changes"

// NextNumber gives a change its number: above a floor, and above all numbers that holders of the lock
// got before. A process that lost the lock gets none.
func (f fenced) NextNumber(ctx context.Context, floor int64) (int64, error) {
	return f.raise(ctx, string(f.work)+ofChanges, floor)
}

// raise gives the next number of a row. It is asked for over the connection that has the lock, so that
// numbers follow each other as holders do.
func (f fenced) raise(ctx context.Context, row string, floor int64) (n int64, err error) {
	err = f.database.makeAndRun(ctx, holderTables, func() error {
		err := f.conn.QueryRow(ctx, `INSERT INTO set_holders (set_id, work, n) VALUES ($1, $2, $3)
			ON CONFLICT (set_id, work) DO UPDATE SET n = greatest(set_holders.n + 1, excluded.n) RETURNING n`,
			f.setID, row, floor+1).Scan(&n)
		return f.withMeaning(err)
	})
	return n, err
}

// ErrTakenOver means that another process took a lock over, which this one lost without knowing.
var ErrTakenOver = errors.New("another process took it over meanwhile")

// LimitIdle is an expression that has the server end a transaction whose process stands still for a
// minute, and with it what others wait for: a process that is paused holds rows, and answers for its
// connection all the same, since its system does.
const LimitIdle = `set_config('idle_in_transaction_session_timeout', '60000', true)`

// CheckHolder is why a lock is not this process's any more: the error wraps ErrTakenOver where
// another process took it over. Until the end of the transaction none can. A right that has no
// number is not looked at.
func (t *Tx) CheckHolder(ctx context.Context, held store.Held) error {
	f, ok := numberedOf(held)
	if !ok {
		return nil
	}
	var last int64
	var limit string
	err := t.QueryRowContext(ctx, `SELECT n, `+LimitIdle+` FROM set_holders WHERE set_id = ? AND work = ? FOR SHARE`,
		f.setID, string(f.work)).Scan(&last, &limit)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) { // the schema was put aside, or the doc set is gone
		last, err = 0, nil
	}
	if err == nil && last != f.n {
		err = fmt.Errorf("the lock of doc set %d in %s was lost: %w", f.setID, t.link.place, ErrTakenOver)
	}
	return err
}

// numberedOf gives the lock with a number that a right is, or that it wraps.
func numberedOf(held store.Held) (f fenced, ok bool) {
	for {
		if f, ok = held.(fenced); ok {
			return f, true
		}
		w, wraps := held.(interface{ Unwrap() store.Held })
		if !wraps {
			return f, false
		}
		held = w.Unwrap()
	}
}
