// Package sqlite opens SQLite files and classifies SQLite's errors, for all stores
// that are such files.
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
	"syscall"

	"modernc.org/sqlite"
)

// Open opens the file at path with the driver's parameters. Nothing is read yet.
func Open(path string, query url.Values) (*sql.DB, error) {
	dsn := url.URL{Scheme: "file", Opaque: escapePath(path), RawQuery: query.Encode()}
	return sql.Open("sqlite", dsn.String())
}

// Own makes the file at path where it is missing, and gives it and what SQLite writes
// beside it to its owner alone. SQLite gives its own files the permissions of this one.
func Own(path string) error {
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
	for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
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

// escapePath escapes what has a meaning in a file: URI.
func escapePath(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
}

// SQLite's result codes that have a meaning for callers: https://sqlite.org/rescode.html
const (
	sqliteReadOnly = 8
	sqliteIOErr    = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// IsDamaged says whether an error means that the file is no database, or is
// broken.
func IsDamaged(err error) bool {
	c := code(err)
	return c == sqliteCorrupt || c == sqliteNotADB
}

// NeedsWriter says whether an error means that a process was killed while it wrote the
// file, and that one that may write must open it first, to take back what was begun.
func NeedsWriter(err error) bool {
	const recovery, rollback = sqliteReadOnly | 2<<8, sqliteReadOnly | 3<<8
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == recovery || e.Code() == rollback)
}

// IsDiskError says whether an error means that a disk is full or cannot be
// written.
func IsDiskError(err error) bool {
	switch code(err) {
	case sqliteReadOnly, sqliteFull, sqliteCantOpen, sqliteIOErr:
		return true
	}
	if err != nil && strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return true // scorch does not wrap what the disk says
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.ENOTDIR)
}
