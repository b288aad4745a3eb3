package postgres

import (
	"context"
	"fmt"
	"time"

	"docent/store"
)

// oldestServer is the oldest version of the server that has all that the tables need, as the
// server writes it: gen_random_uuid without an extension.
const oldestServer = 130000

// ServerInfo describes a server.
type ServerInfo struct {
	Version  string // "15.6 (Debian 15.6-0+deb12u1)"
	Number   int    // 150006
	Encoding string // of the database: "UTF8"
	ReadOnly bool   // it only follows another server, or its sessions are read-only
	Clock    time.Time
}

// Inspect asks the server for its version and state.
func (d *Database) Inspect(ctx context.Context) (ServerInfo, error) { return inspect(ctx, d.Runner()) }

func inspect(ctx context.Context, r Runner) (s ServerInfo, err error) {
	err = r.QueryRowContext(ctx, `SELECT current_setting('server_version'), current_setting('server_version_num')::integer,
		current_setting('server_encoding'), pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
		clock_timestamp()`).Scan(&s.Version, &s.Number, &s.Encoding, &s.ReadOnly, &s.Clock)
	return s, err
}

// checkServer is why tables cannot be made on a server; nil: they can.
func (d *Database) checkServer(s ServerInfo) error {
	switch {
	case s.Number < oldestServer:
		return d.link.place.unreachable(fmt.Sprintf("the server is PostgreSQL %s; version %d or newer is needed", s.Version,
			oldestServer/10000), nil)
	case s.Encoding != "UTF8":
		return d.link.place.unreachable(fmt.Sprintf("its encoding is %s; make a database with the encoding UTF8", s.Encoding), nil)
	}
	return nil
}

// CheckWritable is why the database takes no changes, such as a server that only follows
// another one; nil: it does.
func (d *Database) CheckWritable(ctx context.Context) error {
	s, err := d.Inspect(ctx)
	if err == nil && s.ReadOnly {
		err = &store.FaultError{Kind: store.ErrReadOnly, Err: fmt.Errorf("the database %s takes no changes: it is read-only", d.Name())}
	}
	return err
}

// Load is how busy a server is with a database.
type Load struct {
	Connections     int  // of all programs to the database
	MostConnections int  // to the server
	ReadOnly        bool // it only follows another server, or its sessions are read-only
	// Lag is how far the server is behind the one that it follows, or the slowest of those that follow it
	// is behind it; nil without one, and where the user may not see it.
	Lag *time.Duration
	// InUse are the connections of this process that are in use, and Waits how often it waited for one.
	InUse int
	Waits int64
}

// Load asks the server in one statement.
func (d *Database) Load(ctx context.Context) (l Load, err error) {
	var lag *float64
	err = d.Runner().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
		current_setting('max_connections')::integer, pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
		CASE WHEN NOT pg_is_in_recovery() THEN (SELECT extract(epoch FROM max(replay_lag)) FROM pg_stat_replication)
			WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
			ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::double precision`).
		Scan(&l.Connections, &l.MostConnections, &l.ReadOnly, &lag)
	if lag != nil {
		d := time.Duration(*lag * float64(time.Second))
		l.Lag = &d
	}
	own := d.db.Stats()
	l.InUse, l.Waits = own.InUse, own.WaitCount
	return l, err
}
