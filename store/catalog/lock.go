package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// LockedError means that another process writes to the home.
type LockedError struct {
	Path   string
	Holder string // "process 123 (update)", as the holder wrote it
}

func (e *LockedError) Error() string {
	who := e.Holder
	if who == "" {
		who = "another process"
	}
	return fmt.Sprintf("%s is being written by %s; wait for it, or use another --home", filepath.Dir(e.Path), who)
}

// Lock is the right to write to a home. It ends with the process.
type Lock struct{ f *os.File }

var errWouldBlock = errors.New("locked by another process")

// Acquire takes the lock file at path, waiting up to wait for it. purpose is
// told to others who want it. waiting, where not nil, is called once when there
// is somebody to wait for. The error is a *LockedError, the context's, or the
// file system's.
func Acquire(ctx context.Context, path, purpose string, wait time.Duration, waiting func(holder string)) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(wait)
	for first := true; ; first = false {
		err := tryLock(f)
		if err == nil {
			break
		}
		if !errors.Is(err, errWouldBlock) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		if !time.Now().Before(deadline) {
			return nil, errors.Join(&LockedError{Path: path, Holder: holder(path)}, f.Close())
		}
		if first && waiting != nil {
			waiting(holder(path))
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
	// Who holds it is a courtesy: a disk that is full must not stop a reader
	// of this note, nor us.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt(fmt.Appendf(nil, "process %d (%s)\n", os.Getpid(), purpose), 0)
	}
	return &Lock{f: f}, nil
}

func holder(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil || len(raw) > 200 {
		return ""
	}
	return strings.TrimSpace(string(raw))
}

// Release gives the lock back.
func (l *Lock) Release() error { return errors.Join(unlock(l.f), l.f.Close()) }
