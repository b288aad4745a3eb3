// Package extract is phase 2: it reads whole documents, by title or for the results
// of phase 1.5.
//
// Contents are the renditions of the files as they are now, never the index. A
// document that changed since it was indexed is marked. Lines are counted over all
// documents; above the threshold the extraction says requires_processing.
//
// It refuses to shorten anything.
package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
)

// Corpus is the part of corpus.Corpus that this phase uses.
type Corpus interface {
	Sets(context.Context) ([]store.Set, error)
	Resolve(context.Context, []string) ([]store.Set, error)
	Source(ctx context.Context, set store.Set, path string) (*corpus.Page, error)
	Titled(ctx context.Context, set store.Set, title string) ([]store.Document, error)
}

// Builtin is phase 2 over the corpus.
type Builtin struct{ Corpus Corpus }

// wanted is one document to extract, with the headings that were found in it.
type wanted struct {
	set      store.Set
	path     string
	headings []contract.Heading
}

// Extract is phase 2.
func (b *Builtin) Extract(ctx context.Context, in contract.ExtractInput) (contract.Extraction, contract.Trace, error) {
	out := contract.Extraction{Contents: map[string]string{}, IndividualCounts: map[string]int{},
		Documents: []contract.Extracted{}, NotFound: []string{}, Context: in.Context}
	threshold := contract.ExtractThreshold
	if in.Threshold != nil {
		if threshold = *in.Threshold; threshold < 0 {
			return out, contract.Trace{}, contract.Invalid("threshold", "the threshold is %d lines, it must be at least 0", threshold)
		}
	}
	if in.MaxDocs < 0 {
		return out, contract.Trace{}, contract.Invalid("max_docs", "max_docs is %d, it must be at least 1", in.MaxDocs)
	}
	list, err := b.chooseDocuments(ctx, in, &out)
	if err != nil {
		return out, contract.Trace{}, err
	}
	var pages []*corpus.Page
	var found [][]contract.Heading
	var unread []string
	for _, w := range list {
		p, err := b.Corpus.Source(ctx, w.set, w.path)
		if err != nil && ctx.Err() != nil {
			return out, contract.Trace{}, ctx.Err()
		}
		if durable.Exhausted(err) {
			return out, contract.Trace{}, err
		}
		if err != nil {
			// One unreadable document does not fail the others.
			out.NotFound = append(out.NotFound, w.set.Ref.String()+"/"+w.path)
			if !errors.Is(err, corpus.ErrPageGone) && !errors.Is(err, store.ErrNotFound) {
				unread = append(unread, err.Error())
			}
			continue
		}
		pages = append(pages, p)
		found = append(found, w.headings)
	}
	for i, key := range contentKeys(pages) {
		p := pages[i]
		content := string(p.Doc.Text)
		lines := doc.CountLines(p.Doc.Text)
		e := contract.Extracted{
			Title: p.Doc.Title, DocSet: p.Set.Ref.String(), Version: p.Set.Ref.Version, FilePath: p.Path, URL: p.Doc.URL,
			Lines: lines, SHA256: p.SHA256, Changed: p.Changed, Layout: string(p.Set.Layout), Headings: found[i],
			Generator: doc.GeneratorOf(p.Set.Site),
		}
		if key != e.Title {
			e.Key = key
		}
		if p.Doc.Format != doc.FormatMarkdown {
			e.Format = p.Doc.Format
			e.Runs = contract.SourceRuns(p.Doc.Map)
			e.Anchors = contract.LineAnchors(p.Doc.Sections)
		}
		if !utf8.ValidString(content) {
			// JSON cannot hold other bytes; cite and verify see the same text.
			content = strings.ToValidUTF8(content, "\uFFFD")
		}
		out.Contents[key], out.IndividualCounts[key] = content, lines
		out.TotalLineCount += lines
		out.Documents = append(out.Documents, e)
	}
	out.RequiresProcessing = out.TotalLineCount > threshold
	out.Summary = summaryForDebugging(out, threshold, unread)
	return out, contract.Trace{}, nil
}

// contentKeys gives each page its key in contents: its title, or Name@version/Title if two
// pages share the title, or Name@version/path if they share that too.
func contentKeys(pages []*corpus.Page) []string {
	out := make([]string, len(pages))
	forms := []func(*corpus.Page) string{
		func(p *corpus.Page) string { return p.Doc.Title },
		func(p *corpus.Page) string { return p.Set.Ref.String() + "/" + p.Doc.Title },
		func(p *corpus.Page) string { return p.Set.Ref.String() + "/" + p.Path },
	}
	taken := map[string]bool{}
	for _, form := range forms {
		count := map[string]int{}
		for _, p := range pages {
			count[form(p)]++
		}
		for i, p := range pages {
			if key := form(p); out[i] == "" && key != "" && count[key] == 1 && !taken[key] {
				out[i], taken[key] = key, true
			}
		}
	}
	for i, p := range pages { // a title may equal another page's path
		for n := 2; out[i] == ""; n++ {
			if key := fmt.Sprintf("%s/%s~%d", p.Set.Ref, p.Path, n); !taken[key] {
				out[i], taken[key] = key, true
			}
		}
	}
	return out
}

// chooseDocuments says which documents to extract: those of the results, or by title.
func (b *Builtin) chooseDocuments(ctx context.Context, in contract.ExtractInput, out *contract.Extraction) ([]wanted, error) {
	limit := in.MaxDocs
	if limit == 0 {
		limit = contract.DefaultMaxDocs
	}
	if len(in.PageTitles) > 0 {
		return b.findByTitle(ctx, in, limit, out)
	}
	var list []wanted
	stubs := map[wantedPage]bool{}
	results := in.Results
	if in.Sections {
		results = slices.Concat(in.Results, in.Near)
	}
	for i, r := range results {
		if r.Listed {
			continue
		}
		ref, err := doc.ParseRef(r.DocSet)
		if err != nil || ref.Version == "" {
			return nil, contract.Invalid(fmt.Sprintf("results[%d].doc_set", i), "results[%d].doc_set is %q, it must be Name@version", i,
				r.DocSet)
		}
		if len(r.Headings) == 0 { // nothing was found in it
			continue
		}
		sets, err := b.Corpus.Resolve(ctx, []string{r.DocSet})
		if e, ok := errors.AsType[*contract.Error](err); ok && e.Code == contract.CodeInvalidRequest {
			// The doc set was removed after the search.
			out.NotFound = append(out.NotFound, r.DocSet+"/"+r.FilePath)
			continue
		}
		if err != nil {
			return nil, err
		}
		w := wanted{sets[0], r.FilePath, bareHeadings(r.Headings)}
		at := slices.IndexFunc(list, func(o wanted) bool { return o.set.ID == w.set.ID && o.path == w.path })
		if at < 0 {
			list = append(list, w)
			stubs[wantedPage{w.set.ID, w.path}] = r.Stub
		} else if i >= len(in.Results) {
			list[at].headings = append(list[at].headings, w.headings...)
		}
	}
	list = withoutStubs(list, limit, func(w wanted) bool { return stubs[wantedPage{w.set.ID, w.path}] })
	return spreadOverSets(list, limit, in.Context), nil
}

// wantedPage names a page.
type wantedPage struct {
	set  int64
	path string
}

// withoutStubs leaves out pages that have almost no text, as far as there are others.
func withoutStubs(list []wanted, limit int, stub func(wanted) bool) []wanted {
	room := limit
	for _, w := range list {
		if !stub(w) {
			room--
		}
	}
	return slices.DeleteFunc(list, func(w wanted) bool {
		if !stub(w) {
			return false
		}
		room--
		return room < 0
	})
}

// bareHeadings are headings without what explains their scores.
func bareHeadings(headings []contract.Heading) []contract.Heading {
	out := slices.Clone(headings)
	for i := range out {
		out[i].Snippet, out[i].Explain, out[i].Signals = "", nil, contract.Signals{}
	}
	return out
}

// spreadOverSets limits the list. If a person named several doc sets, the best document of
// each is taken first, so that a comparison has documents of both.
func spreadOverSets(list []wanted, limit int, c *contract.Context) []wanted {
	if len(list) <= limit {
		return list
	}
	if c == nil || !c.DocSetsExplicit || len(c.DocSets) < 2 {
		return list[:limit]
	}
	picked := make([]bool, len(list))
	seen := map[int64]bool{}
	n := 0
	for i, w := range list {
		if n < limit && !seen[w.set.ID] {
			seen[w.set.ID], picked[i] = true, true
			n++
		}
	}
	for i := range list {
		if n < limit && !picked[i] {
			picked[i] = true
			n++
		}
	}
	var out []wanted
	for i, w := range list {
		if picked[i] {
			out = append(out, w)
		}
	}
	return out
}

// findByTitle finds documents by title, Name@version/Title or Name@version/path. Titles
// that are not found are added to out.NotFound; a document is taken once.
func (b *Builtin) findByTitle(ctx context.Context, in contract.ExtractInput, limit int, out *contract.Extraction) ([]wanted, error) {
	var names []string
	for _, n := range strings.Split(in.DocSets, ",") {
		if n = strings.TrimSpace(n); n != "" {
			names = append(names, n)
		}
	}
	sets, err := b.Corpus.Sets(ctx)
	if len(names) > 0 && err == nil {
		sets, err = b.Corpus.Resolve(ctx, names)
	}
	if err != nil {
		return nil, err
	}
	if in.MaxDocs == 0 {
		limit = max(limit, len(in.PageTitles)) // a named document is never cut off
	}
	var list []wanted
	add := func(found []wanted) {
		for _, w := range found {
			if len(list) < limit && !slices.ContainsFunc(list, func(o wanted) bool { return o.set.ID == w.set.ID && o.path == w.path }) {
				list = append(list, w)
			}
		}
	}
	// One document of each title first: a title in many doc sets must not use up
	// the limit.
	var others []wanted
	for _, title := range in.PageTitles {
		found, err := b.findPages(ctx, sets, title)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			out.NotFound = append(out.NotFound, title)
			continue
		}
		add(found[:1])
		others = append(others, found[1:]...)
	}
	add(others)
	return list, nil
}

func (b *Builtin) findPages(ctx context.Context, sets []store.Set, title string) ([]wanted, error) {
	var found []wanted
	for _, set := range sets {
		rest, qualified := strings.CutPrefix(title, set.Ref.String()+"/")
		if !qualified {
			rest, qualified = strings.CutPrefix(title, set.Ref.ColonForm()+"/")
		}
		docs, err := b.Corpus.Titled(ctx, set, rest)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			found = append(found, wanted{set: set, path: d.Path})
		}
		if qualified && len(docs) == 0 {
			if _, err := b.Corpus.Source(ctx, set, rest); err == nil {
				found = append(found, wanted{set: set, path: rest})
			}
		}
	}
	return found, nil
}

// summaryForDebugging is spec 3's to_summary(): for a person who debugs.
func summaryForDebugging(e contract.Extraction, threshold int, unread []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "documents: %d, lines in all: %d (threshold %d): ", len(e.Documents), e.TotalLineCount, threshold)
	if e.RequiresProcessing {
		b.WriteString("processing required")
	} else {
		b.WriteString("no processing required")
	}
	for _, d := range e.Documents {
		fmt.Fprintf(&b, "\n  %s (%s): %d lines", d.ContentKey(), d.DocSet, d.Lines)
		if d.Changed {
			b.WriteString(", changed since it was indexed")
		}
	}
	for _, n := range e.NotFound {
		fmt.Fprintf(&b, "\n  not found: %s", n)
	}
	for _, u := range unread {
		fmt.Fprintf(&b, "\n  %s", u)
	}
	return b.String()
}
