package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// code is a block in a font of equal widths.
type code struct {
	box
	page  int
	lines []*line
}

// isCode reports whether lines in a font of equal widths are code: many texts on title pages
// have such a font too.
func (c *code) isCode() bool {
	if first := c.lines[0].words[0].text; len(c.lines) == 1 && beginsLow(first) {
		return true
	}
	lower, marks := false, 0
	for _, l := range c.lines {
		for _, w := range l.words {
			lower = lower || w.text != strings.ToUpper(w.text)
			if strings.ContainsAny(w.text, "{}();=<>/\\$#_[]|:\"'+*&@") {
				marks++
			}
		}
	}
	return len(c.lines) >= 4 || marks > 0 && lower || marks > 1
}

// mostIndent bounds the blanks before and between words of code.
const mostIndent = 200

// codeText gives the lines, the words where they stand: a blank for each width of a letter.
func (c *code) codeText() string {
	var widths []float64
	pitch := math.MaxFloat64
	for i, l := range c.lines {
		for _, w := range l.words {
			if n := utf8.RuneCountInString(w.text); n >= 2 {
				widths = append(widths, w.boxWidth()/float64(n))
			}
		}
		if i > 0 {
			if d := l.boxMiddle() - c.lines[i-1].boxMiddle(); d > 0.5*l.boxHeight() {
				pitch = min(pitch, d)
			}
		}
	}
	width := 5.0
	if len(widths) > 0 {
		slices.Sort(widths)
		width = max(1, widths[len(widths)/2])
	}
	var b strings.Builder
	for i, l := range c.lines {
		if i > 0 && l.boxMiddle()-c.lines[i-1].boxMiddle() > 1.6*pitch {
			b.WriteByte('\n')
		}
		at := 0
		for k, w := range l.words {
			to := int(math.Round((w.x0 - c.x0) / width))
			blanks := min(mostIndent, to-at)
			if k > 0 {
				blanks = max(1, blanks)
			}
			b.WriteString(strings.Repeat(" ", max(0, blanks)))
			b.WriteString(w.text)
			at = max(at, to) + utf8.RuneCountInString(w.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
