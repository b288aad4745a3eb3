package home

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"docent/pipeline"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/catalog"
	"docent/store/doc"
)

// Writer changes a home. It holds the lock.
type Writer struct {
	home *Home
	cat  *catalog.Catalog
	in   *ingest.Ingester
}

// Write gives do the right to change the home; purpose is told to those who
// wait meanwhile.
func (h *Home) Write(ctx context.Context, purpose string, do func(*Writer) error) (err error) {
	held, err := h.lock(ctx, purpose)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	cat, err := catalog.Open(ctx, h.catalogPath())
	if err != nil {
		return h.unwritable(err)
	}
	defer func() { err = errors.Join(err, cat.Close()) }()
	w := &Writer{home: h, cat: cat, in: &ingest.Ingester{Catalog: cat, Parsers: h.Parsers, IndexDir: h.IndexDir}}
	if err := do(w); err != nil {
		return h.unwritable(err)
	}
	h.afterWriting(ctx, cat)
	return nil
}

// HomeAdvice says what to do about an error of reading or writing the home.
func HomeAdvice(err error) string {
	const other = "choose another with --home or DOCENT_HOME"
	text := strings.ToLower(err.Error())
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		// The index and SQLite say it in words.
		strings.Contains(text, syscall.ENOSPC.Error()), strings.Contains(text, "disk is full"):
		return "free some space, or " + other
	case errors.Is(err, fs.ErrPermission):
		return "make it readable and writable for you, or " + other
	case errors.Is(err, syscall.EROFS), strings.Contains(text, "readonly"):
		return "its disk or a file of it is read-only: make it writable, or " + other
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is a file: " + other
	}
	return "see that it is a folder that you can read and write, or " + other
}

// Update brings one doc set up to date.
func (w *Writer) Update(ctx context.Context, set store.Set, rebuild bool) (ingest.Report, error) {
	return w.UpdateWatched(ctx, set, rebuild, w.home.opt.Progress)
}

// UpdateWatched is as Update with another watcher.
func (w *Writer) UpdateWatched(ctx context.Context, set store.Set, rebuild bool, sink pipeline.Sink) (ingest.Report, error) {
	return w.in.Update(ctx, set, rebuild, sink)
}

// Add registers doc sets; they have no pages until they are updated.
func (w *Writer) Add(ctx context.Context, sets []store.Set) ([]store.Set, error) {
	tx, err := w.cat.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	for i := range sets {
		if sets[i].ID, err = tx.PutSet(ctx, sets[i]); err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	return sets, w.saveSets(ctx)
}

// Remove forgets doc sets and their indexes. Their files stay.
func (w *Writer) Remove(ctx context.Context, sets []store.Set) error {
	tx, err := w.cat.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, s := range sets {
		if err := tx.RemoveSet(ctx, s.ID); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, s := range sets {
		err = errors.Join(err, w.home.Indexes.Remove(s.ID), w.home.removeModelVectors(s.ID))
	}
	return errors.Join(err, w.saveSets(ctx))
}

// savedSet is one doc set of sets.json.
type savedSet struct {
	Name    string     `json:"name"`
	Version string     `json:"version"`
	Root    string     `json:"root"`
	Layout  doc.Layout `json:"layout"`
	Domain  string     `json:"domain"`
}

func (h *Home) setsPath() string { return filepath.Join(h.Dir, "sets.json") }

func (w *Writer) saveSets(ctx context.Context) error {
	sets, err := w.cat.Sets(ctx)
	if err != nil {
		return err
	}
	saved := []savedSet{}
	for _, s := range sets {
		saved = append(saved, savedSet{s.Ref.Name, s.Ref.Version, s.Root, s.Layout, s.Domain})
	}
	raw, err := json.MarshalIndent(saved, "", "  ")
	if err != nil {
		return err
	}
	tmp := w.home.setsPath() + ".tmp"
	if err := os.WriteFile(tmp, append(raw, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, w.home.setsPath())
}

// restoreSets registers the doc sets of sets.json in a new catalog; their
// indexes are then missing and are built by ready.
func (h *Home) restoreSets(ctx context.Context, cat *catalog.Catalog) error {
	raw, err := os.ReadFile(h.setsPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a first start
	}
	var saved []savedSet
	if err == nil {
		err = json.Unmarshal(raw, &saved)
	}
	if err != nil {
		h.opt.Say("the doc sets are not known any more (%v); add them again with: docent add PATH", err)
		return nil
	}
	tx, err := cat.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, s := range saved {
		if err := errors.Join(doc.CheckName(s.Name), doc.CheckName(s.Version)); err != nil {
			h.opt.Say("a doc set of %s is left out: %v", h.setsPath(), err)
			continue
		}
		if _, err := tx.PutSet(ctx, store.Set{Ref: doc.Ref{Name: s.Name, Version: s.Version}, Root: s.Root, Layout: s.Layout, Domain: s.Domain}); err != nil {
			return err
		}
	}
	h.opt.Say("the doc sets of %s are indexed again", h.setsPath())
	return tx.Commit()
}

// manualRoot is where this program's manual lies as files: its name has the
// pages' hash, so that another manual has another folder.
func (h *Home) manualRoot() (string, error) {
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

// manualMissing says whether the manual of this program must be installed.
func (h *Home) manualMissing(sets []store.Set) (bool, error) {
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

// installManual writes the manual's pages, registers and indexes them, and
// forgets the manuals of other versions.
func (w *Writer) installManual(ctx context.Context) error {
	root, err := w.home.manualRoot()
	if err != nil {
		return err
	}
	tmp := root + ".tmp"
	if err := errors.Join(os.RemoveAll(tmp), os.RemoveAll(root)); err != nil {
		return err
	}
	if err := os.CopyFS(tmp, w.home.opt.Manual); err != nil {
		return err
	}
	if err := os.Rename(tmp, root); err != nil {
		return err
	}
	sets, err := w.cat.Sets(ctx)
	if err != nil {
		return err
	}
	var old []store.Set
	for _, s := range sets {
		if s.Ref.Name == ManualRef().Name && s.Ref != ManualRef() {
			old = append(old, s)
		}
	}
	if err := w.Remove(ctx, old); err != nil {
		return err
	}
	added, err := w.Add(ctx, []store.Set{{Ref: ManualRef(), Root: root, Layout: doc.LayoutTree, Domain: "tech_docs"}})
	if err != nil {
		return err
	}
	if _, err := w.Update(ctx, added[0], true); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Dir(filepath.Dir(root)))
	for _, e := range entries {
		if e.Name() != filepath.Base(filepath.Dir(root)) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(filepath.Dir(filepath.Dir(root)), e.Name())))
		}
	}
	return err
}
