// Package devsets lists the development sets, and opens their questions and their
// documentation for evaluation and training.
//
// It refuses to contain data: the caller gives the folder. A set that is missing
// there is an fs.ErrNotExist.
package devsets

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docent/cmd/internal/app"
	"docent/pipeline/eval"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/measure"
	"docent/store"
	"docent/store/doc"
)

// Set is a set of questions.
type Set struct {
	Name  string
	Group string // sets of a group share documents and are held out together
	Train bool   // for training only
	// Own is for measuring only: the questions in other languages that this repository has.
	Own bool
}

// Manual is the name of the golden set over the manual, and of its group.
const Manual = "manual"

// corpora lists the folders of documentation with the query files for them. Query
// files about formats that are not supported yet are left out.
func corpora() []struct {
	dir     string
	queries []string
} {
	return []struct {
		dir     string
		queries []string
	}{
		{"claude-code-docs", []string{"claude-glossary", "claude-links", "claude-params"}},
		{"dita-ot-docs", []string{"dita-params"}},
		{"django-docs-rst", []string{"django-faq", "django-links", "django-settings"}},
		{"k8s-docs-v1.31", []string{"k8s-faq", "k8s-flags", "k8s-glossary", "k8s-links", "k8s-zh-en-links", "k8s-zh-en-titles"}},
		{"ollama-docs", []string{"ollama-faq"}},
		{"opencode-docs", []string{"opencode-links", "opencode-zh-en"}},
		{"rust-book", []string{"rust-book-links"}},
	}
}

// own lists the questions in other languages over a folder of documentation, which are
// part of this repository: 24 about Kubernetes and 16 about Django in each language.
func own(dir string) []string {
	name, ok := map[string]string{"k8s-docs-v1.31": "k8s", "django-docs-rst": "django"}[dir]
	if !ok {
		return nil
	}
	var out []string
	for _, language := range []string{"de", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh-tw"} {
		out = append(out, name+"-"+language)
	}
	return out
}

// collections lists the judged collections.
func collections() []string {
	return []string{"cranfield", "cisi", "med", "cacm", "scifact", "scifact-train", "cosqa-dev", "conala-pydocs-dev", "nl2bash-tldr-dev",
		"xquad-en-en", "xquad-zh-en", "cmrc2018-dev"}
}

// Groups returns the sets that keep accepts, in the order of All, those of each
// group together.
func Groups(keep func(Set) bool) [][]Set {
	var out [][]Set
	at := map[string]int{}
	for _, s := range all() {
		if !keep(s) {
			continue
		}
		i, ok := at[s.Group]
		if !ok {
			i = len(out)
			at[s.Group], out = i, append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// all lists the sets.
func all() []Set {
	out := []Set{{Name: Manual, Group: Manual}}
	for _, c := range corpora() {
		for _, q := range c.queries {
			out = append(out, Set{Name: q, Group: c.dir})
		}
		for _, q := range own(c.dir) {
			out = append(out, Set{Name: q, Group: c.dir, Own: true})
		}
	}
	for _, c := range collections() {
		s := Set{Name: c, Group: c}
		if c == "scifact-train" {
			s.Group, s.Train = "scifact", true
		}
		out = append(out, s)
	}
	return out
}

// Data is the location of the sets.
type Data struct {
	Dir     string // folder with the folders corpora, docsets, queries and ir
	Manual  string // folder of the manual's pages
	Golden  string // file of the questions about the manual
	Nuggets string // file of the questions with nuggets about the manual
	Own     string // folder of the questions in other languages
	// Options open the temporary homes. Their Home and Manual are ignored.
	Options app.Options
}

// AddFlags defines the flags for the location of the sets.
func (d *Data) AddFlags(f *flag.FlagSet) {
	f.StringVar(&d.Dir, "data", "", "folder of development data: corpora, queries, ir")
	f.StringVar(&d.Manual, "manual", "cmd/docent/manual", "the manual's pages")
	f.StringVar(&d.Golden, "golden", "testdata/eval/manual.jsonl", "the golden set over the manual")
	f.StringVar(&d.Own, "languages", "testdata/eval/languages", "the questions in other languages over the documentation of -data")
	f.StringVar(&d.Nuggets, "nuggets", "testdata/eval/manual-answers.jsonl", "the questions with nuggets over the manual")
}

// Opened is the documentation of a group, indexed in a temporary home.
type Opened struct {
	*measure.Evaluation
	Queries map[string][]eval.Query // by name of the set
	close   func() error
}

// Close removes the temporary home.
func (o *Opened) Close() error { return o.close() }

// read reads a query file.
func read(path string) ([]eval.Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	queries, err := eval.ReadQueries(f, path)
	return queries, errors.Join(err, f.Close())
}

// Open reads the queries of sets of one group and indexes their documentation.
func (d Data) Open(ctx context.Context, sets []Set) (*Opened, error) {
	group := sets[0].Group
	if group == Manual {
		return d.openFolder(ctx, d.Manual, map[string]string{Manual: d.Golden})
	}
	for _, c := range corpora() {
		if c.dir != group {
			continue
		}
		files := map[string]string{}
		for _, s := range sets {
			files[s.Name] = filepath.Join(d.Dir, "queries", s.Name+"-dev.jsonl")
			if s.Own {
				files[s.Name] = filepath.Join(d.Own, s.Name+".jsonl")
			}
		}
		return d.openFolder(ctx, filepath.Join(d.Dir, "corpora", c.dir), files)
	}
	c := eval.Collection{Dir: filepath.Join(d.Dir, "ir", group)}
	if !eval.IsCollection(c.Dir) {
		return nil, fmt.Errorf("%s: %w", c.Dir, fs.ErrNotExist)
	}
	e, closeHome, err := app.OpenCollection(ctx, c, d.Options)
	if err != nil {
		return nil, err
	}
	o := &Opened{Evaluation: e, Queries: map[string][]eval.Query{}, close: closeHome}
	for _, s := range sets {
		part := ""
		if s.Train {
			part = "-train"
		}
		if o.Queries[s.Name], err = c.Queries(part, e.Has); err != nil {
			return nil, errors.Join(err, closeHome())
		}
	}
	return o, nil
}

// openFolder indexes a folder of documentation and reads its query files, given by
// the names of their sets.
func (d Data) openFolder(ctx context.Context, dir string, files map[string]string) (*Opened, error) {
	queries := map[string][]eval.Query{}
	for name, path := range files {
		var err error
		if queries[name], err = read(path); err != nil {
			return nil, err
		}
	}
	a, sets, closeHome, err := d.index(ctx, dir, doc.Ref{}, nil)
	if err != nil {
		return nil, err
	}
	e, err := a.Measure.Evaluate(ctx, sets[0].Ref.String())
	if err != nil {
		return nil, errors.Join(err, closeHome())
	}
	return &Opened{Evaluation: e, Queries: queries, close: closeHome}, nil
}

// index indexes a folder's documentation in a temporary home with these pages as its
// manual; nil: it has none. ref names a folder of one doc set; zero: it has its own
// name.
func (d Data) index(ctx context.Context, dir string, ref doc.Ref, manual fs.FS) (a *app.App, sets []store.Set, closeHome func() error,
	err error) {
	found, err := ingest.Discover(dir)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	tmp, err := os.MkdirTemp("", "docent-devsets")
	if err != nil {
		return nil, nil, nil, err
	}
	closeHome = func() error {
		var err error
		if a != nil {
			err = a.Close()
		}
		return errors.Join(err, os.RemoveAll(tmp))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, closeHome())
		}
	}()
	opt := d.Options
	opt.Home, opt.Manual = tmp, manual
	if a, err = app.Open(ctx, opt); err != nil {
		return nil, nil, nil, err
	}
	for _, f := range found {
		if ref != (doc.Ref{}) {
			f.Ref = ref
		}
		sets = append(sets, store.Set{Ref: f.Ref, Root: f.Root, Layout: f.Layout, Domain: "tech_docs"})
	}
	err = a.Home.Write(ctx, "evaluate", func(w *home.Writer) error {
		if sets, err = w.Add(ctx, sets); err != nil {
			return err
		}
		for _, s := range sets {
			if _, err := w.Update(ctx, s, true); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if sets, err = a.Home.Corpus.Sets(ctx); err != nil {
		return nil, nil, nil, err
	}
	_, err = a.Vectors.Embed(ctx, sets, false, home.Watch{Note: opt.Say})
	return a, sets, closeHome, err
}
