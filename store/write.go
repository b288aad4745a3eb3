package store

import "docent/store/doc"

// Failure is a file of a doc set that could not be indexed, and why.
type Failure struct {
	Path   string `json:"path"`   // inside the doc set, with slashes
	Stage  string `json:"stage"`  // of ingest: read, parse, chunk
	Reason string `json:"reason"` // one line
	// The file and its parser when it failed: it is tried again when one of them
	// changes.
	Bytes   int64      `json:"-"`
	ModTime int64      `json:"-"`
	TOCPath string     `json:"-"`
	Format  doc.Format `json:"-"`
	Parser  int        `json:"-"`
}

// Touch says that a file has another time and the same content.
type Touch struct {
	ID      int64
	ModTime int64 // nanoseconds since 1970
}

// Publication is a change of one doc set that becomes visible at once: staged
// documents come in, others go, and the doc set is counted again.
type Publication struct {
	SetID int64
	// Retire are the documents that go. They are still found by their ids, for
	// readers of the index generation that is there now, until a later publication.
	Retire  []int64
	Touched []Touch
	// Failures are all that the doc set has from now on.
	Failures []Failure
	// Serves says whether the index generation that is there now holds a document.
	// Documents that were retired earlier are deleted where it does not.
	Serves func(id int64) bool
}
