package store

import "context"

// Carrier takes the index of a doc set from one home to another.
type Carrier interface {
	// Export writes the index of words of a doc set, its learned vectors and its reference graph
	// into an empty folder. The index must have been built from nothing, of documents with the
	// numbers from 1.
	Export(ctx context.Context, setID int64, folder string) error
	// Import prepares what Export wrote into a folder for a doc set, whose documents have numbers
	// that are higher by shift than those that were exported. The files in the folder are used up.
	// The error wraps ErrDamaged where they are none that Export wrote.
	Import(ctx context.Context, setID int64, folder string, shift int64) (Import, error)
	// CarriedForm names the form of what Export writes; Import reads no other.
	CarriedForm() string
}

// Import is a new generation of the index of a doc set, out of another home. It has more than
// five methods because they are the steps of one transaction.
type Import interface {
	// Documents are the documents' numbers, ascending. Generations is IndexUpdate's.
	Documents() []int64
	Generations() (now, next string)
	// Commit has new readers see the index of words, Abort drops it.
	Commit() error
	Abort() error
	// Note is what was kept with the vectors. PutVectors puts them in the place of those that
	// are there, with this note, behind Commit; the error wraps ErrVectorsDamaged where they
	// are none.
	Note() string
	PutVectors(ctx context.Context, note []byte) error
	// References is the reference graph, with the numbers that it was exported with; nil: none.
	References() []byte
}
