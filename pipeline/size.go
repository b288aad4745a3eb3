package pipeline

import (
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/text/plural"
)

// Size is how much a final block holds.
type Size struct {
	Lines    int // of text, without the lines that cite it
	Pages    int
	Sections int // 0: whole pages
}

// Size is the size of the result's final block; the zero Size without one.
func (r Result) Size() Size {
	if r.Final == "" || r.Phases.Extract == nil {
		return Size{}
	}
	docs, out := r.Phases.Extract.Documents, Size{Lines: r.Phases.Extract.TotalLineCount}
	if p := r.Phases.Process; p != nil {
		docs, out.Lines = p.Documents, p.LineCount
	}
	pages := map[Hit]bool{}
	for _, c := range r.Citations {
		pages[Hit{DocSet: c.DocSet, FilePath: c.FilePath}] = true
	}
	out.Pages = len(pages)
	for _, d := range docs {
		out.Sections += len(d.Quoted)
	}
	return out
}

// String is the size in words: "34 lines of 2 sections".
func (s Size) String() string {
	of := plural.Count(s.Pages, "page", "pages")
	if s.Sections > 0 {
		of = plural.Count(s.Sections, "section", "sections")
	}
	return fmt.Sprintf("%s of %s", plural.Count(s.Lines, "line", "lines"), of)
}

// OtherExtent is the extent that a request does not have.
func (r Request) OtherExtent() string {
	if r.Preferences.Extent == contract.ExtentSections && !r.Preferences.Full {
		return contract.ExtentDocuments
	}
	return contract.ExtentSections
}

// WithExtent is an alteration of a request to another extent. The full text is
// whole documents, so a wish for it goes.
func WithExtent(extent string) func(*Request) {
	return func(r *Request) {
		r.Preferences.Extent = extent
		if extent == contract.ExtentSections {
			r.Preferences.Full = false
		}
	}
}
