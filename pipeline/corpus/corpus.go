// Package corpus is an opened home for reading: the doc sets of the catalog, their
// indexes, and the pages on disk.
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
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
	"docent/store/doc"
	"docent/store/wordsearch"
)

// Corpus is an opened home. It is safe for concurrent use.
type Corpus struct {
	Catalog store.Catalog
	Parsers *parse.Registry
	// Fill, unless nil, brings the files of a doc set to this machine, or says why they cannot be had.
	Fill func(context.Context, store.Set) error
	// Mend, unless nil, puts a file of a doc set right that was altered on this machine, and reports
	// whether it did.
	Mend func(ctx context.Context, set store.Set, path string) (bool, error)

	indexes Indexes

	words    holders[store.Index]
	learned  holders[*Vectors]
	embedded holders[*ModelVectors]

	mu    sync.Mutex
	known map[string]store.Set // as Sets last gave them
	// Documents that were given, by number, and their pages.
	documents map[int64]*store.Document
	pages     map[pageKey]bool
	damaged   map[damageKey]bool // vectors, see Damaged

	recent recent
	memo   files.Memo // of what pages take from other files
	listed map[store.Set][]string
}

// New opens nothing yet: indexes are opened when they are asked for.
func New(cat store.Catalog, indexes Indexes, parsers *parse.Registry) *Corpus {
	return &Corpus{Catalog: cat, Parsers: parsers, indexes: indexes}
}

// Close closes the unused indexes, and has the others closed by their last user. It does
// not close the catalog.
func (l *Corpus) Close() error {
	return errors.Join(l.words.close(), l.learned.close(), l.embedded.close())
}

// Sets lists the doc sets by name and version.
func (l *Corpus) Sets(ctx context.Context) ([]store.Set, error) {
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
func (l *Corpus) lastKnown(ctx context.Context, name string) (store.Set, error) {
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

// Resolve finds doc sets by Name@version, Name:version or Name alone: the newest of
// its versions, by doc.CompareVersions. An unknown one is INVALID_REQUEST with the
// nearest names.
func (l *Corpus) Resolve(ctx context.Context, names []string) ([]store.Set, error) {
	all, err := l.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var out []store.Set
	for _, name := range names {
		// As it is listed, whatever blanks an earlier version let it have.
		i := slices.IndexFunc(all, func(s store.Set) bool { return s.Ref.String() == name })
		ref, err := doc.ParseRef(name)
		if err != nil && i < 0 {
			return nil, contract.Invalid("doc_sets", "%v", err).WithRemedy(contract.RunDocent("sets").To("lists the doc sets"))
		}
		for _, same := range sameness {
			if i < 0 {
				i = findSet(all, ref, same.name, same.version)
			}
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

// sameness is the ways in which a doc set is named, the first that finds one counts:
// to the letter, in any case, and by a version that is written in another way.
var sameness = []struct{ name, version func(a, b string) bool }{
	{sameName, sameName}, {strings.EqualFold, strings.EqualFold}, {strings.EqualFold, doc.SameVersion},
}

func sameName(a, b string) bool { return a == b }

func findSet(all []store.Set, ref doc.Ref, name, version func(a, b string) bool) int {
	best := -1
	for i, s := range all {
		if !name(s.Ref.Name, ref.Name) {
			continue
		}
		if ref.Version != "" {
			if version(s.Ref.Version, ref.Version) {
				return i
			}
			continue
		}
		if best < 0 || doc.CompareVersions(s.Ref.Version, all[best].Ref.Version) > 0 {
			best = i
		}
	}
	return best
}

func unknownSet(name string, all []store.Set) error {
	near := nearest(name, all)
	msg := fmt.Sprintf("there is no doc set %q", name)
	remedy := contract.Change("doc_sets", near...)
	if len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		remedy = contract.RunDocent("sets").To("lists those there are").And(contract.RunDocent("add", "PATH").To("adds one"))
	}
	e := contract.Invalid("doc_sets", "%s", msg)
	e.Err = contract.ErrNotThere
	e.Details["doc_set"] = name
	e.Details["nearest"] = append([]string{}, near...) // a list for programs, also of none
	return e.WithRemedy(remedy)
}

// mostDocuments is how many documents a library remembers.
const mostDocuments = 4096

// Documents gives documents with their outlines, which are not to be changed;
// unknown ids are left out, and those whose rows are damaged. A document that was given before is given as it was:
// the catalog never gives its number to another one, and whether its file is
// still the same is seen when it is looked at.
func (l *Corpus) Documents(ctx context.Context, ids []int64) (map[int64]*store.Document, error) {
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
	if err != nil && (found == nil || !errors.Is(err, store.ErrCatalogDamaged)) {
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

// hasPage reports whether the catalog has, or lately had, a page: then its path is one
// that may be read.
func (l *Corpus) hasPage(ctx context.Context, set int64, path string) (bool, error) {
	l.mu.Lock()
	known := l.pages[pageKey{set, path}]
	l.mu.Unlock()
	if known {
		return true, nil
	}
	return l.Catalog.Has(ctx, set, path)
}

// Titled gives a set's documents of this title.
func (l *Corpus) Titled(ctx context.Context, set store.Set, title string) ([]store.Document, error) {
	return l.Catalog.ByTitle(ctx, set.ID, title)
}

// IDF gives the inverse document frequency of terms over the doc sets named.
func (l *Corpus) IDF(ctx context.Context, docSets, terms []string) ([]float64, error) {
	sets, err := l.Resolve(ctx, docSets)
	if err != nil {
		return nil, err
	}
	var s wordsearch.Searcher
	for _, set := range sets {
		x, release, err := l.Index(ctx, set)
		if err != nil {
			return nil, err
		}
		defer release()
		s.Indexes = append(s.Indexes, x)
	}
	return s.IDF(ctx, terms)
}
