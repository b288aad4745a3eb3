package versions

import (
	"path"
	"strings"

	"docent/pipeline/text/fingerprint"
	"docent/pipeline/text/spacing"
)

// How says by what two pages were matched.
type How string

// The ways of matching pages.
const (
	byPath    How = "path"
	byTitle   How = "title"
	byContent How = "content"
)

// Pair is a page and its partner; -1 for a page of the one version that the other lacks.
type Pair struct {
	Before, After int
	How           How
}

// The shares of their text that pages have in common at least.
const (
	alikePages  = .35 // with nothing else in common
	alikeTitles = .03 // with the same title
)

// MatchPages matches the pages of two versions: pairs in the order of the pages after,
// then the pages that are gone.
func MatchPages(before, after []Page) []Pair {
	m := pageMatcher{before: before, after: after, of: noPartners(len(before)), how: make([]How, len(before)),
		taken: noPartners(len(after))}
	m.matchBy(func(p Page) string { return p.Path }, byPath, alwaysMatches)
	m.matchBy(func(p Page) string { return barePath(p.Path) }, byPath, alwaysMatches)
	name := func(p Page) string { return path.Base(barePath(p.Path)) + "\n" + spacing.Folded(p.Title) }
	m.matchBy(name, byTitle, alwaysMatches)
	m.matchBy(func(p Page) string { return spacing.Folded(p.Title) }, byTitle, func(a, b Page) bool {
		return fingerprint.Similarity(a.Print, b.Print) >= alikeTitles
	})
	m.byContent()
	out := make([]Pair, 0, max(len(before), len(after)))
	for j, i := range m.taken {
		p := Pair{Before: i, After: j}
		if i >= 0 {
			p.How = m.how[i]
		}
		out = append(out, p)
	}
	for i, j := range m.of {
		if j < 0 {
			out = append(out, Pair{Before: i, After: -1})
		}
	}
	return out
}

type pageMatcher struct {
	before, after []Page
	of, taken     []int // partners
	how           []How
}

func noPartners(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

func alwaysMatches(Page, Page) bool { return true }

// barePath is a path without its ending and in lower case: guide.md became Guide.mdx.
func barePath(p string) string { return strings.ToLower(strings.TrimSuffix(p, path.Ext(p))) }

// matchBy matches the pages that are left and that alone have a key.
func (m *pageMatcher) matchBy(key func(Page) string, how How, fits func(a, b Page) bool) {
	const several = -2
	index := func(pages []Page, partner []int) map[string]int {
		out := map[string]int{}
		for i, p := range pages {
			if partner[i] >= 0 {
				continue
			}
			k := key(p)
			if _, ok := out[k]; ok {
				out[k] = several
			} else {
				out[k] = i
			}
		}
		return out
	}
	before := index(m.before, m.of)
	for k, j := range index(m.after, m.taken) {
		if i, ok := before[k]; ok && i >= 0 && j >= 0 && k != "" && fits(m.before[i], m.after[j]) {
			m.of[i], m.taken[j], m.how[i] = j, i, how
		}
	}
}

func (m *pageMatcher) byContent() {
	left := func(pages []Page, partner []int) (prints [][]byte, at []int) {
		for i, p := range pages {
			if partner[i] < 0 && p.Unread == "" {
				prints, at = append(prints, p.Print), append(at, i)
			}
		}
		return prints, at
	}
	a, before := left(m.before, m.of)
	b, after := left(m.after, m.taken)
	for _, c := range nearPairs(a, b, alikePages) {
		if i, j := before[c.before], after[c.after]; m.of[i] < 0 && m.taken[j] < 0 {
			m.of[i], m.taken[j], m.how[i] = j, i, byContent
		}
	}
}
