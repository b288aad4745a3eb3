package home

import (
	"context"
	"time"

	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/store"
)

// Indexes are the indexes and vectors of all doc sets, derived from the catalog
// and the pages. It is composed of the interfaces that corpus, embed and ingest take,
// and the service's own.
type Indexes interface {
	corpus.Indexes
	embed.Indexes
	ingest.Indexes
	indexKeeper
}

// indexKeeper checks and removes indexes and vectors.
type indexKeeper interface {
	// Verify compares every byte of a doc set's index of words with its checksum.
	Verify(ctx context.Context, setID int64) error
	// VerifyVectors does so for the vectors of one kind.
	VerifyVectors(ctx context.Context, setID int64, kind store.VectorKind) error
	// Written is when a doc set's index of words was last published; the error wraps
	// fs.ErrNotExist where it never was.
	Written(ctx context.Context, setID int64) (time.Time, error)
	// Remove deletes all that is derived of a doc set.
	Remove(setID int64) error
	// RemoveVectors deletes the vectors of one kind.
	RemoveVectors(setID int64, kind store.VectorKind) error
}
