package process

import (
	"cmp"
	"math"
	"slices"

	"docent/pipeline/phase/process/gain"
	"docent/store/doc"
)

// The features of a section that phase 1.5 did not keep.
const (
	unrankedSure   = -9.3 // log odds of less than any rerank_sim
	unrankedBehind = -8
	unrankedRank   = 20
)

// weighed is a unit that may be kept.
type weighed struct {
	at    place
	unit  int
	x     gain.Evidence
	value int // in a block, rounded so that all machines agree; see offers
}

// weighUnits gives the units of the sections that phase 1.5 kept, and of those right below
// them, headings aside.
func (f *filler) weighUnits() []weighed {
	ranked, sims := f.rankedSections()
	rank := make(map[place]int, len(ranked))
	best := 1
	for r, at := range ranked {
		rank[at] = r
		p := f.pages[at.page]
		for i := p.sections[at.section].first; i < p.sections[at.section].end; i++ {
			best = max(best, p.units[i].score)
		}
	}
	var out []weighed
	for i, p := range f.pages {
		for k, s := range p.sections {
			at := place{i, k}
			r, is := rank[at]
			if _, below := rank[place{i, s.parent}]; is || below {
				of := gain.Evidence{gain.Sure: unrankedSure, gain.Behind: unrankedBehind, gain.Rank: math.Log1p(unrankedRank),
					gain.Unranked: 1}
				if is {
					sure := logOdds(sims[r])
					of = gain.Evidence{gain.Sure: sure, gain.Behind: sure - logOdds(sims[0]), gain.Rank: math.Log1p(float64(r))}
				}
				out = append(out, f.weighSection(at, of, best)...)
			}
		}
	}
	return out
}

// rankedSections are the sections that phase 1.5 kept with their rerank_sim, the surest first.
// Where a model chose, its order counts: the n-th has the n-th rerank_sim. Where phase
// 1.5 kept none, because titles were given, they are those with the question's words.
func (f *filler) rankedSections() (order []place, sims []float64) {
	order = f.foundSections()
	for _, at := range order {
		sims = append(sims, max(notRanked, f.similarity(at)))
	}
	slices.SortFunc(sims, func(a, b float64) int { return cmp.Compare(b, a) })
	by := f.similarity
	if f.why.chosen {
		by = func(at place) float64 { return float64(f.pages[at.page].sections[at.section].score) }
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(by(b), by(a)) })
	return order, sims
}

// weighSection gives the units of a section. of has the section's features, best is the best
// score of a unit in any section.
func (f *filler) weighSection(at place, of gain.Evidence, best int) []weighed {
	p := f.pages[at.page]
	var body []int
	lines := 0
	for i := p.sections[at.section].first; i < p.sections[at.section].end; i++ {
		if u := p.units[i]; u.kind != doc.HeadingRow && u.kind != doc.Meta && u.kind != doc.Rule && !u.top && !u.tab {
			body = append(body, i)
			lines += u.lines()
		}
	}
	order := orderByScore(len(body), func(n int) int { return p.units[body[n]].score })
	byScore := make([]int, len(body))
	for r, n := range order {
		byScore[n] = r
	}
	of[gain.Around] = math.Log1p(float64(lines))
	out := make([]weighed, len(body))
	for n, i := range body {
		u, x := &p.units[i], of
		x[gain.Words] = float64(u.score) / float64(best)
		x[gain.Order] = math.Log1p(float64(byScore[n]))
		x[gain.Place] = math.Log1p(float64(n))
		x[gain.Size] = math.Log1p(p.newChooser().sizeOfUnit(i))
		x[gain.Code] = indicator(u.kind == doc.Code)
		x[gain.Announces] = indicator(u.colon && !u.subsections && !u.stopped)
		x[gain.Before] = math.Log1p(float64(max(0, order[0]-n)))
		x[gain.After] = math.Log1p(float64(max(0, n-order[0])))
		out[n] = weighed{at: at, unit: i, x: x}
	}
	return out
}

// sizeOfUnit is a unit's lines; long lines count as several.
func (p chooser) sizeOfUnit(i int) float64 {
	c := p.costOfLines(p.units[i].first, p.units[i].last)
	return max(float64(c.lines), float64(c.quarters)/(4*tokensPerLine))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
