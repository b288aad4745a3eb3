// Package lock is the right to write something, held by one process at a time: a
// lock file, over github.com/gofrs/flock. The lock ends with the process.
//
// It refuses to say what a lock file protects: that is its owner's.
package lock

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// LockedError means that another process holds a lock.
type LockedError struct {
	Path   string // of the lock file
	Place  string // which the lock protects; "": the folder of the lock file
	Holder string // "process 123 (update)", as the holder wrote it
}

func (e *LockedError) Error() string {
	who := e.Holder
	if who == "" {
		who = "another process"
	}
	place := e.Place
	if place == "" {
		place = filepath.Dir(e.Path)
	}
	return fmt.Sprintf("%s is being written by %s; wait for it", place, who)
}

// Lock is a lock that this process holds.
type Lock struct{ f *flock.Flock }

// poll is how often a waiting process tries again.
const poll = 50 * time.Millisecond

// Acquire takes the lock file at path, waiting up to wait for it. purpose is shown
// to others who want the lock. waiting, where not nil, is called once when there is
// somebody to wait for. The error is a *LockedError, the context's, or the file
// system's.
func Acquire(ctx context.Context, path, purpose string, wait time.Duration, waiting func(holder string)) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// Opened for writing, so that a read-only home is noticed here.
	f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR))
	deadline := time.Now().Add(wait)
	for first := true; ; first = false {
		ok, err := f.TryLock()
		if _, file := errors.AsType[*os.PathError](err); file {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if ok {
			break
		}
		if !time.Now().Before(deadline) {
			return nil, &LockedError{Path: path, Holder: holderNote(path)}
		}
		if first && waiting != nil {
			waiting(holderNote(path))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(poll):
		}
	}
	noteHolder(path, purpose)
	return &Lock{f: f}, nil
}

// noteAt is where the holder's note begins: Windows lets no other process read the locked
// byte, which is the first.
const noteAt = 1

// noteHolder writes who holds the lock. Errors are ignored: on a full disk the lock is
// held all the same, and others then wait for "another process".
func noteHolder(path, purpose string) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteAt(fmt.Appendf(nil, "process %d (%s)\n", os.Getpid(), purpose), noteAt)
	_ = f.Close()
}

// holderNote reads the note: one line, behind which the rest of a longer one may stand.
func holderNote(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	raw, err := io.ReadAll(io.NewSectionReader(f, noteAt, 200))
	line, _, whole := bytes.Cut(raw, []byte("\n"))
	if err != nil || !whole {
		return ""
	}
	return string(line)
}

// InPlace reports whether the locked file still stands at its path. Others may have removed
// it, and made another one there, between opening it and locking it: the lock of a file that
// is not in place excludes no process. A maker of lock files that others sweep away asks
// this after Acquire.
func (l *Lock) InPlace() bool {
	held, err := l.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.f.Path())
	return err == nil && os.SameFile(held, there)
}

// Check is store.Held's: a lock of a file is not lost before the process ends.
func (l *Lock) Check(context.Context) error { return nil }

// Release gives the lock back. The file stays.
func (l *Lock) Release() error { return l.f.Unlock() }
