package pipeline

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// SectionName names a section of a page by its headings from the outermost: for
// Hit. It outlives a change of the page's lines.
func SectionName(path []string) string {
	if len(path) == 0 {
		return pageBeginning
	}
	return strings.Join(path, " › ")
}

// pageBeginning is the name of the text before a page's first heading.
const pageBeginning = "(beginning)"

// Page is the page of a hit.
func (h Hit) Page() Hit { return Hit{DocSet: h.DocSet, FilePath: h.FilePath} }

// PageOf names a result's page.
func PageOf(r contract.Result) Hit { return Hit{DocSet: r.DocSet, FilePath: r.FilePath} }

// SectionOf names a section of a result's page.
func SectionOf(r contract.Result, h contract.Heading) Hit {
	return Hit{DocSet: r.DocSet, FilePath: r.FilePath, Section: SectionName(h.Path)}
}

// Excludes says whether a request leaves a page or a section out: by its own name,
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

// included are the results without the pages and the sections that the request
// excludes. A page of which no section is left goes too.
func (r Request) included(results []contract.Result) []contract.Result {
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
