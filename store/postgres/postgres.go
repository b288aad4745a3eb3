// Package postgres keeps what the stores on PostgreSQL share: the address and the
// connections, the meaning of the engine's errors, the versions of tables, locks. It also
// keeps the blobs of a home, its records, locks and reference graphs, and the logins of its servers.
//
// Terms. A home has one schema of a database, so that several homes can share a database. A
// part is a group of tables that one package owns, with its own version.
//
// It refuses to know the tables of the catalog and of the jobs: those are in their packages.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// mostConnections bounds the connections of one process. A server takes 100 by default, from
// all processes.
const mostConnections = 16

// Database is the schema of a home in a PostgreSQL database, with a pool of connections. The
// stores of a process share one. It is safe for concurrent use.
type Database struct {
	link   *link
	config *pgx.ConnConfig
	db     *sql.DB
}

// OpenDatabase gives the database at an address:
//
//	postgres://user@host:5432/database?schema=name
//
// The schema is docent where the address names none. All other parameters are the driver's,
// and so are the places where a password is looked for: the address, PGPASSWORD, a pgpass
// file. A password that is not "" is used where the address has none. Nothing is connected yet.
// The error names no password.
func OpenDatabase(address, password string) (*Database, error) {
	config, schema, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(address); err == nil && password != "" {
		if _, given := u.User.Password(); !given {
			config.Password = password
		}
	}
	d := &Database{config: config, link: &link{place: placeOf(config, schema)}}
	d.db = sql.OpenDB(newConnector(config, d.link))
	d.db.SetMaxOpenConns(mostConnections)
	d.db.SetMaxIdleConns(4)
	d.db.SetConnMaxIdleTime(5 * time.Minute)
	return d, nil
}

// Close closes the connections. Locks are connections of their own, which their holders close.
func (d *Database) Close() error { return d.db.Close() }

// Name is the address without user and password, for people.
func (d *Database) Name() string { return d.link.place.String() }

// Schema is the name of the home's schema.
func (d *Database) Schema() string { return d.link.place.schema }

// SQL is the pool of connections. Its statements find the tables of the home's schema.
func (d *Database) SQL() *sql.DB { return d.db }

// Runner runs statements whose parameters are question marks. Queries wait for a server that
// starts again.
func (d *Database) Runner() Numbered { return Numbered{pool{d.db}} }

// Part is a group of tables with the steps that make them: step i brings them from version i
// to i+1. Released steps are never changed.
type Part struct {
	Name  string
	Steps []string
	// Same is the highest version of other programs that has these tables too; 0: there is none.
	Same int
}

// isCurrent reports whether a version has all tables of the part, and no others.
func (p Part) isCurrent(v int) bool { return v == len(p.Steps) || v > len(p.Steps) && v <= p.Same }

// Version is the version of a part; 0: it was never made.
func (d *Database) Version(ctx context.Context, part string) (v int, err error) {
	err = d.Runner().QueryRowContext(ctx, `SELECT version FROM schema_version WHERE part = ?`, part).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) || IsMissing(err) {
		return 0, nil
	}
	return v, err
}

// NewerError is the error of a part that a newer program made: the database cannot be used.
func (d *Database) NewerError(p Part, v int) error {
	return d.link.place.unreachable(fmt.Sprintf(
		"the tables of the %s have version %d, newer than this program's %d; use a newer docent, or another schema",
		p.Name, v, len(p.Steps)), nil)
}

// Migrate makes the tables of a part, or brings older ones up to date, in one transaction.
// Several processes may do that at the same time.
func (d *Database) Migrate(ctx context.Context, p Part) (err error) {
	if v, err := d.Version(ctx, p.Name); err != nil || p.isCurrent(v) {
		return err
	}
	tx, err := d.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if err := d.prepareSchema(ctx, tx); err != nil {
		return err
	}
	v := 0
	err = tx.QueryRowContext(ctx, `SELECT version FROM schema_version WHERE part = ?`, p.Name).Scan(&v)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if v > len(p.Steps) {
		return d.NewerError(p, v)
	}
	for ; v < len(p.Steps); v++ {
		if _, err := tx.ExecContext(ctx, p.Steps[v]); err != nil {
			return fmt.Errorf("bring the tables of the %s in %s to version %d: %w", p.Name, d.Name(), v+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO schema_version (part, version) VALUES (?, ?)
		ON CONFLICT (part) DO UPDATE SET version = excluded.version`, p.Name, v); err != nil {
		return err
	}
	return tx.Commit()
}

// prepareSchema makes the schema and its table of versions where they are missing. Other
// processes wait for the end of the transaction.
func (d *Database) prepareSchema(ctx context.Context, tx *Tx) (err error) {
	info, err := inspect(ctx, tx)
	if err == nil {
		err = d.checkServer(info)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("make the schema of %s: %w", d.Name(), err)
		}
	}()
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(?)`, d.lockKey("tables")); err != nil {
		return err
	}
	// CREATE SCHEMA IF NOT EXISTS wants the right to make schemas even where there is one.
	var there bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?)`, d.Schema()).Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := tx.ExecContext(ctx, `CREATE SCHEMA `+quoteName(d.Schema())); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (part TEXT PRIMARY KEY, version INTEGER NOT NULL)`)
	return err
}

// makeAndRun runs do, and makes the tables of a part first where they are missing: another
// process may have put the schema aside.
func (d *Database) makeAndRun(ctx context.Context, p Part, do func() error) error {
	err := do()
	if !IsMissing(err) {
		return err
	}
	if err := d.Migrate(ctx, p); err != nil {
		return err
	}
	return do()
}

// PutAside renames the schema with its tables, and gives its new name; "" for a schema that is
// missing. The files of the home stay, in a new schema of the same name.
func (d *Database) PutAside(ctx context.Context) (aside string, err error) {
	tx, err := d.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	var there bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?)`, d.Schema()).Scan(&there)
	if err != nil || !there {
		return "", err
	}
	// Names have 63 bytes at most.
	stamp := strings.ReplaceAll(time.Now().UTC().Format("20060102_150405.000"), ".", "_")
	aside = fmt.Sprintf("%.35s_damaged_%s", d.Schema(), stamp)
	_, err = tx.ExecContext(ctx, `ALTER SCHEMA `+quoteName(d.Schema())+` RENAME TO `+quoteName(aside))
	if IsMissing(err) {
		return "", nil // another process was quicker
	}
	if err == nil {
		err = d.takeFiles(ctx, tx, aside)
	}
	if err != nil {
		return "", err
	}
	return aside, tx.Commit()
}

// takeFiles moves the files of the home and the tokens out of a schema that was put aside: they are no
// part of the catalog, and may be the only copies.
func (d *Database) takeFiles(ctx context.Context, tx *Tx, aside string) error {
	for part, tables := range keptTables() {
		if err := d.takePart(ctx, tx, aside, part, tables); err != nil {
			return err
		}
	}
	return nil
}

// takePart moves the tables of a part, where all of them are there.
func (d *Database) takePart(ctx context.Context, tx *Tx, aside, part string, tables []string) error {
	var there bool
	err := tx.QueryRowContext(ctx, `SELECT count(*) = ? FROM pg_tables WHERE schemaname = ? AND tablename = ANY (?)`,
		len(tables), aside, tables).Scan(&there)
	if err != nil || !there {
		return err
	}
	if err := d.prepareSchema(ctx, tx); err != nil {
		return err
	}
	for _, table := range tables {
		if _, err := tx.ExecContext(ctx, `ALTER TABLE `+quoteName(aside)+`.`+table+` SET SCHEMA `+quoteName(d.Schema())); err != nil {
			return err
		}
	}
	from := quoteName(aside) + `.schema_version`
	_, err = tx.ExecContext(ctx, `INSERT INTO schema_version SELECT * FROM `+from+` WHERE part = ?`, part)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM `+from+` WHERE part = ?`, part)
	}
	return err
}
