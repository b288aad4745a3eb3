package catalog

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"docent/store"
	"docent/store/lock"
	"docent/store/sqlite"
)

// Place is a folder that holds a catalog, its lock, and the note of damage. It is
// store.Place, store.Exclusion and store.DamageNote for catalogs that are files.
type Place struct{ Dir string }

// The files of a Place.
const (
	fileName = "catalog.db"
	noteName = "catalog.suspect"
	lockName = "lock"
)

// FileNames begin the names of the files that a catalog keeps in its folder.
func (p Place) FileNames() []string { return []string{"catalog.", lockName} }

// Name is the catalog's file.
func (p Place) Name() string { return filepath.Join(p.Dir, fileName) }

// Identify is store.Place's.
func (p Place) Identify(context.Context) (store.Identity, error) {
	id, err := sqlite.Identify(p.Name())
	if err != nil {
		return nil, err // a nil identity in an interface is not nil
	}
	return id, nil
}

// PutAside is store.Place's. The caller holds the lock.
func (p Place) PutAside(context.Context) (aside string, err error) { return sqlite.PutAside(p.Name()) }

// RemoveRemains removes the remaining files of a catalog whose main file is gone. The
// caller holds the lock.
func (p Place) RemoveRemains() error { return sqlite.RemoveRemains(p.Name()) }

// Lock is store.Exclusion's.
func (p Place) Lock(ctx context.Context, purpose string, wait time.Duration, waiting func(holder string)) (store.Held, error) {
	held, err := lock.Acquire(ctx, filepath.Join(p.Dir, lockName), purpose, wait, waiting)
	if err != nil {
		return nil, err // a nil lock in an interface is not nil
	}
	return held, nil
}

// Lockable is store.Exclusion's: it opens the lock file as a writer does.
func (p Place) Lockable(context.Context) error {
	probe, err := os.OpenFile(filepath.Join(p.Dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return probe.Close()
}

func (p Place) notePath() string { return filepath.Join(p.Dir, noteName) }

// NoteDamage is store.DamageNote's.
func (p Place) NoteDamage(context.Context) error { return os.WriteFile(p.notePath(), nil, 0o600) }

// DamageNoted is store.DamageNote's.
func (p Place) DamageNoted(context.Context) bool {
	_, err := os.Stat(p.notePath())
	return err == nil
}

// ForgetDamage is store.DamageNote's.
func (p Place) ForgetDamage(context.Context) error { return os.Remove(p.notePath()) }
