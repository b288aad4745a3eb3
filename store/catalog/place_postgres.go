package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"docent/store"
	"docent/store/postgres"
)

// PostgresPlace is the schema of a database that holds a catalog and the note of damage. It is
// store.Place, store.Exclusion and store.DamageNote for catalogs on PostgreSQL.
type PostgresPlace struct{ Database *postgres.Database }

// homeLock is the lock of the home.
const homeLock = "home"

// FileNames begin the names of the files that a catalog keeps in its folder: it has no files.
func (p PostgresPlace) FileNames() []string { return nil }

// Name is the address of the database with the schema, without user and password.
func (p PostgresPlace) Name() string { return p.Database.Name() }

// postgresIdentity is the random name that a catalog gets when it is made.
type postgresIdentity string

// Same is store.Identity's.
func (i postgresIdentity) Same(other store.Identity) bool { return i == other }

// Identify is store.Place's.
func (p PostgresPlace) Identify(ctx context.Context) (store.Identity, error) {
	var id postgresIdentity
	err := p.Database.Runner().QueryRowContext(ctx, `SELECT id FROM catalog_identity`).Scan(&id)
	if postgres.IsMissing(err) || errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("there is no catalog in %s: %w", p.Name(), fs.ErrNotExist)
	}
	if err != nil {
		return nil, err // a nil identity in an interface is not nil
	}
	return id, nil
}

// PutAside is store.Place's: the whole schema gets another name, with the kept documents,
// records and jobs in it. The caller holds the lock.
func (p PostgresPlace) PutAside(ctx context.Context) (aside string, err error) {
	return p.Database.PutAside(ctx)
}

// RemoveRemains removes the remaining files of a catalog that is gone: it has no files.
func (p PostgresPlace) RemoveRemains() error { return nil }

// Lock is store.Exclusion's.
func (p PostgresPlace) Lock(ctx context.Context, purpose string, wait time.Duration,
	waiting func(holder string)) (store.Held, error) {
	return p.Database.Lock(ctx, homeLock, purpose, wait, waiting)
}

// Lockable is store.Exclusion's.
func (p PostgresPlace) Lockable(ctx context.Context) error { return p.Database.CheckWritable(ctx) }

// NoteDamage is store.DamageNote's. A catalog that is missing takes no note.
func (p PostgresPlace) NoteDamage(ctx context.Context) error {
	_, err := p.Database.Runner().ExecContext(ctx, `INSERT INTO catalog_damage DEFAULT VALUES`)
	return err
}

// DamageNoted is store.DamageNote's.
func (p PostgresPlace) DamageNoted(ctx context.Context) (noted bool) {
	err := p.Database.Runner().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM catalog_damage)`).Scan(&noted)
	return err == nil && noted
}

// ForgetDamage is store.DamageNote's.
func (p PostgresPlace) ForgetDamage(ctx context.Context) error {
	res, err := p.Database.Runner().ExecContext(ctx, `DELETE FROM catalog_damage`)
	if postgres.IsMissing(err) {
		return fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return fs.ErrNotExist
}
