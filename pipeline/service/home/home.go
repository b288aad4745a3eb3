// Package home is the service behind all doors: the terminal app, the commands,
// and servers use it alike. It opens a home, brings doc sets up to date, answers
// questions through the pipeline, reports its contents, and looks for faults.
//
// A home is a folder: catalog.db (the truth), index/ (derived), manual/ (the
// built-in manual as files), sets.json (the doc sets once more, so that a
// damaged catalog can be made again), docent.toml, and lock, which a writer
// holds. The manual is installed at the first start.
//
// Requests and answers are typed. The package refuses to print, to read the
// environment and the configuration, and to word an answer for one door only.
package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
	"docent/store/lock"
)

// Version is the program's.
const Version = "0.1.0"

// lockWait is how long a writer waits for another one.
const lockWait = 10 * time.Second

// Options says what to open.
type Options struct {
	Dir      string // the home's folder, absolute
	Settings Settings
	Manual   fs.FS           // the manual's pages; nil: a home without it
	Parsers  *parse.Registry // of the formats that are read
	Stores   Stores
	Indexes  Indexes // in the home's folder, see IndexDir
	// Blobs is where Parsers keeps documents, to be swept after changes; nil:
	// nothing is kept.
	Blobs store.Blobs
	// Say tells a person about an event that they did not ask for; nil: nobody.
	Say func(format string, args ...any)
	// Progress watches indexing; nil: nobody.
	Progress contract.Sink
}

// Settings are the parts of the configuration that the service needs.
type Settings struct {
	ConfigPath string // shown by Status and Doctor
	Domain     string // of doc sets that are added without one
	Domains    domain.Settings
	MaxDocs    int    // documents that a question extracts unless it says; 0: phase 2's own number
	Extent     string // of an answer unless a question says; "": documents
	Lines      int    // of a block of sections at most, likewise; 0: contract.DefaultLines
	// DenseWeight is the weight of a model's vectors beside 1 - DenseWeight of
	// the words; DenseGiven: a person set it, so nothing measured replaces it.
	DenseWeight float64
	DenseGiven  bool
	References  references.Settings // the zero value: references.Defaults
	// SynonymFile is a list of synonyms beside those in the folders for them; relative: to
	// the folder of ConfigPath. "": none.
	SynonymFile string
}

// Home is an opened home.
type Home struct {
	Dir     string
	Corpus  *corpus.Corpus
	Parsers *parse.Registry // of the formats that are read
	Indexes Indexes
	// Unready is why the manual or an index could not be written at the start. The
	// other doc sets can still be searched. nil: all is ready.
	Unready error
	// Unsearched is why the index of a doc set cannot be opened, where it is whole and may
	// not be read. The other doc sets can still be searched. nil: all can be opened.
	Unsearched error

	Settings Settings
	Stores   Stores
	Say      func(format string, args ...any) // tells a person about an event that they did not ask for

	opt     Options
	Catalog Catalog

	suspect atomic.Bool // damage of the catalog was met
	torn    []store.Set // pages of theirs were dropped because their rows were damaged
}

// Open opens a home, makes it where it is missing, installs the manual of this
// version and builds damaged or missing indexes again.
func Open(ctx context.Context, opt Options) (*Home, error) {
	if opt.Say == nil {
		opt.Say = func(string, ...any) {}
	}
	h := &Home{Dir: opt.Dir, Parsers: opt.Parsers, Indexes: opt.Indexes, Settings: opt.Settings, Stores: opt.Stores, Say: opt.Say, opt: opt}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	h.ownFolder()
	if err := h.ready(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (h *Home) CatalogPath() string { return filepath.Join(h.Dir, "catalog.db") }
func (h *Home) lockPath() string    { return filepath.Join(h.Dir, "lock") }

// IndexDir is where a doc set's index lies.
func (h *Home) IndexDir(setID int64) string { return IndexDir(h.Dir, setID) }

// IndexDir is where a doc set's index lies in a home's folder.
func IndexDir(dir string, setID int64) string {
	return filepath.Join(dir, "index", strconv.FormatInt(setID, 10))
}

// open opens the catalog for reading, after making, migrating or restoring it
// where that is needed.
func (h *Home) open(ctx context.Context) error {
	cat, err := h.openReader(ctx)
	if err != nil {
		if f := h.Stores.Fault(err); !errors.Is(err, fs.ErrNotExist) && f != OlderFault && f != DamagedFault {
			return h.Unwritable(err)
		}
		if err := h.prepare(ctx, err); err != nil {
			return err
		}
		if cat, err = h.openReader(ctx); err != nil {
			return err
		}
	}
	h.Catalog = cat
	h.Corpus = corpus.New(cat, h.Indexes, h.Parsers)
	if err := h.reconcile(ctx); err != nil {
		return errors.Join(err, h.Close())
	}
	return nil
}

// prepare makes the catalog, or migrates an older one, or puts a damaged one
// aside. reconcile gives a new one the doc sets of the list.
func (h *Home) prepare(ctx context.Context, why error) (err error) {
	held, err := h.Lock(ctx, "prepare")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if h.Stores.Fault(why) == DamagedFault {
		if h.soundCatalog(ctx) {
			return nil // another process was quicker
		}
		if err := h.putAside(); err != nil {
			return h.Unwritable(err)
		}
	}
	_, missing := os.Stat(h.CatalogPath())
	if missing != nil {
		// Indexes speak of documents by the numbers of the catalog that is gone.
		err := os.RemoveAll(filepath.Join(h.Dir, "index"))
		for _, ending := range []string{"-wal", "-shm", "-journal"} {
			if rerr := os.Remove(h.CatalogPath() + ending); !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
		if err != nil {
			return h.Unwritable(err)
		}
	}
	cat, err := h.Stores.OpenForWriting(ctx, h.CatalogPath())
	if err != nil {
		return h.Unwritable(err)
	}
	return cat.Close()
}

func (h *Home) putAside() error {
	for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
		from := h.CatalogPath() + ending
		if err := os.Rename(from, from+".damaged"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	h.Say("the catalog %s was damaged; it lies beside as catalog.db.damaged and is made again", h.CatalogPath())
	if err := os.Remove(h.markPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(filepath.Join(h.Dir, "index"))
}

// Lock takes the home's lock.
func (h *Home) Lock(ctx context.Context, purpose string) (*lock.Lock, error) {
	return h.acquire(ctx, h.lockPath(), purpose, lockWait)
}

// acquire takes a lock file of the home.
func (h *Home) acquire(ctx context.Context, path, purpose string, wait time.Duration) (*lock.Lock, error) {
	l, err := lock.Acquire(ctx, path, purpose, wait, func(holder string) {
		h.Say("waiting for %s to finish writing %s", holder, h.Dir)
	})
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, h.CannotWrite(err) // without the lock file the home cannot be written
	}
	if err != nil {
		return nil, h.Unwritable(err)
	}
	return l, nil
}

// Unwritable says what to do when the home cannot be written.
func (h *Home) Unwritable(err error) error {
	if _, ok := errors.AsType[*lock.LockedError](err); ok || errors.Is(err, context.Canceled) {
		return err
	}
	if _, ok := errors.AsType[*UnavailableError](err); ok {
		return err // said already
	}
	if h.Stores.Fault(err) == DiskFault {
		return h.CannotWrite(err)
	}
	return h.NoteDamage(err) // the next start looks the catalog through
}

func (h *Home) CannotWrite(err error) error {
	return &UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", h.Dir, HomeAdvice(err)), Err: err}
}

// Close closes everything that Open opened.
func (h *Home) Close() error {
	var err error
	if h.Corpus != nil {
		err = h.Corpus.Close()
	}
	if h.Catalog != nil {
		err = errors.Join(err, h.Catalog.Close())
	}
	return err
}

// ready installs the manual and builds the indexes that are missing or damaged.
func (h *Home) ready(ctx context.Context) error {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	manual, err := h.manualMissing(sets)
	if err != nil {
		return err
	}
	var broken []store.Set
	h.Corpus.Warm(ctx, sets)
	for _, s := range sets {
		switch err := h.Corpus.CheckIndex(ctx, s); {
		case err == nil:
		case errors.Is(err, store.ErrDamaged):
			broken = append(broken, s)
		case ctx.Err() != nil, durable.Exhausted(err):
			return err
		default: // a file of it cannot be read; the other doc sets can be searched
			h.Unsearched = &UnavailableError{What: fmt.Sprintf("an index cannot be read (%s; to make another: docent update --rebuild %s)", HomeAdvice(err), s.Ref), Err: err}
		}
	}
	if !manual && len(broken)+len(h.torn) == 0 {
		return nil
	}
	err = h.Write(ctx, "prepare", func(w *Writer) error {
		if manual {
			if err := w.installManual(ctx); err != nil {
				return err
			}
		}
		for _, s := range broken {
			if manual && s.Ref == ManualRef() {
				continue // just indexed, from another folder than s has
			}
			if err := w.mend(ctx, s); err != nil {
				return err
			}
		}
		for _, s := range h.torn {
			if _, err := w.Update(ctx, s, false); err != nil && !errors.Is(err, ingest.ErrRootMissing) {
				return err
			}
		}
		return nil
	})
	if err != nil && len(sets) > len(broken) && ctx.Err() == nil {
		// The whole indexes can still be searched; a search reports the damaged ones.
		h.Unready = err
		return nil
	}
	return err
}

// mend builds a doc set's index again.
func (w *Writer) mend(ctx context.Context, s store.Set) error {
	if _, err := os.Stat(s.Root); err != nil {
		w.home.Say("the index of %s is damaged and its folder %s is not there; bring it back, or forget it with: docent rm %s", s.Ref, s.Root, s.Ref)
		return nil
	}
	if s.Documents > 0 {
		w.home.Say("the index of %s was damaged or missing; it is built again", s.Ref)
	}
	_, err := w.Update(ctx, s, true)
	return err
}

// ManualRef is the manual's doc set.
func ManualRef() doc.Ref { return doc.Ref{Name: "Docent_Manual", Version: Version} }
