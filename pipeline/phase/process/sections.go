package process

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process/repeat"
	"docent/store/doc"
)

// A block of sections is the ranking of phase 1.5, cut by a budget of text: the first hit
// leads, and pages stand in the order of their best section. The figures were chosen on 18
// doc sets of others (testdata/eval/questions, 1 176 questions of the splits for learning
// and choosing) at a median of 60 lines. They lie on a plateau: each by half or twice moves
// less than .01.
const (
	tokensPerLine = 64  // a line of a block of sections counts as at most this on average
	maxQuoted     = 8   // sections
	firstPart     = .5  // of the lines that a section which documents the parameter may take
	softPart      = .74 // of the lines: a block ends there if nothing needs more,
	sidesPart     = .95 // or there, if the question has sides, or for the steps that it asks for
	thinLines     = 4   // a section with fewer lines of its own brings its subsections

	firstScreen = 24 // lines: a block of no more is filled
)

// fillWithSections fills a block of sections.
func (f *filler) fillWithSections(ctx context.Context) error {
	order, part := f.candidates(), softPart
	if len(f.sides) > 1 {
		part = sidesPart
	}
	soft := max(int(float64(part*float64(f.limit.lines))), min(f.limit.lines, firstScreen))
	err := f.fillByGain(ctx, order, soft)
	f.atLeastOne(order)
	return err
}

// takeDocumented keeps the rows or items that document the parameter which is asked for.
func (f *filler) takeDocumented(order []place) (taken []place) {
	f.why.sparing = true
	defer func() { f.why.sparing = false }()
	for _, at := range order {
		if f.pages[at.page].documenting(at.section) >= 0 && len(taken) < maxQuoted && !f.repeatsAnother(at, taken) &&
			f.takeSection(at, firstPart) {
			taken = append(taken, at)
		}
	}
	return taken
}

// candidates are the sections that may answer, the most relevant first.
func (f *filler) candidates() []place {
	order, _ := f.rankedSections()
	return slices.DeleteFunc(f.subsections(order), func(at place) bool {
		return f.isLeftOutByPerson(at) || f.isBareHeading(at)
	})
}

// foundSections are the sections that phase 1.5 kept, or else those with many of
// the question's words.
func (f *filler) foundSections() []place {
	order := f.orderSections(func(p *page, k int) bool { return p.sections[k].sim > 0 })
	if len(order) > 0 {
		return order
	}
	return f.orderSections(func(p *page, k int) bool {
		return p.sections[k].score > 0 && p.sections[k].score >= f.why.best/weakPart
	})
}

func (f *filler) similarity(at place) float64 { return f.pages[at.page].sections[at.section].sim }

// isBareHeading reports whether a section is a heading alone that leads to subsections: they bring
// its name with them.
func (f *filler) isBareHeading(at place) bool {
	p := f.pages[at.page]
	next := at.section + 1
	return p.bodyLines(at.section) == 0 && next < len(p.sections) && p.sections[next].parent == at.section
}

// standsBefore reports whether a section stands before the first hit on its page: it would
// be read before the answer. (Measured: with such sections the first 24 lines answer .30 in
// place of .37, and the whole block .55 in place of .54.)
func (f *filler) standsBefore(at, first place) bool {
	return f.why.sections && len(f.sides) < 2 && at.page == first.page && at.section < first.section
}

// repeatsAnother reports whether a section says what another one that is taken says.
func (f *filler) repeatsAnother(at place, taken []place) bool {
	lines := f.tellingLines(at)
	return len(lines) > 0 && slices.ContainsFunc(taken, func(other place) bool {
		return lines.StandIn(f.tellingLines(other), other.page == at.page)
	})
}

// tellingLines are the lines of a section's text that tell it from others.
func (f *filler) tellingLines(at place) repeat.Lines {
	p := f.pages[at.page]
	s := p.sections[at.section]
	out := repeat.Lines{}
	for i := s.first; i < s.end; i++ {
		if u := p.units[i]; u.kind != doc.HeadingRow && u.kind != doc.Meta {
			for line := u.first; line <= u.last; line++ {
				out.Add(p.linesText(line, line))
			}
		}
	}
	return out
}

// isLeftOutByPerson reports whether a person leaves a section out.
func (f *filler) isLeftOutByPerson(at place) bool {
	out := f.docs[at.page].LeftOut
	return len(out) > 0 && slices.Contains(out, contract.PathName(f.pages[at.page].sections[at.section].path))
}

// subsections adds, after each section with little text of its own, its subsections: those that
// phase 1.5 kept, if there are any.
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
		children := p.childrenOf(at.section)
		if slices.ContainsFunc(children, func(k int) bool { return p.sections[k].sim > 0 }) {
			children = slices.DeleteFunc(children, func(k int) bool { return p.sections[k].sim == 0 })
		}
		for _, k := range children {
			add(place{at.page, k})
		}
	}
	return out
}

// childrenOf are the subsections of section k, one level down.
func (p *page) childrenOf(k int) []int {
	var out []int
	for i := k + 1; i < len(p.sections); i++ {
		if p.sections[i].parent == k {
			out = append(out, i)
		}
	}
	return out
}

// bodyLines counts a section's lines of text below its heading.
func (p *page) bodyLines(k int) int {
	n := 0
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		if u := p.units[i]; u.kind != doc.HeadingRow && !u.top && u.kind != doc.Rule {
			n += u.lines()
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

// notRanked is the rerank_sim of a section that was found and not reranked.
const notRanked = 1e-6

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
		sim := notRanked // not reranked: the order of the first stage counts
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
