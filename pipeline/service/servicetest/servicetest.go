// Package servicetest opens small homes with all services for their tests: real files,
// stores, parsers and phases in a test's own folder.
//
// It refuses to read a configuration and to ask a model server: a test that wants a model
// has one answer from memory, see Models.
package servicetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service"
	"docent/pipeline/service/assembly"
	"docent/pipeline/service/care"
	"docent/pipeline/service/clustered/clusteredtest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/ondisk"
	"docent/pipeline/service/sourcing"
	"docent/store"
)

// Options says how a home is opened. The zero value is a new home without a manual and
// without models.
type Options struct {
	Dir      string // the home's folder; "": a new one
	Manual   fs.FS
	Parsers  *parse.Registry // nil: of all formats
	Models   assembly.Models // nil: NoModels
	Lacks    []care.Lack
	Sources  sourcing.Options     // fetch documentation
	Settings func(*home.Settings) // changes the settings that docent has by default
}

// Home is an opened home with its services. It is closed when its test ends.
type Home struct {
	*service.Services
	Dir  string // the home's
	Docs string // the folder of the doc sets' files
	tb   testing.TB
	opt  Options

	mu     sync.Mutex
	said   []string
	closed bool
}

// New makes an empty home.
func New(tb testing.TB) *Home {
	tb.Helper()
	return Open(tb, Options{})
}

// Open opens a home and fails the test where it cannot.
func Open(tb testing.TB, opt Options) *Home {
	tb.Helper()
	h, err := tryOpen(tb, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// tryOpen is as Open, and returns the error.
func tryOpen(tb testing.TB, opt Options) (*Home, error) {
	tb.Helper()
	if opt.Dir == "" {
		opt.Dir = filepath.Join(tb.TempDir(), "home")
	}
	asked := opt
	if opt.Parsers == nil {
		var err error
		if opt.Parsers, err = formats.AllParsers(); err != nil {
			return nil, err
		}
	}
	if opt.Models == nil {
		opt.Models = NoModels{}
	}
	settings := home.Settings{ConfigPath: filepath.Join(opt.Dir, "docent.toml"), Domain: contract.DefaultDomain,
		Extent: contract.ExtentDocuments, Lines: contract.DefaultLines, DenseWeight: 0.1,
		Domains: domain.Settings{Repository: domain.Repository{Default: contract.DefaultDomain}}}
	if opt.Settings != nil {
		opt.Settings(&settings)
	}
	out := &Home{Dir: opt.Dir, Docs: filepath.Join(filepath.Dir(opt.Dir), "docs"), tb: tb, opt: asked}
	h, closeStores, err := clusteredtest.Open(tb, home.Options{Dir: opt.Dir, Settings: settings, Manual: opt.Manual, Parsers: opt.Parsers,
		Say: out.say})
	if err != nil {
		return nil, err
	}
	out.Services = assembly.Services(h, assembly.Options{Models: opt.Models, Lacks: opt.Lacks, Sources: opt.Sources,
		Stores: ondisk.StoresInFolder,
		Phases: Phases()})
	tb.Cleanup(func() {
		out.Close()
		if err := closeStores(); err != nil {
			tb.Error(err)
		}
	})
	return out, nil
}

// NeedsCatalogFile skips a test that changes the catalog's file where it lies elsewhere.
func NeedsCatalogFile(tb testing.TB) {
	tb.Helper()
	clusteredtest.NeedsCatalogFile(tb)
}

// NeedsIndexFiles skips a test that changes the files of indexes where they lie elsewhere.
func NeedsIndexFiles(tb testing.TB) {
	tb.Helper()
	clusteredtest.NeedsFiles(tb)
}

func (h *Home) say(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

// Said returns what the home told people of its own accord.
func (h *Home) Said() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.said...)
}

// Close closes the home before its test ends.
func (h *Home) Close() {
	h.tb.Helper()
	if h.closed {
		return
	}
	h.closed = true
	if err := h.Services.Close(); err != nil {
		h.tb.Error(err)
	}
}

// Reopen closes the home and opens it again with the same options.
func (h *Home) Reopen() *Home {
	h.tb.Helper()
	h.Close()
	return h.Beside()
}

// Beside opens the same home once more, as another process does.
func (h *Home) Beside() *Home {
	h.tb.Helper()
	return Open(h.tb, h.opt)
}

// Root is the folder of a doc set's files.
func (h *Home) Root(ref string) string { return filepath.Join(h.Docs, ref) }

// Write writes files of a doc set, by their paths, without indexing them.
func (h *Home) Write(ref string, files map[string]string) {
	h.tb.Helper()
	for path, text := range files {
		WriteFile(h.tb, filepath.Join(h.Root(ref), filepath.FromSlash(path)), text)
	}
}

// Delete removes a file of a doc set.
func (h *Home) Delete(ref, path string) {
	h.tb.Helper()
	if err := os.Remove(filepath.Join(h.Root(ref), filepath.FromSlash(path))); err != nil {
		h.tb.Fatal(err)
	}
}

// Add writes files of a doc set such as "Kelp@1", adds and indexes it.
func (h *Home) Add(ref string, files map[string]string) store.Set {
	h.tb.Helper()
	h.Write(ref, files)
	if err := h.AddFolder(h.Root(ref)); err != nil {
		h.tb.Fatal(err)
	}
	return h.Set(ref)
}

// AddFolder adds a folder as a doc set.
func (h *Home) AddFolder(dir string) error {
	found, err := library.Discover(h.tb.Context(), library.AddRequest{Paths: []string{dir}}, h.Home.Parsers, home.Watch{})
	if err == nil {
		_, err = h.Library.Add(h.tb.Context(), found, home.Watch{})
	}
	return err
}

// Set returns a doc set by its name and version.
func (h *Home) Set(ref string) store.Set {
	h.tb.Helper()
	sets, err := h.Home.Corpus.Resolve(h.tb.Context(), []string{ref})
	if err != nil {
		h.tb.Fatal(err)
	}
	return sets[0]
}

// Names returns the names of the doc sets.
func (h *Home) Names() (names []string) {
	h.tb.Helper()
	sets, err := h.Home.Corpus.Sets(h.tb.Context())
	if err != nil {
		h.tb.Fatal(err)
	}
	for _, s := range sets {
		names = append(names, s.Ref.String())
	}
	return names
}

// Update brings doc sets up to date, all of them where none is named.
func (h *Home) Update(names ...string) []ingest.Report {
	h.tb.Helper()
	out, err := h.Library.Update(h.tb.Context(), library.UpdateRequest{Sets: names}, home.Watch{})
	if err != nil {
		h.tb.Fatal(err)
	}
	return out.Sets
}

// Phases are the settings of the phases of a home without a configuration.
func Phases() assembly.Phases {
	return assembly.Phases{Policy: contract.DefaultRerankPolicy(), Threshold: contract.DefaultThreshold, Intents: contract.RerankIntents(),
		Hybrid: true, Counters: &rerank.Counters{}}
}

// WriteFile writes a file and the folders above it.
func WriteFile(tb testing.TB, path, text string) {
	tb.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		tb.Fatal(err)
	}
}

// Code returns the code of an error for other programs; "" without one.
func Code(err error) string {
	if e, ok := errors.AsType[*contract.Error](err); ok {
		return e.Code
	}
	return ""
}

// Cancelled returns a context that has ended.
func Cancelled(tb testing.TB) context.Context {
	ctx, cancel := context.WithCancel(tb.Context())
	cancel()
	return ctx
}

// WantError checks the code of an error, and that its text has all parts: what failed, on
// what, and what to do about it.
func WantError(tb testing.TB, what string, err error, code string, parts ...string) {
	tb.Helper()
	if err == nil {
		tb.Errorf("%s: no error, want %s with %q", what, code, parts)
		return
	}
	if got := Code(err); got != code {
		tb.Errorf("%s: the code is %q, want %q: %v", what, got, code, err)
	}
	door := contract.Wording{Command: func(args []string) string { return "docent " + strings.Join(args, " ") },
		Field: func(key string) string { return key }}
	text := door.Message(err.Error(), contract.RemedyOf(err)) // tests compare what people read
	for _, part := range parts {
		if !strings.Contains(text, part) {
			tb.Errorf("%s: the error lacks %q: %s", what, part, text)
		}
	}
}

// Sets returns the doc sets.
func (h *Home) Sets() []store.Set {
	h.tb.Helper()
	sets, err := h.Home.Corpus.Sets(h.tb.Context())
	if err != nil {
		h.tb.Fatal(err)
	}
	return sets
}

// RemoveGraph removes the files of a doc set's reference graph, as one does who clears a
// disk.
func (h *Home) RemoveGraph(set store.Set) {
	h.tb.Helper()
	h.removeIndexFiles(fmt.Sprintf("%d.references*", set.ID))
}

// removeIndexFiles removes what fits a pattern in the folder of the indexes.
func (h *Home) removeIndexFiles(pattern string) {
	h.tb.Helper()
	found, err := filepath.Glob(filepath.Join(h.Dir, "index", pattern))
	if err != nil || len(found) == 0 {
		h.tb.Fatalf("%s: %q, %v", pattern, found, err)
	}
	for _, path := range found {
		if err := os.RemoveAll(path); err != nil {
			h.tb.Fatal(err)
		}
	}
}

// RemoveAll removes a file or folder of the home.
func (h *Home) RemoveAll(name string) {
	h.tb.Helper()
	if err := os.RemoveAll(filepath.Join(h.Dir, filepath.FromSlash(name))); err != nil {
		h.tb.Fatal(err)
	}
}

// HarmIndexFile changes the first file that fits a pattern in the folder of the indexes, as
// a failing disk does.
func (h *Home) HarmIndexFile(pattern string, change func([]byte) []byte) {
	h.tb.Helper()
	h.HarmFile(filepath.Join("index", pattern), change)
}

// HarmFile changes the first file of the home that fits a pattern.
func (h *Home) HarmFile(pattern string, change func([]byte) []byte) {
	h.tb.Helper()
	found, err := filepath.Glob(filepath.Join(h.Dir, pattern))
	if err != nil || len(found) == 0 {
		h.tb.Fatalf("%s: %q, %v", pattern, found, err)
	}
	raw, err := os.ReadFile(found[0])
	if err == nil {
		err = os.WriteFile(found[0], change(raw), 0o600)
	}
	if err != nil {
		h.tb.Fatal(err)
	}
}
