package embedded

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"docent/store"
	"docent/store/durable"
	"docent/store/lock"
)

// The files of a doc set begin with its number: a folder with the index of words, and
// next to it folders and files with these endings.
const (
	learnedEnding   = ".vectors"
	modelEnding     = ".model"
	referenceEnding = ".references"
	patchEnding     = ".patch" // behind that of the graph
)

// workEndings are the endings of locks that are not named like their work.
var workEndings = map[store.SetWork]string{store.Updating: ".lock", store.Embedding: ".embedding"}

var recordEndings = map[store.SetRecord]string{store.WeightRecord: ".weight.json", store.LagRecord: ".lag"}

// IndexesInFolder gives the indexes that are kept in a folder.
func IndexesInFolder(folder string) Indexes {
	return Indexes{Dir: func(setID int64) string { return filepath.Join(folder, strconv.FormatInt(setID, 10)) }}
}

// folderOfIndexes holds the indexes of all doc sets.
func (x Indexes) folderOfIndexes() string { return filepath.Dir(x.Dir(0)) }

// Name says where the indexes are, for people.
func (x Indexes) Name() string { return x.folderOfIndexes() }

func (x Indexes) lockFile(setID int64, work store.SetWork) string {
	return x.Dir(setID) + cmp.Or(workEndings[work], "."+string(work))
}

// RecordFile is the file of a record of a doc set.
func (x Indexes) RecordFile(setID int64, record store.SetRecord) string {
	return x.Dir(setID) + recordEndings[record]
}

// LockSet takes the right to do one kind of work on a doc set, as store.Exclusion's Lock.
func (x Indexes) LockSet(ctx context.Context, setID int64, work store.SetWork, purpose string, wait time.Duration,
	waiting func(holder string)) (store.Held, error) {
	held, err := lock.Acquire(ctx, x.lockFile(setID, work), purpose, wait, waiting)
	if err != nil {
		return nil, err // a nil lock in an interface is not nil
	}
	return held, nil
}

// Locked reports whether a process is at one kind of work on a doc set.
func (x Indexes) Locked(ctx context.Context, setID int64, work store.SetWork) (bool, error) {
	path := x.lockFile(setID, work)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	held, err := lock.Acquire(ctx, path, "look", 0, nil)
	if _, ok := errors.AsType[*lock.LockedError](err); ok {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, held.Release()
}

// ForgetLock deletes the file of a lock. Windows deletes no file that is open: it stays
// for Purge.
func (x Indexes) ForgetLock(setID int64, work store.SetWork) error {
	err := os.Remove(x.lockFile(setID, work))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// ReadRecord gives a record of a doc set. The error wraps fs.ErrNotExist where it never was
// written.
func (x Indexes) ReadRecord(setID int64, record store.SetRecord) ([]byte, error) {
	return os.ReadFile(x.RecordFile(setID, record))
}

// WriteRecord puts a record of a doc set in the place of the one before.
func (x Indexes) WriteRecord(setID int64, record store.SetRecord, content []byte) error {
	return durable.WriteFile(x.RecordFile(setID, record), content)
}

// RemoveRecord deletes a record of a doc set. One that is missing is no error.
func (x Indexes) RemoveRecord(setID int64, record store.SetRecord) error {
	err := os.Remove(x.RecordFile(setID, record))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// namesBySet lists the files and folders of each doc set.
func (x Indexes) namesBySet() (map[int64][]string, error) {
	entries, err := os.ReadDir(x.folderOfIndexes())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := map[int64][]string{}
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), ".")
		if id, err := strconv.ParseInt(number, 10, 64); err == nil {
			out[id] = append(out[id], e.Name())
		}
	}
	return out, nil
}

// Sets lists the doc sets of which anything is kept, in no order.
func (x Indexes) Sets() ([]int64, error) {
	names, err := x.namesBySet()
	ids := make([]int64, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	return ids, err
}

// Purge deletes all that is kept of a doc set, also its locks and records.
func (x Indexes) Purge(setID int64) error {
	names, err := x.namesBySet()
	for _, name := range names[setID] {
		err = errors.Join(err, os.RemoveAll(filepath.Join(x.folderOfIndexes(), name)))
	}
	return err
}

// RemoveAll deletes the files of all doc sets.
func (x Indexes) RemoveAll() error { return os.RemoveAll(x.folderOfIndexes()) }

// SweepTemporary deletes temporary files that are older than age: their writers were
// killed.
func (x Indexes) SweepTemporary(age time.Duration) (removed int, err error) {
	return durable.SweepTemporary(x.folderOfIndexes(), age)
}
