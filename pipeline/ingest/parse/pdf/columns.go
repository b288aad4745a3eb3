package pdf

import (
	"math"
	"slices"
)

// row is a run of segments side by side in a region of a page.
type row struct {
	box
	segments []segment
}

// groupIntoRows makes rows of segments: those whose heights overlap by half stand in one. They
// come from top to bottom, the segments of each from left to right.
func groupIntoRows(segments []segment) []row {
	sorted := slices.Clone(segments)
	slices.SortStableFunc(sorted, func(a, b segment) int {
		switch {
		case a.boxMiddle() < b.boxMiddle():
			return -1
		case a.boxMiddle() > b.boxMiddle():
			return 1
		}
		return 0
	})
	var rows []row
	var anchor box // of the row that is filled: its tallest segment that is not much taller than the others
	for _, s := range sorted {
		if n := len(rows); n > 0 {
			overlap := min(s.y1, anchor.y1) - max(s.y0, anchor.y0)
			low, high := min(s.boxHeight(), anchor.boxHeight()), max(s.boxHeight(), anchor.boxHeight())
			if overlap >= 0.5*low && high <= 2.5*low {
				rows[n-1].segments = append(rows[n-1].segments, s)
				rows[n-1].box = rows[n-1].unionWith(s.box)
				if s.boxHeight() > anchor.boxHeight() {
					anchor = s.box
				}
				continue
			}
		}
		rows = append(rows, row{s.box, []segment{s}})
		anchor = s.box
	}
	for i := range rows {
		slices.SortStableFunc(rows[i].segments, func(a, b segment) int {
			switch {
			case a.x0 < b.x0:
				return -1
			case a.x0 > b.x0:
				return 1
			}
			return 0
		})
	}
	return rows
}

// regionsInOrder are the parts of a page in reading order: a page without columns is one; of
// columns each is one, and what reaches over both ends them.
func regionsInOrder(segments []segment, depth int, usual float64) [][]segment {
	if depth > 0 {
		if x, ok := gutterBetweenColumns(segments, usual); ok {
			return splitBands(segments, x, depth)
		}
	}
	return [][]segment{segments}
}

// splitBands divides a page with two columns at x by what reaches over both.
func splitBands(segments []segment, x float64, depth int) [][]segment {
	sorted := slices.Clone(segments)
	slices.SortStableFunc(sorted, func(a, b segment) int {
		switch {
		case a.y0 < b.y0:
			return -1
		case a.y0 > b.y0:
			return 1
		}
		return 0
	})
	var out [][]segment
	var left, right, across []segment
	columns := func() {
		for _, side := range [][]segment{left, right} {
			if len(side) > 0 {
				out = append(out, regionsInOrder(side, depth-1, 0)...)
			}
		}
		left, right = nil, nil
	}
	full := func() {
		if len(across) > 0 {
			out = append(out, across)
		}
		across = nil
	}
	for _, s := range sorted {
		switch {
		case s.x0 < x-1 && s.x1 > x+1:
			columns()
			across = append(across, s)
		case len(across) > 0 && s.boxMiddle() < across[len(across)-1].y1: // beside what reaches over
			across = append(across, s)
		default:
			full()
			if s.x1 <= x+1 {
				left = append(left, s)
			} else {
				right = append(right, s)
			}
		}
	}
	full()
	columns()
	return out
}

// What makes two columns of text: so many lines on both sides, so many of them about as
// wide as their column, with so many words.
const (
	leastColumnLines = 6
	leastColumnShare = 0.15 // of the page's width
	leastFull        = 0.45 // of the lines
	leastLineWords   = 3.5
)

// gutterBetweenColumns finds the gap between two columns of text. usual is where most pages of the file
// have one, 0 for nowhere: there text on one side is enough, next to a figure or code.
func gutterBetweenColumns(segments []segment, usual float64) (float64, bool) {
	if len(segments) < 2*leastColumnLines {
		return 0, false
	}
	all := segments[0].box
	for _, s := range segments {
		all = all.unionWith(s.box)
	}
	w := int(math.Ceil(all.boxWidth())) + 1
	if w < 50 || w > 20_000 {
		return 0, false
	}
	ends, begins := make([]int, w+2), make([]int, w+2) // segments that end left of a place, or begin there
	for _, s := range segments {
		ends[min(w, int(math.Ceil(s.x1-all.x0)))]++
		begins[max(0, int(math.Floor(s.x0-all.x0)))]++
	}
	for i := 1; i <= w; i++ {
		ends[i] += ends[i-1]
	}
	right := make([]int, w+2) // segments that begin at a place or right of it
	for i := w; i >= 0; i-- {
		right[i] = right[i+1] + begins[i]
	}
	best, from, to := math.MaxInt, 0, 0
	for x := int(leastColumnShare * float64(w)); x <= w-int(leastColumnShare*float64(w)); x++ {
		left, right := ends[x], right[x]
		if left < leastColumnLines || right < leastColumnLines {
			continue
		}
		crossing := len(segments) - left - right
		switch {
		case crossing < best:
			best, from, to = crossing, x, x
		case crossing == best && to == x-1:
			to = x
		}
	}
	if best != math.MaxInt {
		if x := all.x0 + float64(from+to)/2; isText(segments, all, x, best, 2) {
			return x, true
		}
	}
	at := int(usual - all.x0)
	if usual == 0 || at < 1 || at >= w || ends[at] == 0 || right[at] == 0 {
		return 0, false
	}
	return usual, isText(segments, all, usual, len(segments)-ends[at]-right[at], 1)
}

// keepsApart reports whether segments stand on both sides of x, and none of them reaches over
// it: two columns of lists, tables and code in a file of two columns.
func keepsApart(segments []segment, x float64) bool {
	left, right := 0, 0
	for _, s := range segments {
		switch {
		case s.x1 <= x+1:
			left++
		case s.x0 >= x-1:
			right++
		default:
			return false
		}
	}
	return min(left, right) >= leastColumnLines
}

// isText reports whether the segments left and right of x are text in two columns, and no
// table; sides is on how many sides text must stand.
func isText(segments []segment, all box, x float64, crossing, sides int) bool {
	var lines, full, words [2]float64
	var most [2]float64
	for _, s := range segments {
		if s.x1 <= x+1 {
			most[0] = max(most[0], s.x1-all.x0)
		} else if s.x0 >= x-1 {
			most[1] = max(most[1], all.x1-s.x0)
		}
	}
	for _, s := range segments {
		side := 0
		switch {
		case s.x1 <= x+1:
		case s.x0 >= x-1:
			side = 1
		default:
			continue
		}
		lines[side]++
		words[side] += float64(len(s.words))
		if s.boxWidth() >= 0.7*most[side] {
			full[side]++
		}
	}
	texts, longest := 0, 0.0
	for side := range lines {
		if lines[side] >= leastColumnLines && full[side] >= leastFull*lines[side] && words[side] >= leastLineWords*lines[side] {
			texts++
			longest = max(longest, lines[side])
		}
	}
	if texts == 1 {
		return sides == 1 && float64(crossing) <= 0.3*longest
	}
	return texts == 2 && float64(crossing) <= 2*min(lines[0], lines[1])
}
