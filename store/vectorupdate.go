package store

import "context"

// VectorUpdate is a new generation of vectors that is being written. Not safe for
// concurrent use. It has more than five methods because they are the
// steps of one transaction.
type VectorUpdate interface {
	// Fresh reports whether it begins from nothing, Documents which ids are in it so
	// far, ascending.
	Fresh() bool
	Documents() []int64
	// Delete takes a document out, Add puts one in whose id is new.
	Delete(id int64) error
	Add(id int64, vectors []Entry) error
	// Rows is the number of vectors of a document.
	Rows(id int64) int
	// Attach stores bytes with the vectors, SetNote a small JSON value. Without them an
	// update of existing vectors keeps the earlier ones.
	Attach(bytes []byte)
	SetNote(note []byte)
	// Prepare writes everything; Commit has new readers see it; Abort drops it, and
	// does nothing after Commit.
	Prepare(context.Context) error
	Commit() error
	Abort() error
}
