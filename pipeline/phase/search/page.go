package search

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
	"docent/store/durable"
	"docent/store/wordsearch"
)

// result makes the result for a page from its file.
func (r *run) result(ctx context.Context, a *analysis.Analyzer, x *wordsearch.Search, p page) made {
	res := contract.Result{
		DocSet: p.set.Ref.String(), FilePath: p.d.Path, PageTitle: p.d.Title, URL: p.d.URL, TOCPath: p.d.TOCPath,
	}
	state, err := r.stateOf(ctx, p)
	if err != nil || state == corpus.Gone {
		return r.missing(ctx, err)
	}
	h1, sections := p.d.H1, p.d.Outline.Sections
	var now *corpus.Page
	if state == corpus.Changed {
		if now, err = r.b.Corpus.Page(ctx, p.set, p.d.Path); err != nil {
			return r.missing(ctx, err)
		}
		res.Changed, res.PageTitle, res.URL = true, now.Doc.Title, now.Doc.URL
		h1, sections = now.Doc.H1, now.Doc.Sections
	}
	texts, err := r.passages(ctx, p, now)
	if err != nil {
		return r.missing(ctx, err)
	}
	var found []string
	for i, h := range p.hits {
		chunks := p.d.Outline.Chunks
		c := chunks[h.Chunk]
		sec := p.d.Outline.Sections[c.Section]
		if now != nil {
			var ok bool
			if sec, c, ok = relocate(now, sec); !ok {
				continue
			}
			chunks = now.Chunks
		}
		text := plainPreview(analysis.FocusWindow(texts[i], r.terms, focus))
		head := contract.Heading{
			Level: sec.Level, Text: sec.Heading(), Score: h.Score, Anchor: sec.Anchor, Path: sec.Path,
			Lines: [2]int{c.Span.StartLine, c.Span.EndLine}, Section: [2]int{sec.Span.StartLine, sec.Span.EndLine},
			ChunkIndex: c.Index, Signals: contract.Signals{Lexical: h.words, Feedback: h.Aside, Semantic: h.semantic, Model: h.model},
		}
		document := res.DocSet + "/" + res.FilePath
		head.SpanID, head.SpanType = doc.SpanID(document, sections, chunks, c.Index), c.Kind.SpanType()
		if now == nil {
			head.Parameter = r.parameter(p.d.ID, c.Section)
		}
		head.Neighbors = r.neighbors(document, sections, chunks, c.Index, texts[i])
		if sec.Level == 0 { // text before the first heading stands under the page's title
			head.Level, head.Text = 1, "# "+res.PageTitle
		}
		head.Snippet = r.resultMaker().snippet(text)
		if rest := behindMetadata(texts[i]); rest != texts[i] && c.Span.StartLine == 1 {
			head.Snippet = r.resultMaker().snippet(plainPreview(analysis.FocusWindow(rest, r.terms, focus)))
		}
		found = append(found, res.PageTitle+"\n"+strings.Join(sec.Path, "\n")+"\n"+text)
		if x != nil {
			if head.Explain, err = r.explain(ctx, x, h); err != nil {
				return made{err: err}
			}
		}
		res.Headings = append(res.Headings, head)
	}
	if err := r.deprecated(ctx, p, now, sections, res.Headings); err != nil {
		return r.missing(ctx, err)
	}
	if len(res.Headings) > 0 {
		for _, ref := range p.also {
			res.Also = append(res.Also, ref.String())
		}
		res.Copies = p.copies
		res.Stub = state == corpus.Same && p.d.Words == 0
		res.Level = r.resultMaker().evidenceLevel(a, p.set, res, h1, sections)
	}
	return made{res: res, texts: found}
}

// stateOf compares a page's file with the catalog. One that lies on another machine counts as it was
// indexed there: it is found, by its headings and without its text.
func (r *run) stateOf(ctx context.Context, p page) (corpus.State, error) {
	if p.set.Host != "" {
		return corpus.Same, nil
	}
	return r.b.Corpus.State(ctx, p.set, p.d)
}

// elsewhere are the doc sets of pages whose files another machine has.
func elsewhere(pages []page) (out []store.Set) {
	for _, p := range pages {
		if p.set.Host != "" && !slices.ContainsFunc(out, func(s store.Set) bool { return s.ID == p.set.ID }) {
			out = append(out, p.set)
		}
	}
	return out
}

// missing says why a page cannot be served: err is nil where its file is gone.
func (r *run) missing(ctx context.Context, err error) made {
	switch {
	case ctx.Err() != nil:
		return made{err: ctx.Err()}
	case durable.Exhausted(err): // the state of the page is unknown
		return made{err: err}
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, corpus.ErrPageGone), errors.Is(err, store.ErrNotFound):
		return made{fault: pageGone}
	}
	return made{fault: pageUnread}
}

// noteGone says which pages found are left out, for their files are gone. Where the whole
// folder of a doc set is not there, an update does not help. It also says of which doc sets found
// another machine has the files.
func (r *run) noteGone(gone, found []page) {
	for _, s := range elsewhere(found) {
		r.note("the files of %s lie on %s: its pages are found here, and their text is not shown; ask there", s.Ref, s.Host)
	}
	var moved []store.Set
	alone := 0
	for _, p := range gone {
		switch _, err := os.Stat(p.set.Root); {
		case !errors.Is(err, fs.ErrNotExist):
			alone++
		case !slices.ContainsFunc(moved, func(s store.Set) bool { return s.ID == p.set.ID }):
			moved = append(moved, p.set)
		}
	}
	for _, s := range moved {
		r.note("the pages of %s are left out, for its folder %s is not there: bring the folder back, add it from its new place "+
			"under the name %s, or have the doc set forgotten", s.Ref, s.Root, s.Ref)
	}
	if alone > 0 {
		r.note("left out, for the files are gone: %d of the pages found (an update takes them out of the index)", alone)
	}
}

// passages reads the passages of a page's hits.
func (r *run) passages(ctx context.Context, p page, now *corpus.Page) ([]string, error) {
	out := make([]string, len(p.hits))
	if now != nil {
		for i, h := range p.hits {
			if _, c, ok := relocate(now, p.d.Outline.Sections[p.d.Outline.Chunks[h.Chunk].Section]); ok {
				out[i] = string(now.Doc.Text[c.Span.Start:c.Span.End])
			}
		}
		return out, nil
	}
	spans := make([]doc.Span, len(p.hits))
	for i, h := range p.hits {
		spans[i] = p.d.Outline.Chunks[h.Chunk].Span
	}
	return r.slices(ctx, p, nil, spans)
}

// relocate finds an indexed section in a page that changed: by its anchor.
func relocate(now *corpus.Page, old doc.Section) (doc.Section, doc.Chunk, bool) {
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

// addPart adds a part to those of an explanation. What differs only in its value is one part: several
// words of a question may have the same word of the documentation in their place.
func addPart(parts []contract.ExplainPart, p contract.ExplainPart) []contract.ExplainPart {
	for i, other := range parts {
		if other.Value = p.Value; other == p {
			parts[i].Value += p.Value
			return parts
		}
	}
	return append(parts, p)
}

func (r *run) explain(ctx context.Context, x *wordsearch.Search, h hit) (*contract.Explain, error) {
	parts, err := x.Explain(ctx, h.Hit)
	if err != nil {
		return nil, err
	}
	e := &contract.Explain{Score: h.Score}
	for _, p := range parts {
		e.Parts = addPart(e.Parts, contract.ExplainPart{
			Query: r.Queries[p.Query].Label(), Weight: r.Queries[p.Query].Weight, Field: p.Field.String(), Term: p.Term, Value: p.Value,
		})
	}
	if h.modelShare > 0 {
		e.Parts = append(e.Parts, contract.ExplainPart{Query: r.Queries[0].Text, Weight: h.modelShare / h.model, Field: "model",
			Term: "cosine", Input: h.model, Value: h.modelShare})
	}
	if h.share > 0 {
		e.Parts = append(e.Parts, contract.ExplainPart{Query: r.Queries[0].Text, Weight: h.share / h.semantic, Field: "meaning",
			Term: "cosine", Input: h.semantic, Value: h.share})
	}
	return e, nil
}
