package embedded

import (
	"context"
	"errors"
	"path/filepath"

	"docent/store"
	"docent/store/blobs"
	"docent/store/catalog"
	"docent/store/embeddings"
	"docent/store/jobs"
)

// Stores opens the stores of the home in a folder: SQLite files, indexes and blobs.
type Stores struct{ Dir string }

// Catalog is the place of the catalog.
func (s Stores) Catalog() catalog.Place { return catalog.Place{Dir: s.Dir} }

// Cache is the place of the vectors that models made.
func (s Stores) Cache() embeddings.Place { return embeddings.Place{Dir: s.Dir} }

// Indexes are the indexes of the doc sets.
func (s Stores) Indexes() Indexes { return IndexesInFolder(filepath.Join(s.Dir, "index")) }

// Blobs are the kept documents.
func (s Stores) Blobs() *blobs.Store { return blobs.OpenStore(filepath.Join(s.Dir, "blobs")) }

// FileNames begin the names of the SQLite files.
func (s Stores) FileNames() []string {
	return append(s.Catalog().FileNames(), s.Cache().FileNames()...)
}

// OpenCatalog opens the catalog for reading; see catalog.OpenReader.
func (s Stores) OpenCatalog(ctx context.Context) (*catalog.Catalog, error) {
	return catalog.OpenReader(ctx, s.Catalog().Name())
}

// OpenForWriting opens the catalog for changes; see catalog.Open.
func (s Stores) OpenForWriting(ctx context.Context) (WritableCatalog, error) {
	c, err := catalog.OpenCatalog(ctx, s.Catalog().Name())
	return WritableCatalog{c}, err
}

// OpenCache opens the vectors that models made; see embeddings.Open.
func (s Stores) OpenCache(ctx context.Context) (*embeddings.Cache, error) {
	return embeddings.OpenCache(ctx, s.Cache().Name())
}

// OpenUploads opens the uploads and their jobs. workers is the folder of the workers'
// locks; "" opens them for listing, and gives nil where there are none.
func (s Stores) OpenUploads(ctx context.Context, workers string) (*jobs.Store, error) {
	if workers != "" {
		return jobs.OpenStore(ctx, s.Catalog().Name(), workers)
	}
	out, err := jobs.OpenReader(ctx, s.Catalog().Name())
	if errors.Is(err, jobs.ErrNone) {
		return nil, nil
	}
	return out, err
}

// WritableCatalog is a catalog with changes of several doc sets at once.
type WritableCatalog struct{ *catalog.Catalog }

// PutSets registers doc sets and gives them their ids.
func (w WritableCatalog) PutSets(ctx context.Context, sets []store.Set) (_ []store.Set, err error) {
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

// RemoveSets deletes doc sets with their documents.
func (w WritableCatalog) RemoveSets(ctx context.Context, sets []store.Set) (err error) {
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
