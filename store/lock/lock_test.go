package lock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/store/lock"
)

func TestLockExcludesAndNamesItsHolder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock.Acquire(ctx, path, "a long purpose", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	_, err = lock.Acquire(ctx, path, "add", 80*time.Millisecond, func(h string) { told = h })
	locked, ok := errors.AsType[*lock.LockedError](err)
	if !ok || !strings.HasSuffix(locked.Holder, " (a long purpose)") || !strings.HasPrefix(locked.Holder, "process ") || told != locked.Holder {
		t.Fatalf("a second writer gets %v, told %q", err, told)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := lock.Acquire(ctx, path, "add", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lock.Acquire(ctx, path, "update", 0, nil)
	if locked, ok := errors.AsType[*lock.LockedError](err); !ok || !strings.HasSuffix(locked.Holder, " (add)") {
		t.Fatalf("behind a longer note: %v", err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

// A waiting process gets the lock when it is free, and stops when the context ends.
func TestLockWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock.Acquire(t.Context(), path, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := lock.Acquire(ctx, path, "add", time.Hour, func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	var release error
	second, err := lock.Acquire(t.Context(), path, "add", time.Hour, func(string) { release = first.Release() })
	if err != nil || release != nil {
		t.Fatal(err, release)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

// A lock whose file was removed, and made again by another process, is not in place.
func TestInPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	held, err := lock.Acquire(t.Context(), path, "test", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	}()
	if !held.InPlace() {
		t.Error("a new lock is not in place")
	}
	if err := os.Remove(path); err != nil {
		t.Skipf("this system removes no open file: %v", err)
	}
	if held.InPlace() {
		t.Error("the lock of a removed file is in place")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if held.InPlace() {
		t.Error("the lock of a file that was replaced is in place")
	}
}
