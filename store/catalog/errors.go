package catalog

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
)

// SQLite's result codes that are told apart here: https://sqlite.org/rescode.html
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

// IsDamaged says whether an error means that the catalog's file is none, or is
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
