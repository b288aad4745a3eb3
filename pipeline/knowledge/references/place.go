package references

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/knowledge/graph"
	"docent/pipeline/knowledge/references/anchors"
)

// names are the anchors of a page: as they are, and without signs, twice where two are the
// same then.
type names struct{ exact, loose map[string]int }

// mostIncluded is the most pages that a page includes, also through others, which are looked at
// for a place.
const mostIncluded = 400

// mayComeFromInclude reports whether a place that a page does not have may come from an included
// file: from other pages of the doc set, which may include more, or from an unknown file. An
// anchor with a value, "class=Lamp", is for a script of the page.
func (r *resolver) mayComeFromInclude(page int, anchor string) Fault {
	fault := NoAnchor
	if r.isPart(page) {
		fault = UnsurePart
	}
	if strings.Contains(anchor, "=") || r.isOnlyMatter(page) {
		return UnsureAnchor
	}
	seen := []int{page}
	for at := 0; at < len(seen); at++ {
		for _, file := range r.pageWithDetails(seen[at]).Includes {
			from := slices.Collect(r.files().All(path.Base(file)))
			if len(from) == 0 {
				fault = UnsureAnchor
			}
			for _, i := range from {
				if len(seen) >= mostIncluded || slices.Contains(seen, i) {
					continue
				}
				seen = append(seen, i)
				if _, ok := r.findAnchor(i, anchor); ok {
					return NoFault
				}
				if slices.ContainsFunc(r.pageWithDetails(i).Anchors, func(a Anchor) bool { return anchors.FitsTemplate(a.Name, anchor) }) {
					return NoFault
				}
			}
		}
	}
	return fault
}

// isOnlyMatter reports whether a page of Hugo has no heading but its title: the first page of a site or a folder has
// its places from a template then.
func (r *resolver) isOnlyMatter(page int) bool {
	p := r.pageWithDetails(page)
	if !r.list.IsHugo() || !strings.HasPrefix(path.Base(p.Path), "_index.") {
		return false
	}
	return !slices.ContainsFunc(p.Places, func(s Place) bool { return s.Text != "" && s.Text != p.Title })
}

// mostAround is the most pages around a part that are looked at for a place.
const mostAround = 40

// pagesAround are the pages that include a page, and those that include them; the nearest ones by their
// folders come first, because a doc set of several versions has a file of this name in each.
func (r *resolver) pagesAround(page int) iter.Seq[int] {
	return func(yield func(int) bool) {
		seen := []int{page}
		for i := 0; i < len(seen); i++ {
			for _, outer := range r.nearestIncluding(seen[i]) {
				if len(seen) > mostAround {
					return
				}
				if !slices.Contains(seen, outer.page) {
					if !yield(outer.page) {
						return
					}
					seen = append(seen, outer.page)
				}
			}
		}
	}
}

// nearestIncluding are the pages that include a file of a page's name, the nearest ones by their folders first.
func (r *resolver) nearestIncluding(page int) []spot {
	own := r.kept[page].head.path
	all := r.placesCalled(includeKind, path.Base(own))
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Compare(graph.SharedFolders(own, r.kept[b.page].head.path), graph.SharedFolders(own, r.kept[a.page].head.path))
	})
	return all
}

// placeAround finds an anchor on the pages around a page: a part of a book refers to places of the
// book's other parts.
func (r *resolver) placeAround(page int, anchor string) (to spot, ok bool) {
	for outer := range r.pagesAround(page) {
		if place, ok := r.findAnchor(outer, anchor); ok {
			return spot{outer, place}, true
		}
	}
	return nowhere, false
}

// resolveAround finds the page that an address of a part leads to from the pages around it: parts of
// AsciiDoc write their links for the page in which they are shown.
func (r *resolver) resolveAround(page int, target string) graph.Destination {
	if !strings.HasPrefix(target, "#") && !strings.Contains(target, ":") {
		for outer := range r.pagesAround(page) {
			p := r.pageWithDetails(outer)
			if found := r.list.Resolve(p.Path, p.URL, target); found.Found {
				return found
			}
		}
	}
	return graph.Destination{}
}

// isPart reports whether other pages include a page.
func (r *resolver) isPart(page int) bool {
	return len(r.placesCalled(includeKind, path.Base(r.kept[page].head.path))) > 0
}

// findAnchor finds a section by an anchor; without an anchor it is the whole page.
func (r *resolver) findAnchor(page int, anchor string) (place int, ok bool) {
	anchor, _, _ = strings.Cut(anchor, ":~:") // a text for the browser to find
	switch anchor {
	case "", "top", "_top", "content", "main-content", "main":
		return whole, true // what every page of a site has
	}
	r.basis.pages[page] = true
	n, known := r.anchors.get(page)
	if !known {
		n = namesOf(r.pageWithDetails(page))
		r.anchors.put(page, n, 1)
	}
	if place, ok := n.exact[anchor]; ok {
		return place, true
	}
	// Redoc puts tag/ before the name of a tag of OpenAPI, GitBook id- before a name that begins with a digit.
	for _, name := range []string{anchor, strings.TrimPrefix(anchor, "tag/"), strings.TrimPrefix(anchor, "id-")} {
		if place, ok := n.loose[anchorLetters(name)]; ok && place != twice {
			return place, true
		}
	}
	return n.findNumberedAnchor(anchor)
}

// findNumberedAnchor finds the place of an anchor that is put together: the second heading of the
// same words is called words-1 by some programs and words-2 by others; an element of a
// topic of DITA has the topic's name in front.
func (n *names) findNumberedAnchor(anchor string) (place int, ok bool) {
	if topic, element, ok := strings.Cut(anchor, "__"); ok {
		_, known := n.exact[topic]
		place, ok := n.exact[element]
		if known && ok {
			return place, true
		}
	}
	i := strings.LastIndexByte(anchor, '-')
	if k, err := strconv.Atoi(anchor[i+1:]); i > 0 && err == nil && k > 1 {
		if place, ok := n.exact[anchor[:i+1]+strconv.Itoa(k-1)]; ok {
			return place, true
		}
	}
	return whole, false
}

func namesOf(p *Page) *names {
	n := &names{exact: map[string]int{}, loose: map[string]int{}}
	add := func(name string, place int) {
		if _, ok := n.exact[name]; !ok {
			n.exact[name] = place
		}
		key := anchorLetters(name)
		if old, ok := n.loose[key]; ok && old != place {
			place = twice
		}
		if key != "" {
			n.loose[key] = place
		}
	}
	for i, s := range p.Places {
		if s.Anchor != "" {
			add(s.Anchor, i)
		}
	}
	for _, a := range p.Anchors {
		if _, ok := n.exact[a.Name]; !ok {
			add(a.Name, min(a.Place, len(p.Places)-1))
		}
	}
	for i, s := range p.Places { // other programs make other anchors of headings
		for _, text := range []string{s.Text, shownAs[strings.ToLower(s.Text)], escapedSigns.Replace(s.Text)} {
			if key := anchorLetters(text); key != "" {
				if _, ok := n.loose[key]; !ok {
					n.loose[key] = i
				}
			}
		}
	}
	if key := anchorLetters(p.Title); key != "" {
		if _, ok := n.loose[key]; !ok {
			n.loose[key] = whole
		}
	}
	return n
}

// shownAs are headings that are shown with other words than they are written with:
// those that Hugo's sites name by a key.
var shownAs = map[string]string{"prerequisites": "Before you begin", "whatsnext": "What's next", "cleanup": "Cleaning up",
	"seealso": "See also"}

// escapedSigns are the signs that stand as entities in headings, of which Goldmark takes the letters: "GET /ca/&lt;id&gt;"
// is get-caltidgt.
var escapedSigns = strings.NewReplacer("<", "&lt;", ">", "&gt;")

// twice stands for a name without signs that two places have.
const twice = -2
