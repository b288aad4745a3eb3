// Package process is phases 2.5 and 3: it checks whether an extraction is too long,
// and compresses it to the parts that the question is about.
//
// The result is whole lines of the documents, with an omission line in place of every
// run of lines that was left out. The only text that is not the documents' is a
// model's summary, where a person allows it, between two lines that mark it (see
// summarize.go). The package reads no files and refuses to search.
//
// Terms. A block is a paragraph, list, table, code or admonition of a page. A unit is
// a block, or a row or item of a long table or list; it is kept or left out as a
// whole. An omission is a run of lines that is left out, replaced by a line
// "[… lines A–B omitted …]". A budget is the most lines and tokens of the result,
// omission lines included. The extent of an answer is documents or sections.
//
// # Kept lines
//
// The order is that of phase 1.5, over all documents: sections that it kept come first
// by their rerank_sim (see filler.priority), then sections by the words of the
// question and of its queries (see score.go). No document has a share of its own; one
// of which nothing is kept is not in the result, and so not cited. If a question has
// sides (two questions in one, a comparison), the best section of each comes first
// (see sides.go). Kept are, until the budget is used:
//
//  1. of the best sections the part that answers: the whole section if it is short,
//     else the row or item that documents the parameter which is asked for, else the
//     passage that phase 1.5 judged, else its best units. The best section
//     takes at most half of the budget, any other a third;
//  2. these sections whole, and further sections with words of the question; if a
//     person asked for compression, only those with at least a quarter of the best
//     section's score;
//  3. unless a person asked for compression: headings and the first unit of each
//     section. If no page has a word of the question, or there is no question, these
//     too, and then the second units, the third units and so on.
//
// A kept unit brings its section's heading and those above, its block's header, and,
// if they fit, its section's warnings. Code brings the paragraph before it (two, if
// the nearer one is only a file's name). A paragraph that ends in a colon, or
// speaks of the code below it, brings the block after it. A procedure is kept whole or not at all. A block that alone is
// larger than the budget is cut at its rows or lines: it is never left out only for
// its size.
//
// Within a budget of tokens the likeliest units come first, before (1).
//
// # How much is kept
//
// More than 2000 lines are compressed to at most 2000. If compression is asked for,
// the target is half the lines, at most 2000; the most relevant document's title and
// best section are kept even if they are longer than that. A result that is no
// shorter than the documents is the documents, unchanged.
//
// # Sections
//
// A block of sections has at most 80 lines (or the requested number) and aims at three
// quarters of that. It has the best section of each side, and then the units that hold the
// answer with the best odds for the room that they take (see weigh.go and expected.go).
// If the question asks for one parameter, if a model chose or phase 1.5 was skipped, it has
// what (1) keeps, and further units of these sections; not these if it has the row of the
// requested parameter. A unit brings its own heading only: the heading path is in the
// citation. Sections that repeat others are left out. Documents come in
// the order of their best section.
package process

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process/gain"
	"docent/pipeline/phase/process/terms"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// Options are the functions and limits of a Builtin. Preference and Structure come
// from the packages that read questions and pages.
type Options struct {
	// Preference reads from a question whether it asks for the full text or a
	// compressed one. nil: no question asks for either.
	Preference func(text string) (full, compress bool)
	// Structure reads the sections and blocks of a page's text by the rules of the
	// page's format. If it is nil, fails or gives impossible spans, blocks are
	// separated by blank lines and fences alone.
	Structure func(ctx context.Context, text []byte, format doc.Format) (doc.Document, error)
	// Terms cuts a text into the terms that are compared. nil: words, identifiers
	// and CJK bigrams (see the function Terms).
	Terms func(text string) []string
	// Limit is the most lines that stay unchanged, and the most lines of a
	// compressed result. 0: contract.ProcessLimit.
	Limit int
	// Overhead is the tokens that citing adds to the contents of these documents.
	// nil: an estimate from their names that is rather too high.
	Overhead func(documents []contract.Extracted) int
	// Gains are the weights by which a block of sections is filled. nil: those that ship.
	Gains *gain.Model
}

// Builtin is phases 2.5 and 3 without a model. It is safe for concurrent use if the
// functions of its options are.
type Builtin struct {
	o     Options
	fault error // of the weights that ship
}

// New makes a Builtin.
func New(o Options) *Builtin {
	if o.Preference == nil {
		o.Preference = func(string) (bool, bool) { return false, false }
	}
	if o.Terms == nil {
		o.Terms = terms.Split
	}
	if o.Limit <= 0 {
		o.Limit = contract.ProcessLimit
	}
	if o.Overhead == nil {
		o.Overhead = estimateOverhead
	}
	b := &Builtin{o: o}
	if o.Gains == nil {
		b.o.Gains, b.fault = gain.Shipped()
	}
	return b
}

// Check is phase 2.5. The action is "process" if the extraction requires it, if
// compression is asked for (by a flag or by the question, unless the full text is
// asked for too), or if a budget of tokens is exceeded; else "skip". The lines of
// the extraction are counted again (see counts).
func (b *Builtin) Check(ex contract.Extraction, w contract.Preferences) (contract.Check, error) {
	if w.MaxTokens < 0 {
		return contract.Check{}, contract.Invalid("max_tokens",
			"a budget of %d tokens makes no sense; give a positive number, or 0 for none", w.MaxTokens)
	}
	if err := countContentLines(&ex); err != nil {
		return contract.Check{}, err
	}
	docs, err := documents(ex)
	if err != nil {
		return contract.Check{}, err
	}
	if w.Extent != "" && !slices.Contains(contract.Extents(), w.Extent) {
		return contract.Check{}, contract.Invalid("extent", "the extent is %q, it must be one of %s", w.Extent,
			strings.Join(contract.Extents(), ", "))
	}
	if w.Lines < 0 || w.Lines > contract.MaxLines {
		return contract.Check{}, contract.Invalid("lines", "a block of %d lines makes no sense; give 1 to %d, or 0 for the default",
			w.Lines, contract.MaxLines)
	}
	full, compress := b.preferences(ex.Context, w.Full, w.Compress || w.Summarize)
	extent := b.extentOfAnswer(ex.Context, w, full)
	ck := contract.Check{Action: contract.ActionSkip, TotalLineCount: ex.TotalLineCount, CompressionRequested: compress,
		FullRequested: full, Summarize: w.Summarize && !full, MaxTokens: w.MaxTokens,
		Extent: extent, Lines: w.Lines, Extraction: ex, Context: ex.Context}
	switch {
	case extent == contract.ExtentSections && len(docs) > 0:
		ck.Action, ck.Reason = contract.ActionProcess, "only the sections that answer are wanted"
	case compress:
		ck.Action, ck.Reason = contract.ActionProcess, "a shorter text is wanted"
	case ex.RequiresProcessing && ck.TotalLineCount > contract.ExtractThreshold:
		ck.Action, ck.Reason = contract.ActionProcess,
			plural.Count(ck.TotalLineCount, "line", "lines")+" together, more than "+
				plural.Count(contract.ExtractThreshold, "line", "lines")
	case ex.RequiresProcessing: // phase 2 may have had another threshold
		ck.Action, ck.Reason = contract.ActionProcess, "phase 2 asks for processing ("+plural.Count(ck.TotalLineCount, "line", "lines")+")"
	case b.overBudget(ex, docs, w.MaxTokens):
		ck.Action, ck.Reason = contract.ActionProcess,
			"the answer would take "+plural.Count(b.tokensOfBlock(ex, docs), "token", "tokens")+", more than the budget"
	case full:
		ck.Reason = "the full text is wanted, and it is not too long"
	default:
		ck.Reason = plural.Count(ck.TotalLineCount, "line", "lines") + ", and no shorter text is wanted"
	}
	return ck, nil
}

// extentOfAnswer is sections or "". The full text wins over sections. Without a requested extent,
// a question without an answer gets the nearest sections.
func (b *Builtin) extentOfAnswer(c *contract.Context, w contract.Preferences, full bool) string {
	switch {
	case full:
		return ""
	case w.Extent == contract.ExtentSections, w.Extent == "" && c != nil && c.Unanswered:
		return contract.ExtentSections
	}
	return ""
}

// Process is phase 3. Its contents are the extraction's contents, or compressed
// ones; documents keep their order. The preferences of the context's question are
// read again, so that an input without phase 2.5's fields works.
//
// A full text that exceeds a budget of tokens is an invalid request, and so is a
// budget that the citations alone exceed.
func (b *Builtin) Process(ctx context.Context, ck contract.Check) (contract.Processed, contract.Trace, error) {
	return b.processPages(ctx, ck, helpers{})
}

// helpers are the steps of a model in the built-in process: choose changes the
// scores of sections before the budget is spent, write replaces kept sections by
// summaries afterwards. Either may be nil.
type helpers struct {
	choose func(context.Context, *contract.Context, []*page) (contract.Trace, error)
	write  func(context.Context, *contract.Context, []*page) (contract.Trace, error)
}

func (b *Builtin) processPages(ctx context.Context, ck contract.Check, help helpers) (contract.Processed, contract.Trace, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	if b.fault != nil {
		return contract.Processed{}, trace, b.fault
	}
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
	sections := ck.Extent == contract.ExtentSections && !full
	whole := out
	over := b.overBudget(ex, docs, ck.MaxTokens)
	switch {
	case full && over:
		return contract.Processed{}, trace, contract.Invalid("max_tokens",
			"the full text takes %d tokens and the budget is %d; do not ask for the full text, or for fewer documents",
			b.tokensOfBlock(ex, docs), ck.MaxTokens).WithRemedy(
			contract.Change("max_tokens").To("raise").And(contract.Change("max_docs").To("or lower")))
	case full, len(docs) == 0, ck.Action == contract.ActionSkip && !over:
		return out, trace, nil
	case !sections && !compress && !over && out.LineCount <= b.o.Limit:
		return out, trace, nil
	}
	f := &filler{docs: docs, limit: b.budgetOfContents(ck, sections), with: map[int]int{}, sides: sidesOfQuestion(ck.Context),
		gains: b.o.Gains,
		why: aim{asked: compress, sections: sections,
			defines: ck.Context != nil && ck.Context.Kind == contract.KindDefinition && len(ck.Context.Parts) < 2,
			steps:   ck.Context != nil && ck.Context.Kind == contract.KindProcedure,
			fails:   ck.Context != nil && ck.Context.Kind == contract.KindError}}
	if len(f.sides) > 0 {
		f.asked = ck.Context.Question
	}
	if ck.MaxTokens > 0 {
		f.overhead = b.o.Overhead
		if least := b.leastOverhead(docs); f.limit.quarters < 4*least {
			return contract.Processed{}, trace, contract.Invalid("max_tokens",
				"one citation takes %d tokens, %d more than the budget leaves", least, least-f.limit.quarters/4).WithRemedy(
				contract.Change("max_tokens").To("raise"))
		}
	}
	if f.pages, err = b.readPages(ctx, ex, docs, ck.Context, f.largestWholeBlock(b.leastOverhead(docs))); err != nil {
		return contract.Processed{}, trace, err
	}
	trace.Degraded = append(trace.Degraded, reportUnread(f.pages)...)
	assist := func(do func(context.Context, *contract.Context, []*page) (contract.Trace, error)) error {
		if do == nil {
			return nil
		}
		t, err := do(ctx, ck.Context, f.pages)
		if t.Engine != "" && t.Engine != contract.EngineBuiltin {
			trace.Engine = t.Engine
		}
		trace.Degraded = append(trace.Degraded, t.Degraded...)
		return err
	}
	if err := assist(help.choose); err != nil {
		return contract.Processed{}, trace, err
	}
	f.why.chosen = trace.Engine != contract.EngineBuiltin
	if err := f.fillBlock(ctx, ck.Context); err != nil {
		return contract.Processed{}, trace, err
	}
	if ck.Summarize {
		if err := assist(help.write); err != nil {
			return contract.Processed{}, trace, err
		}
	}
	f.render(&out)
	switch {
	case len(out.Documents) == 0 && ck.MaxTokens == 0: // empty pages, or a line longer than the block
		return whole, trace, nil
	case len(out.Documents) == 0:
		return contract.Processed{}, trace, contract.Invalid("max_tokens",
			"a budget of %d tokens is too small for even one line of %s", ck.MaxTokens,
			plural.Count(len(docs), "document", "documents")).WithRemedy(contract.Change("max_tokens").To("raise"))
	case !over && whole.LineCount <= b.o.Limit && !f.isShorterThanWhole(ex):
		// An omission must save something.
		if f.why.sections {
			f.quoteAll(&whole)
		}
		return whole, trace, nil
	}
	return out, trace, nil
}

// reportUnread says that pages are too long to be compared with the question whole.
func reportUnread(pages []*page) []contract.Degraded {
	left, all := 0, 0
	for _, p := range pages {
		left, all = left+p.unread, all+len(p.src)
	}
	if left == 0 {
		return nil
	}
	return []contract.Degraded{{Phase: contract.PhaseProcess, Wanted: "a look at all lines",
		Used:   fmt.Sprintf("a look at the first %d MB of the pages, and at what was found,", mostScored>>20),
		Reason: fmt.Sprintf("the pages have %d MB together", all>>20)}}
}

// budgetOfContents is what the contents may take: lines, and tokens with what citing takes.
func (b *Builtin) budgetOfContents(ck contract.Check, sections bool) budget {
	limit := budget{lines: b.o.Limit, quarters: unlimited}
	if sections {
		limit.lines = min(limit.lines, cmp.Or(ck.Lines, contract.DefaultLines))
		limit.quarters = 4 * tokensPerLine * limit.lines
	}
	if ck.MaxTokens > 0 {
		limit.quarters = min(limit.quarters, 4*ck.MaxTokens)
	}
	return limit
}

// leastOverhead is the tokens that citing takes if one document is cited, the one
// that takes the fewest.
func (b *Builtin) leastOverhead(docs []contract.Extracted) int {
	least := b.o.Overhead(docs[:1])
	for i := range docs {
		least = min(least, b.o.Overhead(docs[i:i+1]))
	}
	return least
}

// preferences joins flags and the question's preferences; the full text wins.
func (b *Builtin) preferences(c *contract.Context, full, compress bool) (bool, bool) {
	if c != nil {
		r := c.Reading
		if r == nil || r.Question != c.Question {
			r = &contract.Reading{}
			r.Full, r.Compress = b.o.Preference(c.Question)
		}
		full, compress = full || r.Full, compress || r.Compress
	}
	return full, compress && !full
}

// documents are the extraction's documents in order, followed by the contents that
// no document names, by key: an input written by hand may have contents alone.
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
	for _, key := range ex.Keys() {
		if !seen[key] {
			docs = append(docs, contract.Extracted{Title: key, Lines: doc.CountLines([]byte(ex.Contents[key]))})
		}
	}
	return docs, nil
}

// countContentLines counts the lines of an extraction's contents again, since a person may have
// edited it, and makes nil lists empty. Slices and maps are copied before they are
// changed. A negative number is an error.
func countContentLines(ex *contract.Extraction) error {
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

// totalLines counts the lines of the contents; TotalLineCount may be wrong.
func totalLines(ex contract.Extraction) int {
	n := 0
	for _, text := range ex.Contents {
		n += doc.CountLines([]byte(text))
	}
	return n
}

func (b *Builtin) overBudget(ex contract.Extraction, docs []contract.Extracted, maxTokens int) bool {
	return maxTokens > 0 && len(docs) > 0 && b.tokensOfBlock(ex, docs) > maxTokens
}

// tokensOfBlock is the number of tokens of the final block of the whole extraction.
func (b *Builtin) tokensOfBlock(ex contract.Extraction, docs []contract.Extracted) int {
	q := len(docs)
	for _, text := range ex.Contents {
		q += tokenQuarters(text)
	}
	return b.o.Overhead(docs) + (q+3)/4
}
