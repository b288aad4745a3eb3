package graph

import (
	"path"
	"strings"

	"docent/pipeline/knowledge/references"
)

// From this many links on, those to one missing page, or into one folder, are one group.
const (
	manyToPage   = 4
	manyToFolder = 20
)

// MissingPlace is a page or a folder that is not there and that many links name.
type MissingPlace struct {
	// Target is the doc set with the path of the page, or of the folder, which ends with a slash.
	Target string `json:"target"`
	Links  int    `json:"links"`
	// Examples are the first two links.
	Examples []references.Broken `json:"examples"`
}

// GroupMissing splits broken links: pages and folders that many links miss, in the order of their
// first links, and the links that are listed one by one.
func GroupMissing(all []references.Broken) (places []MissingPlace, single []references.Broken) {
	places = []MissingPlace{}
	byTarget := map[string][]references.Broken{}
	for _, b := range all {
		if page := missingPage(b); page != "" {
			byTarget[page] = append(byTarget[page], b)
			byTarget[folderOf(b, page)] = append(byTarget[folderOf(b, page)], b)
		}
	}
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
			places = append(places, MissingPlace{Target: key, Links: len(links), Examples: links[:2]})
		}
	}
	return places, single
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
