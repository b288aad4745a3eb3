package reading

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"docent/pipeline/knowledge/references"
)

// From this many links on, those to one missing page, or into one folder, are one line.
const (
	manyToPage   = 4
	manyToFolder = 20
)

// groupMissing splits broken links: lines for pages and folders that many links miss, in the order
// of their first links, and the links that are listed one by one.
func groupMissing(all []references.Broken) ([]string, []references.Broken) {
	byTarget := map[string][]references.Broken{}
	for _, b := range all {
		if page := missingPage(b); page != "" {
			byTarget[page] = append(byTarget[page], b)
			byTarget[folderOf(b, page)] = append(byTarget[folderOf(b, page)], b)
		}
	}
	var lines []string
	var single []references.Broken
	said := map[string]bool{}
	for _, b := range all {
		page := missingPage(b)
		key := folderOf(b, page)
		if key == "" || len(byTarget[key]) < manyToFolder {
			key = page
		}
		links := byTarget[key]
		switch {
		case page == "" || len(links) < manyToPage:
			single = append(single, b)
		case !said[key]:
			said[key] = true
			lines = append(lines, fmt.Sprintf("%s: no such page, %d links, as in %s:%d and %s:%d",
				key, len(links), links[0].Path, cmp.Or(links[0].SourceLine, links[0].Line),
				links[1].Path, cmp.Or(links[1].SourceLine, links[1].Line)))
		}
	}
	return lines, single
}

// folderOf is the folder of a missing page, "" for the doc set's own: pages missing there
// have nothing in common.
func folderOf(b references.Broken, page string) string {
	if page == "" || path.Dir(page) == b.DocSet {
		return ""
	}
	return path.Dir(page) + "/"
}

// missingPage is the page that a link misses, "" where the page is there.
func missingPage(b references.Broken) string {
	target, _, _ := strings.Cut(b.Target, "#")
	if b.Missing == references.NoAnchor.String() || target == "" || strings.Contains(target, ":") {
		return ""
	}
	if strings.HasPrefix(target, "/") {
		return b.DocSet + path.Clean(target)
	}
	return b.DocSet + "/" + path.Join(path.Dir(b.Path), target)
}
