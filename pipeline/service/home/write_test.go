package home

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"docent/store"
)

// What to do about a home depends on why it cannot be used: space is freed on a
// full disk only.
func TestHomeAdvice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		says string
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "free some space"},
		{fmt.Errorf("write: %w", syscall.EDQUOT), "free some space"},
		{&store.FaultError{Kind: store.ErrDiskFull, Err: errors.New("database or disk is full (13)")}, "free some space"},
		{&store.FaultError{Kind: store.ErrDiskFails, Err: errors.New("disk I/O error (266)")}, "its disk fails"},
		{&fs.PathError{Op: "open", Path: "lock", Err: syscall.EACCES}, "make it readable and writable for you"},
		{&fs.PathError{Op: "open", Path: "lock", Err: syscall.EROFS}, "read-only"},
		{&store.FaultError{Kind: store.ErrReadOnly, Err: errors.New("attempt to write a readonly database (8)")}, "read-only"},
		{&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.ENOTDIR}, "is a file"},
		{&store.FaultError{Kind: store.ErrUnopened, Err: errors.New("unable to open database file (14)")}, "see that it is a folder"},
	} {
		got := HomeAdvice(tt.err)
		if !strings.Contains(got, tt.says) || OtherHome(tt.err) == nil || strings.Contains(got, "space") != strings.Contains(tt.says, "space") {
			t.Errorf("%v: %s", tt.err, got)
		}
	}
	if err := fmt.Errorf("open: %w", syscall.EMFILE); OtherHome(err) != nil {
		t.Errorf("another home gives the process no more files: %s", HomeAdvice(err))
	}
}
