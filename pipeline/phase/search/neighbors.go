package search

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/chunk"
	"docent/store/analysis"
	"docent/store/doc"
)

// bytesPerToken is how many bytes of a page's text one token of a model has, roughly.
const bytesPerToken = 4

// neighbors returns the chunks around a chunk in its page, and for an overlong chunk its
// most relevant lines. text is the chunk's.
func (r *run) neighbors(document string, sections []doc.Section, chunks []doc.Chunk, i int, text string) *contract.Neighbors {
	one := func(i int) *contract.Neighbor {
		if i < 0 || i >= len(chunks) {
			return nil
		}
		c := chunks[i]
		return &contract.Neighbor{
			SpanID: doc.SpanID(document, sections, chunks, i), SpanType: c.Kind.SpanType(),
			Path: sections[c.Section].Path, Lines: [2]int{c.Span.StartLine, c.Span.EndLine},
		}
	}
	out := &contract.Neighbors{Prev: one(chunks[i].Prev), Next: one(chunks[i].Next)}
	if len(text) > chunk.MaxTokens*bytesPerToken {
		out.Focus, out.Collapsed = r.collapse(chunks[i].Span, text)
	}
	if *out == (contract.Neighbors{}) {
		return nil
	}
	return out
}

// collapse gives the lines of a long chunk in which the words of the question stand, and
// those before and behind them.
func (r *run) collapse(span doc.Span, text string) (focused *contract.LineRange, rest *contract.Around) {
	best := analysis.FocusWindow(text, r.terms, focus)
	at := strings.Index(text, best)
	if at < 0 || len(best) == len(text) {
		return nil, nil
	}
	first := span.StartLine + strings.Count(text[:at], "\n")
	last := first + strings.Count(strings.TrimRight(best, "\n"), "\n")
	rest = &contract.Around{}
	if first > span.StartLine {
		rest.Before = &contract.LineRange{span.StartLine, first - 1}
	}
	if last < span.EndLine {
		rest.After = &contract.LineRange{last + 1, span.EndLine}
	}
	return &contract.LineRange{first, last}, rest
}
