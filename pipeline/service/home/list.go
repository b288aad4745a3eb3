package home

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
	"docent/store/lock"
)

// The doc sets are registered twice: in the catalog, and in the list sets.json, from
// which a lost catalog is made again. A doc set is registered while one of the two
// has it. Adding writes the catalog first, removing the list first, so that a process
// that is killed in between leaves one of them with more and none with less. Each
// start compares the two, and gives each what only the other has. Nothing but Remove
// takes a doc set from the list.

// savedSet is one doc set of the list.
type savedSet struct {
	Name    string     `json:"name"`
	Version string     `json:"version"`
	Root    string     `json:"root"`
	Layout  doc.Layout `json:"layout"`
	Domain  string     `json:"domain"`
	URLBase string     `json:"url_base,omitempty"`
	// Given says that a person gave the domain.
	Given bool `json:"domain_given,omitempty"`
}

// savedList is the file sets.json. The files of earlier versions are the sets alone.
type savedList struct {
	Format int        `json:"format"`
	Sum    string     `json:"crc32c"` // of the sets' compact JSON
	Sets   []savedSet `json:"sets"`
}

const listFormat = 2

// errList means that the list is damaged. What could be read of it is given all the
// same.
var errList = errors.New("is no list with its checksum")

func (h *Home) SetsPath() string { return filepath.Join(h.Dir, ListName) }

// ListName is the file of the list of doc sets.
const ListName = "sets.json"

func checksumOf(sets []savedSet) (string, error) {
	raw, err := json.Marshal(sets)
	return fmt.Sprintf("%08x", crc32.Checksum(raw, crc32.MakeTable(crc32.Castagnoli))), err
}

// ReadList reads the list, or returns nil. The error wraps errList if the list is
// damaged.
func (h *Home) ReadList() ([]savedSet, error) {
	raw, err := os.ReadFile(h.SetsPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l savedList
	if json.Unmarshal(raw, &l.Sets) != nil { // else an earlier version wrote it
		if err := json.Unmarshal(raw, &l); err != nil {
			return nil, fmt.Errorf("it %w: %w", errList, err)
		}
		if sum, err := checksumOf(l.Sets); err != nil || sum != l.Sum {
			return l.Sets, errors.Join(err, fmt.Errorf("it %w", errList))
		}
	}
	for _, s := range l.Sets {
		if err := s.checkSaved(); err != nil {
			return l.Sets, fmt.Errorf("it %w: %w", errList, err)
		}
	}
	return l.Sets, nil
}

// checkSaved returns the fault of an entry of the list.
func (s savedSet) checkSaved() error {
	// Earlier versions took names with blanks around them.
	err := errors.Join(doc.CheckName(strings.TrimSpace(s.Name)), doc.CheckName(strings.TrimSpace(s.Version)))
	if s.URLBase != "" {
		err = errors.Join(err, doc.CheckURLBase(s.URLBase))
	}
	return err
}

// Listed are the names of the doc sets on the list of a home, as far as it can be read,
// without opening the home.
func Listed(dir string) []string {
	list, _ := (&Home{Dir: dir}).ReadList() // a damaged one gives what could be read of it
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.setRef().String()
	}
	return names
}

// setList is the list of doc sets, from which a lost catalog gets its doc sets back.
type setList struct{ *Home }

func (x *Home) setList() setList { return setList{x} }

func (h setList) writeList(sets []savedSet) error {
	slices.SortStableFunc(sets, func(a, b savedSet) int { return strings.Compare(a.setRef().String(), b.setRef().String()) })
	if sets == nil {
		sets = []savedSet{}
	}
	sum, err := checksumOf(sets)
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(savedList{listFormat, sum, sets}, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(h.SetsPath(), append(raw, '\n'))
}

func (s savedSet) setRef() doc.Ref { return doc.Ref{Name: s.Name, Version: s.Version} }

func (h setList) savedOf(s store.Set) savedSet {
	return savedSet{s.Ref.Name, s.Ref.Version, h.Shared.roots.Placed(s), s.Layout, s.Domain, s.URLBase, s.DomainGiven}
}

// hasRef reports whether one of the doc sets of the list has a name and version.
func hasRef(list []savedSet, ref doc.Ref) bool {
	return slices.ContainsFunc(list, func(s savedSet) bool { return s.setRef() == ref })
}

// saveSets writes the list: the catalog's doc sets, and what the list has that the
// catalog lacks, but for those that are removed. The home's lock is held.
func (w *Writer) saveSets(ctx context.Context, removed ...doc.Ref) error {
	sets, err := w.cat.Sets(ctx)
	if err != nil {
		return err
	}
	var list []savedSet
	for _, s := range sets {
		if !slices.Contains(removed, s.Ref) {
			list = append(list, w.home.setList().savedOf(s))
		}
	}
	if err := w.home.Shared.fillList(ctx); err != nil {
		return err
	}
	before, err := w.home.ReadList()
	if err != nil && !errors.Is(err, errList) {
		return err
	}
	if err == nil {
		for _, s := range before {
			if !hasRef(list, s.setRef()) && !slices.Contains(removed, s.setRef()) {
				list = append(list, s)
			}
		}
	}
	if err := w.home.setList().writeList(list); err != nil {
		return err
	}
	return w.home.Shared.shareList(ctx)
}

// Settled reports whether the list and the folder of indexes fit the catalog's doc sets.
func (h *Home) Settled(sets []store.Set) bool {
	if h.hasOrphans(sets) {
		return false
	}
	list, err := h.ReadList()
	if err != nil {
		return !errors.Is(err, errList) // one that cannot be read cannot be mended
	}
	if len(list) != len(sets) {
		return false
	}
	for _, s := range sets {
		if !slices.Contains(list, h.setList().savedOf(s)) {
			return false
		}
	}
	return true
}

// reconcile has catalog and list say the same, and removes the indexes of doc sets
// that were removed: a process was killed, or one of the two was lost.
func (h setList) reconcile(ctx context.Context) error {
	sets, err := h.Catalog.Sets(ctx)
	if err == nil {
		err = h.Shared.fillList(ctx)
	}
	if err != nil || h.Settled(sets) {
		return err
	}
	err = h.Write(ctx, "recover", func(w *Writer) error {
		return w.Locked(ctx, func() error { return w.reconcile(ctx) })
	})
	if _, ok := errors.AsType[*lock.LockedError](err); ok {
		return nil // somebody is at it, or about to change both
	}
	if _, ok := errors.AsType[*UnavailableError](err); ok && len(sets) > 0 {
		h.Unready = err
		return nil
	}
	return err
}

// reconcile is Home.reconcile's under the home's lock.
func (w *Writer) reconcile(ctx context.Context) error {
	h := w.home
	left, err := h.Indexes.Sets() // before the catalog is asked: a new doc set is in it first
	if err != nil {
		return err
	}
	sets, err := w.cat.Sets(ctx)
	if err != nil {
		return err
	}
	if err := h.Shared.fillList(ctx); err != nil {
		return err
	}
	list, err := h.ReadList()
	damaged := errors.Is(err, errList)
	if err != nil && !damaged {
		return err
	}
	if damaged {
		if err := h.setList().putListAside(err, len(sets) > 0, list); err != nil {
			return err
		}
	}
	var lost []store.Set
	var others []doc.Ref // of a time when several machines shared the catalog
	for _, s := range list {
		if err := h.Shared.leftOut(store.Set{Ref: s.setRef(), Root: s.Root}); err != nil {
			h.Say("a doc set of %s is left out: %v", h.SetsPath(), err)
			others = append(others, s.setRef())
			continue
		}
		if h.setList().mayRegister(s, sets, damaged) {
			lost = append(lost, h.Shared.roots.found(store.Set{Ref: s.setRef(), Root: s.Root, Layout: s.Layout, Domain: s.Domain,
				DomainGiven: s.Given, URLBase: s.URLBase}))
		}
	}
	if len(lost) > 0 {
		h.Say("the doc sets of %s are indexed again", h.SetsPath())
		if _, err := w.cat.PutSets(ctx, lost); err != nil {
			return err
		}
		if sets, err = w.cat.Sets(ctx); err != nil {
			return err
		}
	}
	for _, id := range left {
		if !hasID(sets, id) {
			if err := h.Indexes.Purge(id); err != nil {
				return err
			}
		}
	}
	if len(sets)+len(list) == 0 {
		return nil
	}
	return w.saveSets(ctx, others...)
}

// mayRegister reports whether a doc set of the list is to be registered in the catalog,
// which has known. Of a damaged list only the entries whose folders exist are.
func (h setList) mayRegister(s savedSet, known []store.Set, damaged bool) bool {
	if slices.ContainsFunc(known, func(k store.Set) bool { return k.Ref == s.setRef() }) {
		return false
	}
	if err := s.checkSaved(); err != nil {
		h.Say("a doc set of %s is left out: %v", h.SetsPath(), err)
		return false
	}
	if !damaged {
		return true
	}
	found := h.Shared.roots.found(store.Set{Ref: s.setRef(), Root: s.Root})
	st, err := os.Stat(found.Root)
	return err == nil && st.IsDir() && !slices.ContainsFunc(known, func(k store.Set) bool { return k.Root == found.Root })
}

// putListAside keeps a damaged list next to the new one.
func (h setList) putListAside(why error, catalog bool, rest []savedSet) error {
	aside := h.SetsPath() + ".damaged"
	if err := os.Rename(h.SetsPath(), aside); err != nil {
		return err
	}
	switch {
	case catalog:
		h.Say("the list of doc sets %s was damaged; it lies beside as sets.json.damaged and is written again from the catalog",
			h.SetsPath())
	case len(rest) > 0:
		h.Say("the list of doc sets %s was damaged; it lies beside as sets.json.damaged, and what can be read of it is indexed again",
			h.SetsPath())
	default:
		h.Say("the doc sets are not known any more (%v; the list lies beside as sets.json.damaged); add them again with: %v",
			why, contract.RunDocent("add", "PATH"))
	}
	return nil
}

// hasOrphans reports whether there are indexes of doc sets that are not in the catalog.
func (h *Home) hasOrphans(sets []store.Set) bool {
	ids, err := h.Indexes.Sets()
	// Indexes that cannot be listed cannot be removed either.
	return err == nil && slices.ContainsFunc(ids, func(id int64) bool { return !hasID(sets, id) })
}

func hasID(sets []store.Set, id int64) bool {
	return slices.ContainsFunc(sets, func(s store.Set) bool { return s.ID == id })
}
