package embedded_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docent/store"
	"docent/store/embedded"
	"docent/store/lock"
)

// One process at a time does one kind of work on a doc set; other kinds and other doc sets
// are independent.
func TestLocksOfDocSets(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	x := embedded.IndexesInFolder(filepath.Join(t.TempDir(), "index"))
	if busy, err := x.Locked(ctx, 1, store.Updating); busy || err != nil {
		t.Fatalf("before anybody worked: %v, %v", busy, err)
	}
	held, err := x.LockSet(ctx, 1, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.LockSet(ctx, 1, store.Updating, "update", 0, nil)
	if e, ok := errors.AsType[*lock.LockedError](err); !ok || e.Holder == "" {
		t.Errorf("the same work twice: %v", err)
	}
	for id, work := range map[int64]store.SetWork{1: store.Embedding, 2: store.Updating} {
		other, err := x.LockSet(ctx, id, work, "other", 0, nil)
		if err != nil {
			t.Fatalf("%s of %d: %v", work, id, err)
		}
		if err := other.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if busy, err := x.Locked(ctx, 1, store.Updating); !busy || err != nil {
		t.Errorf("while it is done: %v, %v", busy, err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if busy, err := x.Locked(ctx, 1, store.Updating); busy || err != nil {
		t.Errorf("after it: %v, %v", busy, err)
	}
	for range 2 {
		if err := x.ForgetLock(1, store.Updating); err != nil {
			t.Fatal(err)
		}
	}
}

// All that is kept of a doc set goes with it, and nothing of others.
func TestPurge(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "index")
	x := embedded.IndexesInFolder(folder)
	if ids, err := x.Sets(); len(ids) != 0 || err != nil {
		t.Fatalf("before there is a folder: %v, %v", ids, err)
	}
	for _, name := range []string{"1/segments", "1.vectors/g1", "1.model/g1", "2/segments", "person"} {
		if err := os.MkdirAll(filepath.Join(folder, filepath.FromSlash(name)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.ReadRecord(1, store.LagRecord); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a record that was never written: %v", err)
	}
	for id := range int64(2) {
		if err := errors.Join(x.WriteRecord(id+1, store.LagRecord, []byte("3\n")), x.WriteRecord(id+1, store.WeightRecord, []byte("{}"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Purge(1); err != nil {
		t.Fatal(err)
	}
	ids, err := x.Sets()
	if err != nil || !slices.Equal(ids, []int64{2}) {
		t.Errorf("%v, %v", ids, err)
	}
	if raw, err := x.ReadRecord(2, store.LagRecord); string(raw) != "3\n" || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "person")); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := x.RemoveRecord(2, store.WeightRecord); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.RemoveAll(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after all was removed: %v", err)
	}
}
