package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
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
		{errors.New("segment: write x: no space left on device"), "free some space"},
		{errors.New("database or disk is full (13)"), "free some space"},
		{&fs.PathError{Op: "open", Path: "lock", Err: syscall.EACCES}, "make it readable and writable for you"},
		{&fs.PathError{Op: "open", Path: "lock", Err: syscall.EROFS}, "read-only"},
		{errors.New("attempt to write a readonly database (8)"), "read-only"},
		{&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.ENOTDIR}, "is a file"},
		{errors.New("unable to open database file (14)"), "see that it is a folder"},
	} {
		got := HomeAdvice(tt.err)
		if !strings.Contains(got, tt.says) || !strings.Contains(got, "--home") || strings.Contains(got, "space") != strings.Contains(tt.says, "space") {
			t.Errorf("%v: %s", tt.err, got)
		}
	}
}

// A home that may not be read is not there, which is no fault of the
// configuration in it.
func TestUnreadableHome(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	home := t.TempDir()
	if err := os.Chmod(home, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	_, err := Open(t.Context(), Options{Home: home})
	if _, ok := errors.AsType[*UnavailableError](err); !ok || !strings.Contains(err.Error(), "make it readable") {
		t.Errorf("%v", err)
	}
}
