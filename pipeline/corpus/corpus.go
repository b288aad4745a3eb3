// Package corpus is an opened home for reading: the doc sets of the catalog,
// their indexes, and pages as they lie on disk.
//
// The index finds, the file answers: whatever is shown or cited is read from
// the source file, and a page that changed since it was indexed is read anew
// and marked. A page whose file is gone is not there.
//
// It refuses to write anything.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/parse"
	"docent/pipeline/question"
	"docent/store"
	"docent/store/catalog"
	"docent/store/doc"
	"docent/store/lexical"
	"docent/store/parallel"
)

// Library is an opened home. It is safe for concurrent use.
type Library struct {
	Catalog  *catalog.Catalog
	IndexDir func(setID int64) string
	Parsers  *parse.Registry

	mu      sync.Mutex
	readers map[int64]*held[*lexical.Reader]
	vectors map[int64]*held[*Vectors]
	// Those by a model.
	modelVectors map[int64]*held[*ModelVectors]

	known map[string]store.Set // as Sets last gave them
	// Documents that were given, by number, and their pages.
	documents map[int64]*store.Document
	pages     map[pageKey]bool

	recent recent
}

// New opens nothing yet: indexes are opened when they are asked for.
func New(cat *catalog.Catalog, indexDir func(setID int64) string, parsers *parse.Registry) *Library {
	return &Library{Catalog: cat, IndexDir: indexDir, Parsers: parsers, readers: map[int64]*held[*lexical.Reader]{}, vectors: map[int64]*held[*Vectors]{},
		modelVectors: map[int64]*held[*ModelVectors]{}}
}

// Close closes the indexes, not the catalog.
func (l *Library) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, h := range l.readers {
		errs = append(errs, h.close())
	}
	clear(l.readers)
	for _, h := range l.vectors {
		errs = append(errs, h.close())
	}
	clear(l.vectors)
	for _, h := range l.modelVectors {
		errs = append(errs, h.close())
	}
	clear(l.modelVectors)
	return errors.Join(errs...)
}

// Sets lists the doc sets by name and version.
func (l *Library) Sets(ctx context.Context) ([]store.Set, error) {
	sets, err := l.Catalog.Sets(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string]store.Set, len(sets))
	for _, s := range sets {
		known[s.Ref.String()] = s
	}
	l.mu.Lock()
	l.known = known
	l.mu.Unlock()
	return sets, nil
}

// lastKnown finds a doc set among those that Sets last gave, without asking the
// catalog: for work on many pages of one answer.
func (l *Library) lastKnown(ctx context.Context, name string) (store.Set, error) {
	l.mu.Lock()
	s, ok := l.known[name]
	l.mu.Unlock()
	if ok {
		return s, nil
	}
	sets, err := l.Resolve(ctx, []string{name})
	if err != nil {
		return store.Set{}, err
	}
	return sets[0], nil
}

// Resolve finds doc sets by Name@version, Name:version or Name alone (the newest
// of its versions: "latest" if there is one). An unknown one is INVALID_REQUEST with the nearest names.
func (l *Library) Resolve(ctx context.Context, names []string) ([]store.Set, error) {
	all, err := l.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var out []store.Set
	for _, name := range names {
		ref, err := doc.ParseRef(name)
		if err != nil {
			return nil, contract.Invalid("doc_sets", "%v; docent sets lists the doc sets", err)
		}
		i := find(all, ref, strings.EqualFold)
		if j := find(all, ref, func(a, b string) bool { return a == b }); j >= 0 {
			i = j
		}
		if i < 0 {
			return nil, unknownSet(name, all)
		}
		if !slices.ContainsFunc(out, func(s store.Set) bool { return s.ID == all[i].ID }) {
			out = append(out, all[i])
		}
	}
	return out, nil
}

func find(all []store.Set, ref doc.Ref, same func(a, b string) bool) int {
	best := -1
	for i, s := range all {
		if !same(s.Ref.Name, ref.Name) {
			continue
		}
		if ref.Version != "" {
			if same(s.Ref.Version, ref.Version) {
				return i
			}
			continue
		}
		if best < 0 || Newer(s.Ref.Version, all[best].Ref.Version) {
			best = i
		}
	}
	return best
}

// Newer says whether version a is newer than b; latest is newer than any number.
func Newer(a, b string) bool {
	numbered := func(v string) string {
		if v == doc.DefaultVersion {
			return ""
		}
		return v
	}
	return question.CompareVersions(numbered(a), numbered(b)) > 0
}

func unknownSet(name string, all []store.Set) error {
	near := Nearest(name, all)
	msg := fmt.Sprintf("there is no doc set %q", name)
	switch len(near) {
	case 0:
		msg += "; docent sets lists those there are, docent add PATH adds one"
	default:
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	e := contract.Invalid("doc_sets", "%s", msg)
	e.Details["doc_set"] = name
	e.Details["nearest"] = near
	return e.With(contract.Change("doc_sets", near...))
}

// Reader gives a doc set's index, of the generation that holds now. The error
// wraps lexical.ErrDamaged where it must be built again.
func (l *Library) Reader(set store.Set) (*lexical.Reader, error) {
	return hold(l, l.readers, set, lexical.Open)
}

// held is a doc set's index, opened by whoever asks first. Another doc set's may
// be opened at the same time.
type held[R index] struct {
	mu     sync.Mutex
	opened bool
	closed bool
	r      R
}

// close closes what is open, for good.
func (h *held[R]) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if !h.opened {
		return nil
	}
	h.opened = false
	return h.r.Close()
}

// errClosed is for who asks a library that was closed meanwhile.
var errClosed = errors.New("the library is closed")

// index is what is opened for a doc set and replaced when a newer generation
// holds.
type index interface {
	Current() bool
	Retire()
	Close() error
}

// hold gives what is open of a doc set, or opens it.
func hold[R index](l *Library, all map[int64]*held[R], set store.Set, open func(dir string) (R, error)) (R, error) {
	l.mu.Lock()
	h := all[set.ID]
	if h == nil {
		h = &held[R]{}
		all[set.ID] = h
	}
	l.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return h.r, fmt.Errorf("doc set %s: %w", set.Ref, errClosed)
	}
	if h.opened {
		if h.r.Current() {
			return h.r, nil
		}
		h.r.Retire() // somebody may be searching in it
		h.opened = false
	}
	r, err := open(l.IndexDir(set.ID))
	if err != nil {
		return r, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	h.r, h.opened = r, true
	return r, nil
}

// Warm opens the indexes of doc sets, several at a time, for what is about to
// ask all of them. It refuses to judge: what cannot be opened says so when it is
// asked for.
func (l *Library) Warm(sets []store.Set) {
	parallel.Do(len(sets), func(mine iter.Seq[int]) {
		for i := range mine {
			_, _ = l.Reader(sets[i])
		}
	})
}

// WarmVectors is as Warm for the stored vectors.
func (l *Library) WarmVectors(sets []store.Set) {
	parallel.Do(len(sets), func(mine iter.Seq[int]) {
		for i := range mine {
			_, _ = l.Vectors(sets[i])
		}
	})
}

// mostDocuments is how many documents a library remembers.
const mostDocuments = 4096

// Documents gives documents with their outlines, which are not to be changed;
// unknown ids are left out. A document that was given before is given as it was:
// the catalog never gives its number to another one, and whether its file is
// still the same is seen when it is looked at.
func (l *Library) Documents(ctx context.Context, ids []int64) (map[int64]*store.Document, error) {
	out := make(map[int64]*store.Document, len(ids))
	var ask []int64
	l.mu.Lock()
	for _, id := range ids {
		if d := l.documents[id]; d != nil {
			out[id] = d
		} else {
			ask = append(ask, id)
		}
	}
	l.mu.Unlock()
	if len(ask) == 0 {
		return out, nil
	}
	found, err := l.Catalog.ByID(ctx, ask)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.documents == nil || len(l.documents)+len(found) > mostDocuments {
		l.documents, l.pages = map[int64]*store.Document{}, map[pageKey]bool{}
	}
	for id, d := range found {
		out[id] = d
		l.documents[id], l.pages[pageKey{d.SetID, d.Path}] = d, true
	}
	return out, nil
}

// pageKey names a page.
type pageKey struct {
	set  int64
	path string
}

// has says whether the catalog has, or lately had, a page: then its path is one
// that may be read.
func (l *Library) has(ctx context.Context, set int64, path string) (bool, error) {
	l.mu.Lock()
	known := l.pages[pageKey{set, path}]
	l.mu.Unlock()
	if known {
		return true, nil
	}
	return l.Catalog.Has(ctx, set, path)
}

// Titled gives a set's documents of this title.
func (l *Library) Titled(ctx context.Context, set store.Set, title string) ([]store.Document, error) {
	return l.Catalog.ByTitle(ctx, set.ID, title)
}

// IDF gives the rarity of terms over the doc sets named.
func (l *Library) IDF(ctx context.Context, docSets, terms []string) ([]float64, error) {
	sets, err := l.Resolve(ctx, docSets)
	if err != nil {
		return nil, err
	}
	s := lexical.Searcher{Params: lexical.DefaultParams()}
	for _, set := range sets {
		r, err := l.Reader(set)
		if err != nil {
			return nil, err
		}
		s.Readers = append(s.Readers, r)
	}
	return s.IDF(ctx, terms)
}
