package versions

import "slices"

// Change is a run of lines that differ: lines [Before, BeforeEnd) of the one text are
// lines [After, AfterEnd) of the other, counted from 0. One of them may be empty.
type Change struct {
	Before, BeforeEnd, After, AfterEnd int
}

// mostEdits bounds the exact search for the fewest changes between two lines that stand in
// both texts once each: beyond it all lines between them count as changed. It keeps two
// texts of 50 000 lines without a line in common from costing their product.
const mostEdits = 512

// DiffLines compares two texts by the patience algorithm: lines that stand once in each
// text and in the same order part both, and between them Myers' algorithm (An O(ND)
// Difference Algorithm, 1986) finds the fewest changes, up to a bound.
func DiffLines(before, after []string) []Change {
	number := map[string]int{}
	code := func(lines []string) []int {
		out := make([]int, len(lines))
		for i, l := range lines {
			n, ok := number[l]
			if !ok {
				n = len(number)
				number[l] = n
			}
			out[i] = n
		}
		return out
	}
	d := &differ{a: code(before), b: code(after)}
	d.counts[0], d.counts[1] = make([]int, len(number)), make([]int, len(number))
	d.at = make([]int, len(number))
	d.compareByPatience(0, len(d.a), 0, len(d.b))
	return d.out
}

type differ struct {
	a, b   []int
	out    []Change
	counts [2][]int // of each line in a part; zero between uses
	at     []int    // the place of a line in the part after
}

// addChange adds a change, joined with the one before it where they touch.
func (d *differ) addChange(c Change) {
	if c.Before == c.BeforeEnd && c.After == c.AfterEnd {
		return
	}
	if n := len(d.out); n > 0 && d.out[n-1].BeforeEnd == c.Before && d.out[n-1].AfterEnd == c.After {
		d.out[n-1].BeforeEnd, d.out[n-1].AfterEnd = c.BeforeEnd, c.AfterEnd
		return
	}
	d.out = append(d.out, c)
}

// compareByPatience compares parts of both texts. Each call parts them at lines that are unique in
// them, so that the work adds up to the length of the texts times the depth, which is at
// most the number of such lines and in practice two or three.
func (d *differ) compareByPatience(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && d.a[a1-1] == d.b[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	if a0 == a1 || b0 == b1 {
		d.addChange(Change{a0, a1, b0, b1})
		return
	}
	anchors := d.uniqueCommonLines(a0, a1, b0, b1)
	if len(anchors) == 0 {
		d.fewestChanges(a0, a1, b0, b1)
		return
	}
	for _, at := range anchors {
		d.compareByPatience(a0, at[0], b0, at[1])
		a0, b0 = at[0]+1, at[1]+1
	}
	d.compareByPatience(a0, a1, b0, b1)
}

// uniqueCommonLines are the lines that stand once in each part, in the order of both.
func (d *differ) uniqueCommonLines(a0, a1, b0, b1 int) [][2]int {
	for _, l := range d.a[a0:a1] {
		d.counts[0][l]++
	}
	for i, l := range d.b[b0:b1] {
		d.counts[1][l]++
		d.at[l] = b0 + i
	}
	var all [][2]int
	var places []int
	for i, l := range d.a[a0:a1] {
		if d.counts[0][l] == 1 && d.counts[1][l] == 1 {
			all, places = append(all, [2]int{a0 + i, d.at[l]}), append(places, d.at[l])
		}
	}
	for _, l := range d.a[a0:a1] {
		d.counts[0][l] = 0
	}
	for _, l := range d.b[b0:b1] {
		d.counts[1][l] = 0
	}
	keep := longestAscending(places)
	var out [][2]int
	for i, p := range all {
		if keep[i] {
			out = append(out, p)
		}
	}
	return out
}

// fewestChanges finds the fewest changes between two parts, of which at most mostEdits.
func (d *differ) fewestChanges(a0, a1, b0, b1 int) {
	n, m := a1-a0, b1-b0
	most := min(n+m, mostEdits)
	reach := make([]int, 2*most+3) // by diagonal: how far of a
	var trace [][]int32
	for e := 0; e <= most; e++ {
		row := make([]int32, 2*e+1)
		for k := -e; k <= e; k += 2 {
			x := 0
			switch {
			case e == 0:
			case k == -e || k != e && reach[most+1+k-1] < reach[most+1+k+1]:
				x = reach[most+1+k+1]
			default:
				x = reach[most+1+k-1] + 1
			}
			for x < n && x-k < m && x-k >= 0 && d.a[a0+x] == d.b[b0+x-k] {
				x++
			}
			reach[most+1+k], row[k+e] = x, int32(x)
			if x >= n && x-k >= m {
				d.walkTrace(append(trace, row), a0, a1, b0, b1)
				return
			}
		}
		trace = append(trace, row)
	}
	d.addChange(Change{a0, a1, b0, b1})
}

// walkTrace adds the changes of a path that myers found, from its rows of reached places.
func (d *differ) walkTrace(trace [][]int32, a0, a1, b0, b1 int) {
	x, y := a1-a0, b1-b0
	var found []Change
	for e := len(trace) - 1; e > 0; e-- {
		row, k := trace[e-1], x-y
		get := func(k int) int { return int(row[k+e-1]) }
		down := k == -e || k != e && get(k-1) < get(k+1)
		if down {
			px := get(k + 1)
			found = append(found, Change{a0 + px, a0 + px, b0 + px - k - 1, b0 + px - k})
			x, y = px, px-k-1
			continue
		}
		px := get(k - 1)
		found = append(found, Change{a0 + px, a0 + px + 1, b0 + px - k + 1, b0 + px - k + 1})
		x, y = px, px-k+1
	}
	slices.Reverse(found)
	for _, c := range found {
		d.addChange(c)
	}
}

// longestAscending marks a longest ascending subsequence of different numbers.
func longestAscending(all []int) []bool {
	keep := make([]bool, len(all))
	var ends []int // the place of the smallest end of a sequence of each length
	before := make([]int, len(all))
	for i, v := range all {
		n, _ := slices.BinarySearchFunc(ends, v, func(at, v int) int { return all[at] - v })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			keep[i] = true
		}
	}
	return keep
}
