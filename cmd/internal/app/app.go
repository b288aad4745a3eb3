// Package app opens the home, the catalog, the indexes and the pipeline, and
// closes them; it is the only place that wires.
//
// A home is a folder: catalog.db (what is true), index/ (derived), manual/ (the
// built-in manual as files), sets.json (the doc sets once more, so that a
// damaged catalog can be made again), docent.toml, and lock, which a writer
// holds. The manual is installed at the first start.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"docent/cmd/internal/config"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/model"
	"docent/pipeline/rerank"
	"docent/pipeline/search"
	"docent/store"
	"docent/store/catalog"
	"docent/store/doc"
	"docent/store/embedded"
	"docent/store/sqlite"
)

// Version is the program's.
const Version = "0.1.0"

// lockWait is how long a writer waits for another one.
const lockWait = 10 * time.Second

// Options says what to open.
type Options struct {
	Home       string // "": DefaultHome
	ConfigPath string // "": docent.toml in the home
	Manual     fs.FS  // the manual's pages; nil: a home without it
	// Lenient opens the home although the configuration has faults: with the
	// defaults in their place.
	Lenient bool
	// Engine, ChatModel and EmbedModel stand in place of the configuration's; "":
	// they do not.
	Engine, ChatModel, EmbedModel string
	// Env reads the environment, for where model servers are; nil: there are none,
	// and all answers are built in.
	Env func(string) string
	// Say tells a person what happens that they did not ask for; nil: nobody.
	Say func(format string, args ...any)
	// Progress watches indexing; nil: nobody.
	Progress pipeline.Sink
}

// DefaultHome is the folder that is used where none is named.
func DefaultHome() string { return filepath.Join(xdg.DataHome, "docent") }

// App is an opened home.
type App struct {
	Home     string
	Config   config.Config
	Library  *corpus.Library
	Pipeline *pipeline.Pipeline
	// Search is for looking something up: a model reranks at most. Typing is for
	// questions that are being typed: no model is asked.
	Search, Typing *pipeline.Pipeline
	Models         *Models
	// Reranked are specification 5's counters of the reranker by model.
	Reranked rerank.Counters
	// Unready is why the manual or an index could not be written at the start;
	// what is whole can be searched all the same. nil: all is ready.
	Unready error

	opt    Options
	cat    *catalog.Catalog
	search *search.Builtin // the pipeline's, for measuring its stages
}

// UnavailableError means that something that is needed is not to be had: a home
// that cannot be written, a disk that is full.
type UnavailableError struct {
	What string
	Err  error
}

func (e *UnavailableError) Error() string { return e.What + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// LoadConfig reads the configuration without opening the home. What cannot be
// read is INVALID_REQUEST, or an UnavailableError where it is the home.
func LoadConfig(opt Options) (config.Config, []config.Fault, error) {
	path := opt.ConfigPath
	if path == "" {
		path = filepath.Join(opt.home(), config.Name)
	}
	cfg, faults, err := config.Load(path, opt.ConfigPath != "")
	switch {
	case errors.Is(err, fs.ErrPermission) && opt.ConfigPath == "":
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe // the home is what is told of
		}
		err = &UnavailableError{What: fmt.Sprintf("the home %s cannot be read (%s)", opt.home(), HomeAdvice(err)), Err: err}
	case err != nil:
		err = contract.Invalid("config", "%v", err)
	}
	if err == nil {
		err = opt.choose(&cfg)
	}
	return cfg, faults, err
}

// choose puts the options' models in place of the configuration's.
func (o Options) choose(cfg *config.Config) error {
	switch {
	case o.Engine == "":
	case !slices.Contains(config.Engines(), o.Engine):
		return contract.Invalid("engine", "--engine is %q, it can be %s", o.Engine, strings.Join(config.Engines(), ", "))
	default:
		cfg.Models.SetEngine(o.Engine)
	}
	if o.ChatModel != "" {
		cfg.Models.ChatModel = o.ChatModel
	}
	if o.EmbedModel != "" {
		cfg.Models.EmbeddingModel = o.EmbedModel
	}
	return nil
}

// HomeDir is the home that is opened.
func (o Options) HomeDir() string { return o.home() }

func (o Options) home() string {
	if o.Home != "" {
		return o.Home
	}
	return DefaultHome()
}

// Open opens a home, makes it where it is missing, installs the manual of this
// version and builds damaged or missing indexes again.
func Open(ctx context.Context, opt Options) (*App, error) {
	cfg, faults, err := LoadConfig(opt)
	if err != nil {
		return nil, err
	}
	// What is wrong with the app's look and keys is told there, and stops nothing.
	faults = slices.DeleteFunc(faults, func(f config.Fault) bool { return strings.HasPrefix(f.Key, "tui.") })
	if len(faults) > 0 && !opt.Lenient {
		return nil, contract.Invalid("config", "%s: %v; docent config lint lists all faults", cfg.Path, faults[0])
	}
	home, err := filepath.Abs(opt.home())
	if err != nil {
		return nil, err
	}
	if opt.Say == nil {
		opt.Say = func(string, ...any) {}
	}
	if opt.Env == nil {
		cfg.Models.Engine = config.EngineBuiltin
	}
	a := &App{Home: home, Config: cfg, Models: NewModels(cfg, opt.Env), opt: opt}
	if err := a.open(ctx); err != nil {
		a.Models.Close()
		return nil, err
	}
	if err := a.ready(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.wire()
	return a, nil
}

func (a *App) catalogPath() string { return filepath.Join(a.Home, "catalog.db") }
func (a *App) lockPath() string    { return filepath.Join(a.Home, "lock") }

// IndexDir is where a doc set's index lies.
func (a *App) IndexDir(setID int64) string {
	return filepath.Join(a.Home, "index", strconv.FormatInt(setID, 10))
}

// Indexes are those of the home, by doc set.
func (a *App) Indexes() embedded.Indexes { return embedded.Indexes{Dir: a.IndexDir} }

// CheckCatalog reads the whole catalog and looks for damage.
func (a *App) CheckCatalog(ctx context.Context) error { return a.cat.Check(ctx) }

// CatalogPath is the catalog's file.
func (a *App) CatalogPath() string { return a.catalogPath() }

// open opens the catalog for reading, after making, migrating or restoring it
// where that is needed.
func (a *App) open(ctx context.Context) error {
	cat, err := catalog.OpenReader(ctx, a.catalogPath())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, catalog.ErrOlder) && !sqlite.IsDamaged(err) {
			return a.unwritable(err)
		}
		if err := a.prepare(ctx, err); err != nil {
			return err
		}
		if cat, err = catalog.OpenReader(ctx, a.catalogPath()); err != nil {
			return err
		}
	}
	a.cat = cat
	a.Library = corpus.New(cat, a.Indexes())
	return nil
}

// prepare makes the catalog, or migrates an older one, or puts a damaged one
// aside. A new one gets the doc sets of sets.json, if there is one.
func (a *App) prepare(ctx context.Context, why error) (err error) {
	lock, err := a.lock(ctx, "prepare")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if sqlite.IsDamaged(why) {
		if err := a.putAside(); err != nil {
			return a.unwritable(err)
		}
	}
	_, missing := os.Stat(a.catalogPath())
	if missing != nil {
		// Indexes speak of documents by the numbers of the catalog that is gone.
		if err := os.RemoveAll(filepath.Join(a.Home, "index")); err != nil {
			return a.unwritable(err)
		}
	}
	cat, err := catalog.Open(ctx, a.catalogPath())
	if err != nil {
		return a.unwritable(err)
	}
	defer func() { err = errors.Join(err, cat.Close()) }()
	if missing == nil {
		return nil
	}
	return a.restoreSets(ctx, cat)
}

func (a *App) putAside() error {
	for _, ending := range []string{"", "-wal", "-shm"} {
		from := a.catalogPath() + ending
		if err := os.Rename(from, from+".damaged"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	a.opt.Say("the catalog %s was damaged; it lies beside as catalog.db.damaged and is made again", a.catalogPath())
	return os.RemoveAll(filepath.Join(a.Home, "index"))
}

// lock takes the right to write.
func (a *App) lock(ctx context.Context, purpose string) (*catalog.Lock, error) {
	l, err := catalog.Acquire(ctx, a.lockPath(), purpose, lockWait, func(holder string) {
		a.opt.Say("waiting for %s to finish writing %s", holder, a.Home)
	})
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, a.cannotWrite(err) // whatever it is: no lock file, no home
	}
	if err != nil {
		return nil, a.unwritable(err)
	}
	return l, nil
}

// unwritable says what to do when the home cannot be written.
func (a *App) unwritable(err error) error {
	if _, ok := errors.AsType[*catalog.LockedError](err); ok || errors.Is(err, context.Canceled) {
		return err
	}
	if sqlite.IsDiskError(err) {
		return a.cannotWrite(err)
	}
	return err
}

func (a *App) cannotWrite(err error) error {
	return &UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", a.Home, HomeAdvice(err)), Err: err}
}

// wire makes the pipelines.
func (a *App) wire() {
	a.Pipeline, a.search = wire(a, true, a.Models.Phase)
	a.Search, _ = wire(a, true, func(phase string) model.Source {
		if phase == contract.PhaseRerank {
			return a.Models.Phase(phase)
		}
		return nil
	})
	a.Typing, _ = wire(a, false, noModel)
}

// noModel has no model answer any phase.
func noModel(string) model.Source { return nil }

// Close closes everything.
func (a *App) Close() error {
	var err error
	a.Models.Close()
	if a.Library != nil {
		err = a.Library.Close()
	}
	if a.cat != nil {
		err = errors.Join(err, a.cat.Close())
	}
	return err
}

// ready installs the manual and builds the indexes that are missing or damaged.
func (a *App) ready(ctx context.Context) error {
	sets, err := a.Library.Sets(ctx)
	if err != nil {
		return err
	}
	manual, err := a.manualMissing(sets)
	if err != nil {
		return err
	}
	var broken []store.Set
	a.Library.Warm(ctx, sets)
	for _, s := range sets {
		if err := a.Library.CheckIndex(ctx, s); errors.Is(err, store.ErrDamaged) {
			broken = append(broken, s)
		} else if err != nil {
			return err
		}
	}
	if !manual && len(broken) == 0 {
		return nil
	}
	err = a.Write(ctx, "prepare", func(w *Writer) error {
		if manual {
			if err := w.installManual(ctx); err != nil {
				return err
			}
		}
		for _, s := range broken {
			if err := w.mend(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && len(sets) > len(broken) && ctx.Err() == nil {
		// What is whole can still be searched; searching says what is not.
		a.Unready = err
		return nil
	}
	return err
}

// mend builds a doc set's index again.
func (w *Writer) mend(ctx context.Context, s store.Set) error {
	if _, err := os.Stat(s.Root); err != nil {
		w.app.opt.Say("the index of %s is damaged and its folder %s is not there; bring it back, or forget it with: docent rm %s", s.Ref, s.Root, s.Ref)
		return nil
	}
	if s.Documents > 0 {
		w.app.opt.Say("the index of %s was damaged or missing; it is built again", s.Ref)
	}
	_, err := w.Update(ctx, s, true)
	return err
}

// ManualRef is the manual's doc set.
func ManualRef() doc.Ref { return doc.Ref{Name: "Docent_Manual", Version: Version} }
