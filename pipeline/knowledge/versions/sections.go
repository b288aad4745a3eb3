package versions

import (
	"docent/pipeline/text/fingerprint"

	"docent/pipeline/text/spacing"
)

// The shares of their text that sections have in common at least.
const (
	alikeHeading  = .15 // with the same heading, elsewhere in the page
	alikeSiblings = .35 // with another heading below the same one
	alikeSections = .5  // with another heading elsewhere in the page
	alikeAbroad   = .6  // in another page
	alikeNamed    = .3  // in another page, with the same heading
	alikeShort    = .75 // of a text of few words
)

// The words of a section that is found by its content alone: shorter texts are the same
// by chance.
const (
	leastWords       = 4
	leastWordsAbroad = 8
)

// MatchSections gives, for each section of a page before, its partner in the page after,
// -1 without one.
func MatchSections(before, after []Section) []int { return matchSections(before, after).of }

// mostRounds bounds the rounds of matching: each may find more by what the one before it
// found, and the third seldom does.
const mostRounds = 8

func matchSections(before, after []Section) *matcher {
	m := newMatcher(before, after)
	m.matchSectionsBelow(-1, -1)
	m.matchTitles()
	for range mostRounds {
		if !m.byHeading() && !m.matchByText() && !m.byLikeness() {
			break
		}
	}
	return m
}

type matcher struct {
	before, after []Section
	of, taken     []int    // partners
	parents       [2][]int // of each section, see lift
	below         [2][][]int
}

func newMatcher(before, after []Section) *matcher {
	m := &matcher{before: before, after: after, of: noPartners(len(before)), taken: noPartners(len(after))}
	for side, all := range [][]Section{before, after} {
		m.parents[side] = liftParents(all)
		m.below[side] = make([][]int, len(all)+1)
		for i, p := range m.parents[side] {
			m.below[side][p+1] = append(m.below[side][p+1], i)
		}
	}
	return m
}

// liftParents gives the parents of a page's sections, with the children of the title as its
// siblings: one version has its title as a heading, the other in the front matter.
func liftParents(all []Section) []int {
	out := make([]int, len(all))
	title, several := -1, false
	for i, s := range all {
		out[i] = s.Parent
		if s.Level > 0 && s.Parent < 0 {
			several = several || title >= 0
			title = i
		}
	}
	if title < 0 || several || all[title].Level != 1 {
		return out
	}
	for i, p := range out {
		if p == title {
			out[i] = -1
		}
	}
	return out
}

// matchSections makes two sections partners, and then the sections below them by their headings.
func (m *matcher) matchSections(i, j int) {
	m.of[i], m.taken[j] = j, i
	m.matchSectionsBelow(i, j)
}

// matchSectionsBelow matches the sections below a pair that have the same headings: of several those
// with the same text, then one after the other.
func (m *matcher) matchSectionsBelow(i, j int) {
	type key struct {
		heading string
		sum     uint64
	}
	var pairs [][2]int
	for _, same := range []bool{true, false} {
		keyOf := func(s Section) key {
			k := key{heading: spacing.Folded(s.Heading)}
			if same {
				k.sum = s.Sum
			}
			return k
		}
		left := map[key][]int{}
		for _, k := range m.below[1][j+1] {
			if m.taken[k] < 0 {
				left[keyOf(m.after[k])] = append(left[keyOf(m.after[k])], k)
			}
		}
		for _, k := range m.below[0][i+1] {
			of := keyOf(m.before[k])
			if l := left[of]; m.of[k] < 0 && len(l) > 0 {
				m.of[k], m.taken[l[0]] = l[0], k
				pairs = append(pairs, [2]int{k, l[0]})
				left[of] = l[1:]
			}
		}
	}
	for _, p := range pairs {
		m.matchSectionsBelow(p[0], p[1])
	}
}

// matchTitles matches the titles of two pages, of which one may have none: then the text
// before its first heading is its beginning.
func (m *matcher) matchTitles() {
	first := func(all []Section, partner []int, level int) int {
		for i, s := range all[:min(len(all), 2)] {
			if s.Level == level && s.Parent < 0 && partner[i] < 0 {
				return i
			}
		}
		return -1
	}
	for _, levels := range [][2]int{{1, 1}, {0, 1}, {1, 0}} {
		i, j := first(m.before, m.of, levels[0]), first(m.after, m.taken, levels[1])
		if i >= 0 && j >= 0 {
			m.matchSections(i, j)
		}
	}
}

// indexUniqueKeys indexes the unmatched sections by a key that only one section has; -2 for
// several.
func indexUniqueKeys[K comparable](all []Section, partner []int, key func(Section) (K, bool)) map[K]int {
	out := map[K]int{}
	for i, s := range all {
		k, ok := key(s)
		if partner[i] >= 0 || !ok {
			continue
		}
		if _, there := out[k]; there {
			out[k] = -2
		} else {
			out[k] = i
		}
	}
	return out
}

// byHeading matches the sections that alone have a heading, where their texts have
// something in common.
func (m *matcher) byHeading() (found bool) {
	key := func(s Section) (string, bool) { return spacing.Folded(s.Heading), s.Level > 0 }
	before := indexUniqueKeys(m.before, m.of, key)
	after := indexUniqueKeys(m.after, m.taken, key)
	for i := range m.before { // in order: a match takes the sections below along
		h, ok := key(m.before[i])
		if !ok || before[h] != i || m.of[i] >= 0 {
			continue
		}
		if j, ok := after[h]; ok && j >= 0 && m.taken[j] < 0 && m.sameMatter(i, j) {
			m.matchSections(i, j)
			found = true
		}
	}
	return found
}

// sameMatter reports whether two sections with the same heading are about the same.
func (m *matcher) sameMatter(i, j int) bool {
	a, b := m.before[i], m.after[j]
	if a.Sum == b.Sum && a.Sum != 0 || m.areBelowPartners(i, j) {
		return true
	}
	if a.Words == 0 || b.Words == 0 { // headings of headings: only their subsections count
		return m.childrenAlike(i, j)
	}
	return fingerprint.Similarity(m.before[i].sketchOfText(), m.after[j].sketchOfText()) >= alikeHeading
}

// childrenAlike reports whether half of the headings below two sections are the same.
func (m *matcher) childrenAlike(i, j int) bool {
	has := map[string]bool{}
	for _, k := range m.below[0][i+1] {
		has[spacing.Folded(m.before[k].Heading)] = true
	}
	same, all := 0, m.below[1][j+1]
	for _, k := range all {
		if has[spacing.Folded(m.after[k].Heading)] {
			same++
		}
	}
	return same > 0 && 2*same >= max(len(has), len(all))
}

// areBelowPartners reports whether two sections stand below partners.
func (m *matcher) areBelowPartners(i, j int) bool {
	p, q := m.parents[0][i], m.parents[1][j]
	return p < 0 && q < 0 || p >= 0 && m.of[p] == q
}

// matchByText matches the sections that alone have a text.
func (m *matcher) matchByText() (found bool) {
	key := func(s Section) (uint64, bool) { return s.Sum, s.Words >= leastWords }
	before := indexUniqueKeys(m.before, m.of, key)
	after := indexUniqueKeys(m.after, m.taken, key)
	for i := range m.before {
		sum := m.before[i].Sum
		if m.of[i] >= 0 || m.before[i].Words < leastWords || before[sum] != i {
			continue
		}
		if j, ok := after[sum]; ok && j >= 0 && m.taken[j] < 0 {
			m.matchSections(i, j)
			found = true
		}
	}
	return found
}

// byLikeness matches the sections whose texts are nearly the same, the most alike first.
func (m *matcher) byLikeness() (found bool) {
	left := func(all []Section, partner []int) (prints [][]byte, at []int) {
		for i := range all {
			if s := &all[i]; partner[i] < 0 && s.Words >= leastWords && s.Level > 0 {
				prints, at = append(prints, s.sketchOfText()), append(at, i)
			}
		}
		return prints, at
	}
	a, before := left(m.before, m.of)
	b, after := left(m.after, m.taken)
	for _, c := range nearPairs(a, b, alikeSiblings) {
		i, j := before[c.before], after[c.after]
		if m.of[i] >= 0 || m.taken[j] >= 0 {
			continue
		}
		least := alikeSections
		if m.areBelowPartners(i, j) {
			least = alikeSiblings
		}
		if m.before[i].Words < short || m.after[j].Words < short {
			least = alikeShort
		}
		if c.alike >= least {
			m.matchSections(i, j)
			found = true
		}
	}
	return found
}

// reordered are the sections that moved among their siblings, or below a heading that is
// not the partner of their own, by their index before. Subsections of a moved section are
// left out, unless they moved within it.
func (m *matcher) reordered() map[int]bool {
	out := map[int]bool{}
	for i, j := range m.of {
		if j >= 0 && m.before[i].Level > 0 && !m.areBelowPartners(i, j) {
			out[i] = true
		}
	}
	for p := -1; p < len(m.before); p++ {
		var all, places []int
		for _, i := range m.below[0][p+1] {
			if j := m.of[i]; j >= 0 && !out[i] {
				all, places = append(all, i), append(places, j)
			}
		}
		keep := longestAscending(places)
		for k, i := range all {
			if !keep[k] {
				out[i] = true
			}
		}
	}
	return out
}
