// Package durable writes files that survive a crash of the process and of the
// machine.
//
// WriteFile replaces a file: a reader, in this process or another, sees the old content
// or the new one, and never a part. WriteNew does the same for a file that must not be
// there yet. Append adds to a file, whole or not at all. Create writes a new file into a
// folder without readers. SyncDir makes a rename durable.
//
// A process that is killed may leave a temporary file, which Sweep removes.
//
// It refuses to lock: two processes that replace the same file each write a
// whole one, and the last one stays.
package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// perm is the permission of every file: a home belongs to one user.
const perm = 0o600

// WriteFile replaces the file at path, or makes it, atomically and durably. The content
// is written to a temporary file next to it and flushed; the temporary file is renamed;
// the folder is flushed. On an error the old file is unchanged. Content may come in
// parts, so that large ones need not be joined.
func WriteFile(path string, content ...[]byte) error {
	return writeAside(path, writeParts(content), os.Rename)
}

// WriteFileFrom is as WriteFile for content that a function writes.
func WriteFileFrom(path string, content func(io.Writer) error) error {
	return writeAside(path, content, os.Rename)
}

func writeParts(content [][]byte) func(io.Writer) error {
	return func(w io.Writer) error {
		for _, part := range content {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	}
}

// WriteNew is as WriteFile for a new file. The error wraps fs.ErrExist where the path
// is taken, and then nothing was written.
func WriteNew(path string, content []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	return writeAside(path, writeParts([][]byte{content}), func(tmp, path string) error {
		// A link fails where somebody was quicker, which a rename does not.
		err := os.Link(tmp, path)
		if err == nil {
			return os.Remove(tmp)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		// Some file systems have no links. The name is taken first, so that no existing
		// file is replaced.
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		if err := os.Rename(tmp, path); err != nil {
			return errors.Join(err, os.Remove(path))
		}
		return nil
	})
}

// Temporary is the ending of the files in which content is written aside.
const Temporary = ".tmp"

// writeAside writes content to a temporary file next to path, flushes it, and has put
// move it there.
func writeAside(path string, content func(io.Writer) error, put func(tmp, path string) error) (err error) {
	dir, name := filepath.Split(path)
	tmp, err := os.CreateTemp(dir, name+".*"+Temporary)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // the error before it counts
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	// CreateTemp gives the permission perm already.
	if err := writeAndSync(tmp, content); err != nil {
		return err
	}
	if err := put(tmp.Name(), path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Append adds content to the end of a file and makes the file where it is missing.
// Where not all of it could be written, the file is cut back to what it was.
func Append(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, perm)
	if err != nil {
		return err
	}
	n, err := f.Write(content)
	if err != nil && n > 0 {
		// Another process may have added to it since: only the end is cut off.
		if st, serr := f.Stat(); serr == nil {
			err = errors.Join(err, f.Truncate(st.Size()-int64(n)))
		}
	}
	return errors.Join(err, f.Close())
}

// Exhausted reports whether an error means that the process or the machine has no more of
// something that every file needs: descriptors, memory, room on the disk. The file of the
// error is neither damaged nor missing.
func Exhausted(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// SweepTemporary removes the temporary files of a folder that are older than age: their
// writers were killed. It says how many.
func SweepTemporary(dir string, age time.Duration) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != Temporary {
			continue
		}
		st, err := e.Info()
		if err != nil || time.Since(st.ModTime()) < age {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// Create writes a file with what content writes and flushes it. A file that is
// there is truncated, and readers see the file grow: it is for folders that have no
// readers yet. The caller flushes the folder with SyncDir when all files are there.
func Create(path string, content func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	return writeAndSync(f, content)
}

// writeAndSync fills, flushes and closes f.
func writeAndSync(f *os.File, content func(io.Writer) error) error {
	err := content(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// SyncDir flushes a folder's list of files, where the system can do that.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isWindowsSyncError(err) {
		return err
	}
	return nil
}

// isWindowsSyncError: Windows cannot flush a folder and says "access denied".
func isWindowsSyncError(err error) bool {
	return os.PathSeparator == '\\' && errors.Is(err, fs.ErrPermission)
}
