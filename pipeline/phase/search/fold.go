package search

import (
	"cmp"
	"encoding/binary"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/text/fingerprint"
	"docent/store/doc"
)

// Shares of common runs of words from which on two pages of different doc sets are one
// page: with the same title in two versions of a doc set, and otherwise. The same path
// in two versions is one page whatever it says: of 51 pages of a product's
// documentation and the same pages nine months later, the shares are 0 to .81, half of
// them below .14. Pages that are not the same have at most .13.
const (
	sameTitle = 0.15
	sameText  = 0.5
	everyWord = 0.9 // of two files of one folder
)

// dropNearDuplicates leaves one of several pages in different doc sets that are nearly the same: of
// versions of one doc set the newest, of copies elsewhere the best. The others are named with it, and their hits are dropped, so
// that they do not take the places of other pages. Where a person named the doc sets,
// each of them answers for itself.
func (r *run) dropNearDuplicates(pages []page) []page {
	if _, explicit := askedSets(r.In); explicit || !slices.ContainsFunc(pages, func(p page) bool { return p.set.ID != pages[0].set.ID }) {
		return pages
	}
	group := likeGroups(pages)
	best := make([]int, len(pages)) // of each group, by its first page
	for i := range pages {
		g := group[i]
		if g == i || isNewer(pages[i].set.Ref, pages[best[g]].set.Ref) {
			best[g] = i
		}
	}
	var out []page
	for i, p := range pages {
		g := group[i]
		if best[g] != i {
			continue
		}
		for k, o := range pages {
			if group[k] == g && k != i {
				p.also = append(p.also, o.set.Ref)
			}
		}
		slices.SortFunc(p.also, func(a, b doc.Ref) int {
			one, x := family(a)
			other, y := family(b)
			return cmp.Or(strings.Compare(one, other), doc.CompareVersions(y, x), strings.Compare(a.String(), b.String()))
		})
		p.also = slices.Compact(p.also)
		out = append(out, p)
	}
	return out
}

// noteFolded says how many pages stand for nearly the same ones that are left out. Pages that
// the results do not have are not counted: their copies are no loss to the question.
func (r *run) noteFolded(results []contract.Result) {
	beside, copies, also := 0, 0, 0
	for _, res := range results {
		for _, file := range res.Copies {
			if path.Dir(file) == path.Dir(res.FilePath) {
				beside++
			} else {
				copies++
			}
		}
		also += len(res.Also)
	}
	if beside > 0 {
		r.note("left out: %s nearly the same in the same folder", countedPages(beside))
	}
	if copies > 0 {
		r.note("left out: %s nearly the same in another folder (name the version of a folder to ask it)", countedPages(copies))
	}
	if also > 0 {
		r.note("left out: %s nearly the same in another version or doc set (name a doc set to ask it)", countedPages(also))
	}
}

func countedPages(n int) string {
	if n == 1 {
		return "1 page"
	}
	return strconv.Itoa(n) + " pages"
}

// likeGroups gives each page the first one that is nearly the same, or itself. Two pages
// of one doc set never count as the same.
func likeGroups(pages []page) []int {
	group := make([]int, len(pages))
	byPath := map[[2]string]int{} // the same, by family and path
	byHash := map[uint32][]int{}  // first pages of groups
	common := make([]int, len(pages))
	for i, p := range pages {
		group[i] = i
		name, _ := family(p.set.Ref)
		at := [2]string{name, p.d.Path}
		if first, ok := byPath[at]; ok && !groupHasSet(pages, group, first, i) {
			group[i] = first
			continue
		}
		sketch := p.d.Fingerprint
		clear(common)
		for k := 0; k+4 <= len(sketch); k += 4 {
			for _, j := range byHash[binary.BigEndian.Uint32(sketch[k:])] {
				common[j]++
			}
		}
		like := 0.0
		for j, n := range common[:i] {
			// A tenth of a sketch is too little for any two pages.
			if n < fingerprint.Size/10 || groupHasSet(pages, group, j, i) {
				continue
			}
			s := fingerprint.Similarity(sketch, pages[j].d.Fingerprint)
			if s > like && (s >= sameText || s >= sameTitle && versionsOfOne(p, pages[j])) {
				like, group[i] = s, j
			}
		}
		byPath[at] = group[i]
		if group[i] != i {
			continue
		}
		for k := 0; k+4 <= len(sketch); k += 4 {
			h := binary.BigEndian.Uint32(sketch[k:])
			byHash[h] = append(byHash[h], i)
		}
	}
	return group
}

// groupHasSet reports whether a group has a page of page i's doc set already.
func groupHasSet(pages []page, group []int, g, i int) bool {
	for k := range i {
		if group[k] == g && pages[k].set.ID == pages[i].set.ID {
			return true
		}
	}
	return false
}

// versionsOfOne reports whether two pages have one title in two versions of a doc set.
func versionsOfOne(a, b page) bool {
	one, _ := family(a.set.Ref)
	other, _ := family(b.set.Ref)
	return one == other && a.d.Title == b.d.Title
}

// trailingVersion is a version at the end of a doc set's name.
var trailingVersion = regexp.MustCompile(`^(.*?)-*v?([0-9]+(?:-[0-9]+)*)$`)

// family is a doc set's name without a version that it ends with, in one spelling, and
// its version: that of the name where the doc set has none of its own.
func family(r doc.Ref) (name, version string) {
	name, version = strings.ToLower(strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(r.Name)), r.Version
	if m := trailingVersion.FindStringSubmatch(name); m != nil && m[1] != "" {
		name = m[1]
		if version == doc.DefaultVersion {
			version = m[2]
		}
	}
	return name, version
}

// isNewer reports whether a doc set is a newer version of another.
func isNewer(a, b doc.Ref) bool {
	one, x := family(a)
	other, y := family(b)
	return one == other && doc.CompareVersions(x, y) > 0
}
