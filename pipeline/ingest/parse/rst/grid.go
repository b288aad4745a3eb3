package rst

import (
	"slices"
	"strings"
)

// grid is a grid table as characters: a wide one takes two columns, the second is 0.
// It is read as docutils' GridTableParser does: cells are traced from their upper left
// corners.
type grid struct {
	text    [][]rune
	nums    []int
	columns []int // where vertical lines may stand
	rows    []int // where horizontal lines stand
	header  int   // rows of the head
	headAt  int   // line below the head
	boxes   []box
	work    int
}

// box is the frame of a cell.
type box struct{ top, left, bottom, right int }

// maxGridWork is how many characters may be looked at for each one of a table.
const maxGridWork = 64

func newGrid(v view) *grid {
	g := &grid{headAt: -1}
	widest := 0
	for i := range v.lines {
		var row []rune
		for _, c := range v.lineAt(i) {
			row = append(row, c)
			if isWide(c) {
				row = append(row, 0)
			}
		}
		g.text, g.nums = append(g.text, row), append(g.nums, v.sourceLine(i))
		widest = max(widest, len(row))
	}
	for i := range g.text {
		for len(g.text[i]) < len(g.text[0]) {
			g.text[i] = append(g.text[i], ' ')
		}
	}
	seen := map[int]bool{}
	for i, row := range g.text {
		if row[0] != '+' {
			continue
		}
		g.rows = append(g.rows, i)
		if g.headAt < 0 && i > 0 && i < len(g.text)-1 && strings.Trim(string(row), "+=") == "" {
			g.headAt = i
			for k := range row {
				if row[k] == '=' {
					row[k] = '-'
				}
			}
		}
		for k, c := range row {
			if c == '+' && !seen[k] {
				seen[k] = true
				g.columns = append(g.columns, k)
			}
		}
	}
	slices.Sort(g.columns)
	return g
}

func (g *grid) runeAt(y, x int) rune {
	if y < 0 || y >= len(g.text) || x < 0 || x >= len(g.text[y]) {
		return 0
	}
	return g.text[y][x]
}

// traceCells traces the cells. It fails where lines do not meet.
func (g *grid) traceCells() bool {
	bottom, right := len(g.text)-1, len(g.text[0])-1
	done := make([]int, right+1) // for each column, the line that is read so far
	corners := []box{{top: 0, left: 0}}
	seen := map[[2]int]bool{}
	limit := maxGridWork * (bottom + 1) * (right + 1)
	for len(corners) > 0 {
		c := corners[0]
		corners = corners[1:]
		if c.top == bottom || c.left == right || c.top < done[c.left] || seen[[2]int{c.top, c.left}] {
			continue
		}
		seen[[2]int{c.top, c.left}] = true
		found, ok := g.traceBox(c.top, c.left)
		if g.work > limit {
			return false
		}
		if !ok {
			continue
		}
		for k := found.left; k < found.right; k++ {
			if done[k] != found.top {
				return false
			}
			done[k] = found.bottom
		}
		g.boxes = append(g.boxes, found)
		corners = append(corners, box{top: found.top, left: found.right}, box{top: found.bottom, left: found.left})
		slices.SortFunc(corners, func(a, b box) int {
			if a.top != b.top {
				return a.top - b.top
			}
			return a.left - b.left
		})
	}
	for _, d := range done[:right] {
		if d != bottom {
			return false
		}
	}
	return len(g.boxes) > 0
}

// traceBox finds the smallest cell with an upper left corner: right along its top, down
// its right side, and back along the bottom and the left side.
func (g *grid) traceBox(top, left int) (box, bool) {
	if g.runeAt(top, left) != '+' {
		return box{}, false
	}
	for x := left + 1; g.runeAt(top, x) == '-' || g.runeAt(top, x) == '+'; x++ {
		g.work++
		if g.runeAt(top, x) != '+' {
			continue
		}
		for y := top + 1; g.runeAt(y, x) == '|' || g.runeAt(y, x) == '+'; y++ {
			g.work++
			if g.runeAt(y, x) == '+' && g.closes(top, left, y, x) {
				return box{top, left, y, x}, true
			}
		}
	}
	return box{}, false
}

// closes reports whether the bottom and the left side of a cell are drawn.
func (g *grid) closes(top, left, bottom, right int) bool {
	if g.runeAt(bottom, left) != '+' {
		return false
	}
	for x := left + 1; x < right; x++ {
		g.work++
		if c := g.runeAt(bottom, x); c != '-' && c != '+' {
			return false
		}
	}
	for y := top + 1; y < bottom; y++ {
		g.work++
		if c := g.runeAt(y, left); c != '|' && c != '+' {
			return false
		}
	}
	return true
}

// readCells are the lines of the cells by row and column. A cell that covers several rows
// is repeated in each, so that each row says all; one that covers columns stands in the
// first.
func (g *grid) readCells() [][][]line {
	column, row := map[int]int{}, map[int]int{}
	var lefts, tops []int
	for _, b := range g.boxes {
		if _, ok := column[b.left]; !ok {
			column[b.left], lefts = 0, append(lefts, b.left)
		}
		if _, ok := row[b.top]; !ok {
			row[b.top], tops = 0, append(tops, b.top)
		}
	}
	slices.Sort(lefts)
	slices.Sort(tops)
	for i, x := range lefts {
		column[x] = i
	}
	for i, y := range tops {
		row[y] = i
		if y < g.headAt {
			g.header = i + 1
		}
	}
	out := make([][][]line, len(tops))
	for i := range out {
		out[i] = make([][]line, len(lefts))
	}
	for _, b := range g.boxes {
		var lines []line
		for y := b.top + 1; y < b.bottom; y++ {
			end := min(b.right, len(g.text[y]))
			var t strings.Builder
			for _, c := range g.text[y][min(b.left+1, end):end] {
				if c != 0 {
					t.WriteRune(c)
				}
			}
			lines = append(lines, line{strings.TrimRight(t.String(), " "), g.nums[y]})
		}
		for i := row[b.top]; i < len(tops) && tops[i] < b.bottom; i++ {
			out[i][column[b.left]] = slices.Clone(lines)
		}
	}
	return out
}
