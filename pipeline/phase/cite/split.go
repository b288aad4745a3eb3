package cite

import "slices"

// maxWeighed is the most candidates for citation lines that weigh compares in a block
// that does not verify. If there are more, all are taken for citation lines.
const maxWeighed = 256

// splitParts decides which candidates are citation lines.
func (v *verifier) splitParts() ([]part, error) {
	cs := v.b.citations
	if len(cs) == 0 {
		return []part{{start: 0, cite: citation{content: len(v.body), at: -1, next: len(v.body)}}}, nil
	}
	if parts, err := v.searchSplit(); err != nil || parts != nil {
		return parts, err
	}
	if len(cs) > maxWeighed {
		return v.finishSplit(everyCitation(cs)), nil
	}
	chosen, err := v.cheapestSplit()
	if err != nil {
		return nil, err
	}
	return v.finishSplit(chosen), nil
}

// everyCitation takes all candidates that do not overlap.
func everyCitation(cs []citation) []part {
	var parts []part
	start := 0
	for _, c := range cs {
		if c.content < start {
			continue
		}
		parts = append(parts, part{start: start, cite: c})
		start = c.next
	}
	return parts
}

// finishSplit adds the text after the last citation as a part of its own.
func (v *verifier) finishSplit(parts []part) []part {
	end := 0
	if n := len(parts); n > 0 {
		end = parts[n-1].cite.next
	}
	if end < len(v.body) {
		parts = append(parts, part{start: end, cite: citation{content: len(v.body), at: -1, next: len(v.body)}})
	}
	return parts
}

// searchSplit searches for a split in which every part verifies, or nil. It goes backwards: the
// last citation lines certainly belong to a part, whose page says where its content
// begins; directly before that must be other citation lines.
func (v *verifier) searchSplit() ([]part, error) {
	cs := v.b.citations
	endsAt := make(map[int]int, len(cs)) // beginning of a part → the citation before it
	for i, c := range cs {
		if c.strict {
			endsAt[c.next] = i
		}
	}
	last, ok := endsAt[len(v.body)]
	if !ok || cs[last].next != cs[last].at+cs[last].lines {
		return nil, nil
	}
	budget := 64*len(v.body) + 1<<20
	failed := make([]bool, len(cs))
	type step struct {
		cite   int
		starts []int // beginnings still to be tried
	}
	open := func(i int) (step, error) {
		pg, err := v.pageOfPath(cs[i].path)
		if err != nil || pg.why != "" {
			return step{cite: i}, err
		}
		return step{cite: i, starts: v.beginningsBackward(cs[i].content, pg, &budget)}, nil
	}
	top, err := open(last)
	if err != nil {
		return nil, err
	}
	var parts []part // last one first
	for stack := []step{top}; len(stack) > 0; {
		s := &stack[len(stack)-1]
		if len(s.starts) == 0 || budget < 0 {
			failed[s.cite] = true
			stack = stack[:len(stack)-1]
			if len(parts) > 0 {
				parts = parts[:len(parts)-1]
			}
			continue
		}
		start := s.starts[0]
		s.starts = s.starts[1:]
		if start == 0 {
			parts = append(parts, part{start: 0, cite: cs[s.cite]})
			slices.Reverse(parts)
			return parts, nil
		}
		before, ok := endsAt[start]
		// Only the last citation of a body ends without a blank line.
		if !ok || failed[before] || cs[before].next != cs[before].at+cs[before].lines+1 {
			continue
		}
		parts = append(parts, part{start: start, cite: cs[s.cite]})
		next, err := open(before)
		if err != nil {
			return nil, err
		}
		stack = append(stack, next)
	}
	return nil, nil
}

// maxForks bounds the readings of lines that are both lines of the page and omission
// lines. They are rare, but a page about this format can have them.
const maxForks = 64

// beginningsBackward gives the possible beginnings of a content that ends before body line end
// and is the whole page.
func (v *verifier) beginningsBackward(end int, pg *page, budget *int) []int {
	type point struct{ i, s int }
	var starts []int
	forks := []point{{end, len(pg.ids)}}
	for opened := 0; len(forks) > 0; {
		at := forks[len(forks)-1]
		forks = forks[:len(forks)-1]
		for *budget >= 0 {
			*budget--
			if at.s == 0 {
				if !slices.Contains(starts, at.i) {
					starts = append(starts, at.i)
				}
				break
			}
			if at.i == 0 {
				break
			}
			same := v.isSameLine(at.i-1, pg, at.s-1)
			m := v.marks[at.i-1]
			gap := m[0] > 0 && int(m[1]) == at.s
			switch {
			case same && gap && opened < maxForks:
				opened++
				forks = append(forks, point{at.i - 1, int(m[0]) - 1})
				at = point{at.i - 1, at.s - 1}
				continue
			case same:
				at = point{at.i - 1, at.s - 1}
				continue
			case gap:
				at = point{at.i - 1, int(m[0]) - 1}
				continue
			}
			break
		}
	}
	return starts
}

// Costs of a part. A line that its page does not have, or has less often, costs much.
// A missing line costs little, up to maxMissing lines: a part that lost most of its
// lines is still a part.
const (
	costStrange = 8
	maxMissing  = 16
)

// cheapestSplit chooses the candidates that explain the block at the lowest cost, by dynamic
// programming.
func (v *verifier) cheapestSplit() ([]part, error) {
	cs := v.b.citations
	n := len(cs)
	costs := map[string]*pageCosts{}
	for _, c := range cs {
		if costs[c.path] == nil {
			pg, err := v.pageOfPath(c.path)
			if err != nil {
				return nil, err
			}
			costs[c.path] = v.pageCosts(pg)
		}
	}
	const never = int(^uint(0) >> 2)
	best := make([]int, n) // lowest cost up to candidate j, if j is chosen
	from := make([]int, n) // the chosen candidate before j, or -1
	for j, c := range cs {
		best[j], from[j] = never, -1
		pc := costs[c.path]
		for i := -1; i < j; i++ {
			start, before := 0, 0
			if i >= 0 {
				start, before = cs[i].next, best[i]
			}
			if start > c.content || before >= never {
				continue
			}
			cost := before + pc.costBetween(i, j)
			if !c.strict {
				cost++
			}
			// Of equal costs the nearer candidate wins: that gives more parts.
			if cost <= best[j] {
				best[j], from[j] = cost, i
			}
		}
	}
	end, least := -1, never
	for j, c := range cs {
		if cost := best[j] + (len(v.body)-c.next)*costStrange*2; best[j] < never && cost <= least {
			end, least = j, cost
		}
	}
	var parts []part
	for j := end; j >= 0; j = from[j] {
		start := 0
		if from[j] >= 0 {
			start = cs[from[j]].next
		}
		parts = append(parts, part{start: start, cite: cs[j]})
	}
	slices.Reverse(parts)
	return parts, nil
}

// pageCosts are running sums over the body for one page, at the lines where parts can
// begin and end.
type pageCosts struct {
	lines   int // the page's, -1 for a missing one
	starts  []sums
	ends    []sums
	nothing sums // at body line 0
}

type sums struct{ line, foreign, covered int }

func (v *verifier) pageCosts(pg *page) *pageCosts {
	pc := &pageCosts{lines: -1}
	known := make([]bool, len(v.ids))
	if pg.why == "" {
		pc.lines = len(pg.ids)
		for _, id := range pg.ids {
			known[id] = true
		}
		if pc.lines > 0 {
			known[pg.first] = true
		}
	}
	cs := v.b.citations
	pc.starts, pc.ends = make([]sums, len(cs)), make([]sums, len(cs))
	// Both next and content grow with the citations' order, so two pointers do.
	var at sums
	i, j := 0, 0
	for line := 0; line <= len(v.body); line++ {
		at.line = line
		for ; i < len(cs) && cs[i].next <= line; i++ {
			pc.starts[i] = at
		}
		for ; j < len(cs) && cs[j].content <= line; j++ {
			pc.ends[j] = at
		}
		if line == len(v.body) {
			break
		}
		m := v.marks[line]
		switch {
		case known[v.body[line]]:
			at.covered++
		case m[0] > 0 && int(m[1]) <= pc.lines:
			at.covered += int(m[1]-m[0]) + 1
		default:
			at.foreign++
			at.covered++
		}
	}
	return pc
}

// costBetween is the cost of the part between candidates i (-1: the beginning) and j.
func (pc *pageCosts) costBetween(i, j int) int {
	start := pc.nothing
	if i >= 0 {
		start = pc.starts[i]
	}
	end := pc.ends[j]
	if pc.lines < 0 {
		return costStrange * (end.line - start.line)
	}
	cost := costStrange * (end.foreign - start.foreign)
	if more := end.covered - start.covered - pc.lines; more > 0 {
		return cost + costStrange*more
	} else {
		return cost + min(-more, maxMissing)
	}
}
