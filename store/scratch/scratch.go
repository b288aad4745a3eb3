// Package scratch keeps temporary files of processes in one folder, in which those of a
// process that was killed are found by the next one.
//
// Each process has a folder of its own there, next to a lock file that it holds as long
// as it lives. A folder whose lock is free has no owner.
//
// It refuses to keep anything: its files are lost with the process.
package scratch

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"docent/store/lock"
)

// Folder is the folder of temporary files. It is safe for concurrent use.
type Folder struct {
	dir string

	mu   sync.Mutex
	own  string // this process's folder; "": none yet
	held *lock.Lock
}

// InFolder is the folder at dir, which is made when it is first needed.
func InFolder(dir string) *Folder { return &Folder{dir: dir} }

const lockEnding = ".lock"

// MakeFolder makes a folder for temporary files, which remove removes with all that is in it.
func (f *Folder) MakeFolder(ctx context.Context) (dir string, remove func() error, err error) {
	own, err := f.liveFolder(ctx)
	if err != nil {
		return "", nil, err
	}
	dir, err = os.MkdirTemp(own, "")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

// liveFolder gives this process's folder, with its lock taken.
func (f *Folder) liveFolder(ctx context.Context) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.held == nil {
		raw := make([]byte, 8)
		_, _ = rand.Read(raw) // never fails
		own := filepath.Join(f.dir, hex.EncodeToString(raw))
		held, err := lock.Acquire(ctx, own+lockEnding, "temporary files", 0, nil)
		if _, swept := errors.AsType[*lock.LockedError](err); swept {
			continue // another process looks at it, and removes it
		}
		if err != nil {
			return "", err
		}
		if !held.InPlace() { // it was removed before it was locked
			if err := held.Release(); err != nil {
				return "", err
			}
			continue
		}
		f.own, f.held = own, held
	}
	return f.own, os.MkdirAll(f.own, 0o700)
}

// Sweep removes what dead processes left.
func (f *Folder) Sweep(ctx context.Context) error {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	locked := map[string]bool{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), lockEnding); ok {
			locked[name] = true
			err = errors.Join(err, f.sweepProcess(ctx, name))
		}
	}
	for _, e := range entries { // a process was killed while it swept
		if !strings.HasSuffix(e.Name(), lockEnding) && !locked[e.Name()] {
			err = errors.Join(err, f.sweepProcess(ctx, e.Name()))
		}
	}
	return err
}

// sweepProcess removes the folder of one process, unless it lives.
func (f *Folder) sweepProcess(ctx context.Context, name string) error {
	path := filepath.Join(f.dir, name)
	held, err := lock.Acquire(ctx, path+lockEnding, "sweep", 0, nil)
	if _, alive := errors.AsType[*lock.LockedError](err); alive {
		return nil
	}
	if err != nil {
		return err
	}
	err = os.RemoveAll(path)
	_ = os.Remove(path + lockEnding) // a system that removes no open file does so the next time
	return errors.Join(err, held.Release())
}

// Close removes this process's folder. The caller must not make files at the same time.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.held == nil {
		return nil
	}
	err := os.RemoveAll(f.own)
	_ = os.Remove(f.own + lockEnding) // left to the next sweep too
	err = errors.Join(err, f.held.Release())
	f.held, f.own = nil, ""
	return err
}
