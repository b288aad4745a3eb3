package store

import "io"

// Spool keeps records for a while, such as those of all pages of an update. Many of them lie
// outside of memory. It is not safe for concurrent use, except for ReadAt alone.
type Spool interface {
	// Append puts a record behind the others and says where it begins.
	Append(record []byte) (at int64, err error)
	// ReadAt reads a record, or a part of one.
	io.ReaderAt
	// Close gives up the records.
	Close() error
}
