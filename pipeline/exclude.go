package pipeline

import (
	"slices"

	"docent/pipeline/contract"
)

// Page is the page of a hit.
func (h Hit) Page() Hit { return Hit{DocSet: h.DocSet, FilePath: h.FilePath} }

// PageOf names a result's page.
func PageOf(r contract.Result) Hit { return Hit{DocSet: r.DocSet, FilePath: r.FilePath} }

// SectionOf names a section of a result's page.
func SectionOf(r contract.Result, h contract.Heading) Hit {
	return Hit{DocSet: r.DocSet, FilePath: r.FilePath, Section: contract.PathName(h.Path)}
}

// Excludes reports whether a request leaves a page or a section out: by its own name,
// or with its page.
func (r Request) Excludes(h Hit) bool {
	return slices.Contains(r.Exclude, h) || slices.Contains(r.Exclude, h.Page())
}

// Toggle leaves a page or a section out, or takes it in again; a page with all
// sections of it, and a section of a page that is left out with that page. It says
// whether it is left out now.
func (r *Request) Toggle(h Hit) (out bool) {
	rest := slices.DeleteFunc(slices.Clone(r.Exclude), func(o Hit) bool {
		return o == h || o == h.Page() || h.Section == "" && o.Page() == h
	})
	if out = len(rest) == len(r.Exclude); out {
		rest = append(rest, h)
	}
	r.Exclude = rest
	return out
}

// includedResults are the results without the pages and the sections that the request
// excludes. A page of which no section is left goes too.
func (r Request) includedResults(results []contract.Result) []contract.Result {
	if len(r.Exclude) == 0 {
		return results
	}
	var out []contract.Result
	for _, page := range results {
		if r.Excludes(PageOf(page)) {
			continue
		}
		had := len(page.Headings)
		page.Headings = slices.DeleteFunc(slices.Clone(page.Headings), func(h contract.Heading) bool {
			return r.Excludes(SectionOf(page, h))
		})
		if had == 0 || len(page.Headings) > 0 {
			out = append(out, page)
		}
	}
	return out
}

// leaveOutSections notes in an extraction which sections of its documents the request
// excludes: phase 3 would else find some of them on its own.
func (r Request) leaveOutSections(out *contract.Extraction) {
	for i := range out.Documents {
		d := &out.Documents[i]
		for _, h := range r.Exclude {
			if h.Section != "" && h.DocSet == d.DocSet && h.FilePath == d.FilePath {
				d.LeftOut = append(d.LeftOut, h.Section)
			}
		}
	}
}
