// Package sqlite opens SQLite files, moves and removes them with what SQLite writes next
// to them, and gives SQLite's errors their meaning, for all stores that are such files.
//
// It refuses to know the tables.
package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"docent/store"
)

// OpenFile opens the file at path with the driver's parameters. Nothing is read yet.
func OpenFile(path string, query url.Values) (*sql.DB, error) {
	dsn := url.URL{Scheme: "file", Opaque: escapePath(path), RawQuery: query.Encode()}
	return openDatabase(dsn.String())
}

// OwnFiles makes the file at path if it is missing, and makes it and SQLite's other files
// private to their owner. SQLite gives its own files the permissions of this one.
func OwnFiles(path string) error {
	const owner = 0o600
	// A file that is there is not opened: closing it would release the locks that
	// SQLite holds on it in this process.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, owner)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, ending := range endings {
		st, err := os.Stat(path + ending)
		if err != nil || st.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(path+ending, owner); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// endings are those of the files of one database: its own, which has none, and those that
// SQLite writes next to it.
var endings = []string{"", "-wal", "-shm", "-journal"}

// PutAside renames a database's files to path.damaged, and reports the new name. A file
// that is missing is no error.
func PutAside(path string) (aside string, err error) {
	const damaged = ".damaged"
	for _, ending := range endings {
		if err := os.Rename(path+ending, path+ending+damaged); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return path + damaged, nil
}

// RemoveRemains removes what SQLite wrote next to a database that is gone: a new one of
// the same name would take it for its own.
func RemoveRemains(path string) (err error) {
	for _, ending := range endings[1:] {
		if rerr := os.Remove(path + ending); !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}

// Identity tells the file at path from one that takes its place.
type Identity struct{ info fs.FileInfo }

// Identify returns the identity of the file at path. The error wraps fs.ErrNotExist for a
// missing file.
func Identify(path string) (Identity, error) {
	info, err := os.Stat(path)
	return Identity{info}, err
}

// Same is store.Identity's: it reports whether two identities are of one file.
func (i Identity) Same(other store.Identity) bool {
	o, ok := other.(Identity)
	return ok && i.info != nil && o.info != nil && os.SameFile(i.info, o.info)
}

// escapePath escapes the special characters of a file: URI.
func escapePath(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
}

// NeedsWriter reports whether an error means that a process was killed while it wrote the
// file, and that a process that may write must open it first, to roll back the unfinished
// transaction.
func NeedsWriter(err error) bool {
	const recovery, rollback = sqliteReadOnly | 2<<8, sqliteReadOnly | 3<<8
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == recovery || e.Code() == rollback)
}
