package process

import "docent/store/doc"

// leastGap is the fewest lines that an omission line of a block of sections stands for:
// fewer lines are shown, if they are of the section around them.
const leastGap = 4

// gapBetween is omittedBetween for a block of sections. Blank lines next to a kept unit are
// omitted too.
func (p chooser) gapBetween(l, r int) (from, to int) {
	from, to = 1, p.lineCount()
	if l >= 0 {
		from = p.units[l].last + 1
	}
	if r < len(p.units) {
		to = p.units[r].first - 1
	}
	if to-from+1 >= leastGap || l < 0 && r >= len(p.units) || p.hasLongLine(from, to) {
		return from, to
	}
	around := l
	if around < 0 {
		around = r
	}
	for i := l + 1; i < r; i++ {
		if u := p.units[i]; u.section != p.units[around].section || u.kind == doc.HeadingRow || u.top || u.tab {
			return from, to
		}
	}
	if l >= 0 && r < len(p.units) && p.units[l].section != p.units[r].section {
		return from, to
	}
	return 1, 0
}
