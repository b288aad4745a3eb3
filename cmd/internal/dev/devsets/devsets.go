// Package devsets knows the development sets: which questions belong to which
// documentation, and how to open either for evaluation or training.
//
// It refuses to hold any data: the folder is the caller's, and a set that is
// missing there is reported as fs.ErrNotExist.
package devsets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docent/cmd/internal/app"
	"docent/pipeline/eval"
	"docent/pipeline/home"
	"docent/pipeline/ingest"
	"docent/store"
)

// Set is a set of questions.
type Set struct {
	Name  string
	Group string // sets of one group share documents: they are held out together
	Train bool   // for training alone
}

// Manual is the golden set over the manual.
const Manual = "manual"

// corpora is folders of documentation with the queries on them. Queries whose
// corpus has a format that is not read yet are left out.
func corpora() []struct {
	dir     string
	queries []string
} {
	return []struct {
		dir     string
		queries []string
	}{
		{"claude-code-docs", []string{"claude-glossary", "claude-links", "claude-params"}},
		{"k8s-docs-v1.31", []string{"k8s-faq", "k8s-flags", "k8s-glossary", "k8s-links", "k8s-zh-en-links", "k8s-zh-en-titles"}},
		{"ollama-docs", []string{"ollama-faq"}},
		{"opencode-docs", []string{"opencode-links", "opencode-zh-en"}},
		{"rust-book", []string{"rust-book-links"}},
	}
}

func collections() []string {
	return []string{"cranfield", "cisi", "med", "cacm", "scifact", "scifact-train", "cosqa-dev", "conala-pydocs-dev", "nl2bash-tldr-dev",
		"xquad-en-en", "xquad-zh-en", "cmrc2018-dev"}
}

// All lists the sets, those of one group together.
func All() []Set {
	out := []Set{{Name: Manual, Group: Manual}}
	for _, c := range corpora() {
		for _, q := range c.queries {
			out = append(out, Set{Name: q, Group: c.dir})
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

// Data is where the sets lie.
type Data struct {
	Dir    string // corpora, queries and ir
	Manual string // the manual's pages
	Golden string // the questions on them
	// Options open the temporary homes; their Home and Manual are not looked at.
	Options app.Options
}

// Opened is the documentation of a group, indexed in a temporary home.
type Opened struct {
	*home.Evaluation
	Queries map[string][]eval.Query // by set
	close   func() error
}

// Close removes the home.
func (o *Opened) Close() error { return o.close() }

// Open indexes the documentation of some sets of one group.
func (d Data) Open(ctx context.Context, sets []Set) (*Opened, error) {
	group := sets[0].Group
	if group == Manual {
		return d.folder(ctx, d.Manual, map[string]string{Manual: d.Golden})
	}
	for _, c := range corpora() {
		if c.dir != group {
			continue
		}
		files := map[string]string{}
		for _, s := range sets {
			files[s.Name] = filepath.Join(d.Dir, "queries", s.Name+"-dev.jsonl")
		}
		return d.folder(ctx, filepath.Join(d.Dir, "corpora", c.dir), files)
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

func (d Data) folder(ctx context.Context, dir string, files map[string]string) (o *Opened, err error) {
	queries := map[string][]eval.Query{}
	for name, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		queries[name], err = eval.ReadQueries(f, path)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	found, err := ingest.Discover(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	tmp, err := os.MkdirTemp("", "docent-devsets")
	if err != nil {
		return nil, err
	}
	var a *app.App
	closeHome := func() error {
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
	opt.Home, opt.Manual = tmp, nil
	if a, err = app.Open(ctx, opt); err != nil {
		return nil, err
	}
	err = a.Write(ctx, "evaluate", func(w *home.Writer) error {
		sets, err := w.Add(ctx, []store.Set{{Ref: found[0].Ref, Root: found[0].Root, Layout: found[0].Layout, Domain: "tech_docs"}})
		if err != nil {
			return err
		}
		_, err = w.Update(ctx, sets[0], true)
		return err
	})
	if err != nil {
		return nil, err
	}
	sets, err := a.Library.Resolve(ctx, []string{found[0].Ref.String()})
	if err != nil {
		return nil, err
	}
	if _, err := a.Embed(ctx, sets, false, home.Watch{Note: opt.Say}); err != nil {
		return nil, err
	}
	e, err := a.Evaluate(ctx, found[0].Ref.String())
	if err != nil {
		return nil, err
	}
	return &Opened{Evaluation: e, Queries: queries, close: closeHome}, nil
}
