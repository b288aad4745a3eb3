// Package spool keeps records for the time of an update: few of them in memory, many in a
// temporary file.
//
// It refuses to outlive its process: where the system can do that, the file has no name.
package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"docent/store/durable"
)

// InMemory is how many bytes of records wait for being written: a small update makes no
// file.
const InMemory = 1 << 20

// Spool is store.Spool's.
type Spool struct {
	dir, name string   // of the file, see os.CreateTemp
	file      *os.File // nil: all records are waiting
	written   int64
	waiting   []byte
}

// Next makes a spool whose file lies next to path.
func Next(path string) *Spool {
	dir, name := filepath.Split(path)
	return &Spool{dir: dir, name: name + ".*" + durable.Temporary}
}

// Append is store.Spool's.
func (s *Spool) Append(record []byte) (at int64, err error) {
	at = s.written + int64(len(s.waiting))
	s.waiting = append(s.waiting, record...)
	if len(s.waiting) < InMemory {
		return at, nil
	}
	return at, s.flush()
}

func (s *Spool) flush() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, s.name); err != nil {
			return fmt.Errorf("keep records in a temporary file: %w", err)
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
		return fmt.Errorf("keep records in the temporary file %s: %w", s.file.Name(), err)
	}
	return nil
}

// ReadAt is store.Spool's.
func (s *Spool) ReadAt(b []byte, at int64) (n int, err error) {
	if at < s.written {
		if n, err = s.file.ReadAt(b[:min(int64(len(b)), s.written-at)], at); err != nil || n == len(b) {
			return n, err
		}
		at = s.written
	}
	if at-s.written > int64(len(s.waiting)) {
		return n, io.EOF
	}
	if n += copy(b[n:], s.waiting[at-s.written:]); n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Close is store.Spool's.
func (s *Spool) Close() error {
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
