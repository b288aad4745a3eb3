package contract

import (
	"strconv"
	"strings"

	"docent/store/doc"
)

// SourceRun says where lines of a page's text stand in its source: line Text, counted
// from 1, at line Line on page Page, and each line after it, up to the next run, Step
// lines further. Zero fields are unknown.
type SourceRun struct {
	Text int `json:"text"`
	Line int `json:"line,omitempty"`
	Page int `json:"page,omitempty"`
	Step int `json:"step,omitempty"`
}

// LineAnchor is the anchor of the section that begins on a line of a page's text.
type LineAnchor struct {
	Line   int    `json:"line"`
	Anchor string `json:"anchor"`
}

// LineAnchors are the anchors of sections by their lines.
func LineAnchors(sections []doc.Section) []LineAnchor {
	var out []LineAnchor
	for _, s := range sections {
		if s.Anchor != "" {
			out = append(out, LineAnchor{s.Span.StartLine, s.Anchor})
		}
	}
	return out
}

// SourceRuns is the map of a text to its source, in runs; nil where the text is the
// source.
func SourceRuns(places []doc.Location) []SourceRun {
	var runs []SourceRun
	for i, at := range places {
		if n := len(runs); n > 0 {
			r := &runs[n-1]
			since := i + 1 - r.Text
			same := r.Page == at.Page
			switch {
			case same && at.Line == r.Line+r.Step*since:
				continue
			case same && since == 1 && r.Line > 0 && at.Line == r.Line+1:
				r.Step = 1
				continue
			}
		}
		runs = append(runs, SourceRun{Text: i + 1, Line: at.Line, Page: at.Page})
	}
	return runs
}

// SourcePlace is the place of quoted lines in a source that is not the text itself: the
// first and last of the lines, and of the pages. Zero fields are unknown.
type SourcePlace struct {
	Lines [2]int `json:"lines,omitzero"`
	Pages [2]int `json:"pages,omitzero"`
}

// SourceOf is the place of lines of the document's text, both ends included; the zero
// value where the text is the source.
func (d Extracted) SourceOf(lines [2]int) SourcePlace {
	var out SourcePlace
	widen := func(span *[2]int, n int) {
		if n <= 0 {
			return
		}
		if span[0] == 0 || n < span[0] {
			span[0] = n
		}
		span[1] = max(span[1], n)
	}
	for i, r := range d.Runs {
		last := lines[1]
		if i+1 < len(d.Runs) {
			last = min(last, d.Runs[i+1].Text-1)
		}
		first := max(lines[0], r.Text)
		if first > last || first < 1 {
			continue
		}
		widen(&out.Pages, r.Page)
		if r.Line > 0 {
			widen(&out.Lines, r.Line+r.Step*(first-r.Text))
			widen(&out.Lines, r.Line+r.Step*(last-r.Text))
		}
	}
	return out
}

// sourceLines is the prefix of a section line's field about the source.
const sourceLines = "source "

// String is the place as a citation has it: "source lines 30–52", "page 4", with both
// "source lines 30–52 · pages 4–5"; "" where nothing is known.
func (p SourcePlace) String() string {
	var fields []string
	if p.Lines[0] > 0 {
		fields = append(fields, sourceLines+linesOf(p.Lines))
	}
	switch a, b := p.Pages[0], p.Pages[1]; {
	case a > 0 && a == b:
		fields = append(fields, "page "+strconv.Itoa(a))
	case a > 0:
		fields = append(fields, "pages "+strconv.Itoa(a)+omissionDash+strconv.Itoa(b))
	}
	return strings.Join(fields, SectionField)
}

// isAboutSource reports whether a field of a section line is about the source.
func isAboutSource(field string) bool {
	for _, prefix := range []string{sourceLines + "line ", sourceLines + "lines ", "page ", "pages "} {
		if rest, ok := strings.CutPrefix(field, prefix); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return false
}

// SectionURL is the address in a section's citation line, "" if it has none.
func SectionURL(line string) string {
	fields := strings.Split(line, SectionField)
	if n := len(fields); n > 2 && !isAboutSource(fields[n-1]) {
		return fields[n-1]
	}
	return ""
}
