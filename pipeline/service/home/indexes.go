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
// and the service's own. It has more than five of them because one place keeps all that
// is derived of a doc set.
type Indexes interface {
	corpus.Indexes
	embed.Indexes
	ingest.Indexes
	indexKeeper
	indexRemains
	setLocks
	setRecords
	store.Carrier
}

// indexKeeper names, checks and removes indexes and vectors. It has more than five methods because
// words and vectors are checked and removed apart.
type indexKeeper interface {
	// Name says where they are, for people, without secrets.
	Name() string
	// Verify compares every byte of a doc set's index of words with its checksum.
	Verify(ctx context.Context, setID int64) error
	// VerifyVectors does so for the vectors of one kind.
	VerifyVectors(ctx context.Context, setID int64, kind store.VectorKind) error
	// Written is when a doc set's index of words was last published; the error wraps
	// fs.ErrNotExist where it never was.
	Written(ctx context.Context, setID int64) (time.Time, error)
	// Remove deletes all that is derived of a doc set. Locks and records stay.
	Remove(setID int64) error
	// RemoveVectors deletes the vectors of one kind.
	RemoveVectors(setID int64, kind store.VectorKind) error
}

// indexRemains removes the files of doc sets that the catalog does not have any more.
type indexRemains interface {
	// Sets lists the doc sets of which anything is kept, in no order.
	Sets() ([]int64, error)
	// Purge deletes all that is kept of a doc set, also locks and records; RemoveAll
	// that of all doc sets.
	Purge(setID int64) error
	RemoveAll() error
	// SweepTemporary deletes what writers that were killed left, where it is older than
	// age.
	SweepTemporary(age time.Duration) (removed int, err error)
}

// setLocks gives one process at a time the right to do one kind of work on a doc set.
type setLocks interface {
	// LockSet is store.Exclusion's Lock for a kind of work.
	LockSet(ctx context.Context, setID int64, work store.SetWork, purpose string, wait time.Duration,
		waiting func(holder string)) (store.Held, error)
	// Locked reports whether a process is at such work.
	Locked(ctx context.Context, setID int64, work store.SetWork) (bool, error)
	// ForgetLock deletes the lock file of a removed doc set.
	ForgetLock(setID int64, work store.SetWork) error
}

// setRecords keeps small records of doc sets, each as a whole, which go with the doc set.
type setRecords interface {
	// ReadRecord gives a record as it was written; the error wraps fs.ErrNotExist where it
	// never was.
	ReadRecord(setID int64, record store.SetRecord) ([]byte, error)
	WriteRecord(setID int64, record store.SetRecord, content []byte) error
	RemoveRecord(setID int64, record store.SetRecord) error
}
