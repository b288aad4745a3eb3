package home

import (
	"context"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/store"
)

// Stores opens the files that a home keeps.
type Stores interface {
	// OpenCatalog opens the catalog for reading. It makes and migrates nothing: the
	// error wraps fs.ErrNotExist where it is missing; see Fault.
	OpenCatalog(ctx context.Context, path string) (Catalog, error)
	// OpenForWriting opens the catalog for changes, after making or migrating it.
	OpenForWriting(ctx context.Context, path string) (WritableCatalog, error)
	// OpenCache opens the vectors that models made, and makes the file where it is
	// missing.
	OpenCache(ctx context.Context, path string) (Cache, error)
	// OpenUploads opens the uploads and their jobs in the catalog at path, which is there.
	// workers is the folder of the workers' locks; "" opens them for listing, and gives
	// nil where there are none.
	OpenUploads(ctx context.Context, path, workers string) (UploadStore, error)
	// Fault says what an error of a store means for its file.
	Fault(err error) Fault
}

// Fault is the kind of an error of a store.
type Fault int

// The faults.
const (
	OtherFault   Fault = iota
	OlderFault         // the file is of an older version and must be migrated
	DamagedFault       // the file is damaged and must be begun anew
	DiskFault          // the disk is full, read-only or failing
)

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
	store.Uploads
	store.UploadFeed
	store.Queue
	store.Rescuer
	Close() error
}
