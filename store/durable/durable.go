// Package durable writes files that survive a crash of the process and of the
// machine.
//
// WriteFile replaces a file: a reader, in this process or another, sees the old
// content or the new one, and never a part. Create writes a new file into a
// folder that nobody reads yet. SyncDir makes a rename durable.
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
)

// perm is the permission of every file: a home belongs to one user.
const perm = 0o600

// WriteFile replaces the file at path, or makes it, atomically and durably. The
// content is written to a temporary file beside it and flushed; the temporary file
// is renamed; the folder is flushed. On an error the old file stays as it was.
func WriteFile(path string, content []byte) (err error) {
	dir, name := filepath.Split(path)
	tmp, err := os.CreateTemp(dir, name+".*.tmp")
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
	if err := writeAndSync(tmp, func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
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
