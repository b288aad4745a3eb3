// Package search is phase 1: optimised queries in, pages with headings out.
//
// Every query is put to the word index with OR semantics, and the scores are added:
// the first query's with weight 1, that of rank r with .15/r². This is a
// rank-weighted linear fusion; scores of one index over one vocabulary are
// comparable, so they need not be replaced by ranks. With 1/r² the expansions cost
// .008 nDCG@10 on the judged collections and gain nothing on documentation. The
// domain nouns are one more query. The passages found are grouped by heading and
// page.
//
// Spec 3's progressive fallback names the evidence for a page: level 1, its title
// or the heading found; level 2, its table of contents (its headings, or its TOC
// file); 3.1, the same in a doc set outside of those searched first; 3.2, its text
// alone. Where the implied doc sets give nothing better than text, all others are
// searched too. Doc sets that a person named are never left.
//
// It refuses to rerank and to read whole documents.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/search/query"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
	"docent/store/parallel"
	"docent/store/wordsearch"
)

// Corpus is what this phase needs of the opened home.
type Corpus interface {
	DocSets
	Pages
	Indexes
}

// DocSets finds doc sets and documents.
type DocSets interface {
	Sets(context.Context) ([]store.Set, error)
	Resolve(context.Context, []string) ([]store.Set, error)
	Documents(context.Context, []int64) (map[int64]*store.Document, error)
}

// Pages reads pages as they are now.
type Pages interface {
	State(context.Context, store.Set, *store.Document) (corpus.State, error)
	Page(ctx context.Context, set store.Set, path string) (*corpus.Page, error)
	Slices(ctx context.Context, set store.Set, path string, spans []doc.Span) ([]string, error)
	TOC(set store.Set, path string) ([]doc.TOCEntry, error)
}

// Indexes gives indexes and vectors, of one generation until they are released.
type Indexes interface {
	Index(context.Context, store.Set) (x store.Index, release func(), err error)
	Vectors(context.Context, store.Set) (v *corpus.Vectors, release func(), err error)
	ModelVectors(context.Context, store.Set) (v *corpus.ModelVectors, release func(), err error)
	OpenIndexesAhead(context.Context, []store.Set)
	OpenVectorsAhead(context.Context, []store.Set)
}

// Limits of an answer.
const (
	defaultHeadings = 50 // spec 2's policy
	passagesPerPage = 8  // headings of one page at most
	snippetRunes    = 240
	focus           = 2000 // bytes of a long passage that a snippet is looked for in
	evidence        = 0.6  // of a query's weight that title or TOC must cover
)

// Builtin is phase 1 over the word index.
type Builtin struct {
	Corpus Corpus
	Params store.Params
	// Headings is the most headings of an answer, the candidates for reranking;
	// 0: spec 2's policy, 50.
	Headings int
	// Embedder makes a question's vector by a model; nil: such vectors are not used.
	// Dense is their weight relative to the words, in [0, 1), for a doc set that has
	// them; 0: they are not used.
	Embedder QuestionEmbedder
	Dense    func(store.Set, embed.By) float64
	Now      func() time.Time // nil: times are 0
	// Synonyms returns the user's synonyms for a search in doc sets, and the faults of
	// the lists; nil: no synonyms.
	Synonyms query.Synonyms
	// Parameters gives the places in doc sets that document a parameter, the most precise
	// first, and says which doc sets it does not know them of; nil: none are known.
	Parameters func(ctx context.Context, sets []store.Set, name string) (places []contract.ParameterPlace, unknown []string, err error)

	analyzers analysis.Pool
}

// scope is the doc sets that are searched, with their indexes.
type scope struct {
	sets    []store.Set
	indexes []wordsearch.Index
}

// wordSearcher searches the words of a scope.
func (r *run) wordSearcher(sc scope) wordsearch.Searcher {
	return wordsearch.Searcher{Indexes: sc.indexes, Params: r.b.Params}
}

// openScope opens the indexes of doc sets, until the run is closed. A damaged index is
// left out, with a note; the error is for when nothing is left.
func (r *run) openScope(ctx context.Context, sets []store.Set) (scope, error) {
	var s scope
	var first error
	r.b.Corpus.OpenIndexesAhead(ctx, sets)
	for _, set := range sets {
		x, release, err := r.b.Corpus.Index(ctx, set)
		if err != nil {
			why := "is damaged, missing or of an earlier version; it is made again, ask once more then"
			switch {
			case errors.Is(err, store.ErrDamaged):
			case errors.Is(err, fs.ErrPermission):
				why = "may not be read (an update that rebuilds it makes another)"
			default:
				return s, err
			}
			if first == nil {
				first = err
			}
			r.note("%s was not searched: its index %s", set.Ref, why)
			continue
		}
		r.holdOpen(release)
		s.sets, s.indexes = append(s.sets, set), append(s.indexes, x)
	}
	if len(s.indexes) == 0 {
		return s, first
	}
	return s, nil
}

// holdOpen keeps something opened until the run is closed.
func (r *run) holdOpen(release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.releases = append(r.releases, release)
}

// close releases what the run opened.
func (r *run) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, release := range r.releases {
		release()
	}
	r.releases = nil
}

// Search is phase 1.
func (b *Builtin) Search(ctx context.Context, in contract.SearchInput, opt contract.SearchOptions) (contract.SearchOutput, contract.Trace,
	error) {
	out := contract.SearchOutput{Results: []contract.Result{}}
	start := b.currentTime()
	if len(query.Weigh(in, false)) == 0 {
		return out, contract.Trace{}, contract.EmptyQuery()
	}
	if err := validate(in); err != nil {
		return out, contract.Trace{}, err
	}
	all, err := b.Corpus.Sets(ctx)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if len(all) == 0 {
		return out, contract.Trace{}, contract.Unavailable(nil, "there are no doc sets").WithRemedy(
			contract.RunDocent("add", "PATH").To("adds one"))
	}
	names, explicit := askedSets(in)
	sets := all
	if len(names) > 0 {
		if sets, err = b.Corpus.Resolve(ctx, names); err != nil {
			return out, contract.Trace{}, err
		}
		names = canonical(sets)
	}
	r := b.newRun(in, opt, sets, wordless(in))
	defer r.close()
	results, err := r.searchSets(ctx, sets)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if wide, more, err := searchWider(ctx, r, results, sets, all, explicit, names); err != nil {
		return out, contract.Trace{}, err
	} else if wide != nil {
		defer wide.close()
		r, results = wide, more
	}
	out.Success, out.Results = true, results
	out.TotalHits = r.total
	out.Context = handOn(r.In, names, explicit, r.Abbreviations)
	trace := contract.Trace{Engine: r.engine, Degraded: r.degraded}
	if r.engine != "" {
		out.Context.DenseWeight = r.dense
	}
	out.SearchStats = contract.SearchStats{TotalDocsSearched: r.documents, Coverage: r.resultMaker().coverage(results),
		Notes: append(notesOf(in), r.notes...), Nearest: r.nearest}
	if len(results) > 0 {
		out.SearchStats.Level, out.SearchStats.TOCPath = results[0].Level, results[0].TOCPath
	} else if r.Empty {
		note := "the question has only words that stand everywhere; name the thing that you look for"
		if err := contract.CheckQuery(askedText(in)); err != nil {
			note = err.Error()
		}
		out.SearchStats.Notes = append(out.SearchStats.Notes, note)
	}
	out.SearchStats.QueryTimeMS = float64(b.currentTime().Sub(start).Microseconds()) / 1000
	return out, trace, nil
}

// askedText is the question as it was asked; without a context, the first query.
func askedText(in contract.SearchInput) string {
	if in.Context != nil && in.Context.Question != "" {
		return in.Context.Question
	}
	return in.Query[0]
}

// wordless reports whether the question has nothing to look for: only stop words or
// signs. What phase 0a then suggests ("getting started") is no answer to it.
func wordless(in contract.SearchInput) bool {
	question := askedText(in)
	terms := analysis.New().Terms(question)
	if len(terms) == 0 {
		return true
	}
	// Small words of another language are terms of the index, but phase 0a found
	// nothing in them to search for.
	for _, q := range in.Query {
		if !slices.Contains(contract.PageKinds(), q) || slices.Contains(contract.PageKinds(), strings.ToLower(question)) {
			return false
		}
	}
	return true
}

func (b *Builtin) currentTime() time.Time {
	if b.Now == nil {
		return time.Time{}
	}
	return b.Now()
}

// run is one search.
type run struct {
	query.Maker
	remarks

	b     *Builtin
	opt   contract.SearchOptions
	asked []store.Set

	documents int                // that were searched
	total     int                // passages with a word of the question, at least the headings found
	terms     map[string]float64 // idf of every term of the queries
	asks      [][]string         // the terms of each query that a title may have
	wants     *analysis.Wanted   // all of them
	texts     []string           // of the headings found, for the coverage
	nearest   bool               // none of its terms was found, but some that are spelled like them
	engine    string             // of the model whose vectors were looked at
	dense     float64            // their weight
	// documented are the sections that document the parameter which is asked for, by
	// document.
	documented map[int64][]contract.ParameterPlace

	mu       sync.Mutex
	releases []func() // of the open files
}

// newRun begins a search in the doc sets that are asked for.
func (b *Builtin) newRun(in contract.SearchInput, opt contract.SearchOptions, asked []store.Set, empty bool) *run {
	r := &run{b: b, opt: opt, asked: asked}
	r.Maker = query.Maker{In: in, Empty: empty, Prefix: opt.Prefix, Analyzers: &b.analyzers, Synonyms: b.Synonyms, Note: r.note}
	return r
}

// remarks are what a search says of itself.
type remarks struct {
	notes    []string
	degraded []contract.Degraded
}

func (m *remarks) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(m.notes, text) {
		m.notes = append(m.notes, text)
	}
}

// take adds what another part of the search says.
func (m *remarks) take(other remarks) {
	for _, text := range other.notes {
		m.note("%s", text)
	}
	for _, d := range other.degraded {
		if !slices.Contains(m.degraded, d) {
			m.degraded = append(m.degraded, d)
		}
	}
}

// searchSets searches some doc sets and gives pages, best first.
func (r *run) searchSets(ctx context.Context, sets []store.Set) ([]contract.Result, error) {
	sc, err := r.openScope(ctx, sets)
	if err != nil {
		return nil, err
	}
	limit := r.b.Headings
	if limit <= 0 {
		limit = defaultHeadings
	}
	s := r.wordSearcher(sc)
	if err := r.MakeQueries(ctx, s, sets); err != nil {
		return nil, err
	}
	matches := r.CountMatches(ctx, s)
	defer func() { _, _ = matches() }()
	hits, st, err := r.search(ctx, sc, s, 3*limit)
	if err != nil {
		return nil, err
	}
	hits, grounded, err := r.grounding(ctx, s, st, hits, 3*limit)
	if err != nil {
		return nil, err
	}
	r.weighTerms(st)
	if !grounded {
		return []contract.Result{}, nil
	}
	if r.nearest { // by other words
		if _, err := matches(); err != nil {
			return nil, err
		}
		matches = r.CountMatches(ctx, s)
	}
	pages, err := r.gather(ctx, sc, hits)
	if err != nil {
		return nil, err
	}
	pages = r.dropNearDuplicates(r.foldCopies(pages))
	var gone []page
	unread := 0
	var found []made
	pages = trimHeadings(pages, limit)
	results, err := r.makeResults(ctx, s, pages)
	if err != nil {
		return nil, err
	}
	for i, m := range results {
		switch {
		case m.err != nil:
			return nil, m.err
		case m.fault == pageGone:
			gone = append(gone, pages[i])
		case m.fault == pageUnread:
			unread++
		case len(m.res.Headings) > 0:
			found = append(found, m)
		}
	}
	// A page that changed may have lost the heading that brought it here.
	slices.SortStableFunc(found, func(a, b made) int {
		return cmp.Compare(b.res.Headings[0].Score, a.res.Headings[0].Score)
	})
	headings := 0
	for _, m := range found {
		headings += len(m.res.Headings)
	}
	if r.total, err = matches(); err != nil {
		return nil, err
	}
	// Headings that are near in meaning need have no word of the question.
	r.total = max(r.total, headings)
	if n := r.opt.Limit; n > 0 && len(found) > n {
		found = found[:n]
	}
	out := make([]contract.Result, len(found))
	for i, m := range found {
		out[i] = m.res
		r.texts = append(r.texts, m.texts...)
	}
	// A missing page must not be served, and the user must learn that it is missing.
	if len(gone) > 0 && len(r.resultMaker().coverage(out).Covered) == 0 {
		out, r.total = []contract.Result{}, 0 // the pages with the question's words are gone
	}
	r.noteFolded(out)
	r.noteGone(gone, pages)
	if unread > 0 {
		r.note("left out, for the files cannot be read: %d of the pages found (doctor says why)", unread)
	}
	return out, nil
}

// grounding gives the hits, and whether any of them has to do with the question. Where the
// documentation has none of its words, those that are spelled most like them are searched.
func (r *run) grounding(ctx context.Context, s wordsearch.Searcher, st wordsearch.Stats, hits []hit, limit int) ([]hit, bool, error) {
	if r.grounded(st) || r.Empty {
		return hits, r.grounded(st), nil
	}
	q, err := r.NearestBySpelling(ctx, s)
	if err != nil {
		return nil, false, err
	}
	if len(q.Terms) > 0 {
		found, err := r.BestHits(ctx, s, []query.Query{q}, limit)
		if err != nil {
			return nil, false, err
		}
		if len(found) > 0 {
			hits = bareHits(found)
			r.nearest, r.Queries, r.engine = true, append(r.Queries[:1:1], q), ""
			for i := range hits {
				hits[i].words = hits[i].Score
			}
			return hits, true, nil
		}
	}
	return hits, r.engine != "", nil // what a model takes for near is what there is
}

// made is the result for a page, or the reason for its absence.
type made struct {
	res   contract.Result // no headings: nothing of it is left
	texts []string        // title, headings and text of the found passage
	fault fault
	err   error
}

// fault says why a page cannot be served.
type fault int

const (
	pageGone   fault = iota + 1 // its file is not there
	pageUnread                  // its file cannot be read
)

// makeResults makes the results, some at a time: they read files and know nothing of
// each other, so that the order in which they are done does not show.
func (r *run) makeResults(ctx context.Context, s wordsearch.Searcher, pages []page) ([]made, error) {
	out := make([]made, len(pages))
	var x *wordsearch.Search
	if r.opt.Explain {
		var err error
		if x, err = r.BeginSearch(ctx, s, r.Queries); err != nil {
			return nil, err
		}
	}
	parallel.Do(len(pages), func(mine iter.Seq[int]) {
		a := r.b.analyzers.Get()
		defer r.b.analyzers.Put(a)
		for i := range mine {
			if out[i].err = ctx.Err(); out[i].err == nil {
				out[i] = r.result(ctx, a, x, pages[i])
			}
		}
	})
	return out, nil
}
