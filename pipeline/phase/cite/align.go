package cite

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds that keep the time for a block that does not verify linear.
const (
	maxDepth   = 24      // of the recursion of narrow
	maxLeaf    = 250_000 // cells of the table of one longest common subsequence
	maxCells   = 8 << 20 // cells of all tables
	maxNearest = 64      // source lines that an altered line is compared with
	maxCompare = 4096    // bytes of a line that are compared
)

// alignment maps the content lines of a part to the lines of its page.
type alignment struct {
	v          *verifier
	pg         *page
	start, end int
	at         []int32 // per content line: source line from 0, or -1
	gap        []bool  // per content line: an omission line with the right range
	number     int     // of the part, from 1
	nearest    []int32 // per content line: source line from 0, or -1
	hunks      []Finding
}

// scratch is memory that alignments reuse, by line id. It is all zero between uses.
type scratch struct {
	inBody, inPage []int32 // occurrences
	place          []int32 // last occurrence in the body
}

func (s *scratch) growTo(n int) {
	if len(s.inBody) < n {
		s.inBody, s.inPage, s.place = make([]int32, n), make([]int32, n), make([]int32, n)
	}
}

// alignPage compares body[start:end] with a page. First the equal lines at both ends are
// aligned, which explains a single change completely. The rest is divided at lines
// that are unique on both sides (patience diff, B. Cohen) and at omission lines.
// Small remainders are aligned by their longest common subsequence.
func (v *verifier) alignPage(number, start, end int, pg *page) *alignment {
	n := end - start
	a := &alignment{v: v, pg: pg, number: number, start: start, end: end, at: filledSlice(n, -1), gap: make([]bool, n),
		nearest: filledSlice(n, -1)}
	if a.alignWhole() {
		return a
	}
	a.at, a.gap = filledSlice(n, -1), make([]bool, n)
	v.scratch.growTo(len(v.ids))
	a.alignBetween(start, end, 0, len(pg.ids), 0)
	a.explainGaps()
	return a
}

func filledSlice(n int, v int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func (a *alignment) setAligned(i, s int, gap bool) {
	a.at[i-a.start], a.gap[i-a.start] = int32(s), gap
}

// alignWhole aligns a content without any difference.
func (a *alignment) alignWhole() bool {
	type point struct{ i, s int }
	n := len(a.pg.ids)
	forks := []point{{a.start, 0}}
	for opened := 0; len(forks) > 0; {
		at := forks[len(forks)-1]
		forks = forks[:len(forks)-1]
		for at.i < a.end && at.s < n {
			same := a.v.isSameLine(at.i, a.pg, at.s)
			m := a.v.marks[at.i]
			gap := m[0] > 0 && int(m[0]) == at.s+1 && int(m[1]) <= n
			if same && gap && opened < maxForks {
				opened++
				forks = append(forks, point{at.i, -at.s - 1}) // to be read as an omission line
			}
			if same {
				a.setAligned(at.i, at.s, false)
				at = point{at.i + 1, at.s + 1}
			} else if gap {
				a.setAligned(at.i, at.s, true)
				at = point{at.i + 1, int(m[1])}
			} else {
				break
			}
		}
		if at.i == a.end && at.s == n {
			return true
		}
		// The next fork reads its line as an omission line.
		if k := len(forks); k > 0 && forks[k-1].s < 0 {
			f := forks[k-1]
			s := -f.s - 1
			a.setAligned(f.i, s, true)
			forks[k-1] = point{f.i + 1, int(a.v.marks[f.i][1])}
		}
	}
	return false
}

// alignBetween aligns body[lo:hi) with source lines [slo, shi).
func (a *alignment) alignBetween(lo, hi, slo, shi, depth int) {
	for lo < hi && slo < shi {
		if m := a.v.marks[lo]; a.v.isSameLine(lo, a.pg, slo) {
			a.setAligned(lo, slo, false)
			lo, slo = lo+1, slo+1
		} else if m[0] > 0 && int(m[0]) == slo+1 && int(m[1]) <= shi {
			a.setAligned(lo, slo, true)
			lo, slo = lo+1, int(m[1])
		} else {
			break
		}
	}
	for lo < hi && slo < shi {
		if m := a.v.marks[hi-1]; a.v.isSameLine(hi-1, a.pg, shi-1) {
			a.setAligned(hi-1, shi-1, false)
			hi, shi = hi-1, shi-1
		} else if m[0] > 0 && int(m[1]) == shi && int(m[0]) > slo {
			shi = int(m[0]) - 1
			a.setAligned(hi-1, shi, true)
			hi--
		} else {
			break
		}
	}
	a.v.steps -= hi - lo + shi - slo
	if lo == hi || slo == shi || a.v.steps < 0 {
		return
	}
	anchors := a.findAnchors(lo, hi, slo, shi)
	if len(anchors) == 0 || depth == maxDepth {
		a.alignByTable(lo, hi, slo, shi)
		return
	}
	for _, k := range anchors {
		a.setAligned(k.i, k.s, k.gap)
		a.alignBetween(lo, k.i, slo, k.s, depth+1)
		lo, slo = k.i+1, k.end
	}
	a.alignBetween(lo, hi, slo, shi, depth+1)
}

type anchor struct {
	i, s, end int
	gap       bool
}

// findAnchors are the lines that occur once on both sides, and the omission lines, as far
// as their order is the same on both sides.
func (a *alignment) findAnchors(lo, hi, slo, shi int) []anchor {
	body, ids, mem := a.v.body, a.pg.ids, &a.v.scratch
	for i := lo; i < hi; i++ {
		mem.inBody[body[i]]++
		mem.place[body[i]] = int32(i)
	}
	for s := slo; s < shi; s++ {
		mem.inPage[ids[s]]++
	}
	var all []anchor
	for s := slo; s < shi; s++ {
		if id := ids[s]; mem.inPage[id] == 1 && mem.inBody[id] == 1 {
			all = append(all, anchor{i: int(mem.place[id]), s: s, end: s + 1})
		}
	}
	for i := lo; i < hi; i++ {
		if m := a.v.marks[i]; m[0] > 0 && int(m[0]) > slo && int(m[1]) <= shi && mem.inPage[body[i]] == 0 {
			all = append(all, anchor{i: i, s: int(m[0]) - 1, end: int(m[1]), gap: true})
		}
	}
	for i := lo; i < hi; i++ {
		mem.inBody[body[i]] = 0
	}
	for s := slo; s < shi; s++ {
		mem.inPage[ids[s]] = 0
	}
	slices.SortFunc(all, func(x, y anchor) int { return x.i - y.i })
	chosen := longestRising(all)
	kept := chosen[:0]
	end := slo
	for _, k := range chosen {
		if k.s >= end {
			kept = append(kept, k)
			end = k.end
		}
	}
	return kept
}

// longestRising is a longest subsequence of anchors with increasing source lines (patience
// sorting, O(n log n)).
func longestRising(all []anchor) []anchor {
	var tops []int // index of the anchor on each pile
	prev := make([]int, len(all))
	for x := range all {
		p, _ := slices.BinarySearchFunc(tops, all[x].s, func(t, s int) int { return all[t].s - s })
		prev[x] = -1
		if p > 0 {
			prev[x] = tops[p-1]
		}
		if p == len(tops) {
			tops = append(tops, x)
		} else {
			tops[p] = x
		}
	}
	if len(tops) == 0 {
		return nil
	}
	out := make([]anchor, len(tops))
	for x, k := tops[len(tops)-1], len(tops)-1; k >= 0; x, k = prev[x], k-1 {
		out[k] = all[x]
	}
	return out
}

// alignByTable aligns a small remainder by longest common subsequence.
func (a *alignment) alignByTable(lo, hi, slo, shi int) {
	m, n := hi-lo, shi-slo
	if m > maxLeaf/n || m*n > a.v.cells {
		return
	}
	a.v.cells -= m * n
	length := make([]int32, (m+1)*(n+1))
	w := n + 1
	for i := m - 1; i >= 0; i-- {
		for s := n - 1; s >= 0; s-- {
			if a.v.isSameLine(lo+i, a.pg, slo+s) {
				length[i*w+s] = length[(i+1)*w+s+1] + 1
			} else {
				length[i*w+s] = max(length[(i+1)*w+s], length[i*w+s+1])
			}
		}
	}
	for i, s := 0, 0; i < m && s < n; {
		switch {
		case a.v.isSameLine(lo+i, a.pg, slo+s):
			a.setAligned(lo+i, slo+s, false)
			i, s = i+1, s+1
		case length[(i+1)*w+s] >= length[i*w+s+1]:
			i++
		default:
			s++
		}
	}
}

// lineVerdicts are the verdicts on the content lines.
func (a *alignment) lineVerdicts() []Line {
	out := make([]Line, a.end-a.start)
	for k := range out {
		l := Line{Line: a.v.textLine(a.start + k)}
		switch s := int(a.at[k]); {
		case s >= 0 && a.gap[k]:
			l.Verdict, l.SourceLine, l.SourceLast = Omitted, s+1, int(a.v.marks[a.start+k][1])
		case s >= 0:
			l.Verdict, l.SourceLine = Verbatim, s+1
		default:
			l.Verdict, l.Text = Altered, a.v.b.body[a.start+k]
			if near := int(a.nearest[k]); near >= 0 {
				l.SourceLine, l.Nearest = near+1, a.pg.text[near]
			}
		}
		out[k] = l
	}
	return out
}

func (a *alignment) findingsOfGap() []Finding { return a.hunks }

func (a *alignment) addFinding(kind string, first, last int, source [2]int, format string, args ...any) {
	f := Finding{Kind: kind, Line: a.v.textLine(first), SourceLines: source, Message: fmt.Sprintf(format, args...)}
	if last > first {
		f.LastLine = a.v.textLine(last)
	}
	a.hunks = append(a.hunks, f)
}

// explainGaps makes findings for the lines between the aligned ones.
func (a *alignment) explainGaps() {
	if a.pg.where == nil {
		a.pg.where = make(map[int32]int32, len(a.pg.ids))
		for s, id := range slices.Backward(a.pg.ids) {
			a.pg.where[id] = int32(s)
		}
	}
	for k, s := range a.at {
		if s >= 0 && !a.gap[k] {
			a.pg.stands[s] = a.number
		}
	}
	a.dropWrongGaps()
	source := 0
	for i := a.start; i <= a.end; {
		from := i
		for i < a.end && a.at[i-a.start] < 0 {
			i++
		}
		next := len(a.pg.ids)
		if i < a.end {
			next = int(a.at[i-a.start])
		}
		if from < i || source < next {
			a.compareHunk(from, i, source, next)
		}
		if i < a.end {
			source = a.sourceAfter(i - a.start)
		}
		i++
	}
}

// dropWrongGaps removes omission lines from the alignment if lines are missing between
// their range and an aligned neighbour: then the range is wrong.
func (a *alignment) dropWrongGaps() {
	for k, gap := range a.gap {
		if !gap {
			continue
		}
		before, after := 0, len(a.pg.ids)
		if k > 0 {
			before = a.sourceAfter(k - 1)
		}
		if k+1 < len(a.at) {
			after = int(a.at[k+1])
		}
		if before >= 0 && before != int(a.at[k]) || after >= 0 && after != a.sourceAfter(k) {
			a.at[k], a.gap[k] = -1, false
		}
	}
}

// sourceAfter is the source line after the one of content line k, -1 if k is not aligned.
func (a *alignment) sourceAfter(k int) int {
	switch {
	case a.at[k] < 0:
		return -1
	case a.gap[k]:
		return int(a.v.marks[a.start+k][1])
	}
	return int(a.at[k]) + 1
}

// compareHunk makes findings for body[lo:hi), of which no line is aligned, compared with the
// source lines [slo, shi) that are expected there.
func (a *alignment) compareHunk(lo, hi, slo, shi int) {
	var unknown []int // body lines that the page does not have
	wrongMark := false
	for i := lo; i < hi; i++ {
		id := a.v.body[i]
		s, has := a.pg.where[id]
		switch m := a.v.marks[i]; {
		case m[0] > 0 && !has:
			wrongMark = true
			a.nearest[i-a.start] = nearestLine(slo, shi)
			if slo < shi {
				a.addFinding(FindingOmission, i, i, [2]int{slo + 1, shi},
					"the omission line says %s, missing here are lines %s of the source", spanText(int(m[0]), int(m[1])),
					spanText(slo+1, shi))
			} else {
				a.addFinding(FindingOmission, i, i, [2]int{}, "the omission line says %s, but nothing is missing here",
					spanText(int(m[0]), int(m[1])))
			}
		case has && strings.TrimSpace(a.v.b.body[i]) != "":
			a.nearest[i-a.start] = s
			kind, what := FindingMoved, "out of order"
			if a.pg.stands[s] == a.number {
				kind, what = FindingDuplicated, "again"
			}
			a.addFinding(kind, i, i, [2]int{int(s) + 1, int(s) + 1}, "line %d of the source stands here %s", s+1, what)
		default:
			unknown = append(unknown, i)
		}
	}
	a.pairUnknown(unknown, slo, shi)
	var origins []int // source lines that unknown lines were made from, increasing
	for x := 0; x < len(unknown); {
		y := x
		near := int(a.nearest[unknown[x]-a.start])
		for ; y < len(unknown) && unknown[y] == unknown[x]+y-x; y++ {
			n := int(a.nearest[unknown[y]-a.start])
			if (n < 0) != (near < 0) || n >= 0 && n != near+y-x {
				break
			}
			if n >= 0 {
				origins = append(origins, n)
			}
		}
		if near >= 0 {
			a.addFinding(FindingAltered, unknown[x], unknown[y-1], [2]int{near + 1, near + y - x}, "differs from the source's line %s",
				spanText(near+1, near+y-x))
		} else {
			a.addFinding(FindingInserted, unknown[x], unknown[y-1], [2]int{}, "does not stand in the source")
		}
		x = y
	}
	if wrongMark {
		return
	}
	at := min(max(lo, a.start), max(a.start, a.end-1))
	for _, s := range append(origins, shi) {
		if slo < s {
			a.addFinding(FindingRemoved, at, at, [2]int{slo + 1, s},
				"line %s of the source is missing before here, without an omission line", spanText(slo+1, s))
		}
		slo = s + 1
	}
}

func nearestLine(slo, shi int) int32 {
	if slo < shi {
		return int32(slo)
	}
	return -1
}

// pairUnknown finds for each unknown line the source line of [slo, shi) that it may have been
// made from: in order if there are as many of both, else the most similar line in a
// window.
func (a *alignment) pairUnknown(unknown []int, slo, shi int) {
	if len(unknown) == shi-slo {
		for x, i := range unknown {
			a.nearest[i-a.start] = int32(slo + x)
		}
		return
	}
	next := slo
	for _, i := range unknown {
		best, like := -1, 0.3
		words := wordSet(a.v.b.body[i])
		for s := next; s < min(shi, next+maxNearest) && a.v.steps > 0; s++ {
			a.v.steps -= 8
			if sim := similarityOfLines(words, a.pg.text[s]); sim > like {
				best, like = s, sim
			}
		}
		if best >= 0 {
			a.nearest[i-a.start] = int32(best)
			next = best + 1
		}
	}
}

func wordSet(line string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(line[:min(len(line), maxCompare)]) {
		set[w] = true
	}
	return set
}

// similarityOfLines is Dice's coefficient of two lines' words.
func similarityOfLines(words map[string]bool, line string) float64 {
	fields := strings.Fields(line[:min(len(line), maxCompare)])
	if len(fields) == 0 || len(words) == 0 {
		return 0
	}
	common := 0
	for _, w := range fields {
		if words[w] {
			common++
		}
	}
	return 2 * float64(common) / float64(len(words)+len(fields))
}
