package process

import (
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"docent/store/doc"
)

// budget is an amount of lines and of quarters of tokens.
type budget struct{ lines, quarters int }

const unlimited = math.MaxInt / 8

func (b budget) plus(o budget) budget  { return budget{b.lines + o.lines, b.quarters + o.quarters} }
func (b budget) minus(o budget) budget { return budget{b.lines - o.lines, b.quarters - o.quarters} }

func (b budget) within(limit budget) bool {
	return b.lines <= limit.lines && b.quarters <= limit.quarters
}

// between gives the lines that are omitted between the kept units l and r, if no
// unit between them is kept; l -1 and r len(units) are the page's ends. from > to
// means none. A blank line beside a kept unit stays, and so does a single line that
// is no longer than its omission line.
func (p *page) between(l, r int) (from, to int) {
	n := len(p.units)
	from, to = 1, p.count()
	if n > 0 && r == l+1 {
		return 1, 0
	}
	if l >= 0 {
		from = p.units[l].last + 1
		if p.blank(from) {
			from++
		}
	}
	if r < n {
		to = p.units[r].first - 1
		if p.blank(to) {
			to--
		}
	}
	if from == to && p.cost(from, to).quarters <= p.omission(from, to).quarters {
		return 1, 0
	}
	return from, to
}

// cost is the size of lines first to last.
func (p *page) cost(first, last int) budget {
	if first > last {
		return budget{}
	}
	return budget{last - first + 1, p.sums[last] - p.sums[first-1]}
}

// omission is the size of the omission line of lines first to last.
func (p *page) omission(first, last int) budget {
	return budget{1, p.marker + digits(first) + digits(last) + len(p.newline(last))}
}

// digits is the number of decimal digits of a positive number.
func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// gap is the size of the rendered text between the kept units l and r.
func (p *page) gap(l, r int) budget {
	first, last := 1, p.count()
	if l >= 0 {
		first = p.units[l].last + 1
	}
	if r < len(p.units) {
		last = p.units[r].first - 1
	}
	c := p.cost(first, last)
	if from, to := p.between(l, r); from <= to {
		c = c.minus(p.cost(from, to)).plus(p.omission(from, to))
	}
	return c
}

// toggle keeps a unit that is left out, or leaves out a kept one.
func (p *page) toggle(i int) {
	l, r := p.keptBefore(i), p.keptAfter(i)
	with := p.cost(p.units[i].first, p.units[i].last).plus(p.gap(l, i)).plus(p.gap(i, r))
	if p.kept(i) {
		p.used = p.used.minus(with).plus(p.gap(l, r))
	} else {
		p.used = p.used.minus(p.gap(l, r)).plus(with)
	}
	p.keep.Flip(uint(i))
}

// add keeps units if the page then stays within the limit.
func (p *page) add(limit budget, units ...int) bool {
	added := make([]int, 0, len(units))
	var least budget
	for _, i := range units {
		if !p.kept(i) {
			least = least.plus(p.cost(p.units[i].first, p.units[i].last))
			added = append(added, i)
		}
	}
	if !least.within(limit) {
		return false
	}
	slices.Sort(added)
	added = slices.Compact(added)
	for _, i := range added {
		p.toggle(i)
	}
	if p.used.within(limit) {
		return true
	}
	for k := len(added) - 1; k >= 0; k-- {
		p.toggle(added[k])
	}
	return false
}

// price is the size of the page with these units alone.
func (p *page) price(units []int) budget {
	all := budget{unlimited, unlimited}
	kept, used := p.keep, p.used
	p.keep, p.used = bitset.New(uint(len(p.units))), p.gap(-1, len(p.units))
	p.add(all, units...)
	price := p.used
	p.keep, p.used = kept, used
	return price
}

// aim is the purpose of a compression.
type aim struct {
	asked bool // a person asked for compression; else only within the limit
	blind bool // no page has a word of the question
	best  int  // the best section's score in all pages
}

// weakPart: if a person asked for compression, sections with less than 1/weakPart of
// the best section's score in all pages are left out.
const weakPart = 4

// maxMisses is the number of sections in a row that do not fit after which a page
// counts as full. In a page of thousands of sections, trying all of them takes most
// of the time and gains a line or two.
const maxMisses = 64

// grow keeps units within the limit, in the order of the package comment. Called
// again with a higher limit, it keeps more.
func (p *page) grow(limit budget, why aim) {
	if p.cost(1, p.count()).within(limit) && !why.asked {
		p.keepAll()
		return
	}
	if !p.add(limit, p.prologue()...) {
		for _, i := range p.prologue() {
			p.add(limit, i)
		}
	}
	order := p.ranked()
	misses := 0
	for k, s := range order {
		if misses == maxMisses {
			break
		}
		score := p.sections[s].score
		if k > 0 && (score == 0 || why.asked && score < why.best/weakPart) {
			break
		}
		if misses++; p.addSection(s, limit) {
			misses = 0
		}
	}
	if why.asked && !why.blind {
		return
	}
	p.outline(limit)
	p.firstUnits(limit, why.blind)
}

func (p *page) keepAll() {
	for i := range p.units {
		if !p.kept(i) {
			p.keep.Flip(uint(i))
		}
	}
	if len(p.units) > 0 {
		p.used = p.cost(1, p.count())
	}
}

// prologue are the units of the page's title, source line and front matter.
func (p *page) prologue() []int {
	var out []int
	for i, u := range p.units {
		if u.top {
			out = append(out, i)
		}
	}
	return out
}

// ranked are the sections, best first; of equal scores, sections with text first.
func (p *page) ranked() []int {
	return byScore(len(p.sections), func(k int) int {
		s := p.sections[k]
		if s.end-s.first > 1 || s.heading < 0 {
			return 2*s.score + 1
		}
		return 2 * s.score
	})
}

// headings are the heading of section k and those above it.
func (p *page) headings(k int) []int {
	var out []int
	for ; k >= 0; k = p.sections[k].parent {
		if h := p.sections[k].heading; h >= 0 {
			out = append(out, h)
		}
	}
	return out
}

// whole are the units of section k with their headings.
func (p *page) whole(k int) []int {
	out := p.headings(k)
	for i := p.sections[k].first; i < p.sections[k].end; i++ {
		out = append(out, i)
	}
	return out
}

// addSection keeps a section whole, or its best units. It says whether any of its
// units is kept now.
func (p *page) addSection(k int, limit budget) (some bool) {
	if p.add(limit, p.whole(k)...) {
		return true
	}
	s := p.sections[k]
	misses := 0
	for _, o := range byScore(s.end-s.first, func(i int) int { return p.units[s.first+i].score }) {
		i := s.first + o
		if p.units[i].score == 0 || misses == maxMisses {
			break
		}
		if p.units[i].kind == doc.HeadingRow {
			continue
		}
		if misses++; p.addUnit(i, limit) {
			some, misses = true, 0
		}
	}
	return some
}

// addUnit keeps a unit with its headings and introduction and, if they fit too, its
// section's warnings and the units that it announces.
func (p *page) addUnit(i int, limit budget) bool {
	if p.kept(i) {
		return true
	}
	u := p.units[i]
	needs := append(p.headings(u.section), i)
	for n := u.intro; n >= 0; n = p.units[n].intro {
		needs = append(needs, n)
	}
	more := append([]int(nil), needs...)
	for j := range needs {
		if n := needs[j]; p.units[n].colon {
			more = append(more, n+1)
		}
	}
	all := append([]int(nil), more...)
	for j := p.sections[u.section].first; j < p.sections[u.section].end; j++ {
		if p.units[j].warning {
			all = append(all, j)
		}
	}
	return p.add(limit, all...) || p.add(limit, more...) || p.add(limit, needs...)
}

// outline keeps headings, outermost first.
func (p *page) outline(limit budget) {
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
			if depth[k] != d || s.heading < 0 || p.kept(s.heading) {
				continue
			}
			if misses++; p.add(limit, p.headings(k)...) {
				misses = 0
			}
		}
	}
}

// firstUnits keeps the first unit of each section, and with all the second units,
// the third units and so on, until nothing more fits.
func (p *page) firstUnits(limit budget, all bool) {
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
