package pdf

import (
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

var leader = pattern.Lazy(`(?:(?:\. ?){5,}|…{2,}|_{6,}) ?[0-9ivxlcIVXLC–-]{0,8}$`)

// withoutContents leaves out the lines of a table of contents, whose headings stand in
// the text: those with a row of dots before a page's number, a few of which are left
// alone, and rows of numbered titles with numbers of pages that grow. pages is how many
// the file has.
func withoutContents(rows []row, pages int) []row {
	is := make([]bool, len(rows))
	n := 0
	for i, r := range rows {
		if is[i] = leader().MatchString(rowText(r)); is[i] {
			n++
		}
	}
	if n < 4 {
		clear(is)
		n = markContents(rows, pages, is)
	}
	if n == 0 {
		return rows
	}
	var out []row
	for i, r := range rows {
		if !is[i] {
			out = append(out, r)
		}
	}
	return out
}

// markContents marks the rows of numbered titles that end with the numbers of their pages,
// and counts them. Rows between two of them are titles without a number, or ends of lines.
func markContents(rows []row, pages int, is []bool) (marked int) {
	const mostBetween = 3
	for i := 0; i < len(rows); i++ {
		first, ok := contentsPage(rows[i], pages)
		if !ok {
			continue
		}
		numbered, titles, last, end := 0, 0, first, i
		for k := i; k < len(rows) && k-end <= mostBetween; k++ {
			page, ok := contentsPage(rows[k], pages)
			if !ok {
				continue
			}
			if page < last {
				break
			}
			if first, _, _ := strings.Cut(rowText(rows[k]), " "); strings.Contains(first, ".") && len(headingNumbersOf(first)) > 0 {
				titles++
			}
			numbered, last, end = numbered+1, page, k
		}
		called := i > 0 && contentsNames[comparableText(rowText(rows[i-1]))]
		if numbered >= leastContents && (called || 2*titles >= numbered) && 3*numbered >= 2*(end+1-i) {
			if called {
				i--
			}
			for ; i <= end; i++ {
				is[i] = true
				marked++
			}
		}
		i = end
	}
	return marked
}

// contentsPage is the number of a page that a row with a title ends with.
func contentsPage(r row, pages int) (int, bool) {
	words := strings.Fields(rowText(r))
	if len(words) < 2 || !hasLetters(strings.Join(words[:len(words)-1], ""), 4) {
		return 0, false
	}
	n, err := strconv.Atoi(words[len(words)-1])
	return n, err == nil && n >= 1 && n <= pages+50
}

// isContentsColumns reports whether the segments left and right of x are a table of contents
// in two columns: a number of a page ends two fifths of the segments on each side, and few
// reach over both.
func isContentsColumns(segments []segment, x float64, pages int) bool {
	var all, ends [2]int
	crossing := 0
	for _, s := range segments {
		side := 0
		switch {
		case s.x1 <= x+1:
		case s.x0 >= x-1:
			side = 1
		default:
			crossing++
			continue
		}
		all[side]++
		if n, err := strconv.Atoi(s.words[len(s.words)-1].text); err == nil && n >= 1 && n <= pages+50 {
			ends[side]++
		}
	}
	for side := range all {
		if ends[side] < leastContents || 5*ends[side] < 2*all[side] {
			return false
		}
	}
	return 5*crossing <= all[0]+all[1]
}
