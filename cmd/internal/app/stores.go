package app

import (
	"context"
	"errors"

	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/catalog"
	"docent/store/embeddings"
	"docent/store/jobs"
	"docent/store/sqlite"
)

// Stores opens the embedded stores of a home: SQLite files.
type Stores struct{}

// OpenCatalog is home.Stores's.
func (Stores) OpenCatalog(ctx context.Context, path string) (home.Catalog, error) {
	c, err := catalog.OpenReader(ctx, path)
	if err != nil {
		return nil, err // a nil catalog in an interface is not nil
	}
	return c, nil
}

// OpenForWriting is home.Stores's.
func (Stores) OpenForWriting(ctx context.Context, path string) (home.WritableCatalog, error) {
	c, err := catalog.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return writable{c}, nil
}

// OpenCache is home.Stores's.
func (Stores) OpenCache(ctx context.Context, path string) (home.Cache, error) {
	c, err := embeddings.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// OpenUploads is home.Stores's.
func (Stores) OpenUploads(ctx context.Context, path, workers string) (home.UploadStore, error) {
	var s *jobs.Store
	var err error
	if workers == "" {
		s, err = jobs.OpenReader(ctx, path)
	} else {
		s, err = jobs.Open(ctx, path, workers)
	}
	switch {
	case errors.Is(err, jobs.ErrNone):
		return nil, nil
	case err != nil:
		return nil, err // a nil store in an interface is not nil
	}
	return s, nil
}

// Fault is home.Stores's.
func (Stores) Fault(err error) home.Fault {
	switch {
	case errors.Is(err, catalog.ErrOlder):
		return home.OlderFault
	case embeddings.IsDamaged(err), errors.Is(err, store.ErrCatalogDamaged):
		return home.DamagedFault
	case sqlite.IsDiskError(err):
		return home.DiskFault
	}
	return home.OtherFault
}

// writable is a catalog with changes of several doc sets at once.
type writable struct{ *catalog.Catalog }

// PutSets is home.WritableCatalog's.
func (w writable) PutSets(ctx context.Context, sets []store.Set) (_ []store.Set, err error) {
	tx, err := w.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	for i := range sets {
		if sets[i].ID, err = tx.PutSet(ctx, sets[i]); err != nil {
			return nil, err
		}
	}
	return sets, tx.Commit()
}

// RemoveSets is home.WritableCatalog's.
func (w writable) RemoveSets(ctx context.Context, sets []store.Set) (err error) {
	tx, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	for _, s := range sets {
		if err := tx.RemoveSet(ctx, s.ID); err != nil {
			return err
		}
	}
	return tx.Commit()
}
