// Package search is phase 1: optimised queries in, pages with headings out.
//
// Every query is asked of the word index with OR semantics and the scores are
// added, the first query with weight 1 and that of rank r with .15/r² (a
// rank-weighted linear fusion: scores of one index over one vocabulary are
// comparable, so ranks need not stand in for them; with 1/r² the expansions cost
// .008 nDCG@10 on the judged collections and gain nothing on documentation). The
// domain nouns are asked once more by themselves. The
// passages found are gathered to headings and pages.
//
// Spec 3's progressive fallback says on what evidence a page answers: level 1,
// its title or the heading found; level 2, its table of contents (its headings,
// or its TOC file); 3.1, likewise in another doc set than those asked for; 3.2,
// its text alone. When the doc
// sets that were implied give nothing better than text, all others are asked
// too; doc sets that a person named are never left.
//
// It refuses to rerank and to read whole documents.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/embed"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
	"docent/store/lexical"
	"docent/store/parallel"
)

// Library is what this phase needs of the opened home.
type Library interface {
	Sets(context.Context) ([]store.Set, error)
	Resolve(context.Context, []string) ([]store.Set, error)
	Reader(store.Set) (*lexical.Reader, error)
	Documents(context.Context, []int64) (map[int64]*store.Document, error)
	State(store.Set, *store.Document) (corpus.State, error)
	Page(ctx context.Context, set store.Set, path string) (*corpus.Page, error)
	Slices(ctx context.Context, set store.Set, path string, spans []doc.Span) ([]string, error)
	TOC(set store.Set, path string) ([]doc.TOCEntry, error)
	Vectors(store.Set) (*corpus.Vectors, error)
	ModelVectors(store.Set) (*corpus.ModelVectors, error)
	Warm([]store.Set)
	WarmVectors([]store.Set)
}

// Limits of an answer.
const (
	defaultHeadings = 50 // spec 2's policy
	passagesPerPage = 8  // headings of one page at most
	snippetRunes    = 240
	focus           = 2000 // bytes of a long passage that a snippet is looked for in
	nounWeight      = 0.15 // of the domain nouns, beside the first query's 1
	rewriting       = 0.15 // of each further query of rank r, over r²
	groupWeight     = 3.0  // of the translations: the best of them, not the one that phase 0a chose
	nativeWeight    = 0.25 // of the translations, where the documentation is in the question's language
	nativeRunes     = 200  // of a question that are looked at for its language
	quotingPassages = 100  // from so many on, one that quotes another language makes no documentation in it
	mostGroups      = 64   // words of a question that are translated
	mostRenderings  = 8
	evidence        = 0.6 // of a query's weight that title or TOC must cover
)

// Builtin is phase 1 over the word index.
type Builtin struct {
	Library Library
	Params  lexical.Params
	// Headings is the most headings of an answer, the candidates for reranking;
	// 0: spec 2's policy, 50.
	Headings int
	// Embedder makes a question's vector by a model; nil: such vectors are not
	// looked at. Dense is their weight beside the words, in [0, 1): of a doc set that
	// has them, 0 where they are not to be looked at.
	Embedder QuestionEmbedder
	Dense    func(store.Set, embed.By) float64
	Now      func() time.Time // nil: times are 0

	analyzers analysis.Pool
}

// scope is the doc sets that are searched, with their indexes.
type scope struct {
	sets    []store.Set
	readers []*lexical.Reader
}

// open opens the indexes of doc sets. One that is damaged is left out, which
// is said; the error is for when nothing is left.
func (r *run) open(sets []store.Set) (scope, error) {
	var s scope
	var first error
	r.b.Library.Warm(sets)
	for _, set := range sets {
		rd, err := r.b.Library.Reader(set)
		if err != nil {
			if !errors.Is(err, lexical.ErrDamaged) {
				return s, err
			}
			if first == nil {
				first = err
			}
			r.note("%s was not searched: its index is damaged or missing (docent update --rebuild %s)", set.Ref, set.Ref)
			continue
		}
		s.sets, s.readers = append(s.sets, set), append(s.readers, rd)
	}
	if len(s.readers) == 0 {
		return s, first
	}
	return s, nil
}

// Search is phase 1.
func (b *Builtin) Search(ctx context.Context, in contract.SearchInput, opt contract.SearchOptions) (contract.SearchOutput, contract.Trace, error) {
	out := contract.SearchOutput{Results: []contract.Result{}}
	start := b.now()
	if len(weigh(in, false)) == 0 {
		return out, contract.Trace{}, contract.EmptyQuery()
	}
	if err := validate(in); err != nil {
		return out, contract.Trace{}, err
	}
	all, err := b.Library.Sets(ctx)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if len(all) == 0 {
		return out, contract.Trace{}, contract.Unavailable(nil, "there are no doc sets; add one with: docent add PATH")
	}
	names, explicit := asked(in)
	sets := all
	if len(names) > 0 {
		if sets, err = b.Library.Resolve(ctx, names); err != nil {
			return out, contract.Trace{}, err
		}
		names = canonical(sets)
	}
	r := &run{b: b, ctx: ctx, in: in, opt: opt, asked: sets, empty: wordless(in)}
	results, err := r.over(sets)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if len(sets) < len(all) && !explicit && (len(results) == 0 || r.nearest || results[0].Level == contract.LevelContent) {
		wide := &run{b: b, ctx: ctx, in: in, opt: opt, asked: sets, empty: r.empty}
		more, err := wide.over(all)
		if err != nil {
			return out, contract.Trace{}, err
		}
		if len(more) > 0 && !wide.nearest && (len(results) == 0 || r.nearest || more[0].Level != contract.LevelContent) {
			r, results = wide, more
			r.note("nothing in %s has this in a title or table of contents; the other doc sets were searched too", strings.Join(names, ", "))
		}
	}
	out.Success, out.Results = true, results
	for _, res := range results {
		out.TotalHits += len(res.Headings)
	}
	out.Context = handOn(r.in, names, explicit, r.abbrs)
	trace := contract.Trace{Engine: r.engine, Degraded: r.degraded}
	if r.engine != "" {
		out.Context.DenseWeight = r.dense
	}
	out.SearchStats = contract.SearchStats{TotalDocsSearched: r.documents, Coverage: r.coverage(results), Notes: r.notes, Nearest: r.nearest}
	if len(results) > 0 {
		out.SearchStats.Level, out.SearchStats.TOCPath = results[0].Level, results[0].TOCPath
	} else if r.empty {
		out.SearchStats.Notes = append(out.SearchStats.Notes, "the question has only words that stand everywhere; name the thing that you look for")
	}
	out.SearchStats.QueryTimeMS = b.now().Sub(start).Seconds() * 1000
	return out, trace, nil
}

// wordless says whether the question has nothing to look for: only stop words or
// signs. What phase 0a then suggests ("getting started") is no answer to it.
func wordless(in contract.SearchInput) bool {
	question := in.Query[0]
	if in.Context != nil && in.Context.Question != "" {
		question = in.Context.Question
	}
	return len(analysis.New().Terms(question)) == 0
}

func (b *Builtin) now() time.Time {
	if b.Now == nil {
		return time.Time{}
	}
	return b.Now()
}

// run is one search.
type run struct {
	b       *Builtin
	ctx     context.Context
	in      contract.SearchInput
	queries []lexical.Query // of in, by what the doc sets have of it
	abbrs   []contract.Abbreviation
	opt     contract.SearchOptions
	asked   []store.Set

	documents int                // that were searched
	terms     map[string]float64 // idf of every term of the queries
	asks      [][]string         // the terms of each query that a title may have
	wants     *analysis.Wanted   // all of them
	texts     []string           // of the headings found, for the coverage
	notes     []string
	empty     bool    // the question itself has no term to look for
	nearest   bool    // none of its terms was found, but some that are spelled like them
	engine    string  // of the model whose vectors were looked at
	dense     float64 // their weight
	degraded  []contract.Degraded
}

func (r *run) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// over searches some doc sets and gives pages, best first.
func (r *run) over(sets []store.Set) ([]contract.Result, error) {
	sc, err := r.open(sets)
	if err != nil {
		return nil, err
	}
	limit := r.b.Headings
	if limit <= 0 {
		limit = defaultHeadings
	}
	s := lexical.Searcher{Readers: sc.readers, Params: r.b.Params}
	if err := r.ask(s); err != nil {
		return nil, err
	}
	hits, st, err := r.search(sc, s, 3*limit)
	if err != nil {
		return nil, err
	}
	grounded := r.grounded(st)
	if !grounded && !r.empty {
		q, err := r.nearestBySpelling(s)
		if err != nil {
			return nil, err
		}
		if len(q.Terms) > 0 {
			found, stats, err := s.Search(r.ctx, []lexical.Query{q}, 3*limit)
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				hits, st.Matched = bare(found), stats.Matched
				grounded, r.nearest, r.queries, r.engine = true, true, append(r.queries[:1:1], q), ""
				for i := range hits {
					hits[i].words = hits[i].Score
				}
			}
		}
		// What a model takes for near is what there is.
		grounded = grounded || r.engine != ""
	}
	r.documents = st.Documents
	r.terms = map[string]float64{}
	for _, t := range st.Terms {
		r.terms[t.Term] = t.IDF
	}
	r.written()
	r.asks = r.wanted()
	wants := map[string]int{}
	for _, ask := range r.asks {
		for _, t := range ask {
			wants[t] = 0
		}
	}
	r.wants = analysis.NewWanted(wants)
	if !grounded {
		return []contract.Result{}, nil
	}
	pages, err := r.gather(sc, hits)
	if err != nil {
		return nil, err
	}
	gone, unread := 0, 0
	var found []made
	for _, m := range r.all(s, trim(pages, limit)) {
		switch {
		case m.err != nil:
			return nil, m.err
		case m.fault == pageGone:
			gone++
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
	if n := r.opt.Limit; n > 0 && len(found) > n {
		found = found[:n]
	}
	results := make([]contract.Result, len(found))
	for i, m := range found {
		results[i] = m.res
		r.texts = append(r.texts, m.texts...)
	}
	// What is not there must not be served, and is missed by nobody who is not
	// told.
	if gone > 0 {
		if len(r.coverage(results).Covered) == 0 {
			results = []contract.Result{} // what had the question's words is gone
		}
		r.note("left out, for the files are gone: %d of the pages found (docent update takes them out of the index)", gone)
	}
	if unread > 0 {
		r.note("left out, for the files cannot be read: %d of the pages found (docent doctor says why)", unread)
	}
	return results, nil
}

// written adds the identifiers of the queries as they stand in texts, for finding
// the part of a passage that has them.
func (r *run) written() {
	a := r.b.analyzers.Get()
	defer r.b.analyzers.Put(a)
	for _, q := range r.queries {
		a.Each(q.Text, func(t analysis.Token) {
			if idf := r.terms[t.Term]; idf > 0 && t.Kind == analysis.Identifier {
				r.terms[analysis.Written(t)] = idf
			}
		})
	}
}

// grounded says whether a term that the question is about was found at all:
// expansions add words like "reference" and "guide", which stand everywhere and
// answer nothing by themselves.
func (r *run) grounded(st lexical.Stats) bool {
	if r.empty {
		// Nothing but small words: only a heading that is the question answers it.
		return slices.ContainsFunc(st.Terms, func(t lexical.TermStat) bool { return lexical.IsNameTerm(t.Term) && t.DF > 0 })
	}
	first := map[string]bool{}
	for _, t := range analysis.New().Terms(r.queries[0].Text) {
		first[t] = true
	}
	for _, t := range st.Terms {
		if t.DF > 0 && (first[t.Term] || !isFiller(t.Term)) {
			return true
		}
	}
	return false
}

// isFiller knows, by their stems, the words that say what kind of page is
// wanted.
func isFiller(term string) bool {
	switch term {
	case "refer", "guid", "document", "overview", "tutori", "exampl", "doc":
		return true
	}
	return false
}

// made is a page on the wire, or why there is none.
type made struct {
	res   contract.Result // no headings: nothing of it is left
	texts []string        // title, headings and text of what was found
	fault fault
	err   error
}

// fault says why a page cannot be served.
type fault int

const (
	pageGone   fault = iota + 1 // its file is not there
	pageUnread                  // its file cannot be read
)

// all makes the results, some at a time: they read files and know nothing of
// each other, so that the order in which they are done does not show.
func (r *run) all(s lexical.Searcher, pages []page) []made {
	out := make([]made, len(pages))
	var x *lexical.Explainer
	if r.opt.Explain {
		x = s.Explainer(r.queries)
	}
	parallel.Do(len(pages), func(mine iter.Seq[int]) {
		a := r.b.analyzers.Get()
		defer r.b.analyzers.Put(a)
		for i := range mine {
			if out[i].err = r.ctx.Err(); out[i].err == nil {
				out[i] = r.result(a, x, pages[i])
			}
		}
	})
	return out
}
