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

// makeFolder makes the folder, for its owner alone.
func (f *Folder) makeFolder() error {
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
	dir      string // in incoming
	lock     *lock.Lock
}

// Receive takes a file in: at most MaxBytes of it, written aside and flushed. declared is
// the media type that came with it, or "". The errors are ErrTooLarge, a *FormatError,
// ErrCut where the reader ended too early (io.ErrUnexpectedEOF), the context's, or those
// of the reader and the disk; then nothing is left.
func (f *Folder) Receive(ctx context.Context, name, declared string, from io.Reader) (_ *Received, err error) {
	if err := f.makeFolder(); err != nil {
		return nil, err
	}
	r := &Received{Filename: CleanName(name)}
	if r.dir, r.lock, err = f.makeAside(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Discard())
		}
	}()
	out, err := os.OpenFile(r.filePath(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
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

func (r *Received) filePath() string { return filepath.Join(r.dir, "file") }

// Discard removes the received file. It does nothing after the file was kept.
func (r *Received) Discard() error {
	if r.lock == nil {
		return nil
	}
	// First the file, under the lock; then what Windows does not remove while it is open.
	err := errors.Join(os.RemoveAll(r.filePath()), dropLocked(r.dir, r.lock))
	r.lock = nil
	return err
}

const lockName = "lock"

// mostTries is how often a folder may be swept away before it is locked.
const mostTries = 100

// makeAside makes a folder in incoming and locks it, so that others see that it is in use.
func (f *Folder) makeAside(ctx context.Context) (dir string, held *lock.Lock, err error) {
	for tries := 0; ; tries++ {
		raw := make([]byte, 8)
		_, _ = rand.Read(raw) // never fails
		dir = filepath.Join(f.incoming(), hex.EncodeToString(raw))
		path := filepath.Join(dir, lockName)
		held, err = lock.Acquire(ctx, path, "upload", 0, nil) // makes the folder too
		if _, swept := errors.AsType[*lock.LockedError](err); swept {
			continue // somebody looks at it, and removes it
		}
		if errors.Is(err, fs.ErrNotExist) && tries < mostTries {
			continue // somebody has removed it before it was locked
		}
		if err != nil {
			return "", nil, err
		}
		if _, err := os.Stat(path); err == nil {
			return dir, held, nil
		}
		if err := held.Release(); err != nil {
			return "", nil, err
		}
	}
}

// Sweep removes files whose receiver died, and says how many.
func (f *Folder) Sweep(ctx context.Context) (removed int, err error) {
	entries, err := os.ReadDir(f.incoming())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		dir := filepath.Join(f.incoming(), e.Name())
		if !e.IsDir() {
			err = errors.Join(err, os.Remove(dir))
			continue
		}
		held, lerr := lock.Acquire(ctx, filepath.Join(dir, lockName), "sweep", 0, nil)
		if _, alive := errors.AsType[*lock.LockedError](lerr); alive || errors.Is(lerr, fs.ErrNotExist) {
			continue // in use, or gone
		}
		if lerr != nil {
			err = errors.Join(err, lerr)
			continue
		}
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, "file")), dropLocked(dir, held))
		removed++
	}
	return removed, err
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

// Lock is the right to keep and remove files, held by one process at a time.
func (f *Folder) Lock(ctx context.Context, take func(path string) (*lock.Lock, error)) (*lock.Lock, error) {
	if err := f.makeFolder(); err != nil {
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
	if err := os.Rename(r.filePath(), to); err != nil {
		return err
	}
	return errors.Join(durable.SyncDir(filepath.Dir(to)), durable.SyncDir(f.waiting()))
}
