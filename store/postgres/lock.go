package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"docent/store"
	"docent/store/lock"
)

// A lock is an advisory lock of PostgreSQL, which a session holds. Each held lock has a
// connection of its own, outside of the pool: it ends with the process, or when the server
// finds the process gone. The connection's application_name says to others who has the lock.
// A proxy that gives sessions of the server to several clients in turn cannot be used.

// poll is how often a waiting process tries again.
const poll = 50 * time.Millisecond

// releaseTime bounds the release of a lock: its holder may be ending.
const releaseTime = 5 * time.Second

// lockKey is the key of a lock. Keys are shared by all schemas of a database.
func (d *Database) lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("docent " + d.Schema() + " " + name))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// heldLock is a lock that this process has.
type heldLock struct {
	conn *pgx.Conn
	key  int64
	name string
	in   place
}

// Lock takes the lock of a name, as store.Exclusion's Lock. It needs no table, nor the schema.
func (d *Database) Lock(ctx context.Context, name, purpose string, wait time.Duration,
	waiting func(holder string)) (_ store.Held, err error) {
	config := d.config.Copy()
	host, _ := os.Hostname() // "" where it has none
	// The server cuts names off after 63 bytes.
	config.RuntimeParams["application_name"] = fmt.Sprintf("docent: process %d on %.20s (%s)", os.Getpid(), host, purpose)
	// The server finds a machine gone within half a minute, and not within two hours.
	for _, keep := range [][2]string{{"idle", "10"}, {"interval", "5"}, {"count", "3"}} {
		config.RuntimeParams["tcp_keepalives_"+keep[0]] = keep[1]
	}
	var c *pgx.Conn
	err = d.link.connect(ctx, func() (err error) {
		c, err = pgx.ConnectConfig(ctx, config)
		return err
	})
	if err != nil {
		return nil, err
	}
	l := &heldLock{conn: c, key: d.lockKey(name), name: name, in: d.link.place}
	defer func() {
		if err != nil {
			_ = l.conn.Close(context.WithoutCancel(ctx))
		}
	}()
	deadline := time.Now().Add(wait)
	for first := true; ; first = false {
		var ok bool
		if err := c.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, l.key).Scan(&ok); err != nil {
			return nil, d.link.place.withMeaning(err)
		}
		if ok {
			return l, nil
		}
		expired := !time.Now().Before(deadline)
		if expired || first && waiting != nil {
			holder, _, err := d.LockHolder(ctx, name)
			if err != nil {
				return nil, err
			}
			if expired {
				return nil, &lock.LockedError{Place: d.Name(), Holder: holder}
			}
			waiting(holder)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(poll):
		}
	}
}

// Check is store.Held's. It asks the server over the connection that has the lock.
func (l *heldLock) Check(ctx context.Context) error {
	var has bool
	err := l.conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
		AND pid = pg_backend_pid() AND (classid::bigint << 32 | objid::bigint) = $1)`, l.key).Scan(&has)
	if err == nil && !has {
		err = errors.New("this process does not have it any more")
	}
	if err != nil {
		return fmt.Errorf("the lock %q of %s was lost, and another process may have it: %w", l.name, l.in, l.withMeaning(err))
	}
	return nil
}

// withMeaning is place's, for an error of the lock's connection.
func (l *heldLock) withMeaning(err error) error {
	if err = l.in.withMeaning(err); l.conn.IsClosed() && !isUnreachable(err) {
		return l.in.unreachable("the connection was lost", err)
	}
	return err
}

// Release gives the lock back. The error says that the connection was lost before: another
// process may have had the lock since.
func (l *heldLock) Release() error {
	ctx, done := context.WithTimeout(context.Background(), releaseTime)
	defer done()
	var had bool
	err := l.conn.QueryRow(ctx, `SELECT pg_advisory_unlock($1)`, l.key).Scan(&had)
	if err == nil && !had {
		err = errors.New("this process does not have it any more")
	}
	if err != nil {
		err = fmt.Errorf("release the lock %q of %s: %w", l.name, l.in, l.withMeaning(err))
	}
	return errors.Join(err, l.conn.Close(ctx))
}

// LockHolder reports whether a process has the lock of a name, and which.
func (d *Database) LockHolder(ctx context.Context, name string) (holder string, locked bool, err error) {
	key := uint64(d.lockKey(name))
	err = d.Runner().QueryRowContext(ctx, `SELECT coalesce(a.application_name, '')
		FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ?::bigint::oid AND l.objid = ?::bigint::oid AND l.objsubid = 1
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`,
		int64(key>>32), int64(key&0xffffffff)).Scan(&holder)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	const prefix = "docent: "
	if len(holder) > len(prefix) && holder[:len(prefix)] == prefix {
		holder = holder[len(prefix):]
	}
	return holder, err == nil, err
}
