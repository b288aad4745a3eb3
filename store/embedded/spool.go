package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"docent/store"
	"docent/store/durable"
)

// spooledInMemory is how many bytes of records wait for being written: a small update makes no
// file.
const spooledInMemory = 1 << 20

// spool is store.Spool's, in a file that is made when the records are many.
type spool struct {
	pattern string   // of the file's path
	file    *os.File // nil: all records are waiting
	written int64
	waiting []byte
}

// SpoolReferences keeps the records of a doc set's pages until its graph is made. The file lies
// next to the graph, because the folder for temporary files may be in memory.
func (x Indexes) SpoolReferences(ctx context.Context, setID int64) (store.Spool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &spool{pattern: x.graphFile(setID) + ".*" + durable.Temporary}, nil
}

// Append is store.Spool's.
func (s *spool) Append(record []byte) (at int64, err error) {
	at = s.written + int64(len(s.waiting))
	s.waiting = append(s.waiting, record...)
	if len(s.waiting) < spooledInMemory {
		return at, nil
	}
	return at, s.flush()
}

func (s *spool) flush() (err error) {
	if s.file == nil {
		dir, name := filepath.Split(s.pattern)
		if s.file, err = os.CreateTemp(dir, name); err != nil {
			return fmt.Errorf("keep the pages of the reference graph: %w", err)
		}
		if runtime.GOOS != "windows" {
			// The file has no name from now on, and is gone with the process.
			if err := os.Remove(s.file.Name()); err != nil {
				return err
			}
		}
	}
	n, err := s.file.Write(s.waiting)
	s.written += int64(n)
	s.waiting = s.waiting[:0]
	if err != nil {
		return fmt.Errorf("keep the pages of the reference graph: %w", err)
	}
	return nil
}

// ReadAt is store.Spool's.
func (s *spool) ReadAt(b []byte, at int64) (int, error) {
	if at < s.written {
		return s.file.ReadAt(b, at)
	}
	if at-s.written > int64(len(s.waiting)) {
		return 0, io.EOF
	}
	n := copy(b, s.waiting[at-s.written:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Close is store.Spool's.
func (s *spool) Close() error {
	file := s.file
	s.file, s.waiting, s.written = nil, nil, 0
	if file == nil {
		return nil
	}
	err := file.Close()
	if rerr := os.Remove(file.Name()); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return err
}

// graphFile is store.GraphFile's.
type graphFile struct {
	*os.File
	size int64
}

// Size is store.GraphFile's.
func (g graphFile) Size() int64 { return g.size }

// OpenReferences opens a doc set's reference graph. The error wraps fs.ErrNotExist where it
// never was written.
func (x Indexes) OpenReferences(ctx context.Context, setID int64) (store.GraphFile, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := os.Open(x.graphFile(setID))
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return graphFile{f, st.Size()}, nil
}
