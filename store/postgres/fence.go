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

// fenced is a lock with the number of its holder.
type fenced struct {
	store.Held
	setID int64
	work  store.SetWork
	n     int64
}

// takeNumber gives the holder of a lock its number. It is asked for over the connection that has
// the lock, so that numbers follow each other as holders do. It waits for a change by the holder
// before.
func (k Keeper) takeNumber(ctx context.Context, held store.Held, setID int64, work store.SetWork) (n int64, err error) {
	l, ok := held.(*heldLock)
	if !ok {
		return 0, fmt.Errorf("the lock of doc set %d is a %T", setID, held)
	}
	err = k.Database.makeAndRun(ctx, keeperTables, func() error {
		err := l.conn.QueryRow(ctx, `INSERT INTO set_holders (set_id, work, n) VALUES ($1, $2, 1)
			ON CONFLICT (set_id, work) DO UPDATE SET n = set_holders.n + 1 RETURNING n`, setID, string(work)).Scan(&n)
		return l.withMeaning(err)
	})
	return n, err
}

// ErrTakenOver means that another process took a lock over, which this one lost without knowing.
var ErrTakenOver = errors.New("another process took it over meanwhile")

// CheckHolder is why a lock is not this process's any more: the error wraps ErrTakenOver where
// another process took it over. Until the end of the transaction none can. A right that has no
// number is not looked at.
func (t *Tx) CheckHolder(ctx context.Context, held store.Held) error {
	f, ok := held.(fenced)
	if !ok {
		return nil
	}
	var last int64
	err := t.QueryRowContext(ctx, `SELECT n FROM set_holders WHERE set_id = ? AND work = ? FOR SHARE`, f.setID, string(f.work)).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) { // the schema was put aside, or the doc set is gone
		last, err = 0, nil
	}
	if err == nil && last != f.n {
		err = fmt.Errorf("the lock of doc set %d in %s was lost: %w", f.setID, t.link.place, ErrTakenOver)
	}
	return err
}
