package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
)

// cell is one element of a styled line: a control sequence, which takes no columns,
// or a grapheme cluster.
type cell struct {
	text     string
	sequence bool
	col, w   int
}

// cellsOf gives the elements of a line from left to right.
func cellsOf(s string, yield func(cell) bool) {
	col := 0
	for i := 0; i < len(s); {
		if n := sanitize.Sequence(s[i:]); n > 0 {
			if !yield(cell{text: s[i : i+n], sequence: true, col: col}) {
				return
			}
			i += n
			continue
		}
		c := cell{text: s[i : i+1], col: col, w: 1}
		// A printable character before another one of ASCII stands alone.
		if s[i] < 0x20 || s[i] > 0x7e || i+1 < len(s) && s[i+1] > 0x7e {
			g, w := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
			if g == "" {
				return
			}
			c.text, c.w = g, max(w, ansi.StringWidthWc(g))
		}
		if !yield(c) {
			return
		}
		col += c.w
		i += len(c.text)
	}
}

// Columns is the part of a line, styled or not, of at most w columns from a column
// on. Styles are kept. A wide character that is cut at the left becomes a space.
func Columns(s string, from, w int) string {
	if from <= 0 {
		return CutTail(s, w, "")
	}
	var b strings.Builder
	for c := range func(yield func(cell) bool) { cellsOf(s, yield) } {
		switch {
		case c.sequence:
			b.WriteString(c.text)
		case c.col >= from && c.col+c.w <= from+w:
			b.WriteString(c.text)
		case c.col < from && c.col+c.w > from:
			b.WriteString(Spaces(min(w, c.col+c.w-from)))
		}
	}
	return b.String()
}

// Range is columns [From, To) of a line.
type Range struct{ From, To int }

// Mark adds a look to ranges of a line, on top of the line's own styles. look is SGR
// parameters, such as "7" for reversed. The ranges are in order and do not overlap.
func Mark(s string, look string, ranges ...Range) string {
	if len(ranges) == 0 {
		return s
	}
	var b strings.Builder
	open, in := "", false // the line's own styles; within a range
	begin := "\x1b[" + look + "m"
	for c := range func(yield func(cell) bool) { cellsOf(s, yield) } {
		if c.sequence {
			open = stylesAfter(open, c.text)
			b.WriteString(c.text)
			if in {
				b.WriteString(begin)
			}
			continue
		}
		if in && c.col >= ranges[0].To {
			b.WriteString(style.Reset + open)
			in, ranges = false, ranges[1:]
		}
		for len(ranges) > 0 && !in && ranges[0].To <= c.col {
			ranges = ranges[1:]
		}
		if !in && len(ranges) > 0 && c.col >= ranges[0].From {
			b.WriteString(begin)
			in = true
		}
		b.WriteString(c.text)
	}
	if in {
		b.WriteString(style.Reset)
	}
	return b.String()
}

// Overwrite overwrites a line with clean text from a column on, in a look as for Mark. The
// rest of the line keeps its columns and styles.
func Overwrite(s string, col int, text, look string) string {
	w := Width(text)
	var b strings.Builder
	open, done, end := "", false, 0
	put := func() {
		if !done {
			b.WriteString(Spaces(col-end) + "\x1b[" + look + "m" + text + style.Reset + open)
			done = true
			end = col + w
		}
	}
	for c := range func(yield func(cell) bool) { cellsOf(s, yield) } {
		switch {
		case c.sequence:
			open = stylesAfter(open, c.text)
			b.WriteString(c.text)
		case c.col+c.w <= col:
			b.WriteString(c.text)
			end = c.col + c.w
		case c.col < col+w:
			put()
			if over := c.col + c.w - (col + w); over > 0 {
				b.WriteString(Spaces(over))
			}
		default:
			put()
			b.WriteString(c.text)
		}
	}
	put()
	return b.String()
}

// LettersOf gives the characters of a styled line with their columns.
func LettersOf(s string, yield func(text string, at Range) bool) {
	cellsOf(s, func(c cell) bool { return c.sequence || yield(c.text, Range{c.col, c.col + c.w}) })
}
