package questionset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/doc"
)

// version is that of every doc set in a home.
const version = "1"

// Library is a home with doc sets that questions are asked of.
type Library struct {
	*app.App
	sets   []Set
	stored map[string]store.Set // by name
}

// Open opens the home of some doc sets and brings its index up to date. name is that of
// the home.
func (w Workplace) Open(ctx context.Context, name string, sets []Set) (l *Library, err error) {
	dir := filepath.Join(w.Dir, "homes", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	l = &Library{sets: sets, stored: map[string]store.Set{}}
	if l.App, err = app.Open(ctx, app.Options{Home: dir}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	err = l.Home.Write(ctx, "questions", func(h *home.Writer) error { return w.index(ctx, h, sets) })
	if err != nil {
		return nil, err
	}
	all, err := l.Home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		l.stored[s.Ref.Name] = s
	}
	_, err = l.Vectors.Embed(ctx, all, false, home.Watch{})
	return l, err
}

// index adds the doc sets and updates them.
func (w Workplace) index(ctx context.Context, h *home.Writer, sets []Set) error {
	var wanted []store.Set
	for _, s := range sets {
		root, err := filepath.Abs(w.SetDir(s))
		if err != nil {
			return err
		}
		if _, err := os.Stat(root); err != nil {
			return fmt.Errorf("%s is not laid out: measure questions lay: %w", s.Name, err)
		}
		wanted = append(wanted, store.Set{Ref: doc.Ref{Name: s.Name, Version: version}, Root: root, Layout: doc.LayoutTree,
			Domain: "tech_docs"})
	}
	added, err := h.Add(ctx, wanted)
	if err != nil {
		return err
	}
	for _, s := range added {
		if _, err := h.Update(ctx, s, false); err != nil {
			return fmt.Errorf("%s: %w", s.Ref.Name, err)
		}
	}
	return nil
}

// section is a section of a page, as the program parsed it.
type section struct {
	Place
	lines [2]int // of the page, from 1, both included
	path  []string
	text  string
}

// sections reads all sections of a doc set, by page in order.
func (l *Library) sections(ctx context.Context, s Set) ([]section, error) {
	set, ok := l.stored[s.Name]
	if !ok {
		return nil, fmt.Errorf("%s is not in the home", s.Name)
	}
	files, err := l.Home.Catalog.Files(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	var out []section
	for _, path := range paths {
		page, err := l.Home.Corpus.Page(ctx, set, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // such as a page that cannot be parsed
		}
		for _, one := range page.Doc.Sections {
			out = append(out, section{Place: Place{Doc: path, Section: one.Text, Anchor: one.Anchor},
				lines: [2]int{one.Span.StartLine, one.Span.EndLine}, path: one.Path,
				text: string(page.Doc.Text[one.Span.Start:one.Span.End])})
		}
	}
	return out, nil
}

// is reports whether a place names the section.
func (s section) is(p Place) bool {
	return s.Doc == p.Doc && (p.Anchor == "" || strings.TrimPrefix(s.Anchor, doc.MadeAnchor) == p.Anchor) &&
		strings.EqualFold(s.Section, p.Section)
}
