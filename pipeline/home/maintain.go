package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/embed"
	"docent/pipeline/ingest"
	"docent/pipeline/parse"
	"docent/store"
	"docent/store/doc"
	"docent/store/generation"
)

// Watch is told what happens while doc sets are added or brought up to date; any
// part of it may be nil.
type Watch struct {
	Note   func(format string, args ...any) // what a person should know
	Report func(ingest.Report)              // a doc set is done
	Events pipeline.Sink                    // indexing goes on
}

func (w Watch) note(format string, args ...any) {
	if w.Note != nil {
		w.Note(format, args...)
	}
}

// Outcome is what came of adding doc sets or bringing them up to date.
type Outcome struct {
	Reports []ingest.Report
	Missing []error // doc sets whose folders are not there; they are as they were
	// Embedded are the doc sets whose vectors by a model are up to date.
	Embedded []embed.Report
}

// Candidate is a doc set that could be added.
type Candidate struct {
	ingest.Found
	Pages int
}

// Discover finds the doc sets that paths stand for. A path without a page is an
// error; a doc set without one, beside others that have some, is left out.
func Discover(ctx context.Context, paths []string, parsers *parse.Registry, w Watch) ([]Candidate, error) {
	var found []Candidate
	for _, p := range paths {
		all, err := ingest.Discover(p)
		if err != nil {
			return nil, contract.Invalid("path", "%v", err)
		}
		var empty, some []Candidate
		for _, f := range all {
			files, _, err := ingest.Scan(ctx, f.Root, f.Layout, parsers)
			if err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				return nil, contract.Invalid("path", "add %s: %v; give a folder that you can read", p, err)
			}
			if len(files) == 0 {
				empty = append(empty, Candidate{Found: f})
			} else {
				some = append(some, Candidate{Found: f, Pages: len(files)})
			}
		}
		if len(some) == 0 {
			return nil, contract.Invalid("path", "no page was found in %s (%s)", p, parsers.Describe())
		}
		for _, f := range empty {
			w.note("no page was found in %s (%s); it is left out", f.Root, parsers.Describe())
		}
		found = append(found, some...)
	}
	return found, nil
}

// As says under which names doc sets are added; what is empty is the folder's,
// or the configuration's.
type As struct{ Name, Version, Domain string }

// Add registers doc sets and indexes them. One that is new is forgotten again
// when it cannot be indexed, or when ctx ends first.
func (h *Home) Add(ctx context.Context, found []Candidate, as As, w Watch) (Outcome, error) {
	var sets []store.Set
	for _, f := range found {
		s := store.Set{Ref: f.Ref, Root: f.Root, Layout: f.Layout, Domain: h.opt.Settings.Domain}
		if as.Name != "" {
			s.Ref.Name = as.Name
		}
		if as.Version != "" {
			s.Ref.Version = as.Version
		}
		if as.Domain != "" {
			s.Domain = as.Domain
		}
		sets = append(sets, s)
	}
	var known []store.Set
	isNew := func(s store.Set) bool {
		return !slices.ContainsFunc(known, func(k store.Set) bool { return k.ID == s.ID })
	}
	return h.index(ctx, "add", false, w, isNew, func(wr *Writer) (_ []store.Set, err error) {
		// Looked up by whom alone may write: nobody takes the names meanwhile.
		if known, err = h.Library.Sets(ctx); err != nil {
			return nil, err
		}
		if sets, err = free(sets, known, w); err != nil {
			return nil, err
		}
		return wr.Add(ctx, sets)
	})
}

// Refresh brings doc sets up to date; with rebuild, from nothing.
func (h *Home) Refresh(ctx context.Context, sets []store.Set, rebuild bool, w Watch) (Outcome, error) {
	return h.index(ctx, "update", rebuild, w, nil, func(*Writer) ([]store.Set, error) { return sets, nil })
}

// Forget removes doc sets and their indexes. Their files stay.
func (h *Home) Forget(ctx context.Context, sets []store.Set) error {
	if err := h.Write(ctx, "rm", func(w *Writer) error { return w.Remove(ctx, sets) }); err != nil {
		return err
	}
	return h.pruneRemoved(ctx)
}

// index updates doc sets, and then has a model make their vectors, when others may
// write again. A doc set that isNew is forgotten again when it cannot
// be indexed. What was done before an error stays done and is in the outcome.
func (h *Home) index(ctx context.Context, purpose string, rebuild bool, watch Watch, isNew func(store.Set) bool, choose func(*Writer) ([]store.Set, error)) (Outcome, error) {
	var out Outcome
	var done []store.Set
	err := h.Write(ctx, purpose, func(w *Writer) error {
		sets, err := choose(w)
		if err != nil {
			return err
		}
		for _, s := range sets {
			rep, err := w.UpdateWatched(ctx, s, rebuild, watch.Events)
			if errors.Is(err, ingest.ErrRootMissing) {
				out.Missing = append(out.Missing, err) // the others may be whole
				watch.note("%v", err)
				continue
			}
			if err != nil {
				if isNew != nil && isNew(s) {
					err = errors.Join(err, w.Remove(context.WithoutCancel(ctx), []store.Set{s}))
				}
				return err
			}
			out.Reports = append(out.Reports, rep)
			done = append(done, s)
			if watch.Report != nil {
				watch.Report(rep)
			}
		}
		return nil
	})
	if err == nil {
		out.Embedded, err = h.Embed(ctx, done, rebuild, watch)
	}
	return out, err
}

// TakenError means that another folder has the name of a doc set that is to be
// added.
type TakenError struct {
	Ref  doc.Ref
	Root string // the other folder
	err  error
}

func (e *TakenError) Error() string { return e.err.Error() }

// Unwrap gives the error that the command line tells.
func (e *TakenError) Unwrap() error { return e.err }

// free says whether doc sets that are to be added have names that no other
// folder has, here or in the catalog; the same folder twice is added once.
func free(sets, known []store.Set, w Watch) ([]store.Set, error) {
	var out []store.Set
	taken := func(ref doc.Ref, root, format string, args ...any) error {
		return &TakenError{Ref: ref, Root: root, err: contract.Invalid("name", format, args...)}
	}
	for _, s := range sets {
		if i := slices.IndexFunc(out, func(o store.Set) bool { return o.Ref == s.Ref }); i >= 0 {
			if out[i].Root == s.Root {
				continue
			}
			return nil, taken(s.Ref, out[i].Root, "%s is already %s, and %s is to be added under that name too; add it by itself and give it a name with --name or --version", s.Ref, out[i].Root, s.Root)
		}
		out = append(out, s)
		i := slices.IndexFunc(known, func(k store.Set) bool { return k.Ref == s.Ref })
		if i < 0 || known[i].Root == s.Root {
			continue
		}
		if s.Ref == ManualRef() {
			return nil, taken(s.Ref, known[i].Root, "%s is the built-in manual; give the new one a name with --name or --version", s.Ref)
		}
		if _, err := os.Stat(known[i].Root); errors.Is(err, fs.ErrNotExist) {
			w.note("%s was %s, which is not there any more; it is %s now", s.Ref, known[i].Root, s.Root)
			continue
		}
		return nil, taken(s.Ref, known[i].Root, "%s is already %s; give the new one a name with --name or --version, or forget the old one with: docent rm %s", s.Ref, known[i].Root, s.Ref)
	}
	return out, nil
}

// Summary is a report in one line for a person.
func Summary(r ingest.Report) string {
	pages := fmt.Sprintf("%d pages", r.Pages)
	if r.Pages == 1 {
		pages = "1 page"
	}
	text := fmt.Sprintf("%s: %s", r.Set, pages)
	if r.Touched() {
		var parts []string
		for _, p := range []struct {
			n    int
			what string
		}{{r.Added, "added"}, {r.Changed, "changed"}, {r.Removed, "removed"}, {r.Unchanged, "unchanged"}} {
			if p.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
			}
		}
		text += " (" + strings.Join(parts, ", ") + ")"
	} else {
		text += ", nothing changed"
	}
	if r.Pages == 0 {
		text += "; no page is there any more"
	}
	return text
}

// Indexed is when a doc set's index was last written, the zero time where it has
// none. An update that finds nothing to do writes none.
func (h *Home) Indexed(set store.Set) time.Time {
	st, err := os.Stat(filepath.Join(h.IndexDir(set.ID), generation.Manifest))
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}
