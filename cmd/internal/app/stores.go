package app

import (
	"context"
	"errors"

	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/catalog"
	"docent/store/embeddings"
	"docent/store/jobs"
)

// Stores opens the embedded stores of the home in a folder.
type Stores struct{ Dir string }

func (s Stores) catalog() catalog.Place  { return catalog.Place{Dir: s.Dir} }
func (s Stores) cache() embeddings.Place { return embeddings.Place{Dir: s.Dir} }

// Catalog is home.Stores's.
func (s Stores) Catalog() home.CatalogPlace { return s.catalog() }

// Cache is home.Stores's.
func (s Stores) Cache() store.Place { return s.cache() }

// FileNames is home.Stores's.
func (s Stores) FileNames() []string {
	return append(s.catalog().FileNames(), s.cache().FileNames()...)
}

// OpenCatalog is home.Stores's.
func (s Stores) OpenCatalog(ctx context.Context) (home.Catalog, error) {
	c, err := catalog.OpenReader(ctx, s.catalog().Name())
	if err != nil {
		return nil, err // a nil catalog in an interface is not nil
	}
	return c, nil
}

// OpenForWriting is home.Stores's.
func (s Stores) OpenForWriting(ctx context.Context) (home.WritableCatalog, error) {
	c, err := catalog.Open(ctx, s.catalog().Name())
	if err != nil {
		return nil, err
	}
	return writable{c}, nil
}

// OpenCache is home.Stores's.
func (s Stores) OpenCache(ctx context.Context) (home.Cache, error) {
	c, err := embeddings.Open(ctx, s.cache().Name())
	if err != nil {
		return nil, err
	}
	return c, nil
}

// OpenUploads is home.Stores's.
func (s Stores) OpenUploads(ctx context.Context, workers string) (home.UploadStore, error) {
	var out *jobs.Store
	var err error
	if path := s.catalog().Name(); workers == "" {
		out, err = jobs.OpenReader(ctx, path)
	} else {
		out, err = jobs.Open(ctx, path, workers)
	}
	switch {
	case errors.Is(err, jobs.ErrNone):
		return nil, nil
	case err != nil:
		return nil, err // a nil store in an interface is not nil
	}
	return out, nil
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
