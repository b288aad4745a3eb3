// Package app reads the configuration, opens the model servers, the home and the
// pipelines, and closes them; it is the only place that wires.
//
// It refuses to do any work of its own: that is the service's, in
// docent/pipeline/service/home.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"docent/cmd/internal/config"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service"
	"docent/pipeline/service/assembly"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/measure"
	"docent/pipeline/service/ondisk"
	"docent/store/embedded"
	"docent/store/scratch"
)

// Options says what to open.
type Options struct {
	Home       string     // "": defaultHome
	ConfigPath string     // "": docent.toml in the home
	App        config.App // what the terminal app says about its settings
	Manual     fs.FS      // the manual's pages; nil: a home without it
	// Lenient opens the home although the configuration has faults: with the
	// defaults in their place.
	Lenient bool
	// ShowsFaults says that the caller shows faults in the terminal app's settings, and goes on
	// with the defaults in their place.
	ShowsFaults bool
	// Engine, ChatModel and EmbedModel replace the configuration's; "": they do not.
	Engine, ChatModel, EmbedModel string
	// Index and Catalog replace the configuration's store.index and store.catalog; nil: they do not.
	Index, Catalog *string
	// Env reads the environment, for the addresses of model servers; nil: no servers, and
	// all answers are built in.
	Env func(string) string
	// Door is where questions are asked: a model server that was found is offered there once
	// for a home. "": once each time that the home is opened.
	Door string
	// Say, unless nil, prints a message about an unexpected event.
	Say func(format string, args ...any)
	// Progress, unless nil, receives the progress of indexing.
	Progress pipeline.Sink
	// MendsLater leaves doc sets whose index must be made again to Home.Behind, where others can be
	// searched.
	MendsLater bool
}

// The doors of a person.
const (
	DoorCommands = "cli"
	DoorApp      = "app"
)

// defaultHome is the home's folder where none is named.
func defaultHome() string { return filepath.Join(xdg.DataHome, "docent") }

// App is an opened home with its configuration and its model servers.
type App struct {
	*service.Services
	Config config.Config
	Models *Models
	temp   *scratch.Folder
	// closeStores closes the connections of the home's stores.
	closeStores func() error
	// Reranked are specification 5's counters of the reranker by model.
	Reranked rerank.Counters
}

// LoadConfig reads the configuration without opening the home. A file that cannot be
// read is INVALID_REQUEST, a home that cannot be read a home.UnavailableError.
func LoadConfig(opt Options) (config.Config, []config.Fault, error) {
	if err := opt.CheckHome(); err != nil {
		return config.Config{}, nil, err
	}
	path := opt.ConfigPath
	if path == "" {
		path = filepath.Join(opt.homeDir(), config.Name)
	}
	cfg, faults, err := config.Load(path, opt.ConfigPath != "", opt.App)
	switch {
	case errors.Is(err, fs.ErrPermission) && opt.ConfigPath == "":
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe // the message names the home
		}
		err = &home.UnavailableError{What: fmt.Sprintf("the home %s cannot be read (%s)", opt.homeDir(), home.HomeAdvice(err)), Err: err,
			Remedy: home.OtherHome(err)}
	case err != nil:
		err = contract.Invalid("config", "%v", err)
	}
	if err == nil {
		err = opt.applyChoice(&cfg)
	}
	return cfg, faults, err
}

// applyChoice puts the options' models and stores in place of the configuration's.
func (o Options) applyChoice(cfg *config.Config) error {
	switch {
	case o.Engine == "":
	case !slices.Contains(config.Engines(), o.Engine):
		return contract.Invalid("engine", "--engine is %q, it can be %s", o.Engine, strings.Join(config.Engines(), ", "))
	default:
		cfg.Models.SetEngine(o.Engine)
	}
	if o.Index != nil {
		cfg.Index = *o.Index
	}
	if o.Catalog != nil {
		cfg.Catalog = *o.Catalog
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
func (o Options) HomeDir() string { return o.homeDir() }

// Listed are the names of the doc sets of the home that is not opened, as far as its list
// of them can be read.
func Listed(o Options) []string { return home.Listed(o.homeDir()) }

// HasHome reports whether there is a home that can be opened without making one.
func HasHome(ctx context.Context, o Options) bool {
	if cfg, _, err := LoadConfig(o); err == nil && cfg.Catalog != "" {
		return true
	}
	_, err := embedded.Stores{Dir: o.homeDir()}.Catalog().Identify(ctx)
	return err == nil
}

// CheckHome is an error where no home is named and the system names no folder for
// data: without HOME that would be a folder in the root of the disk. A HOME that is not
// there is not made, for it is a mistake or an account that is to have no files.
func (o Options) CheckHome() error {
	if o.Home != "" || o.Env == nil || runtime.GOOS == "windows" || filepath.IsAbs(o.Env("XDG_DATA_HOME")) {
		return nil
	}
	if dir := o.Env("HOME"); dir != "" {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return contract.Invalid("home", "there is no place for docent's files: HOME is %s, which is not there; name a folder with "+
				"--home or DOCENT_HOME", dir)
		}
		return nil
	}
	return contract.Invalid("home", "there is no place for docent's files: HOME is not set; name a folder with --home or DOCENT_HOME")
}

func (o Options) homeDir() string {
	if o.Home != "" {
		return o.Home
	}
	return defaultHome()
}

// Open opens a home; see home.Open.
func Open(ctx context.Context, opt Options) (*App, error) {
	return openWithParsers(ctx, opt, nil)
}

// openWithParsers is as Open, for the formats of parsers; nil: all, as the configuration has them
// read.
func openWithParsers(ctx context.Context, opt Options, parsers *parse.Registry) (*App, error) {
	cfg, faults, err := LoadConfig(opt)
	if err != nil {
		return nil, err
	}
	if opt.ShowsFaults {
		faults = slices.DeleteFunc(faults, func(f config.Fault) bool { return strings.HasPrefix(f.Key, "tui.") })
	}
	if len(faults) > 0 && !opt.Lenient {
		return nil, contract.Invalid("config", "%s: %v; docent config lint lists all faults", cfg.Place(faults[0]), faults[0])
	}
	dir, err := filepath.Abs(opt.homeDir())
	if err != nil {
		return nil, err
	}
	if opt.Env == nil {
		cfg.Models.Engine = config.EngineBuiltin
	}
	tools := findTools(opt.Env)
	temp := scratch.InFolder(filepath.Join(dir, "tmp"))
	_ = temp.Sweep(ctx) // a later start removes the rest
	if parsers == nil {
		if parsers, err = formats.AllParsers(formats.WithPDF(pdfOptions(cfg, tools, temp))); err != nil {
			return nil, err
		}
	}
	a := &App{Config: cfg, Models: newModels(cfg, opt.Env), temp: temp}
	a.Models.dir, a.Models.door = dir, opt.Door
	h, closeStores, err := openHome(ctx, cfg, opt.Env, home.Options{
		Dir: dir, Manual: opt.Manual, Parsers: parsers, Say: opt.Say, Progress: opt.Progress, MendsLater: opt.MendsLater,
		Settings: home.Settings{ConfigPath: cfg.Path, Domain: cfg.Domain, Domains: cfg.Domains(), MaxDocs: cfg.DocsLimit(),
			Extent: cfg.Extent, Lines: cfg.Lines,
			DenseWeight: cfg.DenseShare(), DenseGiven: cfg.DenseGiven(), References: cfg.Graph, SynonymFile: cfg.SynonymFile},
	})
	if err != nil {
		a.Models.Close()
		return nil, err
	}
	a.closeStores = closeStores
	a.Services = assembly.Services(h, assembly.Options{Models: a.Models, Keepers: keepers(dir, h), Servers: serversOf(h),
		Lacks: missingPrograms(cfg, tools), Phases: assembly.Phases{
			Policy: cfg.Policy(), Threshold: cfg.RerankerThreshold, Intents: cfg.RerankerIntents, Hybrid: cfg.Hybrid,
			Hypothetical: cfg.Hypothetical, Counters: &a.Reranked},
		Stores: ondisk.StoresInFolder, Sources: fetchers(cfg, h.Indexes), Packages: knownPackages()})
	return a, nil
}

// openHome opens the home with its stores where the configuration has them.
func openHome(ctx context.Context, cfg config.Config, env func(string) string, opt home.Options) (*home.Home, func() error, error) {
	_, remote := cfg.IndexAddress()
	if !remote && cfg.Catalog != "" {
		return nil, nil, contract.Invalid("config",
			"store.catalog is set and store.index is not: machines that share a catalog need one index")
	}
	if !remote {
		h, err := ondisk.Open(ctx, opt)
		return h, func() error { return nil }, err
	}
	at, err := placesOf(cfg, env)
	if err != nil {
		return nil, nil, err
	}
	return clustered.Open(ctx, opt, at)
}

// Parsers are those of all formats that are read, for telling which files are pages.
func Parsers() (*parse.Registry, error) { return formats.AllParsers() }

// Close closes everything.
func (a *App) Close() error {
	a.Models.Close()
	return errors.Join(a.Services.Close(), a.closeStores(), a.temp.Close())
}

// OpenCollection indexes a judged collection in a temporary home, which remove
// removes.
func OpenCollection(ctx context.Context, c eval.Collection, opt Options) (e *measure.Evaluation, remove func() error, err error) {
	opt.Manual = nil
	return measure.OpenCollection(ctx, c, home.Watch{Note: opt.Say, Events: opt.Progress},
		func(dir string) (*measure.Service, func() error, error) {
			opt.Home = dir
			a, err := Open(ctx, opt)
			if err != nil {
				return nil, nil, err
			}
			return a.Measure, a.Close, nil
		})
}

// HasOnlyManual reports whether there is no doc set but the manual.
func (a *App) HasOnlyManual(ctx context.Context) bool { return home.HasOnlyManual(ctx, a.Home) }
