package uploads

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/store/durable"
	"docent/store/lock"
)

// Folder is the folder of uploads of a home. It is safe for concurrent use, by several
// processes too.
type Folder struct{ dir string }

// InHome is the folder of uploads of a home's folder. Nothing is made yet.
func InHome(home string) *Folder { return &Folder{dir: filepath.Join(home, "uploads")} }

// Pages is the folder of the doc set of uploads.
func (f *Folder) Pages() string { return filepath.Join(f.dir, "pages") }

func (f *Folder) incoming() string  { return filepath.Join(f.dir, "incoming") }
func (f *Folder) waiting() string   { return filepath.Join(f.dir, "waiting") }
func (f *Folder) originals() string { return filepath.Join(f.dir, "originals") }
func (f *Folder) records() string   { return filepath.Join(f.dir, "records") }

// MakeFolder makes the folder, for its owner alone.
func (f *Folder) MakeFolder() error {
	for _, dir := range []string{f.incoming(), f.waiting(), f.Pages(), f.records()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// Received is a file that lies aside, whole. Drop is called in any case.
type Received struct {
	Filename string // clean
	Bytes    int64
	MD5      string
	Format   string
	file     string // in incoming
	lock     *lock.Lock
}

// Receive takes a file in: at most MaxBytes of it, written aside and flushed. declared is
// the media type that came with it, or "". The errors are ErrTooLarge, a *FormatError,
// ErrCut where the reader ended too early (io.ErrUnexpectedEOF), the context's, or those
// of the reader and the disk; then nothing is left.
func (f *Folder) Receive(ctx context.Context, name, declared string, from io.Reader) (_ *Received, err error) {
	if err := f.MakeFolder(); err != nil {
		return nil, err
	}
	r := &Received{Filename: cleanName(name)}
	if r.file, r.lock, err = f.makeAside(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Discard())
		}
	}()
	out, err := os.OpenFile(r.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	sum, seen := md5.New(), &textSeen{}
	r.Bytes, err = io.Copy(io.MultiWriter(out, sum, seen), io.LimitReader(&endingReader{ctx, from}, MaxBytes+1))
	if err == nil && r.Bytes <= MaxBytes {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: %w", ErrCut, err)
	case err != nil:
		return nil, err
	case r.Bytes > MaxBytes:
		return nil, ErrTooLarge
	}
	if r.Format, err = detect(r.Filename, declared, seen.head, seen.isText()); err != nil {
		return nil, err
	}
	r.MD5 = hex.EncodeToString(sum.Sum(nil))
	return r, nil
}

// endingReader ends with its context.
type endingReader struct {
	ctx  context.Context
	from io.Reader
}

// Read is io.Reader's.
func (e *endingReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.from.Read(p)
}

// Discard removes the received file. It does nothing after the file was kept.
func (r *Received) Discard() error {
	if r.lock == nil {
		return nil
	}
	err := dropLocked(r.file, r.lock)
	r.lock = nil
	return err
}

// lockEnding is added to a file's name for the name of its lock. Both are plain files:
// a folder cannot be removed while another process makes its lock in it.
const lockEnding = ".lock"

// makeAside names a file in incoming and locks its name, so that others see that it is in
// use.
func (f *Folder) makeAside(ctx context.Context) (file string, held *lock.Lock, err error) {
	for {
		raw := make([]byte, 8)
		_, _ = rand.Read(raw) // never fails
		file = filepath.Join(f.incoming(), hex.EncodeToString(raw))
		held, err = lock.Acquire(ctx, file+lockEnding, "upload", 0, nil)
		if _, swept := errors.AsType[*lock.LockedError](err); swept {
			continue // another process looks at it, and removes it
		}
		if err != nil {
			return "", nil, err
		}
		if held.InPlace() {
			return file, held, nil
		}
		if err := held.Release(); err != nil {
			return "", nil, err
		}
	}
}

// Sweep removes files whose receiver died, and reports how many entries it removed.
func (f *Folder) Sweep(ctx context.Context) (removed int, err error) {
	entries, err := os.ReadDir(f.incoming())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), lockEnding)
		if seen[name] {
			continue
		}
		seen[name] = true
		one, serr := f.sweepName(ctx, name)
		if one {
			removed++
		}
		err = errors.Join(err, serr)
	}
	return removed, err
}

// sweepName removes one name of incoming, unless its receiver lives. Earlier versions
// received into folders with a lock of their own.
func (f *Folder) sweepName(ctx context.Context, name string) (removed bool, err error) {
	file := filepath.Join(f.incoming(), name)
	path := file + lockEnding
	if st, err := os.Lstat(file); err == nil && st.IsDir() {
		path = filepath.Join(file, lockName)
	}
	held, err := lock.Acquire(ctx, path, "sweep", 0, nil)
	if _, alive := errors.AsType[*lock.LockedError](err); alive || errors.Is(err, fs.ErrNotExist) {
		return false, nil // in use, or gone
	}
	if err != nil {
		return false, err
	}
	if !held.InPlace() {
		return false, held.Release() // another process was quicker
	}
	return true, dropLocked(file, held)
}

// Path is the path of a received file's page in the doc set of uploads, one that no page
// has yet. The caller holds the lock (see Lock), so no other process can take it.
func (f *Folder) Path(r *Received) string {
	name := pageName(r.Filename, r.Format)
	for n := hashInFolder; n < hashInFolders; n++ {
		if p := r.MD5[:n] + "/" + name; f.isFree(r.MD5[:n]) {
			return p
		}
	}
	return r.MD5 + "/" + name
}

// isFree reports whether no file has a folder.
func (f *Folder) isFree(folder string) bool {
	for _, dir := range []string{f.waiting(), f.Pages(), f.originals()} {
		if _, err := os.Lstat(filepath.Join(dir, folder)); err == nil {
			return false
		}
	}
	return true
}

const lockName = "lock"

// Lock is the right to keep and remove files, held by one process at a time.
func (f *Folder) Lock(ctx context.Context, take func(path string) (*lock.Lock, error)) (*lock.Lock, error) {
	if err := f.MakeFolder(); err != nil {
		return nil, err
	}
	return take(filepath.Join(f.dir, lockName))
}

// Keep moves a received file to its place among those that wait.
func (f *Folder) Keep(r *Received, path string) error {
	to := filepath.Join(f.waiting(), filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.Rename(r.file, to); err != nil {
		return err
	}
	return errors.Join(durable.SyncDir(filepath.Dir(to)), durable.SyncDir(f.waiting()))
}
