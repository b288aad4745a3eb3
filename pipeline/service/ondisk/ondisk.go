// Package ondisk opens homes whose stores lie in their own folder.
//
// It refuses to know how they are kept there: that is store/embedded's. Another engine is
// another package of this kind.
package ondisk

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/embedded"
)

// Patches of reference graphs are found out by this interface.
var _ ingest.ReferencePatches = embedded.Indexes{}

// Open opens a home with the stores in its folder, and has its parsers keep what they
// convert there.
func Open(ctx context.Context, opt home.Options) (*home.Home, error) {
	s := embedded.Stores{Dir: opt.Dir}
	kept := s.Blobs()
	opt.Parsers.Keep(kept)
	opt.Stores, opt.Indexes, opt.Blobs = Stores{s}, s.Indexes(), kept
	return home.Open(ctx, opt)
}

// Clear puts the catalog in a home's folder aside and deletes the indexes made of it, so that they can
// be made anew.
func Clear(ctx context.Context, dir string) error {
	s := embedded.Stores{Dir: dir}
	if _, err := s.Catalog().PutAside(ctx); err != nil {
		return err
	}
	return errors.Join(s.Catalog().RemoveRemains(), s.Indexes().RemoveAll())
}

// Stores are the embedded stores as home.Stores. A method that fails gives no store: a nil
// pointer in an interface is not nil.
type Stores struct{ embedded.Stores }

// Catalog is home.Stores'.
func (s Stores) Catalog() home.CatalogPlace { return s.Stores.Catalog() }

// Cache is home.Stores'.
func (s Stores) Cache() store.Place { return s.Stores.Cache() }

// OpenCatalog is home.Stores'.
func (s Stores) OpenCatalog(ctx context.Context) (home.Catalog, error) {
	c, err := s.Stores.OpenCatalog(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// OpenForWriting is home.Stores'.
func (s Stores) OpenForWriting(ctx context.Context) (home.WritableCatalog, error) {
	c, err := s.Stores.OpenForWriting(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// OpenCache is home.Stores'.
func (s Stores) OpenCache(ctx context.Context) (home.Cache, error) {
	c, err := s.Stores.OpenCache(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// OpenUploads is home.Stores'.
func (s Stores) OpenUploads(ctx context.Context, workers string) (home.UploadStore, error) {
	u, err := s.Stores.OpenUploads(ctx, workers)
	if err != nil || u == nil {
		return nil, err
	}
	return u, nil
}

// StoresInFolder gives the stores and indexes of a home in a folder, which is opened elsewhere. Its parsers
// keep what they convert where they do.
func StoresInFolder(dir string) (home.Stores, home.Indexes) {
	s := embedded.Stores{Dir: dir}
	return Stores{s}, s.Indexes()
}
