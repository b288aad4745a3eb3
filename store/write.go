package store

import (
	"context"
	"iter"

	"docent/store/doc"
)

// Failure is a file of a doc set that could not be indexed, and why.
type Failure struct {
	Path   string `json:"path"`   // inside the doc set, with slashes
	Stage  string `json:"stage"`  // of ingest: read, parse, chunk; "left out"
	Reason string `json:"reason"` // one line
	// Code is the reason in the words of specification 4, "" where it has none.
	Code string `json:"code,omitempty"`
	// Again says that every update tries the file again: the cause of the failure is
	// outside of it.
	Again bool `json:"-"`
	// The file and its parser when it failed: it is tried again when one of them
	// changes.
	Bytes   int64      `json:"-"`
	ModTime int64      `json:"-"`
	TOCPath string     `json:"-"`
	Format  doc.Format `json:"-"`
	Parser  int        `json:"-"`
}

// Touch says that a file, or one that its page uses, has another time and the same
// content, or that a document has another routing.
type Touch struct {
	ID      int64
	ModTime int64 // nanoseconds since 1970
	Uses    []doc.Use
	Routing Routing
}

// Publication is a change of one doc set that becomes visible at once: staged
// documents come in, others go, and the doc set is counted again.
type Publication struct {
	SetID int64
	// Retire are the documents that go. They are still found by their ids, for
	// readers of the index generation that is there now, until a later publication.
	Retire  []int64
	Touched []Touch
	Recount bool   // the doc set's size is summed up again
	Site    string // the doc set's from now on, see Set.Site
	// Failures are all that the doc set has from now on.
	Failures []Failure
	// Serves reports whether the index generation that is there now holds a document.
	// Documents that were retired earlier are deleted where it does not.
	Serves func(id int64) bool
}

// Analyzed is a document whose passages are analysed for an index. Analysing is the
// expensive part of indexing, and is done on several goroutines.
type Analyzed interface {
	// SetID says which document of the catalog it is.
	SetID(id int64)
	// Terms gives the terms of each passage, counted as Postings.EachTerm counts those of
	// the same passage in an index. A large document is analysed during the iteration.
	Terms(weights [NumFields]float64) iter.Seq[PassageTerms]
}

// PassageTerms are the terms of one passage of a document with their weighted
// counts.
type PassageTerms struct {
	Chunk, Part int
	Terms       map[string]float64
}

// IndexUpdate is a new generation of an index of words that is being written. Not
// safe for concurrent use. It has more than five methods because they are
// the steps of one transaction.
type IndexUpdate interface {
	// Fresh reports whether it begins from nothing, Documents which ids are in it so far,
	// ascending. Generations names the one that readers have, or "", and the one that is
	// written.
	Fresh() bool
	Documents() []int64
	Generations() (now, next string)
	// Delete takes a document out, Add puts one in whose id is new. Add ends with its context
	// within a large document, and the update cannot go on then.
	Delete(id int64) error
	Add(context.Context, Analyzed) error
	// Changed reports whether there is anything to commit.
	Changed() bool
	// Prepare writes everything; Commit has new readers see it; Abort drops it.
	Prepare(context.Context) error
	Commit() error
	Abort() error
}
