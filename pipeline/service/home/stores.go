package home

import (
	"context"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/store"
)

// Stores opens the stores of one home. store.FaultOf says what their errors mean. It has
// more than five methods because a home has three stores.
type Stores interface {
	// Catalog is the place of the catalog, whether one is there or not.
	Catalog() CatalogPlace
	// OpenCatalog opens the catalog for reading. It makes and migrates nothing: the
	// error wraps fs.ErrNotExist where it is missing.
	OpenCatalog(ctx context.Context) (Catalog, error)
	// OpenForWriting opens the catalog for changes, after making or migrating it.
	OpenForWriting(ctx context.Context) (WritableCatalog, error)
	// Cache is the place of the vectors that models made.
	Cache() store.Place
	// OpenCache opens them, and makes missing ones.
	OpenCache(ctx context.Context) (Cache, error)
	// OpenUploads opens the uploads and their jobs in the catalog, which is there.
	// workers is the folder of the workers' locks; "" opens them for listing, and gives
	// nil without any.
	OpenUploads(ctx context.Context, workers string) (UploadStore, error)
	// FileNames begin the names of the files that the stores keep in the home's folder.
	FileNames() []string
}

// CatalogPlace is where the catalog is kept.
type CatalogPlace interface {
	store.Place
	store.Exclusion
	store.DamageNote
	// RemoveRemains removes the remaining files of a catalog that is gone.
	RemoveRemains() error
}

// Catalog is a catalog for reading.
type Catalog interface {
	store.Catalog
	// Failures are the files of a doc set that could not be indexed.
	Failures(ctx context.Context, setID int64) ([]store.Failure, error)
	// Check looks for damage.
	Check(ctx context.Context) error
	Close() error
}

// WritableCatalog is a catalog for changes. It has more than five methods because a
// Writer needs all of them of one and the same.
type WritableCatalog interface {
	store.Sets
	ingest.Catalog
	// PutSets registers doc sets and gives them their ids.
	PutSets(ctx context.Context, sets []store.Set) ([]store.Set, error)
	// RemoveSets deletes doc sets with their documents.
	RemoveSets(ctx context.Context, sets []store.Set) error
	// DropDamaged deletes the documents of a doc set whose rows are damaged.
	DropDamaged(ctx context.Context, setID int64) (dropped int, err error)
	// Guard has changes of a doc set's pages fail after another process took over the right to them.
	Guard(setID int64, held store.Held) (unguard func())
	Close() error
}

// Cache is the vectors that models made.
type Cache interface {
	embed.Cache
	// Check looks for damage.
	Check(ctx context.Context) error
	Close() error
}

// UploadStore is the uploads with the queue of their jobs.
type UploadStore interface {
	store.UploadQueue
	Close() error
}
