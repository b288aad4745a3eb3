package versions

import (
	"slices"

	"docent/pipeline/text/fingerprint"
	"docent/pipeline/text/spacing"
)

// Status says what became of a page or section.
type Status string

// The states. Pages are renamed and never moved, sections are moved and never renamed.
const (
	Same    Status = "unchanged"
	Added   Status = "added"
	Removed Status = "removed"
	Changed Status = "changed"
	Moved   Status = "moved"
	Renamed Status = "renamed"
)

// At is a place of a comparison: a page and a section of it by their numbers; -1 if the
// version has no such page or section.
type At struct{ Page, Section int }

// SectionDiff is a section that is not as it was.
type SectionDiff struct {
	Status Status
	// Before and After are the section in each version, with Page -1 in a version without
	// it.
	Before, After At
	// Edited says of a moved section that its text or heading changed too.
	Edited bool
}

// PageDiff is a page of either version.
type PageDiff struct {
	Status        Status
	Before, After int // pages of each version, -1: none
	How           How
	// Sections are those that are not as they were, in the order of the page after; those
	// that are gone stand where they stood. Of a page that is added or removed they are
	// those that came from another page, or went there.
	Sections []SectionDiff
	Counts   Counts
	// Skipped says that one of both could not be read, so that neither was compared.
	Skipped bool
}

// Counts counts pages or sections by what became of them.
type Counts struct {
	Added     int `json:"added"`
	Removed   int `json:"removed"`
	Changed   int `json:"changed"`
	Moved     int `json:"moved"` // sections only
	Unchanged int `json:"unchanged"`
	Renamed   int `json:"renamed"` // pages only
}

func (c *Counts) countStatus(s Status, n int) {
	switch s {
	case Added:
		c.Added += n
	case Removed:
		c.Removed += n
	case Changed:
		c.Changed += n
	case Moved:
		c.Moved += n
	case Renamed:
		c.Renamed += n
	case Same:
		c.Unchanged += n
	}
}

// Comparison is what two versions have in common and what not.
type Comparison struct {
	// Pages are all pages, in the order of MatchPages.
	Pages []PageDiff
	// OfPages and OfSections count them. A section that went from one page to another
	// counts once.
	OfPages, OfSections Counts
}

// Related reports whether the versions have any text in common. Two doc sets that have only
// a changelog.md each have not.
func (c *Comparison) Related(before, after []Page) bool {
	return slices.ContainsFunc(c.Pages, func(d PageDiff) bool {
		switch {
		case d.Before < 0 || d.After < 0:
			return slices.ContainsFunc(d.Sections, func(s SectionDiff) bool { return s.Status == Moved })
		case d.Skipped || d.Status == Same || d.Counts.Unchanged+d.Counts.Moved > 0:
			return true
		}
		return fingerprint.Similarity(before[d.Before].Print, after[d.After].Print) >= alikeTitles
	})
}

// Compare compares versions whose pages were matched. sections gives how many sections a
// page with the same text in both versions has.
func Compare(before, after []Page, pairs []Pair, sections func(after int) int) *Comparison {
	c := &Comparison{Pages: make([]PageDiff, len(pairs))}
	var gone, come []At // sections without a partner in their page
	matches := make([]*matcher, len(pairs))
	for n, p := range pairs {
		d := &c.Pages[n]
		*d = PageDiff{Before: p.Before, After: p.After, How: p.How}
		d.Skipped = p.Before >= 0 && before[p.Before].Unread != "" || p.After >= 0 && after[p.After].Unread != ""
		switch {
		case d.Skipped:
			continue
		case p.After < 0:
			d.Status = Removed
			gone = appendAll(gone, p.Before, len(before[p.Before].Sections), nil)
		case p.Before < 0:
			d.Status = Added
			come = appendAll(come, p.After, len(after[p.After].Sections), nil)
		case before[p.Before].Text != "" && before[p.Before].Text == after[p.After].Text:
			d.Status = Same
		default:
			matches[n] = matchSections(before[p.Before].Sections, after[p.After].Sections)
			gone = appendAll(gone, p.Before, len(matches[n].of), matches[n].of)
			come = appendAll(come, p.After, len(matches[n].taken), matches[n].taken)
		}
	}
	to, from := movedBetweenPages(before, after, gone, come)
	for n := range c.Pages {
		d := &c.Pages[n]
		if d.Skipped {
			continue
		}
		d.fillSections(before, after, matches[n], to, from)
		if d.Status == Same {
			d.Counts.Unchanged = sections(d.After)
		}
		c.addPage(d)
	}
	for _, all := range [][]Page{before, after} {
		for _, p := range all {
			for i := range p.Sections {
				p.Sections[i].body = "" // the texts of large doc sets are not kept
			}
		}
	}
	return c
}

// appendAll adds the sections of a page that have no partner; partner nil: all.
func appendAll(to []At, page, n int, partner []int) []At {
	for i := range n {
		if partner == nil || partner[i] < 0 {
			to = append(to, At{page, i})
		}
	}
	return to
}

// addPage counts a page and its sections. What went to another page was counted there.
func (c *Comparison) addPage(d *PageDiff) {
	c.OfPages.countStatus(d.Status, 1)
	all := d.Counts
	for _, s := range d.Sections {
		if s.Status == Moved && s.Before.Page == d.Before && s.After.Page != d.After {
			all.Moved--
		}
	}
	for _, s := range []struct {
		status Status
		n      int
	}{{Added, all.Added}, {Removed, all.Removed}, {Changed, all.Changed}, {Moved, all.Moved}, {Same, all.Unchanged}} {
		c.OfSections.countStatus(s.status, s.n)
	}
}

// fillSections says what became of a page and its sections.
func (d *PageDiff) fillSections(before, after []Page, m *matcher, to, from map[At]At) {
	put := func(s SectionDiff) {
		d.Sections = append(d.Sections, s)
		d.Counts.countStatus(s.Status, 1)
	}
	// lone is a section without a partner in its page.
	lone := func(old, now At) {
		s := SectionDiff{Before: old, After: now, Status: Added}
		if now.Page < 0 {
			s.Status = Removed
			if at, ok := to[old]; ok {
				s.After, s.Status = at, Moved
			}
		} else if at, ok := from[now]; ok {
			s.Before, s.Status = at, Moved
		}
		if s.Status == Moved {
			s.Edited = isSectionEdited(before[s.Before.Page].Sections[s.Before.Section], after[s.After.Page].Sections[s.After.Section])
		}
		put(s)
	}
	nowhere := At{-1, -1}
	switch {
	case d.Status == Same:
	case m == nil && d.After < 0:
		for i := range before[d.Before].Sections {
			lone(At{d.Before, i}, nowhere)
		}
	case m == nil:
		for j := range after[d.After].Sections {
			lone(nowhere, At{d.After, j})
		}
	default:
		d.arrangeSections(m, put, lone)
	}
	if d.Status == "" {
		switch {
		case barePath(before[d.Before].Path) != barePath(after[d.After].Path):
			d.Status = Renamed
		case len(d.Sections) == 0:
			d.Status = Same // but for blanks
		default:
			d.Status = Changed
		}
	} else if d.Status == Same && barePath(before[d.Before].Path) != barePath(after[d.After].Path) {
		d.Status = Renamed
	}
}

// arrangeSections puts the sections of a page that both versions have: a section that is gone
// stands behind the one that it stood behind.
func (d *PageDiff) arrangeSections(m *matcher, put func(SectionDiff), lone func(old, now At)) {
	nowhere := At{-1, -1}
	behind := map[int][]int{} // by the section after, -1: the beginning
	last := -1
	for i, j := range m.of {
		if j >= 0 {
			last = j
		} else {
			behind[last] = append(behind[last], i)
		}
	}
	gone := func(at int) {
		for _, i := range behind[at] {
			lone(At{d.Before, i}, nowhere)
		}
	}
	moved := m.reordered()
	gone(-1)
	for j, i := range m.taken {
		now := At{d.After, j}
		if i < 0 {
			lone(nowhere, now)
			continue
		}
		s := SectionDiff{Before: At{d.Before, i}, After: now, Edited: isSectionEdited(m.before[i], m.after[j])}
		switch {
		case moved[i]:
			s.Status = Moved
			put(s)
		case s.Edited:
			s.Status, s.Edited = Changed, false
			put(s)
		default:
			d.Counts.Unchanged++
		}
		gone(j)
	}
}

// isSectionEdited reports whether a section's text or heading is another.
func isSectionEdited(a, b Section) bool {
	return a.Sum != b.Sum || a.Level > 0 && b.Level > 0 && a.Heading != b.Heading
}

// movedBetweenPages finds the sections that went from one page to another, both ways.
func movedBetweenPages(before, after []Page, gone, come []At) (to, from map[At]At) {
	to, from = map[At]At{}, map[At]At{}
	of := func(pages []Page, at At) *Section { return &pages[at.Page].Sections[at.Section] }
	pair := func(a, b At) { to[a], from[b] = b, a }
	// The same text, that stands once on each side.
	const several = -2
	index := func(pages []Page, all []At) map[uint64]int {
		out := map[uint64]int{}
		for k, at := range all {
			s := of(pages, at)
			if s.Words < leastWordsAbroad || s.Level == 0 {
				continue
			}
			if _, ok := out[s.Sum]; ok {
				out[s.Sum] = several
			} else {
				out[s.Sum] = k
			}
		}
		return out
	}
	there := index(after, come)
	for sum, k := range index(before, gone) {
		if l, ok := there[sum]; ok && k >= 0 && l >= 0 {
			pair(gone[k], come[l])
		}
	}
	// Nearly the same text.
	left := func(pages []Page, all []At, done map[At]At) (prints [][]byte, at []At) {
		for _, a := range all {
			if s := of(pages, a); s.Words >= short && s.Level > 0 {
				if _, ok := done[a]; !ok {
					prints, at = append(prints, s.sketchOfText()), append(at, a)
				}
			}
		}
		return prints, at
	}
	a, old := left(before, gone, to)
	b, now := left(after, come, from)
	for _, c := range nearPairs(a, b, alikeNamed) {
		x, y := old[c.before], now[c.after]
		if _, ok := to[x]; ok {
			continue
		}
		if _, ok := from[y]; ok {
			continue
		}
		if c.alike >= alikeAbroad || spacing.Folded(of(before, x).Heading) == spacing.Folded(of(after, y).Heading) {
			pair(x, y)
		}
	}
	return to, from
}

// Differs reports whether a page is to be shown among those that differ.
func (d PageDiff) Differs() bool { return !d.Skipped && d.Status != Same }

// FindPage gives the page of a comparison that is a page before or after.
func (c *Comparison) FindPage(before, after int) (PageDiff, bool) {
	i := slices.IndexFunc(c.Pages, func(d PageDiff) bool {
		return before >= 0 && d.Before == before || after >= 0 && d.After == after
	})
	if i < 0 {
		return PageDiff{}, false
	}
	return c.Pages[i], true
}
