// Package home is the service behind all doors: the terminal app, the commands,
// and servers use it alike. It opens a home, brings doc sets up to date, answers
// questions through the pipeline, reports its contents, and looks for faults.
//
// A home is a folder: a catalog (the truth), indexes (derived), manual/ (the
// built-in manual as files), sets.json (the doc sets once more, so that a
// damaged catalog can be made again), and docent.toml. Where the catalog and the
// indexes are kept only their stores know. The manual is installed at the first
// start.
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
	"slices"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/care/finding"
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
	Indexes  Indexes
	// Blobs is where Parsers keeps documents, to be swept after changes; nil:
	// nothing is kept.
	Blobs store.Blobs
	// Files keeps the documents of the home itself for several machines; nil: its folder has them.
	Files Files
	// Say, unless nil, prints a message about an unexpected event.
	Say func(format string, args ...any)
	// Progress, unless nil, receives the progress of indexing.
	Progress contract.Sink
	// MendsLater leaves doc sets whose index is missing or damaged to Home.Behind, where others can
	// be searched.
	MendsLater bool
}

// Settings are the parts of the configuration that the service needs.
type Settings struct {
	ConfigPath string // shown by Status and Doctor
	Domain     string // of doc sets that are added without one
	Domains    domain.Settings
	MaxDocs    int    // documents that a question extracts unless it says; 0: phase 2's own number
	Extent     string // of an answer unless a question says; "": documents
	Lines      int    // of a block of sections at most; 0: contract.DefaultLines
	// DenseWeight is the weight of a model's vectors; the words have 1 - DenseWeight.
	// DenseGiven: a person set it, so the measured weight does not replace it.
	DenseWeight float64
	DenseGiven  bool
	References  references.Settings // the zero value: references.Defaults
	// SynonymFile is a list of synonyms in addition to those in their folders; relative:
	// to the folder of ConfigPath. "": none.
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
	// Behind are the doc sets that were left for later.
	Behind *Behind
	// Unsearched is why the index of a doc set cannot be opened, where it is whole and may
	// not be read. The other doc sets can still be searched. nil: all can be opened.
	Unsearched error

	Settings Settings
	Stores   Stores
	Shared   Shared                           // its documents, where several machines have them
	Say      func(format string, args ...any) // tells a person about an event that they did not ask for

	opt      Options
	Catalog  Catalog
	identity store.Identity // of Catalog; nil: not known

	met  finding.Met
	torn []setDamage // pages were dropped because their rows were damaged
}

// Open opens a home, makes it where it is missing, installs the manual of this
// version and builds damaged or missing indexes again.
func Open(ctx context.Context, opt Options) (*Home, error) {
	if opt.Say == nil {
		opt.Say = func(string, ...any) {}
	}
	h := &Home{Dir: opt.Dir, Parsers: opt.Parsers, Indexes: opt.Indexes, Settings: opt.Settings, Stores: opt.Stores, Say: opt.Say, opt: opt}
	h.Behind = &Behind{home: h}
	h.Shared = Shared{h, opt.Files, rootsOf(opt.Dir)}
	if opt.Files != nil {
		h.Shared.roots = opt.Files.Roots()
	}
	if err := h.opening().openCatalog(ctx); err != nil {
		return nil, err
	}
	h.ownFolder()
	if err := h.opening().makeReady(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// CatalogName says where the catalog is, for people.
func (h *Home) CatalogName() string { return h.Stores.Catalog().Name() }

// CatalogGone is the error of a catalog that is missing although the home is open.
func (h *Home) CatalogGone(err error) error {
	return &UnavailableError{What: fmt.Sprintf("the catalog %s is gone; start again", h.CatalogName()), Err: err}
}

// LacksCatalog reports whether the catalog is missing although the home is open: its folder was moved
// or removed, or another process is putting another catalog there.
func (h *Home) LacksCatalog(ctx context.Context) bool {
	_, err := h.Stores.Catalog().Identify(ctx)
	return errors.Is(err, fs.ErrNotExist)
}

// PingIndexes is why the server that has the indexes does not answer; nil where it does, or where the
// home's folder has them.
func (h *Home) PingIndexes(ctx context.Context) error {
	if server, ok := h.Indexes.(pinged); ok {
		return server.Ping(ctx)
	}
	return nil
}

// pinged is a server that can be asked whether it is there.
type pinged interface {
	Ping(ctx context.Context) error
}

// Replaced reports whether the catalog is another one than this home opened. While it is
// missing, another process is putting it there.
func (h *Home) Replaced(ctx context.Context) bool { return h.CatalogReplaced(ctx, h.identity) }

// CatalogReplaced is as Replaced for a catalog that was opened earlier or later.
func (h *Home) CatalogReplaced(ctx context.Context, opened store.Identity) bool {
	now, err := h.Stores.Catalog().Identify(ctx)
	return err == nil && (opened == nil || !now.Same(opened))
}

// opening opens the catalog of a home, makes or restores it, and makes the manual and the indexes ready.
type opening struct{ *Home }

func (x *Home) opening() opening { return opening{x} }

// openCatalog opens the catalog for reading, after making, migrating or restoring it
// where that is needed.
func (h opening) openCatalog(ctx context.Context) error {
	cat, err := h.openReader(ctx)
	if err != nil {
		if f := store.FaultOf(err); !errors.Is(err, fs.ErrNotExist) && f != store.OlderFault && f != store.DamagedFault {
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
	h.identity, _ = h.Stores.Catalog().Identify(ctx) // nil if it is unknown
	h.Corpus = corpus.New(cat, h.Indexes, h.Parsers)
	if h.opt.Files != nil {
		h.Corpus.Fill, h.Corpus.Mend = h.Shared.Fill, h.Shared.mendFile
	}
	if err := h.setList().reconcile(ctx); err != nil {
		return errors.Join(err, h.Close())
	}
	return nil
}

// prepare makes the catalog, or migrates an older one, or puts a damaged one
// aside. reconcile gives a new one the doc sets of the list.
func (h opening) prepare(ctx context.Context, why error) (err error) {
	held, err := h.Lock(ctx, "prepare")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if store.FaultOf(why) == store.DamagedFault {
		if h.soundCatalog(ctx) {
			return nil // another process was quicker
		}
		if err := h.putAside(ctx); err != nil {
			return h.Unwritable(err)
		}
	}
	place := h.Stores.Catalog()
	if _, missing := place.Identify(ctx); missing != nil {
		// Indexes speak of documents by the numbers of the catalog that is gone.
		if err := errors.Join(h.Indexes.RemoveAll(), place.RemoveRemains()); err != nil {
			return h.Unwritable(err)
		}
	}
	cat, err := h.Stores.OpenForWriting(ctx)
	if err != nil {
		return h.Unwritable(err)
	}
	return cat.Close()
}

// putAside takes a damaged catalog out of the way, and the indexes that were made of it.
func (h opening) putAside(ctx context.Context) error {
	place := h.Stores.Catalog()
	aside, err := place.PutAside(ctx)
	if err != nil {
		return err
	}
	h.Say("the catalog %s was damaged; it lies beside as %s and is made again", place.Name(), filepath.Base(aside))
	if err := place.ForgetDamage(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return h.Indexes.RemoveAll()
}

// Lock takes the home's lock.
func (h *Home) Lock(ctx context.Context, purpose string) (store.Held, error) {
	return h.lockError(h.Stores.Catalog().Lock(ctx, purpose, lockWait, h.tellWaiting))
}

// tellWaiting tells a person that another process holds a lock of the home.
func (h *Home) tellWaiting(holder string) {
	h.Say("waiting for %s to finish writing %s", holder, h.Dir)
}

// lockError says what to do where a lock of the home could not be taken.
func (h *Home) lockError(l store.Held, err error) (store.Held, error) {
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
	if store.FaultOf(err) == store.DiskFault {
		return h.CannotWrite(err)
	}
	return h.NoteDamage(err) // the next start looks the catalog through
}

func (h *Home) CannotWrite(err error) error {
	return &UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", h.Dir, HomeAdvice(err)), Err: err,
		Remedy: OtherHome(err)}
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

// makeReady installs the manual and builds the indexes that are missing or damaged.
func (h opening) makeReady(ctx context.Context) error {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	manual, err := h.manualMissing(sets)
	if err != nil {
		return err
	}
	manual = manual || h.manualUnfinished()
	var broken []setDamage
	h.Corpus.OpenIndexesAhead(ctx, sets)
	for _, s := range sets {
		switch err := h.Corpus.CheckIndex(ctx, s); {
		case err == nil:
		case errors.Is(err, store.ErrDamaged):
			found := finding.NoFault(finding.Index, s.Ref.String(), "").Repairable(finding.RepairIndex, err, "")
			broken = append(broken, setDamage{s, found})
		case ctx.Err() != nil, durable.Exhausted(err):
			return err
		default: // a file of it cannot be read; the other doc sets can be searched
			h.Unsearched = &UnavailableError{What: fmt.Sprintf("an index cannot be read (%s)", HomeAdvice(err)), Err: err,
				Remedy: contract.RunDocent("update", "--rebuild", s.Ref.String()).To("makes another")}
		}
	}
	if !manual && len(broken)+len(h.torn) == 0 {
		return nil
	}
	damaged := slices.Concat(broken, h.torn)
	if h.opt.MendsLater && searchable(sets, broken) {
		if damaged = h.Behind.leave(damaged, broken); !manual && len(damaged) == 0 {
			return nil
		}
	}
	err = h.Write(ctx, "prepare", func(w *Writer) error {
		if manual {
			if err := w.installManual(ctx); err != nil {
				return err
			}
		}
		for _, d := range damaged {
			if manual && d.Repair == finding.RepairIndex && d.set.Ref == ManualRef() {
				continue // just indexed, from another folder than the doc set has
			}
			if err := w.Repair(ctx, d.set, d.Repair, nil); err != nil {
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

// setDamage is a fault of a doc set that was found at the start.
type setDamage struct {
	set store.Set
	finding.Finding
}

// Repair repairs a doc set, as it is done at the start and where damage is met. A doc set
// whose folder is not there stays as it is.
func (w *Writer) Repair(ctx context.Context, s store.Set, r finding.Repair, events contract.Sink) error {
	return finding.Apply(ctx, r, setMender{w, s, events})
}

// setMender is finding.Mender for a doc set.
type setMender struct {
	w      *Writer
	set    store.Set
	events contract.Sink // of learning; nil: they are dropped
}

// Update is finding.Mender's.
func (m setMender) Update(ctx context.Context, rebuild, _ bool) error {
	if rebuild {
		return m.w.rebuild(ctx, m.set)
	}
	if _, err := m.w.Update(ctx, m.set, false); !errors.Is(err, ingest.ErrRootMissing) {
		return err
	}
	return nil
}

// Learn is finding.Mender's.
func (m setMender) Learn(ctx context.Context, anew bool) error {
	return m.w.Ingester.LearnBehind(ctx, m.set, anew, m.events)
}

// rebuild builds a doc set's index again.
func (w *Writer) rebuild(ctx context.Context, s store.Set) error {
	if err := w.home.Shared.Fill(ctx, s); err != nil {
		w.home.Say("the index of %s is damaged and cannot be built again here: %v", s.Ref, err)
		return nil
	}
	if _, err := os.Stat(s.Root); err != nil {
		w.home.Say("the index of %s is damaged and its folder %s is not there; bring it back, or forget it with: %v", s.Ref,
			s.Root, contract.RunDocent("rm", s.Ref.String()))
		return nil
	}
	switch {
	case s.Documents == 0:
	case w.home.lacksIndex(ctx, s.ID):
		// Nothing need be wrong: the setting of the place was changed, or the stores move there.
		w.home.Say("%s has no index in %s; it is built from the pages", s.Ref, w.home.Indexes.Name())
	default:
		w.home.Say("the index of %s was damaged; it is built again", s.Ref)
	}
	_, err := w.Update(ctx, s, true)
	return err
}

// lacksIndex reports whether a doc set has no index where it should be, not even a damaged one.
func (h *Home) lacksIndex(ctx context.Context, setID int64) bool {
	if _, err := h.Indexes.Written(ctx, setID); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	x, err := h.Indexes.OpenIndex(ctx, setID)
	if err == nil {
		_ = x.Close() // it was only looked at
	}
	return errors.Is(err, fs.ErrNotExist)
}

// HasOnlyManual reports whether a home has no doc set but the manual.
func HasOnlyManual(ctx context.Context, h *Home) bool {
	sets, err := h.Corpus.Sets(ctx)
	return err == nil && !slices.ContainsFunc(sets, func(s store.Set) bool { return s.Ref != ManualRef() })
}

// ManualRef is the manual's doc set.
func ManualRef() doc.Ref { return doc.Ref{Name: "Docent_Manual", Version: Version} }
