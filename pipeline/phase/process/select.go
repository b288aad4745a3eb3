package process

import (
	"math"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"docent/store/doc"
)

// budget is an amount of lines and of quarters of tokens.
type budget struct{ lines, quarters int }

const unlimited = math.MaxInt / 8

func (b budget) plusBudget(o budget) budget {
	return budget{b.lines + o.lines, b.quarters + o.quarters}
}
func (b budget) minusBudget(o budget) budget {
	return budget{b.lines - o.lines, b.quarters - o.quarters}
}

func (b budget) isWithin(limit budget) bool {
	return b.lines <= limit.lines && b.quarters <= limit.quarters
}

// chooser chooses the units of a page that are kept, within a budget.
type chooser struct{ *page }

func (x *page) newChooser() chooser { return chooser{x} }

// omittedBetween gives the lines that are omitted between the kept units l and r, if no unit
// between them is kept; l -1 and r len(units) are the page's ends. from > to means no
// lines. A blank line next to a kept unit stays, and so does a single line that is no
// longer than its omission line.
func (p chooser) omittedBetween(l, r int) (from, to int) {
	n := len(p.units)
	from, to = 1, p.lineCount()
	if n > 0 && r == l+1 {
		return 1, 0
	}
	if p.own {
		return p.gapBetween(l, r)
	}
	if l >= 0 {
		from = p.units[l].last + 1
		if p.isBlank(from) {
			from++
		}
	}
	if r < n {
		to = p.units[r].first - 1
		if p.isBlank(to) {
			to--
		}
	}
	if from == to && p.costOfLines(from, to).quarters <= p.omissionSize(from, to).quarters {
		return 1, 0
	}
	return from, to
}

// costOfLines is the size of lines first to last.
func (p chooser) costOfLines(first, last int) budget {
	if first > last {
		return budget{}
	}
	return budget{last - first + 1, p.sums[last] - p.sums[first-1]}
}

// omissionSize is the size of the omission line of lines first to last.
func (p chooser) omissionSize(first, last int) budget {
	return budget{1, p.marker + decimalDigits(first) + decimalDigits(last) + len(p.lineEnding(last))}
}

// decimalDigits is the number of decimal digits of a positive number.
func decimalDigits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// gapSize is the size of the rendered text between the kept units l and r.
func (p chooser) gapSize(l, r int) budget {
	first, last := 1, p.lineCount()
	if l >= 0 {
		first = p.units[l].last + 1
	}
	if r < len(p.units) {
		last = p.units[r].first - 1
	}
	c := p.costOfLines(first, last)
	if from, to := p.omittedBetween(l, r); from <= to {
		c = c.minusBudget(p.costOfLines(from, to)).plusBudget(p.omissionSize(from, to))
	}
	return c
}

// toggleUnit keeps a unit that is left out, or leaves out a kept one.
func (p chooser) toggleUnit(i int) {
	l, r := p.keptBefore(i), p.keptAfter(i)
	with := p.costOfLines(p.units[i].first, p.units[i].last).plusBudget(p.gapSize(l, i)).plusBudget(p.gapSize(i, r))
	if p.isKept(i) {
		p.used = p.used.minusBudget(with).plusBudget(p.gapSize(l, r))
	} else {
		p.used = p.used.minusBudget(p.gapSize(l, r)).plusBudget(with)
	}
	p.keep.Flip(uint(i))
}

// addUnits keeps units if the page then stays within the limit.
func (p chooser) addUnits(limit budget, units ...int) bool {
	added := make([]int, 0, len(units))
	var least budget
	for _, i := range units {
		if !p.isKept(i) {
			if p.hasLongLine(p.units[i].first, p.units[i].last) {
				return false
			}
			least = least.plusBudget(p.costOfLines(p.units[i].first, p.units[i].last))
			added = append(added, i)
		}
	}
	if !least.isWithin(limit) {
		return false
	}
	slices.Sort(added)
	added = slices.Compact(added)
	for _, i := range added {
		p.toggleUnit(i)
	}
	if p.used.isWithin(limit) {
		return true
	}
	for k := len(added) - 1; k >= 0; k-- {
		p.toggleUnit(added[k])
	}
	return false
}

// priceOfUnits is the size of the page with these units alone.
func (p chooser) priceOfUnits(units []int) budget {
	all := budget{unlimited, unlimited}
	kept, used := p.keep, p.used
	p.keep, p.used = bitset.New(uint(len(p.units))), p.gapSize(-1, len(p.units))
	p.addUnits(all, units...)
	price := p.used
	p.keep, p.used = kept, used
	return price
}

func (p chooser) keepAll() {
	for i := range p.units {
		if !p.isKept(i) {
			p.keep.Flip(uint(i))
		}
	}
	if len(p.units) > 0 {
		p.used = p.costOfLines(1, p.lineCount())
	}
}

// prologueUnits are the units of the page's title, source line and front matter.
func (p chooser) prologueUnits() []int {
	var out []int
	for i, u := range p.units {
		if u.top {
			out = append(out, i)
		}
	}
	return out
}

// headingsOfSection are the heading of section k and those above it.
func (p chooser) headingsOfSection(k int) []int {
	var out []int
	if p.own { // the path stands in the citation
		if h := p.sections[k].heading; h >= 0 {
			out = append(out, h)
		}
		return out
	}
	for ; k >= 0; k = p.sections[k].parent {
		if h := p.sections[k].heading; h >= 0 {
			out = append(out, h)
		}
	}
	return out
}

// wholeSection are the units of section k with their headings.
func (p chooser) wholeSection(k int) []int {
	out := p.headingsOfSection(k)
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		if !p.own || p.units[i].kind != doc.Meta && !p.units[i].tab {
			out = append(out, i)
		}
	}
	return out
}

// weakUnit: of a section that is not kept whole, units with less than 1/weakUnit of
// its best unit's score are left out of a block of sections.
const weakUnit = 2.5

// addSection keeps a section whole, or its best units. It reports whether any of its
// units is kept now.
func (p chooser) addSection(k int, limit budget, why aim) (some bool) {
	if p.addUnits(limit, p.wholeSection(k)...) {
		return true
	}
	s := p.sections[k]
	order := orderByScore(s.end-s.first, func(i int) int { return p.units[s.first+i].score })
	best := 0
	if len(order) > 0 {
		best = p.units[s.first+order[0]].score
	}
	if why.sparing {
		if i := p.documenting(k); i >= 0 && p.addBest(i, limit, why) {
			p.extendRow(i, limit) // an item that is longer than the block is cut at its lines
			p.keepLead(k, limit)
			return true
		}
		for _, o := range order {
			if i := s.first + o; p.units[i].kind != doc.HeadingRow {
				some = p.addBest(i, limit, why)
				break
			}
		}
		some = p.keepLead(k, limit) || some
	}
	misses := 0
	for _, o := range order {
		i := s.first + o
		score := p.units[i].score
		if score == 0 || misses == maxMisses || why.sparing && float64(score) < float64(best)/weakUnit {
			break
		}
		if p.units[i].kind == doc.HeadingRow || p.own && p.units[i].tab {
			continue
		}
		if misses++; p.addUnit(i, limit) {
			some, misses = true, 0
		}
	}
	if some {
		p.addUnits(limit, p.warningsOfSection(k)...)
		p.firstRows(k, limit)
		if why.steps && why.sparing {
			p.keepCode(k, why.whole)
		}
	}
	return some
}

// maxCode is the most lines of code that are kept beyond a section's part.
const maxCode = 10

// keepCode keeps the code of a section that is not long, with what announces it: it is what
// somebody who asks how something is done needs of it.
func (p chooser) keepCode(k int, limit budget) {
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		if u := p.units[i]; u.kind == doc.Code && u.last-u.first < maxCode && !u.tab {
			p.addUnit(i, limit)
		}
	}
}

// maxRows is the most rows that follow a table's header if no row has a word of the
// question.
const maxRows = 10

// firstRows keeps the first rows of tables of which only the header is kept.
func (p chooser) firstRows(k int, limit budget) {
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		b := p.blocks[p.units[i].block]
		if i != b.first || b.head == 0 || !p.isKept(i) {
			continue
		}
		rows := b.first + b.head
		if p.keptAfter(rows-1) < b.end-b.tail {
			continue
		}
		for j := rows; j < min(rows+maxRows, b.end-b.tail); j++ {
			if !p.addUnits(limit, j) {
				break
			}
		}
	}
}

// bestLines is the most lines of a best unit that may be kept beyond a section's part.
const bestLines = 20

// addBest keeps the best unit of a section: beyond the section's part if it is not
// long, and without the units that it needs if there is no room for them. Its headings
// are left out only where the block is empty yet: in a page with two empty headings in
// a row, a table was once kept next to another section's text without its own heading.
func (p chooser) addBest(i int, limit budget, why aim) bool {
	whole := why.whole
	u := p.units[i]
	if u.score == 0 {
		return false
	}
	if p.addUnit(i, limit) {
		return true
	}
	if u.last-u.first >= bestLines {
		return false
	}
	if p.addUnit(i, whole) {
		return true
	}
	if u.colon && !u.subsections { // a line that announces what does not fit says nothing by itself
		return false
	}
	if p.addUnits(whole, append(p.headingsOfSection(u.section), i)...) || why.opens && p.addUnits(whole, i) {
		p.extendRow(i, whole) // the rest of a row that was cut at its lines
		return true
	}
	return false
}

// warningsOfSection are the warnings of section k.
func (p chooser) warningsOfSection(k int) []int {
	first, _ := slices.BinarySearch(p.warned, p.sections[k].first)
	end, _ := slices.BinarySearch(p.warned, p.sections[k].end)
	return p.warned[first:end:end]
}

// maxLead is the most lines of a section's first paragraph that leads in.
const maxLead = 5

// keepLead keeps the first paragraph of a section, with its headings.
func (p chooser) keepLead(k int, limit budget) bool {
	s := p.sections[k]
	for i := s.first; i < s.end; i++ {
		u := p.units[i]
		if u.kind == doc.HeadingRow || u.top || u.kind == doc.Rule {
			continue
		}
		if u.kind != doc.Paragraph || u.last-u.first+1 > maxLead {
			return false
		}
		needs := append(p.headingsOfSection(k), i)
		return p.addUnits(limit, append(needs, p.announced(i)...)...)
	}
	return false
}

// addUnit keeps a unit with its headings, its block's header and introduction and, if
// they fit too, its section's warnings and the block that it announces.
func (p chooser) addUnit(i int, limit budget) bool {
	if p.isKept(i) {
		return true
	}
	u := p.units[i]
	b := p.blocks[u.block]
	needs := append(p.headingsOfSection(u.section), i)
	needs = append(needs, p.rangeOf(b.first, b.first+b.head)...)
	needs = append(needs, p.rangeOf(b.end-b.tail, b.end)...)
	for n := u.intro; n >= 0; n = p.units[n].intro {
		needs = append(needs, n)
	}
	more := slices.Clone(needs)
	for _, n := range needs {
		for _, next := range p.announced(n) {
			if p.units[next].block != u.block { // not the block of the unit itself
				more = append(more, next)
			}
		}
	}
	all := append(slices.Clone(more), p.warningsOfSection(u.section)...)
	if p.addUnits(limit, all...) || p.addUnits(limit, more...) {
		return true
	}
	// A line that announces what does not fit says nothing by itself.
	return !u.colon && p.addUnits(limit, needs...)
}

// announced are the units of the block that unit i announces, and of the block that the last of
// them announces in turn: a sentence announces a file's name, and the name the file's text.
func (p chooser) announced(i int) []int {
	var out []int
	if p.units[i].subsections {
		return p.beginnings(p.units[i].section)
	}
	for i < len(p.units)-1 && p.units[i].colon {
		next := p.blocks[p.units[i+1].block]
		out = append(out, p.rangeOf(next.first, next.end)...)
		i = next.end - 1
	}
	return out
}

// beginnings are the headings of the subsections of section k, each with its first block: what a
// sentence announces that ends in a colon before them.
func (p chooser) beginnings(k int) []int {
	var out []int
	for _, child := range p.childrenOf(k) {
		s := p.sections[child]
		for i := s.first; i < s.end; i++ {
			out = append(out, i)
			if u := p.units[i]; u.kind != doc.HeadingRow && u.kind != doc.Rule {
				b := p.blocks[u.block]
				out = append(out, p.rangeOf(i+1, b.end)...)
				break
			}
		}
	}
	return out
}

// rangeOf lists the units [first, end).
func (p chooser) rangeOf(first, end int) []int {
	var out []int
	for i := first; i < end; i++ {
		out = append(out, i)
	}
	return out
}

// keepHeadings keeps headings, outermost first.
func (p chooser) keepHeadings(limit budget) {
	depth := make([]int, len(p.sections))
	deepest := 0
	for k, s := range p.sections {
		if s.parent >= 0 {
			depth[k] = depth[s.parent] + 1
		}
		deepest = max(deepest, depth[k])
	}
	misses := 0
	for d := 0; d <= deepest && misses < maxMisses; d++ {
		for k, s := range p.sections {
			if depth[k] != d || s.heading < 0 || p.isKept(s.heading) {
				continue
			}
			if misses++; p.addUnits(limit, p.headingsOfSection(k)...) {
				misses = 0
			}
		}
	}
}

// firstUnits keeps the first unit of each section, and with all the second units,
// the third units and so on, until nothing more fits.
func (p chooser) firstUnits(limit budget, all bool) {
	next := make([]int, len(p.sections))
	var open []int
	for k, s := range p.sections {
		next[k] = s.first
		if s.heading >= 0 {
			next[k]++
		}
		open = append(open, k)
	}
	misses := 0
	for len(open) > 0 && misses < maxMisses {
		still := open[:0]
		for _, k := range open {
			i := next[k]
			next[k]++
			if i == p.sections[k].end || misses == maxMisses {
				continue
			}
			if misses++; p.addUnit(i, limit) {
				misses = 0
				still = append(still, k)
			}
		}
		open = still
		if !all {
			return
		}
	}
}

// isSignature reports whether a line is code alone: a function with its parameters below
// its heading.
func (p chooser) isSignature(line int) bool {
	text := strings.TrimSpace(p.linesText(line, line))
	return len(text) > 2 && text[0] == '`' && text[len(text)-1] == '`'
}
