package cite

import (
	"iter"
	"strings"

	"docent/pipeline/contract"
)

// PageLines gives the lines of a content, without their line ends, each with its
// number in the page: 0 for a line that is not the page's, which are omission lines,
// summaries and the lines around them.
func PageLines(content string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		next := 1 // the page's line that the next content line quotes
		var summary [2]int
		for len(content) > 0 {
			var line string
			line, content, _ = strings.Cut(content, "\n")
			number := 0
			a, b, omitted := contract.ParseOmission(line)
			first, last, begins := contract.ParseSummary(line)
			switch {
			case summary != [2]int{}:
				if first, last, ends := contract.ParseSummaryEnd(line); ends && summary == [2]int{first, last} {
					summary = [2]int{}
				}
			case omitted && a == next:
				next = b + 1
			case begins && first == next && hasSummaryEnd(content, first, last):
				summary, next = [2]int{first, last}, last+1
			default:
				number = next
				next++
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

// quotedLineRange gives the first and the last line of the page that a content quotes.
func quotedLineRange(content string) [2]int {
	var span [2]int
	for n := range PageLines(content) {
		if n == 0 {
			continue
		}
		if span[0] == 0 {
			span[0] = n
		}
		span[1] = n
	}
	return span
}

// hasSummaryEnd reports whether a content has the end line of a summary of these lines.
func hasSummaryEnd(content string, first, last int) bool {
	_, end := contract.SummaryLines(first, last)
	return strings.HasPrefix(content, end) || strings.Contains(content, "\n"+end)
}
