package pdf

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastNumbered is how many numbers below each other are the numbers of lines.
const leastNumbered = 10

// withoutNoise leaves out segments that are not text: vertical writing, rows of signs,
// and line numbers at the side of a page.
func withoutNoise(p *page) []segment {
	out := slices.DeleteFunc(slices.Clone(p.segments), func(s segment) bool {
		if s.boxHeight() > 3*s.boxWidth() && utf8.RuneCountInString(textOfWords(s.words)) >= 3 {
			return true
		}
		return isSigns(s.words)
	})
	return withoutLineNumbers(out)
}

// isSigns reports whether words are a row of signs that mean nothing: bars, boxes.
func isSigns(words []word) bool {
	n := 0
	for _, w := range words {
		for _, r := range w.text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return false
			}
			if r >= 0x2500 && r <= 0x27bf || r == '_' || r == '.' || r == '-' || r == '=' || r == '*' {
				n++
			}
		}
	}
	return n >= 10
}

// lineNumber reads the number of a line, which may have a printer's mark: 32S.
func lineNumber(s segment) (int, bool) {
	if len(s.words) != 1 || len(s.words[0].text) > 4 {
		return 0, false
	}
	n, err := strconv.Atoi(strings.Trim(s.words[0].text, "SRN"))
	return n, err == nil && n > 0
}

// withoutLineNumbers leaves out a column of numbers that grow by one, or by five, from
// line to line, left or right of all other text.
func withoutLineNumbers(segments []segment) []segment {
	columns := map[int][]int{} // indexes by the place of the numbers' right ends
	for i, s := range segments {
		if _, ok := lineNumber(s); ok {
			for _, x := range []float64{s.x1, s.x0} {
				columns[int(math.Round(x/6))] = append(columns[int(math.Round(x/6))], i)
			}
		}
	}
	drop := map[int]bool{}
	for x, list := range columns {
		list = slices.Concat(list, columns[x+1])
		slices.SortFunc(list, func(a, b int) int { return int(segments[a].boxMiddle()) - int(segments[b].boxMiddle()) })
		list = slices.Compact(list)
		if len(list) < leastNumbered {
			continue
		}
		steps, left, right := 0, math.MaxFloat64, 0.0
		for k, i := range list {
			left, right = min(left, segments[i].x0), max(right, segments[i].x1)
			if k > 0 {
				a, _ := lineNumber(segments[list[k-1]])
				if b, _ := lineNumber(segments[i]); b == a+1 || b == a+5 {
					steps++
				}
			}
		}
		if 10*steps < 8*(len(list)-1) {
			continue
		}
		before, after := 0, 0
		for _, s := range segments {
			if _, ok := lineNumber(s); !ok && s.x0 < left {
				before++
			} else if !ok && s.x1 > right {
				after++
			}
		}
		if min(before, after)*5 > len(segments) || max(before, after) > 3*len(list)/2 {
			continue // a column of a table
		}
		for _, i := range list {
			drop[i] = true
		}
	}
	if len(drop) == 0 {
		return segments
	}
	var out []segment
	for i, s := range segments {
		if !drop[i] {
			out = append(out, s)
		}
	}
	return out
}
