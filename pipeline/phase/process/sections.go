package process

import (
	"context"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// A block of sections holds the headings that phase 1.5 kept, the most relevant
// first, until it has the wanted number of lines. The figures were chosen by the
// answered questions of two development sets (110 questions) at a median of at most 60
// lines. Near them most changes move one or two questions.
const (
	tokensPerLine  = 64  // a line of a block of sections counts as at most this on average
	maxQuoted      = 8   // sections
	weakGap        = 2.0 // in logits of rerank_sim: sections that far below the best are left out,
	thinPart       = .35 // once the block has this part of its lines
	firstPart      = .5  // of the lines that the best section may take
	stepsPart      = .7  // the same, if the question asks how to do or repair something
	nextPart       = .3  // of the lines that another section may take
	softPart       = .75 // of the lines: further units of the chosen sections, and other sections, end there,
	sidesPart      = .95 // or there, if the question has sides, or for the steps that it asks for
	otherPart      = .5  // of the best section's score by words: other sections with less are left out
	sharePart      = 2.5 // of a section's share of the odds of all sections: more of the lines it does not take
	leastShare     = .3  // but at least this part
	thinLines      = 4   // a section with fewer lines of its own brings its subsections
	unansweredPart = 2   // the lines are divided by this for a question that the documentation does not answer
)

// fillWithSections fills a block of sections.
func (f *filler) fillWithSections(ctx context.Context, c *contract.Context) error {
	taken := f.choosePlaces(ctx, c)
	if err := ctx.Err(); err != nil {
		return err
	}
	whole := f.limit
	f.limit.lines = f.softLimit(whole.lines)
	if !f.documented(taken) {
		for _, at := range taken {
			f.takeSection(at, 1)
		}
		f.addOtherSections(taken)
	}
	f.limit = whole
	f.atLeastOne(f.candidates(c))
	return nil
}

// documented reports whether the row or item of the parameter that is asked for is kept: it
// is the answer, and what else its table has is none.
func (f *filler) documented(taken []place) bool {
	return slices.ContainsFunc(taken, func(at place) bool {
		p := f.pages[at.page]
		i := p.documenting(at.section)
		return i >= 0 && p.isKept(i)
	})
}

// softLimit is where a block with at most so many lines ends, if nothing needs more.
func (f *filler) softLimit(lines int) int {
	part := softPart
	if len(f.sides) > 1 {
		part = sidesPart
	}
	return int(float64(part * float64(lines)))
}

// candidates are the sections that may answer, the most relevant first.
func (f *filler) candidates(c *contract.Context) []place {
	order := f.orderSections(func(p *page, k int) bool { return p.sections[k].sim > 0 })
	if len(order) == 0 { // titles were given, or a model chose
		order = f.orderSections(func(p *page, k int) bool {
			return p.sections[k].score > 0 && p.sections[k].score >= f.why.best/weakPart
		})
	}
	return slices.DeleteFunc(f.introductions(f.subsections(order), c), func(at place) bool {
		return f.isLeftOutByPerson(at) || f.isBareHeading(at)
	})
}

// isBareHeading reports whether a section is a heading alone that leads to subsections: they bring
// its name with them.
func (f *filler) isBareHeading(at place) bool {
	p := f.pages[at.page]
	next := at.section + 1
	return p.bodyLines(at.section) == 0 && next < len(p.sections) && p.sections[next].parent == at.section
}

// choosePlaces keeps the best parts of the best sections: of the best one up to firstPart of
// the budget (stepsPart for steps), of the others nextPart each.
func (f *filler) choosePlaces(ctx context.Context, c *contract.Context) []place {
	f.why.sparing = true
	whole := f.limit
	defer func() { f.why.sparing, f.limit.lines = f.why.sections, whole.lines }()
	taken := f.bestOfEachSide()
	for _, at := range f.candidates(c) {
		if ctx.Err() != nil {
			return taken
		}
		s := f.pages[at.page].sections[at.section]
		if len(taken) == maxQuoted {
			break
		}
		weak := s.sim > 0 && logOdds(s.sim) < logOdds(f.why.top)-weakGap && f.lineCount() >= int(thinPart*float64(whole.lines))
		if len(taken) > 0 && weak || f.pages[at.page].quotesSection(at.section) || f.repeatsAnother(at, taken) {
			continue
		}
		steps := f.hasSteps(at)
		if steps && f.why.sections && len(taken) > 0 {
			f.limit.lines = int(float64(sidesPart * float64(whole.lines)))
		}
		if f.takeSection(at, f.partOfLines(at, len(taken) == 0, steps)) {
			taken = append(taken, at)
		}
		if f.why.sections {
			f.limit.lines = f.softLimit(whole.lines)
		}
	}
	return taken
}

// partOfLines is the part of the lines that a section may take.
func (f *filler) partOfLines(at place, first, steps bool) float64 {
	part := nextPart
	switch {
	case steps: // all of a procedure, or none
		return stepsPart
	case first && (f.why.steps || f.why.mends):
		part = stepsPart
	case first:
		part = firstPart
	}
	if share := f.shareOfOdds(at); share > 0 {
		part = min(part, max(leastShare, float64(sharePart*share)))
	}
	return part
}

// lineCount is how many lines the block has.
func (f *filler) lineCount() int {
	n := 0
	for _, p := range f.pages {
		n += p.sizeInBlock().lines
	}
	return n
}

// repeated: a section with this part of its lines in another one says nothing new.
const repeated = .6

// repeatsAnother reports whether most lines of a section stand in a section of another page that
// is taken: pages that share a text, or versions of one.
func (f *filler) repeatsAnother(at place, taken []place) bool {
	lines := f.tellingLines(at)
	if len(lines) == 0 {
		return false
	}
	for _, other := range taken {
		if other.page == at.page {
			continue
		}
		theirs, same := f.tellingLines(other), 0
		for line := range lines {
			if theirs[line] {
				same++
			}
		}
		if float64(same) >= repeated*float64(len(lines)) {
			return true
		}
	}
	return false
}

// tellingLines are the lines of a section's text that are long enough to tell.
func (f *filler) tellingLines(at place) map[string]bool {
	const short, most = 12, 400
	p := f.pages[at.page]
	s := p.sections[at.section]
	out := map[string]bool{}
	for i := s.first; i < s.end; i++ {
		if u := p.units[i]; u.kind != doc.HeadingRow && u.kind != doc.Meta {
			for line := u.first; line <= u.last && len(out) < most; line++ {
				if text := strings.TrimSpace(p.linesText(line, line)); len(text) > short {
					out[text] = true
				}
			}
		}
	}
	return out
}

// shareOfOdds is a section's part of the odds of all that phase 1.5 kept; 0 if it did not
// keep the section.
func (f *filler) shareOfOdds(at place) float64 {
	odds := func(sim float64) float64 { return math.Exp(logOdds(sim)) }
	sum := 0.0
	for _, p := range f.pages {
		for _, s := range p.sections {
			if s.sim > 0 {
				sum += odds(s.sim)
			}
		}
	}
	s := f.pages[at.page].sections[at.section]
	if s.sim == 0 {
		return 0
	}
	return odds(s.sim) / sum
}

// isLeftOutByPerson reports whether a person leaves a section out.
func (f *filler) isLeftOutByPerson(at place) bool {
	out := f.docs[at.page].LeftOut
	return len(out) > 0 && slices.Contains(out, contract.PathName(f.pages[at.page].sections[at.section].path))
}

// addOtherSections adds further sections of the pages in the block, by their words alone.
func (f *filler) addOtherSections(taken []place) {
	least := otherPart * float64(f.why.best)
	for _, at := range slices.DeleteFunc(f.orderSections(func(p *page, k int) bool {
		return p.keep.Any() && p.sections[k].sim == 0 && float64(p.sections[k].score) >= least
	}), f.isLeftOutByPerson) {
		if len(taken) == maxQuoted {
			return
		}
		if !f.pages[at.page].quotesSection(at.section) && f.takeSection(at, nextPart) {
			taken = append(taken, at)
		}
	}
}

// subsections adds, after each section with little text of its own, its subsections.
func (f *filler) subsections(order []place) []place {
	var out []place
	seen := map[place]bool{}
	add := func(at place) {
		if !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	for _, at := range order {
		add(at)
		p := f.pages[at.page]
		if f.why.defines || p.bodyLines(at.section) >= thinLines {
			continue // what follows a term's heading uses it
		}
		for k := at.section + 1; k < len(p.sections); k++ {
			if p.sections[k].parent == at.section {
				add(place{at.page, k})
			}
		}
	}
	return out
}

// introductions puts, for a question what something is, the beginning of the best
// page after its best section: pages say there what they are about.
func (f *filler) introductions(order []place, c *contract.Context) []place {
	if c == nil || c.Kind != contract.KindDefinition || len(order) == 0 {
		return order
	}
	first := place{order[0].page, 0}
	p := f.pages[first.page]
	first.section = p.beginning()
	if order[0] == first {
		return order
	}
	return append([]place{order[0], first}, slices.DeleteFunc(order[1:], func(at place) bool { return at == first })...)
}

// bodyLines counts a section's lines of text below its heading.
func (p *page) bodyLines(k int) int {
	n := 0
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		if u := p.units[i]; u.kind != doc.HeadingRow && !u.top && u.kind != doc.Rule {
			n += u.last - u.first + 1
		}
	}
	return n
}

// quotesSection reports whether a unit of a section is kept, its heading aside.
func (p *page) quotesSection(k int) bool {
	s := p.sections[k]
	for i := s.first; i < s.end; i++ {
		if p.isKept(i) && (i != s.heading || s.end-s.first == 1) {
			return true
		}
	}
	return false
}

// quotedSections are the sections of the page with kept units.
func (p *page) quotedSections() []contract.Quote {
	var out []contract.Quote
	for k, s := range p.sections {
		if !p.quotesSection(k) {
			continue
		}
		q := contract.Quote{Path: s.path, Anchor: s.anchor, Whole: true}
		for i := s.first; i < s.end; i++ {
			switch {
			case !p.isKept(i):
				q.Whole = false
				continue
			case q.Lines[0] == 0:
				q.Lines[0] = p.units[i].first
			}
			q.Lines[1] = p.units[i].last
		}
		out = append(out, q)
	}
	return out
}

// sectionLine is the size in quarters of the citation line of a section.
func (p *page) sectionLine(k int, d contract.Extracted) int {
	s := p.sections[k]
	last := p.units[s.end-1].last
	return tokenQuarters(contract.SectionLine(contract.Quote{Path: s.path, Anchor: s.anchor, Lines: [2]int{last, last}}, d)) + 1
}

// markKept marks the sections that phase 1.5 kept. A heading belongs to the section that
// begins at its line with its text; if the page changed since, to the first one with
// its path or text; else to the section that has its line.
func (p *page) markKept(headings []contract.Heading) {
	for _, h := range headings {
		k := p.matchHeading(h)
		if k < 0 {
			continue
		}
		s := &p.sections[k]
		sim := 1e-6 // not reranked: the order of the first stage counts
		if h.RerankSim != nil {
			sim = *h.RerankSim
		}
		if sim > s.sim {
			s.sim, s.passage = sim, h.Lines
		}
		if d := h.Parameter; d != nil && d.Lines[0] > 0 {
			s.parameter = d
		}
	}
}

func (p *page) matchHeading(h contract.Heading) int {
	text := strings.TrimSpace(strings.TrimLeft(h.Text, "#"))
	byPath, byText, byLine := -1, -1, -1
	for k, s := range p.sections {
		first, last := p.units[s.first].first, p.units[s.end-1].last
		name := ""
		if len(s.path) > 0 {
			name = s.path[len(s.path)-1]
		}
		if at := h.Section[0]; at >= first && at <= last {
			if name == text {
				return k
			}
			byLine = k
		}
		if byPath < 0 && len(h.Path) > 0 && slices.Equal(s.path, h.Path) {
			byPath = k
		}
		if byText < 0 && text != "" && name == text {
			byText = k
		}
	}
	for _, k := range []int{byPath, byText, byLine} {
		if k >= 0 {
			return k
		}
	}
	if text == "" && len(p.sections) > 0 {
		return 0
	}
	return -1
}

// hasSteps reports whether a section has a procedure, and the question asks for one.
func (f *filler) hasSteps(at place) bool {
	p := f.pages[at.page]
	s := p.sections[at.section]
	return f.why.steps && slices.ContainsFunc(p.units[s.first:s.end], func(u unit) bool { return u.kind == doc.Procedure })
}
