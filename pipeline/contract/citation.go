package contract

import (
	"fmt"
	"strings"
)

// Line is the citation on one line, for people: page and headings, place, lines,
// address.
func (c Citation) Line() string {
	path := c.HeadingPath
	if len(path) == 0 || path[0] != c.PageTitle {
		path = append([]string{c.PageTitle}, path...)
	}
	out := fmt.Sprintf("%s, %s/%s, lines %d–%d", strings.Join(path, " › "), c.DocSet, c.FilePath, c.Lines[0], c.Lines[1])
	if c.URL != "" {
		out += ", " + c.URL
	}
	return out
}
