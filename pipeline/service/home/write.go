package home

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
)

// Writer changes a home. Each of its methods takes the locks that it needs: the home's
// for the list of doc sets and for the moment in which an update is published, a doc
// set's for its update. A method that takes both takes the doc set's first.
type Writer struct {
	home     *Home
	purpose  string        // shown to others who wait
	Wait     time.Duration // for others who write
	cat      WritableCatalog
	Ingester *ingest.Ingester
	progress contract.Sink // of updates that name no watcher
}

// Write opens the home for changes; purpose is shown to processes that wait for the lock.
func (h *Home) Write(ctx context.Context, purpose string, do func(*Writer) error) (err error) {
	place := h.Stores.Catalog()
	if _, err := place.Identify(ctx); errors.Is(err, fs.ErrNotExist) {
		return h.CatalogGone(err)
	}
	// A home that cannot be written is noticed here, before any work.
	if err := place.Lockable(ctx); err != nil {
		return h.CannotWrite(err)
	}
	cat, err := h.Stores.OpenForWriting(ctx)
	if err != nil {
		return h.Unwritable(err)
	}
	defer func() { err = errors.Join(err, cat.Close()) }()
	changing := &changingCatalog{WritableCatalog: cat}
	w := &Writer{home: h, purpose: purpose, Wait: lockWait, cat: changing, progress: h.opt.Progress}
	w.Ingester = &ingest.Ingester{Catalog: changing, Indexes: h.Indexes, Parsers: h.Parsers, Domains: h.Settings.Domains,
		References: references.Stage{Settings: h.ReferenceSettings()}, LockSet: w.lockSet, Replaced: changing.replaced,
		LockHome: func(ctx context.Context) (store.Held, error) { return h.Lock(ctx, purpose) }}
	if err := h.NoteDamage(do(w)); err != nil {
		return h.Unwritable(err)
	}
	h.afterWriting(ctx, changing)
	return nil
}

// Locked holds the home's lock.
func (w *Writer) Locked(ctx context.Context, do func() error) (err error) {
	held, err := w.home.Lock(ctx, w.purpose)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	return do()
}

// lockSet is holdSet for an update, which reads the files of the doc set.
func (w *Writer) lockSet(ctx context.Context, set store.Set) (store.Held, error) {
	held, err := w.holdSet(ctx, set)
	if err != nil {
		return nil, err
	}
	if err := w.home.Shared.fillNow(ctx, set); err != nil {
		return nil, errors.Join(fmt.Errorf("update %s: %w", set.Ref, err), held.Release())
	}
	return held, nil
}

// holdSet takes the lock of a doc set that is in the catalog.
func (w *Writer) holdSet(ctx context.Context, set store.Set) (store.Held, error) {
	held, err := w.home.lockError(w.home.Indexes.LockSet(ctx, set.ID, store.Updating, w.purpose, w.Wait, w.home.tellWaiting))
	if err != nil {
		return nil, err
	}
	// The process that held the lock may have removed the doc set.
	sets, err := w.cat.Sets(ctx)
	if err == nil && !slices.ContainsFunc(sets, func(s store.Set) bool { return s.ID == set.ID }) {
		err = &contract.Error{Code: contract.CodeInvalidRequest, Err: store.ErrNotFound,
			Message: fmt.Sprintf("the doc set %s was removed by another process; add it again", set.Ref)}
	}
	if err != nil {
		return nil, errors.Join(err, held.Release())
	}
	return guarded{held, w.cat.Guard(set.ID, held)}, nil
}

// guarded is the right to change a doc set, without which its pages in the catalog are not changed.
type guarded struct {
	store.Held
	unguard func()
}

// Release is store.Held's.
func (g guarded) Release() error {
	g.unguard()
	return g.Held.Release()
}

// DiskFull reports whether an error means that a disk has no room or cannot be written,
// whatever file it is about.
func DiskFull(err error) bool {
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// diskFails reports whether an error means that a disk or the system failed in reading or
// writing.
func diskFails(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, store.ErrDiskFails)
}

// OtherHome is the remedy of a home that cannot be used as it is, because of an error; nil where
// another home has the same fault.
func OtherHome(err error) *contract.Remedy {
	if tooManyFiles(err) {
		return nil
	}
	return contract.Change("home").To("or choose another with")
}

// tooManyFiles reports whether an error means that the process has no descriptor left.
func tooManyFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, store.ErrTooManyFiles)
}

// HomeAdvice says what to do about an error of reading or writing the home. The other way is
// OtherHome.
func HomeAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, store.ErrDiskFull):
		return "free some space"
	case tooManyFiles(err):
		return "let the process open more files (ulimit -n), or end other programs"
	case diskFails(err):
		return "its disk fails: look at it"
	case errors.Is(err, fs.ErrPermission):
		return "make it readable and writable for you"
	case errors.Is(err, syscall.EROFS), errors.Is(err, store.ErrReadOnly):
		return "its disk or a file of it is read-only: make it writable"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is a file"
	}
	return "see that it is a folder that you can read and write"
}

// Update brings one doc set up to date.
func (w *Writer) Update(ctx context.Context, set store.Set, rebuild bool) (ingest.Report, error) {
	return w.UpdateWatched(ctx, set, rebuild, Watch{Events: w.progress})
}

// UpdateWatched is as Update with another watcher.
func (w *Writer) UpdateWatched(ctx context.Context, set store.Set, rebuild bool, watch Watch) (ingest.Report, error) {
	in := *w.Ingester
	in.Trace = watch.Trace
	return in.Update(ctx, set, rebuild, watch.Events)
}

// Add registers doc sets; they have no pages until they are updated.
func (w *Writer) Add(ctx context.Context, sets []store.Set) (_ []store.Set, err error) {
	err = w.Locked(ctx, func() error {
		sets, err = w.Register(ctx, sets)
		return err
	})
	return sets, err
}

// Register is Add under the home's lock.
func (w *Writer) Register(ctx context.Context, sets []store.Set) ([]store.Set, error) {
	sets, err := w.cat.PutSets(ctx, sets)
	if err != nil {
		return nil, err
	}
	return sets, w.saveSets(context.WithoutCancel(ctx)) // the list follows the catalog, also when ctx has ended by now
}

// Remove forgets doc sets and their indexes. Their files stay.
func (w *Writer) Remove(ctx context.Context, sets []store.Set) (err error) {
	// In the order of their numbers, so that two processes do not wait for each
	// other.
	sets = slices.SortedFunc(slices.Values(sets), func(a, b store.Set) int { return cmp.Compare(a.ID, b.ID) })
	sets = slices.CompactFunc(sets, func(a, b store.Set) bool { return a.ID == b.ID })
	for _, s := range sets {
		held, lerr := w.holdSet(ctx, s)
		if errors.Is(lerr, store.ErrNotFound) {
			continue
		}
		if lerr != nil {
			return lerr
		}
		defer func() {
			if err == nil {
				// Processes that wait for it learn that the doc set is gone.
				_ = w.home.Indexes.ForgetLock(s.ID, store.Updating)
			}
			err = errors.Join(err, held.Release())
		}()
	}
	if len(sets) == 0 {
		return nil
	}
	return w.Locked(ctx, func() error { return w.remove(ctx, sets) })
}

// remove is Remove under all locks. The list is written first: a process that is
// killed before the catalog forgets a doc set leaves it registered, see list.go.
func (w *Writer) remove(ctx context.Context, sets []store.Set) error {
	refs := make([]doc.Ref, len(sets))
	for i, s := range sets {
		refs[i] = s.Ref
	}
	if err := w.saveSets(ctx, refs...); err != nil {
		return err
	}
	if err := w.cat.RemoveSets(ctx, sets); err != nil {
		return errors.Join(err, w.saveSets(context.WithoutCancel(ctx)))
	}
	var err error
	for _, s := range sets {
		err = errors.Join(err, w.home.Indexes.Remove(s.ID), w.home.RemoveModelVectors(s.ID), w.home.removeSetFiles(s),
			w.home.Shared.forget(ctx, s))
	}
	return err
}

// manualRoot is where this program's manual lies as files: its name has the
// pages' hash, so that another manual has another folder.
func (h opening) manualRoot() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(h.opt.Manual, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(h.opt.Manual, path)
		fmt.Fprintf(sum, "%s\x00%d\x00", path, len(raw))
		sum.Write(raw)
		return err
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(h.Dir, "manual", hex.EncodeToString(sum.Sum(nil))[:16], ManualRef().String()), nil
}

// manualMissing reports whether the manual of this program must be installed.
func (h opening) manualMissing(sets []store.Set) (bool, error) {
	if h.opt.Manual == nil {
		return false, nil
	}
	root, err := h.manualRoot()
	if err != nil {
		return false, err
	}
	for _, s := range sets {
		if s.Ref == ManualRef() && s.Root == root {
			_, err := os.Stat(root)
			return err != nil, nil
		}
	}
	return true, nil
}

// manualMark is a file that exists while a manual is installed: from before it is registered until it is
// indexed and the older manuals are removed. A start that finds it finishes what a killed process began.
func manualMark(root string) string { return filepath.Dir(root) + ".new" }

// manualUnfinished reports whether the manual of this program was installed by half.
func (h opening) manualUnfinished() bool {
	if h.opt.Manual == nil {
		return false
	}
	root, err := h.manualRoot()
	if err != nil {
		return false
	}
	_, err = os.Stat(manualMark(root))
	return err == nil
}

// installManual writes the manual's pages, registers and indexes them, and
// forgets the manuals of other versions.
func (w *Writer) installManual(ctx context.Context) error {
	root, err := w.home.opening().manualRoot()
	if err != nil {
		return err
	}
	var manual store.Set
	var others []store.Set
	err = w.Locked(ctx, func() (err error) {
		sets, err := w.cat.Sets(ctx)
		if err != nil {
			return err
		}
		for _, s := range sets {
			switch {
			case s.Ref == ManualRef():
				manual = s
			case s.Ref.Name == ManualRef().Name:
				others = append(others, s)
			}
		}
		// Another process may have installed it, and may be reading it.
		if missing, err := w.home.opening().manualMissing(sets); err != nil || !missing {
			return err
		}
		manual, err = w.writeManual(ctx, root)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Remove(ctx, others); err != nil {
		return err
	}
	if _, err := w.Update(ctx, manual, false); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Dir(filepath.Dir(root)))
	for _, e := range entries { // with the mark
		if e.Name() != filepath.Base(filepath.Dir(root)) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(filepath.Dir(filepath.Dir(root)), e.Name())))
		}
	}
	return err
}

// writeManual writes the manual's pages and registers them. The home's lock is
// held.
func (w *Writer) writeManual(ctx context.Context, root string) (store.Set, error) {
	tmp := root + ".tmp"
	if err := errors.Join(os.RemoveAll(tmp), os.RemoveAll(root)); err != nil {
		return store.Set{}, err
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(root)), FolderMode); err != nil {
		return store.Set{}, err
	}
	if err := durable.WriteFile(manualMark(root), nil); err != nil {
		return store.Set{}, err
	}
	if err := os.CopyFS(tmp, w.home.opt.Manual); err != nil {
		return store.Set{}, err
	}
	if err := sameTimes(tmp); err != nil {
		return store.Set{}, err
	}
	if err := OwnAlone(filepath.Join(w.home.Dir, "manual")); err != nil {
		return store.Set{}, err
	}
	if err := os.Rename(tmp, root); err != nil {
		return store.Set{}, err
	}
	added, err := w.Register(ctx, []store.Set{{Ref: ManualRef(), Root: root, Layout: doc.LayoutTree, Domain: "tech_docs"}})
	if err != nil {
		return store.Set{}, err
	}
	return added[0], nil
}

// sameTimes gives all files of the manual one time: several machines write them, each for itself.
func sameTimes(dir string) error {
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, time.Time{}, at)
	})
}

// Forever bounds the wait for another process that makes the same vectors. The wait
// ends when that process ends, or with the context.
const Forever = 365 * 24 * time.Hour
