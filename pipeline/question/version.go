package question

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"docent/store/doc"
)

// nearest is the doc set of a group whose version is nearest to one that none of them
// has. written is the text of the version: a number alone is a version only where it
// is called one or where versions of the group are numbered so.
func nearest(group []name, version, written string) (name, bool) {
	if plainVersion(version) == "" {
		return name{}, false
	}
	called := strings.Contains(version, ".") || strings.ContainsAny(strings.ToLower(written), "v@:版")
	if !called && !slices.ContainsFunc(group, func(n name) bool { return n.version != "" && covers(n.version, version) }) {
		return name{}, false
	}
	newest := slices.MaxFunc(group, func(a, b name) int { return doc.CompareVersions(a.version, b.version) })
	var numbered []name
	for _, n := range group {
		if n.version != "" {
			numbered = append(numbered, n)
		}
	}
	if len(numbered) == 0 {
		return newest, true
	}
	// What is newer than all numbers is nearest to the newest there is.
	if !slices.ContainsFunc(numbered, func(n name) bool { return covers(n.version, version) || doc.CompareVersions(n.version, version) > 0 }) {
		return newest, true
	}
	return slices.MinFunc(numbered, func(a, b name) int {
		if c := compareBool(covers(b.version, version), covers(a.version, version)); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(distance(a.version, version), distance(b.version, version)), doc.CompareVersions(b.version, a.version))
	}), true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// covers says whether one version is a part of the other: 1.31 and 1.31.4.
func covers(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || a != "" && strings.HasPrefix(b, a+".")
}

// distance is how far two versions are apart, number by number.
func distance(a, b string) []int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	out := make([]int, max(len(x), len(y)))
	for i := range out {
		m, n := 0, 0
		if i < len(x) {
			m, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			n, _ = strconv.Atoi(y[i])
		}
		out[i] = max(m-n, n-m)
	}
	return out
}

// aVersion finds a version that is called one, without a name: "in v1.29", "version 5.1".
var aVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\b(?:in|on|for|since|of|with)\s+)?(?:\b(?:version|release)\s+v?|\bv|\b(?:in|on|for|since|with)\s+)(\d+(?:\.\d+)+)\b`)
})

// versionAlone finds a version that exactly one doc set has, in a question that names
// no doc set.
func versionAlone(text string, names []name) (Mention, bool) {
	groups := map[string]int{}
	for _, n := range names {
		groups[n.group]++
	}
	if len(groups) == len(names) {
		return Mention{}, false // one version of each: there is nothing to choose
	}
	m := aVersion().FindStringSubmatchIndex(text)
	if m == nil || m[1] < len(text) && strings.ContainsRune("./-_", rune(text[m[1]])) && m[1]+1 < len(text) && isWordish(rune(text[m[1]+1])) {
		return Mention{}, false
	}
	var found []name
	for _, n := range names {
		if n.version == text[m[2]:m[3]] {
			found = append(found, n)
		}
	}
	if len(found) != 1 || groups[found[0].group] < 2 {
		return Mention{}, false
	}
	return Mention{Start: m[0], End: m[1], Refs: []doc.Ref{found[0].info.Ref}, group: found[0].group, versioned: true}, true
}

// notes say which versions are not there and which ones answer. all is what is named
// among all doc sets, where only some are searched.
func (n Naming) notes(all Naming) []string {
	var out []string
	for _, m := range n.Missing {
		note := fmt.Sprintf("%s %s is not indexed; %s answers", m.Name, m.Version, m.Nearest)
		if !slices.ContainsFunc(all.Missing, func(o Missing) bool { return o.Name == m.Name && o.Version == m.Version }) {
			note = fmt.Sprintf("the question names %s %s; %s was searched, as asked", m.Name, m.Version, m.Nearest)
		}
		if !slices.Contains(out, note) {
			out = append(out, note)
		}
	}
	return out
}
