package search

import (
	"context"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/deprecation"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
)

// matterBytes is how much of the beginning of a page is read for its front matter.
const matterBytes = 4 << 10

// sectionBytes is how much of a section is read.
const sectionBytes = 8 << 10

// deprecated marks the headings of a page that say of themselves that they are
// deprecated, or stand below one that does, or in such a page.
func (r *run) deprecated(ctx context.Context, p page, now *corpus.Page, sections []doc.Section, headings []contract.Heading) error {
	if len(headings) == 0 || len(sections) == 0 {
		return nil
	}
	// The beginning of the page, its title's section, and the section of each heading.
	own := make([]int, len(headings))
	spans := []doc.Span{{End: matterBytes}}
	for i, h := range headings {
		own[i] = sectionAt(sections, h.Section)
		spans = append(spans, ownSpan(sections, own[i]))
	}
	top := topSections(sections)
	for _, i := range top {
		spans = append(spans, ownSpan(sections, i))
	}
	texts, err := r.slices(ctx, p, now, spans)
	if err != nil {
		return err
	}
	whole := pageNotice(texts[0], p.d.Title, sections, top, texts[1+len(headings):])
	for i := range headings {
		h := &headings[i]
		if n, ok := deprecation.Section(sections[own[i]].Text, texts[1+i]); ok && !slices.Contains(top, own[i]) {
			h.Deprecated = deprecationOf(contract.DeprecatedSection, sections[own[i]].Span.StartLine, n)
			continue
		}
		h.Deprecated = whole
		for at := sections[own[i]].Parent; at >= 0; at = sections[at].Parent {
			if s := sections[at]; s.Level > 1 && deprecation.Heading(s.Text) {
				h.Deprecated = deprecationOf(contract.DeprecatedSection, s.Span.StartLine, deprecation.Notice{Text: s.Text})
				break
			}
		}
	}
	return nil
}

// pageNotice is what a page says of itself as a whole: in its front matter, or at its
// beginning.
func pageNotice(head, title string, sections []doc.Section, top []int, texts []string) *contract.Deprecation {
	if n, ok := deprecation.Matter(head); ok {
		return deprecationOf(contract.DeprecatedPage, 1, n)
	}
	for i, at := range top {
		if n, ok := deprecation.Section(title, texts[i]); ok {
			return deprecationOf(contract.DeprecatedPage, sections[at].Span.StartLine, n)
		}
	}
	return nil
}

// topSections are the sections of a page's beginning: the text before the first heading,
// and the text below the title if that is the only heading of its level.
func topSections(sections []doc.Section) []int {
	var out []int
	titles := 0
	for i, s := range sections {
		switch {
		case s.Level == 0:
			out = append(out, i)
		case s.Level == 1:
			if titles++; titles == 1 && i < 2 {
				out = append(out, i)
			} else if titles == 2 && len(out) > 0 && sections[out[len(out)-1]].Level == 1 {
				out = out[:len(out)-1]
			}
		}
	}
	return out
}

func deprecationOf(scope string, first int, n deprecation.Notice) *contract.Deprecation {
	return &contract.Deprecation{Scope: scope, Line: first + n.Line, Text: sanitize.Line(n.Text), Since: n.Since,
		ReplacedBy: sanitize.Line(n.By)}
}

// sectionAt is the section that has these lines.
func sectionAt(sections []doc.Section, lines [2]int) int {
	for i, s := range sections {
		if s.Span.StartLine == lines[0] && s.Span.EndLine == lines[1] {
			return i
		}
	}
	return 0
}

func ownSpan(sections []doc.Section, i int) doc.Span {
	s := sections[i].Span
	s.End = min(s.End, s.Start+sectionBytes)
	return s
}

// slices reads parts of a page as it is now.
func (r *run) slices(ctx context.Context, p page, now *corpus.Page, spans []doc.Span) ([]string, error) {
	if p.set.Host != "" {
		return make([]string, len(spans)), nil
	}
	if now == nil {
		return r.b.Corpus.Slices(ctx, p.set, p.d.Path, spans)
	}
	out := make([]string, len(spans))
	for i, s := range spans {
		if end := min(s.End, len(now.Doc.Text)); s.Start >= 0 && s.Start < end {
			out[i] = string(now.Doc.Text[s.Start:end])
		}
	}
	return out, nil
}
