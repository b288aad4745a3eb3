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

// included are the results without the pages and the sections that the request
// excludes. A page of which no section is left goes too.
func (r Request) included(results []contract.Result) []contract.Result {
	if len(r.Exclude) == 0 {
		return results
	}
	var out []contract.Result
	for _, page := range results {
		hit := Hit{DocSet: page.DocSet, FilePath: page.FilePath}
		if slices.Contains(r.Exclude, hit) {
			continue
		}
		had := len(page.Headings)
		page.Headings = slices.DeleteFunc(slices.Clone(page.Headings), func(h contract.Heading) bool {
			hit.Section = SectionName(h.Path)
			return slices.Contains(r.Exclude, hit)
		})
		if had == 0 || len(page.Headings) > 0 {
			out = append(out, page)
		}
	}
	return out
}
