package build

import (
	"path"
	"strings"
)

// RelativePath is a file of the doc set as a link on a page has it; both are paths inside the
// doc set, with slashes.
func RelativePath(page, file string) string {
	from, to := strings.Split(path.Dir(page), "/"), strings.Split(file, "/")
	if from[0] == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}
