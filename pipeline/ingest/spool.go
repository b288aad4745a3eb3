package ingest

import "io"

// spooled is docent/store/spool's Records, and graphFile its GraphFile: the stores of another
// kind give others.
type (
	spooled = interface {
		Append(record []byte) (at int64, err error)
		io.ReaderAt
		Close() error
	}
	graphFile = interface {
		io.ReaderAt
		io.Closer
		Size() int64
	}
)
