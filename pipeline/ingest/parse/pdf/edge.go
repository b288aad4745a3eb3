package pdf

import (
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

// Headers and footers are sought among so many rows at the top and at the bottom, in this
// part of the page, and stand on so many pages.
const (
	edgeRows      = 3
	edgeShare     = 0.25
	leastRepeated = 3
)

var digits = pattern.Lazy(`[0-9]+`)

// edgeRowsOfPage are the rows at the top and the bottom of a page, from the edge inwards.
func edgeRowsOfPage(rows []row, height float64) (top, bottom []int) {
	for i := 0; i < len(rows) && len(top) < edgeRows && rows[i].y1 < edgeShare*height; i++ {
		top = append(top, i)
	}
	for i := len(rows) - 1; i >= 0 && len(bottom) < edgeRows && rows[i].y0 > (1-edgeShare)*height; i-- {
		bottom = append(bottom, i)
	}
	return top, bottom
}

// edgeKey is a row's text without its numbers.
func edgeKey(r row, end string) string {
	var words []string
	for _, s := range r.segments {
		for _, w := range s.words {
			t := digits().ReplaceAllString(strings.ToLower(w.text), "#")
			if strings.Trim(t, "ivxlc") == "" {
				t = "#"
			}
			words = append(words, t)
		}
	}
	if len(words) == 2 && words[0] == "#" { // left and right pages
		words[0], words[1] = words[1], words[0]
	}
	return end + strings.Join(words, " ")
}

func rowText(r row) string {
	var words []word
	for _, s := range r.segments {
		words = append(words, s.words...)
	}
	return textOfWords(words)
}

// edgeKeys are the key of a row and those of its segments that say more than a number.
func edgeKeys(r row, end string) []string {
	keys := []string{edgeKey(r, end)}
	if len(r.segments) > 1 {
		for _, s := range r.segments {
			if hasLetters(textOfWords(s.words), 6) {
				keys = append(keys, edgeKey(row{s.box, []segment{s}}, end))
			}
		}
	}
	return keys
}

// printedPageNumbers are the numbers at the ends of the outermost rows, of which one may be the
// page's as it is printed.
func printedPageNumbers(rows []row, top, bottom []int) []int {
	var out []int
	for _, list := range [][]int{top, bottom} {
		if len(list) > 0 {
			out = append(out, endNumbers(rows[list[0]])...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// endNumbers are the numbers that a row begins and ends with.
func endNumbers(r row) []int {
	words := strings.Fields(rowText(r))
	var out []int
	for _, w := range []string{words[0], words[len(words)-1]} {
		if n, err := strconv.Atoi(w); err == nil && len(w) <= 5 {
			out = append(out, n)
		}
	}
	return out
}

func (l *layout) findRepeated() {
	l.repeated, l.exactly, l.offsets = map[string]int{}, map[string]int{}, map[int]int{}
	for _, p := range l.pages {
		rows := groupIntoRows(p.segments)
		top, bottom := edgeRowsOfPage(rows, p.height)
		seen := map[string]bool{}
		for _, n := range printedPageNumbers(rows, top, bottom) {
			l.offsets[n-p.number]++
		}
		for end, list := range map[string][]int{"top ": top, "bottom ": bottom} {
			for _, i := range list {
				l.exactly[end+rowText(rows[i])]++
				for _, key := range edgeKeys(rows[i], end) {
					if !seen[key] {
						seen[key] = true
						l.repeated[key]++
					}
				}
			}
		}
	}
}

// innerSegments is a page without headers, footers and page numbers.
func (l *layout) innerSegments(p *page) []segment {
	rows := groupIntoRows(p.segments)
	top, bottom := edgeRowsOfPage(rows, p.height)
	drop := map[int]bool{}
	for end, list := range map[string][]int{"top ": top, "bottom ": bottom} {
		for k, i := range list {
			if !l.isEdge(rows[i], end, p, k == 0) {
				break
			}
			drop[i] = true
		}
	}
	var out []segment
	for i, r := range rows {
		if !drop[i] {
			out = append(out, r.segments...)
		}
	}
	return out
}

var pageNumber = pattern.Lazy(`^(?:page )?[-–—\[]? ?([0-9]{1,5}) ?[-–—\]]?(?: (?:of|/) [0-9]{1,5})?$`)

// isEdge reports whether a row at the edge of a page is a header, a footer or its number;
// outer, whether it is the outermost.
func (l *layout) isEdge(r row, end string, p *page, outer bool) bool {
	st := lineOf(r, p)
	if st.style.size <= 1.15*l.body.size || p.ocr {
		for _, key := range edgeKeys(r, end) {
			if l.repeated[key] >= leastRepeated {
				return true
			}
		}
	}
	if n := l.exactly[end+rowText(r)]; n >= 5 && 10*n >= len(l.pages) {
		return true
	}
	for _, n := range endNumbers(r) {
		if c := l.offsets[n-p.number]; outer && c >= leastRepeated && 4*c >= len(l.pages) {
			return true
		}
	}
	m := pageNumber().FindStringSubmatch(strings.ToLower(st.lineText()))
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(m[1])
	return err == nil && (n == p.number || strings.Contains(m[0], "of") || strings.Contains(m[0], "page"))
}
