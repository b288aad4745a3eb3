// Package search is phase 1: optimised queries in, pages with headings out.
//
// Every query is asked of the word index with OR semantics and the scores are
// added, the query of rank r with weight 1/r² (a rank-weighted linear fusion:
// scores of one index over one vocabulary are comparable, so ranks need not
// stand in for them; with 1/r the expansions cost .007 nDCG@10 over ten
// documentation sets). The domain nouns are asked once more by themselves. The passages found are gathered to headings and pages.
//
// Spec 3's progressive fallback says on what evidence a page answers: level 1,
// its title or the heading found; level 2, its table of contents; 3.1, likewise
// in another doc set than those asked for; 3.2, its text alone. When the doc
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/library"
	"docent/store/catalog"
	"docent/store/doc"
	"docent/store/lexical"
	"docent/store/lexical/analysis"
)

// Library is what this phase needs of the opened home.
type Library interface {
	Sets(context.Context) ([]catalog.Set, error)
	Resolve(context.Context, []string) ([]catalog.Set, error)
	Reader(catalog.Set) (*lexical.Reader, error)
	Documents(context.Context, []int64) (map[int64]*catalog.Document, error)
	State(catalog.Set, *catalog.Document) (library.State, error)
	Page(ctx context.Context, set catalog.Set, path string) (*library.Page, error)
	Slices(set catalog.Set, path string, spans []doc.Span) ([]string, error)
}

// Limits of an answer.
const (
	defaultHeadings = 50 // candidates for reranking (spec 2's policy)
	passagesPerPage = 8  // headings of one page at most
	snippetRunes    = 240
	focus           = 2000 // bytes of a long passage that a snippet is looked for in
	nounWeight      = 1.0  // of the domain nouns, beside the first query's 1
	evidence        = 0.6  // of a query's weight that title or TOC must cover
)

// Builtin is phase 1 over the word index.
type Builtin struct {
	Library Library
	Params  lexical.Params
	Now     func() time.Time // nil: times are 0
}

// scope is the doc sets that are searched, with their indexes.
type scope struct {
	sets    []catalog.Set
	readers []*lexical.Reader
}

// open opens the indexes of doc sets. One that is damaged is left out, which
// is said; the error is for when nothing is left.
func (r *run) open(sets []catalog.Set) (scope, error) {
	var s scope
	var first error
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
	queries := weigh(in.Query, in.DomainNouns)
	if len(queries) == 0 {
		return out, contract.Trace{}, contract.EmptyQuery()
	}
	all, err := b.Library.Sets(ctx)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if len(all) == 0 {
		return out, contract.Trace{}, contract.Unavailable(nil, "there are no doc sets; add one with: docent add PATH")
	}
	names := splitNames(in.DocSets)
	sets := all
	if len(names) > 0 {
		if sets, err = b.Library.Resolve(ctx, names); err != nil {
			return out, contract.Trace{}, err
		}
	}
	explicit := in.Context != nil && in.Context.DocSetsExplicit || in.Context == nil && len(names) > 0
	run := &run{b: b, ctx: ctx, queries: queries, opt: opt, asked: sets}
	results, searched, err := run.over(sets)
	if err != nil {
		return out, contract.Trace{}, err
	}
	if len(sets) < len(all) && !explicit && (len(results) == 0 || results[0].Level == contract.LevelContent) {
		more, n, err := run.over(all)
		if err != nil {
			return out, contract.Trace{}, err
		}
		if len(more) > 0 && (len(results) == 0 || more[0].Level != contract.LevelContent) {
			results, searched = more, n
			run.note("nothing in %s has this in a title or table of contents; the other doc sets were searched too", in.DocSets)
		}
	}
	out.Success, out.Results = true, results
	for _, r := range results {
		out.TotalHits += len(r.Headings)
	}
	out.SearchStats = contract.SearchStats{TotalDocsSearched: searched, Coverage: run.coverage(in, results), Notes: run.notes}
	if len(results) > 0 {
		out.SearchStats.Level, out.SearchStats.TOCPath = results[0].Level, results[0].TOCPath
	} else if len(run.terms) == 0 {
		out.SearchStats.Notes = append(out.SearchStats.Notes, "the question has only words that stand everywhere; name the thing that you look for")
	}
	out.Context = in.Context
	if out.Context == nil {
		out.Context = &contract.Context{Question: in.Query[0], Queries: in.Query, Scene: in.Scene, DocSets: names, DocSetsExplicit: explicit}
		if in.RerankerThreshold > 0 {
			out.Context.RerankerThreshold = &in.RerankerThreshold
		}
		out.Context.RerankerEnabled = in.Reranker
	}
	out.SearchStats.QueryTimeMS = b.now().Sub(start).Seconds() * 1000
	return out, contract.Trace{}, nil
}

func (b *Builtin) now() time.Time {
	if b.Now == nil {
		return time.Time{}
	}
	return b.Now()
}

// weigh gives the queries their weights, and asks once more for the domain
// nouns alone: "how do I create a hook" is about hooks, and a page that is about
// creating something else is no answer.
func weigh(queries, nouns []string) []lexical.Query {
	var out []lexical.Query
	for i, q := range queries {
		if strings.TrimSpace(q) != "" {
			out = append(out, lexical.Query{Text: q, Weight: 1 / float64((i+1)*(i+1))})
		}
	}
	if text := strings.Join(nouns, " "); len(out) > 0 && text != "" {
		out = append(out, lexical.Query{Text: text, Weight: nounWeight})
	}
	return out
}

func splitNames(s string) []string {
	var out []string
	for _, n := range strings.Split(s, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// run is one search.
type run struct {
	b       *Builtin
	ctx     context.Context
	queries []lexical.Query
	opt     contract.SearchOptions
	asked   []catalog.Set
	terms   map[string]float64 // idf of every term of the queries
	asks    [][]string         // the terms of each query that a title may have
	texts   []string           // of the headings found, for the coverage
	notes   []string
}

func (r *run) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// over searches some doc sets and gives pages, best first.
func (r *run) over(sets []catalog.Set) ([]contract.Result, int, error) {
	sc, err := r.open(sets)
	if err != nil {
		return nil, 0, err
	}
	limit := defaultHeadings
	s := lexical.Searcher{Readers: sc.readers, Params: r.b.Params}
	hits, st, err := s.Search(r.ctx, r.queries, 3*limit)
	if err != nil {
		return nil, 0, err
	}
	r.terms = map[string]float64{}
	for _, t := range st.Terms {
		r.terms[t.Term] = t.IDF
	}
	r.asks = r.wanted()
	if !r.grounded(st) {
		return nil, st.Documents, nil
	}
	pages, err := r.gather(sc, hits)
	if err != nil {
		return nil, 0, err
	}
	pages = trim(pages, limit)
	made := r.all(s, pages)
	results := make([]contract.Result, 0, len(pages))
	r.texts = nil
	for _, m := range made {
		if m.err != nil {
			return nil, 0, m.err
		}
		if m.ok {
			results = append(results, m.res)
			r.texts = append(r.texts, m.texts...)
		}
	}
	if n := r.opt.Limit; n > 0 && len(results) > n {
		results = results[:n]
	}
	return results, st.Documents, nil
}

// grounded says whether a term that the question is about was found at all:
// expansions add words like "reference" and "guide", which stand everywhere and
// answer nothing by themselves.
func (r *run) grounded(st lexical.Stats) bool {
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
	res   contract.Result
	texts []string // title, headings and text of what was found
	ok    bool
	err   error
}

// all makes the results, some at a time: they read files and know nothing of
// each other, so that the order in which they are done does not show.
func (r *run) all(s lexical.Searcher, pages []page) []made {
	out := make([]made, len(pages))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(pages), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			a := analysis.New()
			for i := int(next.Add(1)) - 1; i < len(pages); i = int(next.Add(1)) - 1 {
				m := &out[i]
				m.res, m.ok, m.err = r.result(a, s, pages[i], &m.texts)
			}
		})
	}
	wg.Wait()
	return out
}

// page is a document with its best passage in each of its sections.
type page struct {
	set  catalog.Set
	d    *catalog.Document
	hits []lexical.Hit // one a section, best first
}

// gather groups passages to pages. Hits of documents that the catalog does not
// know any more are passed over. Ties break by documentPath, then chunkIndex.
func (r *run) gather(sc scope, hits []lexical.Hit) ([]page, error) {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Doc)
	}
	slices.Sort(ids)
	docs, err := r.b.Library.Documents(r.ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h lexical.Hit) bool {
		d := docs[h.Doc]
		return d == nil || h.Chunk >= len(d.Outline.Chunks)
	})
	where := func(h lexical.Hit) string { return sc.sets[h.Reader].Ref.String() + "/" + docs[h.Doc].Path }
	slices.SortFunc(hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(where(a), where(b)), cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.Part, b.Part))
	})
	var pages []page
	at := map[int64]int{}
	seen := map[[2]int64]bool{}
	for _, h := range hits {
		d := docs[h.Doc]
		section := [2]int64{h.Doc, int64(d.Outline.Chunks[h.Chunk].Section)}
		if seen[section] {
			continue
		}
		seen[section] = true
		i, ok := at[h.Doc]
		if !ok {
			i = len(pages)
			at[h.Doc] = i
			pages = append(pages, page{set: sc.sets[h.Reader], d: d})
		}
		if len(pages[i].hits) < passagesPerPage {
			pages[i].hits = append(pages[i].hits, h)
		}
	}
	return pages, nil
}

// trim keeps the pages until limit headings are together.
func trim(pages []page, limit int) []page {
	type ranked struct {
		page  int
		score float64
	}
	var all []ranked
	for i, p := range pages {
		for _, h := range p.hits {
			all = append(all, ranked{i, h.Score})
		}
	}
	if len(all) <= limit {
		return pages
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	keep := make([]int, len(pages))
	for _, x := range all[:limit] {
		keep[x.page]++
	}
	var out []page
	for i, p := range pages {
		if keep[i] > 0 {
			p.hits = p.hits[:keep[i]]
			out = append(out, p)
		}
	}
	return out
}

// result is a page on the wire; ok is false where its file is gone.
func (r *run) result(a *analysis.Analyzer, s lexical.Searcher, p page, found *[]string) (contract.Result, bool, error) {
	res := contract.Result{
		DocSet: p.set.Ref.String(), FilePath: p.d.Path, PageTitle: p.d.Title, URL: p.d.URL, TOCPath: p.d.TOCPath,
	}
	state, err := r.b.Library.State(p.set, p.d)
	if err != nil || state == library.Gone {
		// What cannot be read must not be served; doctor says why.
		return res, false, nil
	}
	outline := p.d.Outline
	var now *library.Page
	if state == library.Changed {
		if now, err = r.b.Library.Page(r.ctx, p.set, p.d.Path); err != nil {
			return res, false, nil
		}
		res.Changed, res.PageTitle, res.URL = true, now.Doc.Title, now.Doc.URL
	}
	texts, err := r.passages(p, now)
	if err != nil {
		return res, false, nil
	}
	for i, h := range p.hits {
		c := outline.Chunks[h.Chunk]
		sec := outline.Sections[c.Section]
		if now != nil {
			var ok bool
			if sec, c, ok = relocate(now, sec); !ok {
				continue
			}
		}
		text := Plain(analysis.Focus(texts[i], r.terms, focus))
		head := contract.Heading{
			Level: sec.Level, Text: sec.Heading(), Score: h.Score, Anchor: sec.Anchor, Path: sec.Path,
			Lines: [2]int{c.Span.StartLine, c.Span.EndLine}, Section: [2]int{sec.Span.StartLine, sec.Span.EndLine},
			ChunkIndex: c.Index, Signals: contract.Signals{Lexical: h.Score},
		}
		if sec.Level == 0 { // text before the first heading stands under the page's title
			head.Level, head.Text = 1, "# "+res.PageTitle
		}
		head.Snippet = r.snippet(text)
		*found = append(*found, res.PageTitle+"\n"+strings.Join(sec.Path, "\n")+"\n"+text)
		if r.opt.Explain {
			if head.Explain, err = r.explain(s, h); err != nil {
				return res, false, err
			}
		}
		res.Headings = append(res.Headings, head)
	}
	if len(res.Headings) == 0 {
		return res, false, nil
	}
	res.Level = r.level(a, p, res, outline)
	return res, true, nil
}

// passages reads the passages of a page's hits.
func (r *run) passages(p page, now *library.Page) ([]string, error) {
	out := make([]string, len(p.hits))
	if now != nil {
		for i, h := range p.hits {
			if _, c, ok := relocate(now, p.d.Outline.Sections[p.d.Outline.Chunks[h.Chunk].Section]); ok {
				out[i] = string(now.Source[c.Span.Start:c.Span.End])
			}
		}
		return out, nil
	}
	spans := make([]doc.Span, len(p.hits))
	for i, h := range p.hits {
		spans[i] = p.d.Outline.Chunks[h.Chunk].Span
	}
	return r.b.Library.Slices(p.set, p.d.Path, spans)
}

// relocate finds an indexed section in a page that changed: by its anchor.
func relocate(now *library.Page, old doc.Section) (doc.Section, doc.Chunk, bool) {
	for _, s := range now.Doc.Sections {
		if s.Anchor != old.Anchor || (s.Level == 0) != (old.Level == 0) {
			continue
		}
		for _, c := range now.Chunks {
			if c.Section == s.Index {
				return s, c, true
			}
		}
	}
	return doc.Section{}, doc.Chunk{}, false
}

// level says on what evidence a page answers.
func (r *run) level(a *analysis.Analyzer, p page, res contract.Result, outline catalog.Outline) string {
	inside := slices.ContainsFunc(r.asked, func(s catalog.Set) bool { return s.ID == p.set.ID })
	title := res.PageTitle + "\n" + p.d.H1 + "\n" + strings.Join(res.Headings[0].Path, "\n")
	if r.covers(a, title) {
		if inside {
			return contract.LevelTitle
		}
		return contract.LevelCross
	}
	var toc strings.Builder
	toc.WriteString(title)
	for _, s := range outline.Sections {
		toc.WriteByte('\n')
		toc.WriteString(s.Text)
	}
	if r.covers(a, toc.String()) {
		if inside {
			return contract.LevelTOC
		}
		return contract.LevelCross
	}
	return contract.LevelContent
}

// covers says whether a text has enough of one of the queries.
func (r *run) covers(a *analysis.Analyzer, text string) bool {
	have := map[string]bool{}
	for _, t := range a.Terms(text) {
		have[t] = true
	}
	for _, ask := range r.asks {
		var got, all float64
		for _, t := range ask {
			all += r.terms[t]
			if have[t] {
				got += r.terms[t]
			}
		}
		if all > 0 && got >= evidence*all {
			return true
		}
	}
	return false
}

// wanted gives the distinct terms of each query. Identifiers are looked for by
// their parts: a title has "Feature gates", not "--feature-gates".
func (r *run) wanted() [][]string {
	a := analysis.New()
	out := make([][]string, len(r.queries))
	for i, q := range r.queries {
		for _, t := range a.Tokens(q.Text) {
			if t.Kind != analysis.Stop && t.Kind != analysis.Identifier && !slices.Contains(out[i], t.Term) {
				out[i] = append(out[i], t.Term)
			}
		}
	}
	return out
}

func (r *run) explain(s lexical.Searcher, h lexical.Hit) (*contract.Explain, error) {
	parts, err := s.Explain(r.ctx, r.queries, h)
	if err != nil {
		return nil, err
	}
	e := &contract.Explain{Score: h.Score}
	for _, p := range parts {
		e.Parts = append(e.Parts, contract.ExplainPart{
			Query: r.queries[p.Query].Text, Weight: r.queries[p.Query].Weight, Field: p.Field.String(), Term: p.Term, Value: p.Value,
		})
	}
	return e, nil
}
