package process

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/reading"
	"docent/store/doc"
)

// A question that asks several things (Context.Parts) or compares several (a
// comparison's Subjects) has sides. A block of sections answers each of them: it has
// the best section of each side, chosen by the words of that side alone.

// maxSides is the most sides of a comparison.
const maxSides = 4

// The value of a section for a side: its words, 1 at most, its rerank_sim, and whether
// it begins the page whose title the side is.
const (
	simOfSide  = 1.0
	titledSide = 1.0
)

// sidesOfQuestion are the texts of a question's sides; nil for fewer than two.
func sidesOfQuestion(c *contract.Context) []string {
	if c == nil {
		return nil
	}
	sides := c.Parts
	if len(sides) < 2 && c.Kind == contract.KindComparison {
		sides = c.Subjects
	}
	if len(sides) < 2 {
		return nil
	}
	return sides[:min(len(sides), maxSides)]
}

// sideTerms gives, for each side, which of the query's terms are its own; a word of
// all sides tells none apart.
func (b *Builtin) sideTerms(sides []string, c *contract.Context, query []queryTerm) [][]bool {
	out := make([][]bool, len(sides))
	for i, text := range sides {
		out[i] = make([]bool, len(query))
		terms := b.o.Terms(text)
		for _, w := range c.Translations {
			if strings.Contains(text, w.Word) {
				for _, r := range w.Terms {
					terms = append(terms, b.o.Terms(r.Text)...)
				}
			}
		}
		for _, x := range c.Abbreviations {
			if strings.Contains(strings.ToLower(text), strings.ToLower(x.Words)) {
				terms = append(terms, b.o.Terms(x.Also)...)
			}
		}
		for t, q := range query {
			out[i][t] = slices.Contains(terms, q.term)
		}
	}
	for t := range query {
		all := true
		for i := range out {
			all = all && out[i][t]
		}
		if all {
			for i := range out {
				out[i][t] = false
			}
		}
	}
	return out
}

// sideMeasureWeight is that of a unit which states the measure that a side asks for.
const sideMeasureWeight = 1.6

// statedBySide raises a unit's score for the sides whose measure it states.
func (w *wanted) statedBySide(p *page, u *unit) {
	if u.kind == doc.HeadingRow {
		return
	}
	for i := range u.sides {
		if m := w.sideMeasures[i]; len(m) > 0 && u.sides[i] > 0 && reading.States(p.linesText(u.first, u.last), m) {
			u.sides[i] = int(math.Round(float64(sideMeasureWeight * float64(u.sides[i]))))
		}
	}
}

// bestOfEachSide keeps the best section of each side.
func (f *filler) bestOfEachSide() []place {
	n := len(f.sides)
	f.why.sparing = true
	defer func() { f.why.sparing = false }()
	var taken []place
	if at, ok := hitOfAllSides(f); ok && f.takeSection(at, 1/float64(n+1)) {
		taken = append(taken, at)
	}
	for side := range n {
		order := slices.DeleteFunc(f.orderSections(func(p *page, k int) bool { return p.sideScore(k, side) > 0 }), f.isLeftOutByPerson)
		best := 1
		for _, at := range order {
			best = max(best, f.pages[at.page].sideScore(at.section, side))
		}
		value := func(at place) float64 {
			p := f.pages[at.page]
			v := float64(p.sideScore(at.section, side))/float64(best) + float64(simOfSide*p.sections[at.section].sim)
			// Pages say first what they are about.
			switch fit := fitOfTitle(f, p, side); {
			case fit > 0 && at.section == p.beginning():
				v += float64(titledSide * float64(fit))
			case fit > 0:
			case p.sections[at.section].isAboutSide(side):
				v += titledSide
			}
			return v
		}
		slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(value(b), value(a)) })
		if len(order) == 0 {
			continue
		}
		at := order[0]
		if f.takeSide(at, side, 1/float64(n+1)) {
			f.pages[at.page].forSide = true
			if !slices.Contains(taken, at) {
				taken = append(taken, at)
			}
		}
		if p := f.pages[at.page]; fitOfTitle(f, p, side) > 0 {
			if k := descriptionOf(p, at.section); k >= 0 && takeOpening(f, place{at.page, k}, 1/float64(n+1)) {
				taken = append(taken, place{at.page, k})
			}
		}
	}
	return taken
}

// fitOfTitle is how well a page's title is a side, see reading.FitOfTitle.
func fitOfTitle(f *filler, p *page, side int) int {
	return reading.FitOfTitle(p.title, p.set, f.sides[side], f.asked)
}

// descriptionOf is the section of a manual page that says what the page is about, if section k is its name or how
// it is called; -1 for others.
func descriptionOf(p *page, k int) int {
	is := func(k int, names ...string) bool {
		path := p.sections[k].path
		return len(path) > 0 && slices.Contains(names, strings.ToLower(path[len(path)-1]))
	}
	if !is(k, "name", "synopsis") {
		return -1
	}
	for i := k + 1; i < len(p.sections); i++ {
		if p.sections[i].parent == p.sections[k].parent && is(i, "description") {
			return i
		}
	}
	return -1
}

// openingScores are the scores of a section's first units where its opening is wanted, whatever words
// it has.
const openingScores = 100

// takeOpening keeps a section whole, or what it says first.
func takeOpening(f *filler, at place, part float64) bool {
	next := openingScores
	return takeScored(f, at, part, func(u *unit) int {
		if u.kind == doc.HeadingRow {
			return 0
		}
		score := next
		next = next * 4 / 5
		return score
	})
}

// takeScored keeps a section whole, or its best units by other scores than their own.
func takeScored(f *filler, at place, part float64, score func(u *unit) int) bool {
	p := f.pages[at.page]
	units := p.units[p.sections[at.section].first:p.sections[at.section].end]
	own := make([]int, len(units))
	for i := range units {
		own[i] = units[i].score
		units[i].score = score(&units[i])
	}
	ok := f.takeSection(at, part)
	for i := range units {
		units[i].score = own[i]
	}
	return ok
}

// hitOfAllSides is the first hit of phase 1.5, if it has words of each side: what says how two
// things differ speaks of both, and a section that has more of one of them would lead in its
// place. Where each side has a page of its name, these lead, unless the hit's headings name all sides.
func hitOfAllSides(f *filler) (place, bool) {
	if !f.why.sections || len(f.sides) < 2 {
		return place{}, false
	}
	order, _ := f.rankedSections()
	if len(order) == 0 || f.isLeftOutByPerson(order[0]) {
		return place{}, false
	}
	p := f.pages[order[0].page]
	for side := range f.sides {
		if p.sideScore(order[0].section, side) == 0 {
			return place{}, false
		}
	}
	for side := range f.sides {
		if !slices.ContainsFunc(f.pages, func(p *page) bool { return fitOfTitle(f, p, side) > 0 }) {
			return order[0], true
		}
	}
	headings := strings.Join(append([]string{p.title}, p.sections[order[0].section].path...), " ")
	return order[0], reading.HasNames(headings, f.sides)
}

// takeSide keeps the units of a section that are about a side.
func (f *filler) takeSide(at place, side int, part float64) bool {
	best := max(1, f.pages[at.page].sideScore(at.section, side))
	return takeScored(f, at, part, func(u *unit) int {
		if side >= len(u.sides) {
			return 0
		}
		return u.score/4 + int(float64(u.score)*float64(u.sides[side])/float64(best))
	})
}

// sideScore is the score of a section for a side: its best unit's.
func (p *page) sideScore(k, side int) int {
	best := 0
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		if u := p.units[i]; side < len(u.sides) {
			best = max(best, u.sides[side])
		}
	}
	return best
}

// beginning is the first section of the page with text.
func (p *page) beginning() int {
	k := 0
	for k < len(p.sections)-1 && p.bodyLines(k) == 0 {
		k++
	}
	return k
}

// isAboutSide reports whether the section's heading has the words of a side and no others.
func (s section) isAboutSide(side int) bool { return side < len(s.sides) && s.sides[side] }
