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
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.ENOTDIR)
}
