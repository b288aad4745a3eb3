package home

import (
	"context"

	"docent/pipeline/corpus"
	"docent/pipeline/embed"
	"docent/store"
)

// Indexes are the indexes and vectors of all doc sets, derived from the catalog
// and the pages. It is composed of what is handed on to corpus and embed and of
// what the service asks itself.
type Indexes interface {
	corpus.Indexes
	embed.Indexes
	indexKeeper
}

// indexKeeper checks and removes what is derived.
type indexKeeper interface {
	// Verify compares every byte of a doc set's index of words with its checksum.
	Verify(ctx context.Context, setID int64) error
	// VerifyVectors does so for the vectors of one kind.
	VerifyVectors(ctx context.Context, setID int64, kind store.VectorKind) error
	// Remove deletes all that is derived of a doc set.
	Remove(setID int64) error
	// RemoveVectors deletes the vectors of one kind.
	RemoveVectors(setID int64, kind store.VectorKind) error
}
