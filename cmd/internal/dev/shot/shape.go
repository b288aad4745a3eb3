//go:build unix

package main

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// Box-drawing and block characters are drawn without the font. The font's glyphs do
// not reach the edges of a cell whose size was rounded, and frames would have gaps.

// arms maps a box-drawing character to its lines to the left, top, right and
// bottom: 0 is none, 1 is thin, 2 is thick.
var arms = map[rune][4]int{
	'─': {1, 0, 1, 0}, '│': {0, 1, 0, 1}, '━': {2, 0, 2, 0}, '┃': {0, 2, 0, 2},
	'┌': {0, 0, 1, 1}, '┐': {1, 0, 0, 1}, '└': {0, 1, 1, 0}, '┘': {1, 1, 0, 0},
	'├': {0, 1, 1, 1}, '┤': {1, 1, 0, 1}, '┬': {1, 0, 1, 1}, '┴': {1, 1, 1, 0}, '┼': {1, 1, 1, 1},
	'╴': {1, 0, 0, 0}, '╵': {0, 1, 0, 0}, '╶': {0, 0, 1, 0}, '╷': {0, 0, 0, 1},
	'╸': {2, 0, 0, 0}, '╹': {0, 2, 0, 0}, '╺': {0, 0, 2, 0}, '╻': {0, 0, 0, 2},
}

// corners maps a round corner to the direction of the arc's centre from the middle
// of the cell: 1 is right or below, -1 is left or above.
var corners = map[rune][2]int{'╭': {1, 1}, '╮': {-1, 1}, '╰': {1, -1}, '╯': {-1, -1}}

// quadrants are the filled quarters of ▖ (U+2596) to ▟ (U+259F), as a sum of top
// left 1, top right 2, bottom left 4 and bottom right 8.
var quadrants = [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}

// stroke is the thickness of a thin line in a cell.
func stroke(r image.Rectangle) int { return max(1, (r.Dy()+8)/16) }

// drawShape draws a box-drawing or block character into its cell. It returns false
// for all other characters.
func drawShape(img *image.RGBA, cell image.Rectangle, r rune, fg color.RGBA) bool {
	fill := func(x0, y0, x1, y1 int) {
		draw.Draw(img, image.Rect(x0, y0, x1, y1), image.NewUniform(fg), image.Point{}, draw.Src)
	}
	w, h := cell.Dx(), cell.Dy()
	x0, y0, x1, y1 := cell.Min.X, cell.Min.Y, cell.Max.X, cell.Max.Y
	part := func(all, n int) int { return (all*n + 4) / 8 }
	if a, ok := arms[r]; ok {
		// All lines have the same centre, so that they meet across cells.
		t := stroke(cell)
		mx, my := x0+(w-t)/2, y0+(h-t)/2 // left edge and top edge of a thin line
		thick := func(arm int) (before, after int) {
			if arm == 0 {
				return 0, t
			}
			return (arm - 1) * max(1, t/2), t + (arm-1)*max(1, t/2)
		}
		for side, arm := range a {
			if arm == 0 {
				continue
			}
			before, after := thick(arm)
			// A line crosses the middle as far as the perpendicular lines are thick.
			near, far := thick(max(a[(side+1)%4], a[(side+3)%4]))
			switch side {
			case 0:
				fill(x0, my-before, mx+far, my+after)
			case 1:
				fill(mx-before, y0, mx+after, my+far)
			case 2:
				fill(mx-near, my-before, x1, my+after)
			case 3:
				fill(mx-before, my-near, mx+after, y1)
			}
		}
		return true
	}
	if c, ok := corners[r]; ok {
		corner(img, cell, c[0], c[1], fg)
		return true
	}
	switch {
	case r == '▀':
		fill(x0, y0, x1, y0+part(h, 4))
	case r >= '▁' && r <= '█':
		fill(x0, y1-part(h, int(r-'▁')+1), x1, y1)
	case r >= '▉' && r <= '▏':
		fill(x0, y0, x0+max(1, part(w, 7-int(r-'▉'))), y1)
	case r == '▐':
		fill(x0+part(w, 4), y0, x1, y1)
	case r == '▔':
		fill(x0, y0, x1, y0+max(1, part(h, 1)))
	case r == '▕':
		fill(x1-max(1, part(w, 1)), y0, x1, y1)
	case r >= '░' && r <= '▓':
		shade := color.NRGBA(fg)
		shade.A = uint8(64 * (int(r-'░') + 1))
		src := image.NewUniform(shade)
		draw.Draw(img, cell, src, image.Point{}, draw.Over)
	case r >= '▖' && r <= '▟':
		q, mx, my := quadrants[r-'▖'], x0+part(w, 4), y0+part(h, 4)
		for i, c := range [4]image.Rectangle{{image.Pt(x0, y0), image.Pt(mx, my)}, {image.Pt(mx, y0), image.Pt(x1, my)},
			{image.Pt(x0, my), image.Pt(mx, y1)}, {image.Pt(mx, my), image.Pt(x1, y1)}} {
			if q&(1<<i) != 0 {
				fill(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
			}
		}
	default:
		return false
	}
	return true
}

// corner draws a quarter circle between the middles of two sides. The rest of the
// longer side is a straight line.
func corner(img *image.RGBA, cell image.Rectangle, dx, dy int, fg color.RGBA) {
	t := stroke(cell)
	mx, my := cell.Min.X+(cell.Dx()-t)/2, cell.Min.Y+(cell.Dy()-t)/2 // left edge and top edge of the thin lines
	midX, midY := float64(mx)+float64(t)/2, float64(my)+float64(t)/2
	radius := float64(cell.Max.X) - midX
	if dx < 0 {
		radius = midX - float64(cell.Min.X)
	}
	cx, cy := midX+float64(dx)*radius, midY+float64(dy)*radius
	const n = 4 // samples per pixel in each direction, for antialiasing
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			hit := 0
			for i := range n * n {
				px, py := float64(x)+(float64(i%n)+0.5)/n, float64(y)+(float64(i/n)+0.5)/n
				d := math.Inf(1)
				switch {
				case (py-cy)*float64(dy) > 0: // beyond the arc: the straight line
					d = math.Abs(px - midX)
				case (px-cx)*float64(dx) <= 0:
					d = math.Abs(math.Hypot(px-cx, py-cy) - radius)
				}
				if d <= float64(t)/2 {
					hit++
				}
			}
			if hit > 0 {
				src := color.NRGBA{fg.R, fg.G, fg.B, uint8(hit * 255 / (n * n))}
				draw.Draw(img, image.Rect(x, y, x+1, y+1), image.NewUniform(src), image.Point{}, draw.Over)
			}
		}
	}
}
