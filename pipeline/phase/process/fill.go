package process

import (
	"cmp"
	"context"
	"math"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process/gain"
	"docent/store/doc"
)

// aim is the purpose of a compression.
type aim struct {
	asked    bool   // a person asked for compression; else only within the limit
	sections bool   // a block of sections is wanted
	sparing  bool   // of a section that is not kept whole, only units near its best one
	whole    budget // what the section's best unit may take, beyond the section's part
	opens    bool   // nothing is kept of any page yet: a unit without its headings is better than nothing
	chosen   bool   // a model chose the sections
	defines  bool   // the question asks what something is
	steps    bool   // the question asks how something is done
	fails    bool   // the question is about something that goes wrong
	blind    bool   // no page has a word of the question
	best     int    // the best section's score in all pages
}

// weakPart: if a person asked for compression, sections with less than 1/weakPart of
// the best section's score in all pages are left out, unless phase 1.5 kept them.
const weakPart = 4

// maxMisses is the number of sections in a row that do not fit after which a page
// counts as full. In a page of thousands of sections, trying all of them takes most
// of the time and gains a line or two.
const maxMisses = 64

// filler spends a budget that all pages share. A page without a kept unit is not in
// the block and costs nothing.
type filler struct {
	pages []*page
	docs  []contract.Extracted
	limit budget
	why   aim
	sides []string // of the question
	asked string   // the question where it has sides
	gains *gain.Model
	// overhead gives the tokens that citing documents takes; nil: no budget of tokens.
	overhead func([]contract.Extracted) int
	cited    int         // quarters for the pages that have kept units
	with     map[int]int // and with another page
}

// largestWholeBlock is the size of a block that can be kept whole if nothing else is kept: larger
// blocks are cut at their lines.
func (f *filler) largestWholeBlock(overhead int) budget {
	most := f.limit
	const omission = 40               // quarters
	most.lines = max(1, most.lines-2) // omission lines before and after
	if f.overhead != nil {
		most.quarters -= 4*overhead + 1 + 2*omission
	}
	return most
}

// fillBlock chooses the kept units.
func (f *filler) fillBlock(ctx context.Context, c *contract.Context) error {
	why := &f.why
	why.blind = true
	total, best := 0, place{-1, -1}
	for i, p := range f.pages {
		why.blind = why.blind && p.relevance == 0
		for k, s := range p.sections {
			why.best = max(why.best, s.score)
			if best.page < 0 || f.orderByPriority(place{i, k}) > f.orderByPriority(best) {
				best = place{i, k}
			}
		}
		total += p.lineCount()
	}
	if why.sections {
		for _, p := range f.pages {
			p.own = true
			p.used = p.newChooser().gapSize(-1, len(p.units))
		}
		return f.fillWithSections(ctx)
	}
	if why.asked && best.page >= 0 {
		p := f.pages[best.page]
		whole := p.newChooser().priceOfUnits(append(p.newChooser().prologueUnits(), p.newChooser().wholeSection(best.section)...)).lines
		if f.limit.lines = min(f.limit.lines, max(total/2, whole)); whole > total/2 {
			f.takeSection(best, 1)
			f.keepPrologue(best.page)
		}
	}
	return f.documents(ctx, c)
}

// render writes the kept units. In a block of sections the page with the most relevant
// one comes first.
func (f *filler) render(out *contract.Processed) {
	out.Action, out.LineCount = contract.ActionCompressed, 0
	out.Contents, out.Documents = map[string]string{}, []contract.Extracted{}
	order := make([]int, len(f.pages))
	for i := range order {
		order[i] = i
	}
	if f.why.sections {
		first := make([]float64, len(f.pages))
		for i, p := range f.pages {
			for k := range p.sections {
				if p.quotesSection(k) || p.forSide && p.keep.Any() {
					first[i] = max(first[i], f.orderOfHits(place{i, k}))
				}
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(first[b], first[a]) })
	}
	for _, i := range order {
		p := f.pages[i]
		if !p.keep.Any() && !f.onlyLong(p) {
			if n := p.lineCount(); n > 0 {
				out.Omitted = append(out.Omitted, p.omittedLines(1, n))
			}
			continue
		}
		text, omitted := p.render()
		out.Contents[p.key] = text
		out.LineCount += doc.CountLines([]byte(text))
		for _, o := range omitted {
			out.Omitted = append(out.Omitted, p.omittedLines(o[0], o[1]))
		}
		d := f.docs[i]
		if f.why.sections {
			d.Quoted = p.quotedSections()
		}
		out.Documents = append(out.Documents, d)
	}
}

// onlyLong reports whether a page is shown as an omission line alone: nothing is kept of
// any page, and this one has a line that is too long.
func (f *filler) onlyLong(p *page) bool {
	return len(p.longs) > 0 && f.isEmpty()
}

// isEmpty reports whether nothing is kept of any page.
func (f *filler) isEmpty() bool {
	return !slices.ContainsFunc(f.pages, func(p *page) bool { return p.keep.Any() })
}

// omittedLines is the omission of lines first to last, with its size if a line in it is too
// long.
func (p *page) omittedLines(first, last int) contract.Omission {
	o := contract.Omission{Title: p.key, Lines: [2]int{first, last}}
	if p.hasLongLine(first, last) {
		o.Bytes = p.starts[last] - p.starts[first-1]
	}
	return o
}

// quoteAll says of whole documents which sections they quote: all.
func (f *filler) quoteAll(out *contract.Processed) {
	out.Documents = slices.Clone(out.Documents)
	for i, p := range f.pages {
		p.newChooser().keepAll()
		out.Documents[i].Quoted = p.quotedSections()
	}
}

// isShorterThanWhole reports whether the block is shorter than one of the whole documents, in lines
// and in tokens.
func (f *filler) isShorterThanWhole(ex contract.Extraction) bool {
	lines, spent, whole := 0, 0, 0
	long := false
	for _, p := range f.pages {
		long = long || len(p.longs) > 0
		if p.keep.Any() {
			text, _ := p.render()
			lines += doc.CountLines([]byte(text))
			spent += tokenQuarters(text)
		}
		whole += tokenQuarters(p.src)
	}
	return (long || lines < totalLines(ex)) && spent < whole
}

// budgetLeft is what a page may take in all, if the other pages keep what they have.
func (f *filler) budgetLeft(i int) budget {
	out := f.limit
	for j, p := range f.pages {
		if j != i && p.keep.Any() {
			out = out.minusBudget(p.used)
			out.quarters -= p.lined
		}
	}
	out.quarters -= f.pages[i].lined
	if f.overhead != nil {
		out.quarters -= f.citationCost(i)
	}
	return out
}

// citationCost is the quarters that citing the pages in the block takes, with page i.
func (f *filler) citationCost(i int) int {
	if f.pages[i].keep.Any() {
		return f.cited
	}
	if q, ok := f.with[i]; ok {
		return q
	}
	var docs []contract.Extracted
	for j, p := range f.pages {
		if j == i || p.keep.Any() {
			docs = append(docs, f.docs[j])
		}
	}
	q := 4*f.overhead(docs) + len(docs) // a newline may be added to each content
	f.with[i] = q
	return q
}

// tryChange changes page i, which may use the rest of the budget except for reserve.
func (f *filler) tryChange(i int, reserve budget, change func(limit budget) bool) bool {
	p := f.pages[i]
	opened := p.keep.Any()
	cited := 0
	if f.overhead != nil {
		cited = f.citationCost(i)
	}
	ok := change(f.budgetLeft(i).minusBudget(reserve))
	if !opened && p.keep.Any() && f.overhead != nil {
		f.cited = cited
		clear(f.with)
	}
	return ok
}

// takeSection keeps a section of a page, whole or its best units; part is the most that it
// may add, as a part of the budget.
func (f *filler) takeSection(at place, part float64) bool {
	return f.takeOf(at, func(p *page, limit budget, why aim) bool {
		if part < 1 {
			now := p.sizeInBlock()
			limit.lines = min(limit.lines, now.lines+max(leastPart, int(float64(part*float64(f.limit.lines)))))
			limit.quarters = min(limit.quarters, now.quarters+
				max(min(leastQuarters, f.quartersLeft()/2), int(float64(part*float64(f.quartersLeft())))))
		}
		return p.newChooser().addSection(at.section, limit, why)
	})
}

// takeOf keeps units of a section, with the line that cites the section.
func (f *filler) takeOf(at place, change func(p *page, limit budget, why aim) bool) bool {
	p := f.pages[at.page]
	line := 0
	if f.why.sections && !p.quotesSection(at.section) {
		line = p.sectionLine(at.section, f.docs[at.page])
	}
	return f.tryChange(at.page, budget{0, line}, func(limit budget) bool {
		why := f.why
		why.whole, why.opens = limit, f.isEmpty()
		ok := change(p, limit, why)
		if ok {
			p.lined += line
		}
		return ok
	})
}

// quartersLeft is the quarters that contents may take, citations aside.
func (f *filler) quartersLeft() int {
	if f.overhead == nil {
		return f.limit.quarters
	}
	return max(0, f.limit.quarters-f.cited)
}

// sizeInBlock is the size of the page in the block: nothing without a kept unit.
func (p *page) sizeInBlock() budget {
	if !p.keep.Any() {
		return budget{}
	}
	return p.used
}

// orderSections gives the sections of all pages, the most relevant first.
func (f *filler) orderSections(only func(p *page, k int) bool) []place {
	var all []place
	for i, p := range f.pages {
		for k := range p.sections {
			if only(p, k) {
				all = append(all, place{i, k})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(f.orderByPriority(b), f.orderByPriority(a)), cmp.Compare(a.page, b.page))
	})
	return all
}

// wordsPart is the part of the words of the question in the order among sections that
// phase 1.5 found. (Measured: without it .02 fewer questions are answered by a block of
// sections.)
const (
	wordsPart  = 0.5
	firstOfAll = 100 // more than any score without a rerank_sim
)

// orderByPriority orders sections. Those that phase 1.5 kept come first.
func (f *filler) orderByPriority(at place) float64 {
	s := f.pages[at.page].sections[at.section]
	words := float64(s.score) / float64(max(1, f.why.best))
	if s.sim > 0 {
		return 2 + s.sim + float64(wordsPart*words)
	}
	return words
}

// orderOfHits orders sections as phase 1.5 does, and those that it did not keep by words.
func (f *filler) orderOfHits(at place) float64 {
	if sim := f.similarity(at); sim > 0 {
		return firstOfAll + sim
	}
	return f.orderByPriority(at)
}

// logOdds is the log odds of a rerank_sim. It tells sections near 1 apart.
func logOdds(sim float64) float64 {
	sim = min(max(sim, 1e-4), 1-1e-4)
	return math.Log(sim / (1 - sim))
}

// documents fills the budget with the pages' parts in this order: the best of the
// sections that phase 1.5 kept, these sections whole, sections with words of the
// question, and, unless a person asked for compression, headings and the first units
// of the other sections.
func (f *filler) documents(ctx context.Context, c *contract.Context) error {
	why := f.why
	if f.overhead != nil {
		if err := f.fillByGain(ctx, f.candidates(), f.limit.lines); err != nil {
			return err
		}
	} else {
		f.bestOfEachSide()
	}
	order := f.orderSections(func(p *page, k int) bool {
		s := p.sections[k]
		if why.asked {
			return s.sim > 0 || s.score > 0 && s.score >= why.best/weakPart
		}
		return s.sim > 0 || s.score > 0
	})
	misses := 0
	for _, at := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if misses == maxMisses {
			break
		}
		p := f.pages[at.page]
		opened := p.keep.Any()
		if misses++; !f.takeSection(at, 1) {
			continue
		}
		misses = 0
		if !opened {
			f.keepPrologue(at.page)
		}
	}
	f.atLeastOne(order)
	if why.asked && !why.blind {
		return nil
	}
	for _, i := range orderByScore(len(f.pages), func(i int) int { return f.pages[i].relevance }) {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := f.pages[i]
		f.tryChange(i, budget{}, func(limit budget) bool {
			if p.newChooser().costOfLines(1, p.lineCount()).isWithin(limit) && !why.asked && len(p.longs) == 0 {
				p.newChooser().keepAll()
				return true
			}
			p.newChooser().addUnits(limit, p.newChooser().prologueUnits()...)
			p.newChooser().keepHeadings(limit)
			p.newChooser().firstUnits(limit, why.blind)
			return true
		})
	}
	return nil
}

// prologuePart: a page's title, source line and front matter may take 1/prologuePart of
// the budget.
const prologuePart = 8

// keepPrologue keeps a page's title, source line and front matter, if they are small relative
// to the budget.
func (f *filler) keepPrologue(i int) {
	p := f.pages[i]
	f.tryChange(i, budget{}, func(limit budget) bool {
		most := p.used.plusBudget(budget{max(2, f.limit.lines/prologuePart), f.limit.quarters / prologuePart})
		limit = budget{min(limit.lines, most.lines), min(limit.quarters, most.quarters)}
		if p.newChooser().addUnits(limit, p.newChooser().prologueUnits()...) {
			return true
		}
		for _, u := range p.newChooser().prologueUnits() {
			p.newChooser().addUnits(limit, u)
		}
		return true
	})
}

// leastPart and leastQuarters are the part of a small budget that any section may take.
const (
	leastPart     = 15
	leastQuarters = 2000
)

// leastLines is what one line takes with the omissions and blank lines around it.
const leastLines = 5

// atLeastOne keeps the best unit or line by itself if the budget is too small for
// anything that it needs.
func (f *filler) atLeastOne(order []place) {
	for _, p := range f.pages {
		if p.keep.Any() {
			return
		}
	}
	if len(order) == 0 {
		order = f.orderSections(func(*page, int) bool { return true })
	}
	f.limit.lines = max(f.limit.lines, leastLines)
	for _, at := range order[:min(len(order), maxMisses)] {
		p := f.pages[at.page]
		s := p.sections[at.section]
		line := 0
		if f.why.sections {
			line = p.sectionLine(at.section, f.docs[at.page])
		}
		// Its heading comes last: it shows at least the topic.
		for _, o := range orderByScore(s.end-s.first, func(i int) int { return p.worthOf(s.first + i) }) {
			if f.tryChange(at.page, budget{0, line}, func(limit budget) bool { return p.newChooser().addUnits(limit, s.first+o) }) {
				p.lined += line
				f.tryChange(at.page, budget{}, func(limit budget) bool { p.extendRow(s.first+o, limit); return true })
				return
			}
		}
	}
}

// worthOf is a unit's score; a heading's is below all others.
func (p *page) worthOf(i int) int {
	if p.units[i].kind == doc.HeadingRow {
		return -1
	}
	return p.units[i].score
}

// extendRow keeps the other lines of a row that was cut at its lines, while they fit: those
// after i, then those before it.
func (p *page) extendRow(i int, limit budget) {
	row := p.units[i].row
	for j := i + 1; j < len(p.units) && p.units[j].row == row && p.newChooser().addUnits(limit, j); j++ {
	}
	for j := i - 1; j >= 0 && p.units[j].row == row && p.newChooser().addUnits(limit, j); j-- {
	}
}
