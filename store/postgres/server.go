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
