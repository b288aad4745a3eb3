// Package process is phases 2.5 and 3: it checks whether an extraction must be
// shortened, and shortens it to what the question is about.
//
// It refuses to write: what comes out is whole lines of the sources in their
// order, and lines that say which of them are left out; only where a person lets a
// model write (see summarize.go) also what it wrote, marked. It never cuts a block
// (paragraph, list, table, code, admonition), and reads no files.
//
// Terms. A unit is a block of a page with its lines: kept or left out whole. An
// omission is a run of lines that is left out, marked by a line
// "[… lines A–B omitted …]". A budget is what the result may take, in lines and
// in tokens, omission lines included.
//
// # What is kept
//
// Units are scored against the words of the question and of its queries (see
// score.go). For each document, as far as its part of the budget goes:
//
//  1. its title, source line and front matter;
//  2. its best section whole, or that section's best units where it is too long;
//  3. further sections that the question's words stand in, best first, likewise;
//     if the person asked for compression, none that scores under a quarter of
//     the best section of all documents;
//  4. unless the person asked for compression: headings and the beginnings of
//     sections. Where nothing in any page has to do with the question (or there
//     is none): these too, and what follows the beginnings.
//
// A kept unit brings its section's heading and those above it, and, if the
// section is not kept whole, that section's warnings; code brings the paragraph
// before it (two, if the nearer one is but a file's name), and a paragraph that
// ends in a colon brings what follows. Where a
// unit is too long for what is left of the budget, it is left out and marked: a
// code block longer than the whole budget is never cut.
//
// # How much is kept
//
// More than 2000 lines are compressed to at most 2000. Where compression
// is asked for, the aim is half the lines, at most 2000; the most relevant
// document's title and best section are kept even where they are longer than
// that half. A page whose every section is needed may so come out whole.
//
// Several documents share a budget by their relevance: the most relevant one
// has the biggest share, and each at least its title and best section, if these
// take no more than an even part of half the budget. What one leaves of its
// share goes to the next. With a budget so small that not even titles fit, the less relevant
// documents shrink to one omission line.
package process

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// Options are what a Builtin needs. Preference and Structure come from the packages that
// read questions and pages.
type Options struct {
	// Preference reads from a question whether it asks for the full text or a
	// compressed one. nil: no question asks for either.
	Preference func(text string) (full, compress bool)
	// Structure reads the sections and blocks of a page's text by the rule of the
	// page's format. nil, an error or impossible spans: blocks are told by blank
	// lines and fences alone.
	Structure func(ctx context.Context, text []byte, format doc.Format) (doc.Document, error)
	// Terms cuts text into what is compared. nil: words, identifiers and CJK
	// bigrams (see Terms).
	Terms func(text string) []string
	// Limit is the lines that pass unchanged, and the most that compression
	// leaves. 0: contract.ProcessLimit.
	Limit int
	// Overhead is the tokens that citing adds to these documents' contents. nil:
	// a generous estimate from their names.
	Overhead func(documents []contract.Extracted) int
}

// Builtin is phases 2.5 and 3 without a model. It is safe for concurrent use
// if its options are.
type Builtin struct{ o Options }

// New makes a Builtin.
func New(o Options) *Builtin {
	if o.Preference == nil {
		o.Preference = func(string) (bool, bool) { return false, false }
	}
	if o.Terms == nil {
		o.Terms = Terms
	}
	if o.Limit <= 0 {
		o.Limit = contract.ProcessLimit
	}
	if o.Overhead == nil {
		o.Overhead = estimateOverhead
	}
	return &Builtin{o: o}
}

// Check is phase 2.5: process where the extraction says so, where compression
// is wanted (by flag or by the question, unless the full text is wanted too),
// and where a budget of tokens is exceeded; skip otherwise. The extraction is
// handed on with its lines counted again (see counts).
func (b *Builtin) Check(ex contract.Extraction, w contract.Preferences) (contract.Check, error) {
	if w.MaxTokens < 0 {
		return contract.Check{}, contract.Invalid("max_tokens", "a budget of %d tokens makes no sense; give a positive number, or 0 for none", w.MaxTokens)
	}
	if err := counts(&ex); err != nil {
		return contract.Check{}, err
	}
	docs, err := documents(ex)
	if err != nil {
		return contract.Check{}, err
	}
	full, compress := b.preferences(ex.Context, w.Full, w.Compress || w.Summarize)
	ck := contract.Check{Action: contract.ActionSkip, TotalLineCount: ex.TotalLineCount, CompressionRequested: compress,
		FullRequested: full, Summarize: w.Summarize && !full, MaxTokens: w.MaxTokens, Extraction: ex, Context: ex.Context}
	switch {
	case compress:
		ck.Action, ck.Reason = contract.ActionProcess, "compression is wanted"
	case ex.RequiresProcessing && ck.TotalLineCount > contract.ExtractThreshold:
		ck.Action, ck.Reason = contract.ActionProcess, counted(ck.TotalLineCount, "line")+" together, more than phase 2's threshold"
	case ex.RequiresProcessing: // its threshold may have been another one, or none
		ck.Action, ck.Reason = contract.ActionProcess, "phase 2 asks for processing ("+counted(ck.TotalLineCount, "line")+")"
	case b.overBudget(ex, docs, w.MaxTokens):
		ck.Action, ck.Reason = contract.ActionProcess, "the answer would take "+counted(b.tokens(ex, docs), "token")+", more than the budget"
	case full:
		ck.Reason = "the full text is wanted, and phase 2 asks for no processing"
	default:
		ck.Reason = counted(ck.TotalLineCount, "line") + ", and nobody asked for compression"
	}
	return ck, nil
}

// Process is phase 3. Its contents are the extraction's own, or compressed
// ones; documents stand in the extraction's order. What the context's question
// asks for is looked up again, so that a bare input works.
//
// A full text that exceeds a budget of tokens is an invalid request, and so is
// a budget that the citations alone exceed.
func (b *Builtin) Process(ctx context.Context, ck contract.Check) (contract.Processed, contract.Trace, error) {
	return b.process(ctx, ck, helpers{})
}

// helpers change what the built-in way does: choose the worth of sections before
// the budget is spent, write what stands in place of some after it. Either may be
// nil.
type helpers struct {
	choose func(context.Context, *contract.Context, []*page) (contract.Trace, error)
	write  func(context.Context, *contract.Context, []*page) (contract.Trace, error)
}

func (b *Builtin) process(ctx context.Context, ck contract.Check, help helpers) (contract.Processed, contract.Trace, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	ex := ck.Extraction
	if ck.Context == nil {
		ck.Context = ex.Context
	}
	docs, err := documents(ex)
	if err != nil {
		return contract.Processed{}, trace, err
	}
	out := contract.Processed{Action: contract.ActionUnchanged, Contents: maps.Clone(ex.Contents), LineCount: totalLines(ex),
		Omitted: []contract.Omission{}, Documents: docs, Context: ck.Context}
	if out.Contents == nil {
		out.Contents = map[string]string{}
	}
	full, compress := b.preferences(ck.Context, ck.FullRequested, ck.CompressionRequested)
	if full {
		out.Action = contract.ActionFull
	}
	over := b.overBudget(ex, docs, ck.MaxTokens)
	switch {
	case full && over:
		return contract.Processed{}, trace, contract.Invalid("max_tokens",
			"the full text takes %d tokens and the budget is %d; raise --max-tokens, ask for fewer documents with --max-docs, or do not ask for the full text",
			b.tokens(ex, docs), ck.MaxTokens)
	case full, len(docs) == 0, ck.Action == contract.ActionSkip && !over:
		return out, trace, nil
	case !compress && !over && out.LineCount <= b.o.Limit:
		return out, trace, nil
	}
	limit := budget{lines: b.o.Limit, quarters: unlimited}
	if ck.MaxTokens > 0 {
		limit.quarters = 4*(ck.MaxTokens-b.o.Overhead(docs)) - len(docs) // a newline may be added to each content
		if limit.quarters < 0 {
			return contract.Processed{}, trace, contract.Invalid("max_tokens",
				"a budget of %d tokens is less than the citations of %s take (%d); raise --max-tokens or ask for fewer documents with --max-docs",
				ck.MaxTokens, counted(len(docs), "document"), b.o.Overhead(docs))
		}
	}
	pages, err := b.pages(ctx, ex, docs, ck.Context)
	if err != nil {
		return contract.Processed{}, trace, err
	}
	assist := func(do func(context.Context, *contract.Context, []*page) (contract.Trace, error)) error {
		if do == nil {
			return nil
		}
		t, err := do(ctx, ck.Context, pages)
		if t.Engine != "" && t.Engine != contract.EngineBuiltin {
			trace.Engine = t.Engine
		}
		trace.Degraded = append(trace.Degraded, t.Degraded...)
		return err
	}
	if err := assist(help.choose); err != nil {
		return contract.Processed{}, trace, err
	}
	if err := compressAll(ctx, pages, limit, compress); err != nil {
		return contract.Processed{}, trace, err
	}
	if ck.Summarize {
		if err := assist(help.write); err != nil {
			return contract.Processed{}, trace, err
		}
	}
	out.Action, out.LineCount = contract.ActionCompressed, 0
	spent := 0
	for _, p := range pages {
		text, omitted := p.render()
		spent += quarters(text)
		out.Contents[p.key] = text
		out.LineCount += doc.CountLines([]byte(text))
		for _, o := range omitted {
			out.Omitted = append(out.Omitted, contract.Omission{Title: p.key, Lines: o})
		}
	}
	if spent > limit.quarters || out.LineCount > limit.lines {
		return contract.Processed{}, trace, contract.Invalid("max_tokens",
			"the budget is too small to name even what is left out of %s; raise it or ask for fewer documents with --max-docs", counted(len(docs), "document"))
	}
	return out, trace, nil
}

// preferences joins flags and the question's words; full wins.
func (b *Builtin) preferences(c *contract.Context, full, compress bool) (bool, bool) {
	if c != nil {
		f, s := b.o.Preference(c.Question)
		full, compress = full || f, compress || s
	}
	return full, compress && !full
}

// documents are the extraction's, in its order; contents that no document
// names follow in the order of their keys, so that nothing is lost in a bare
// input.
func documents(ex contract.Extraction) ([]contract.Extracted, error) {
	docs := make([]contract.Extracted, 0, len(ex.Contents))
	seen := make(map[string]bool, len(ex.Contents))
	for _, d := range ex.Documents {
		key := d.ContentKey()
		if _, ok := ex.Contents[key]; !ok {
			return nil, contract.Invalid("extraction", "there is no content for the document %q; give phase 2's output as it is", key)
		}
		if seen[key] {
			return nil, contract.Invalid("extraction", "two documents share the content %q; give phase 2's output as it is", key)
		}
		seen[key] = true
		docs = append(docs, d)
	}
	for _, key := range slices.Sorted(maps.Keys(ex.Contents)) {
		if !seen[key] {
			docs = append(docs, contract.Extracted{Title: key, Lines: doc.CountLines([]byte(ex.Contents[key]))})
		}
	}
	return docs, nil
}

// counts makes an extraction's numbers those of its contents, so that they
// agree with each other whoever wrote them, and its lists lists. What is its own
// is copied before it is changed. A negative number is an error.
func counts(ex *contract.Extraction) error {
	negative := func(field string, n int) error {
		return contract.Invalid(field, "%s is %d, a count of lines is at least 0", field, n)
	}
	if ex.TotalLineCount < 0 {
		return negative("total_line_count", ex.TotalLineCount)
	}
	for _, key := range slices.Sorted(maps.Keys(ex.IndividualCounts)) {
		if n := ex.IndividualCounts[key]; n < 0 {
			return negative("individual_counts."+key, n)
		}
	}
	for i, d := range ex.Documents {
		if d.Lines < 0 {
			return negative(fmt.Sprintf("documents[%d].lines", i), d.Lines)
		}
	}
	each := make(map[string]int, len(ex.Contents))
	for key, text := range ex.Contents {
		each[key] = doc.CountLines([]byte(text))
	}
	docs := append([]contract.Extracted{}, ex.Documents...)
	same := maps.Equal(each, ex.IndividualCounts)
	for i, d := range docs {
		if n, ok := each[d.ContentKey()]; ok && n != d.Lines {
			docs[i].Lines, same = n, false
		}
	}
	total := totalLines(*ex)
	if (!same || total != ex.TotalLineCount) && ex.Summary != "" {
		ex.Summary = fmt.Sprintf("documents: %d, lines in all: %d (counted again)", len(each), total)
	}
	ex.TotalLineCount, ex.IndividualCounts, ex.Documents = total, each, docs
	if ex.NotFound == nil {
		ex.NotFound = []string{}
	}
	return nil
}

// totalLines counts again: the number in the input is data.
func totalLines(ex contract.Extraction) int {
	n := 0
	for _, text := range ex.Contents {
		n += doc.CountLines([]byte(text))
	}
	return n
}

func (b *Builtin) overBudget(ex contract.Extraction, docs []contract.Extracted, maxTokens int) bool {
	return maxTokens > 0 && len(docs) > 0 && b.tokens(ex, docs) > maxTokens
}

// tokens is what the final block of the whole extraction takes.
func (b *Builtin) tokens(ex contract.Extraction, docs []contract.Extracted) int {
	q := len(docs)
	for _, text := range ex.Contents {
		q += quarters(text)
	}
	return b.o.Overhead(docs) + (q+3)/4
}
