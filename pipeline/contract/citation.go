package contract

import (
	"fmt"
	"strings"
)

// OneLine is the citation on one line, for people: page and headings, place, lines,
// address.
func (c Citation) OneLine() string {
	path := c.HeadingPath
	if len(path) == 0 || path[0] != c.PageTitle {
		path = append([]string{c.PageTitle}, path...)
	}
	out := fmt.Sprintf("%s, %s/%s, lines %d–%d", strings.Join(path, SectionPath), c.DocSet, c.FilePath, c.Lines[0], c.Lines[1])
	if c.URL != "" {
		out += ", " + c.URL
	}
	return out
}

// PathName names a section of a page by its headings from the outermost. It outlives
// a change of the page's lines.
func PathName(path []string) string {
	if len(path) == 0 {
		return pageBeginning
	}
	return strings.Join(path, SectionPath)
}

// pageBeginning is the name of the text before a page's first heading.
const pageBeginning = "(beginning)"
