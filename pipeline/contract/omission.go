package contract

import (
	"strconv"
	"strings"
)

const (
	omissionHead = "[… lines "
	omissionDash = "–"
	omissionTail = " omitted …]"

	summaryTail = " summarized, not verbatim …]"
	summaryEnd  = "[… end of the summary of lines "
	summaryStop = " …]"
)

// Labels of a block's citation lines.
const (
	SourceLabel = "**Source:**"
	PathLabel   = "**Path:**"
	DocSetLabel = "**Document Set:**"
	// SectionLabel begins the lines after these in a block of sections.
	SectionLabel = "**Section:**"
)

// OwnLine reports whether a line has the form of a line that only this program writes:
// a line of a block's frame or of its citations, an omission line, or a line around
// a summary.
func OwnLine(line string) bool {
	for _, head := range []string{"===", SourceLabel, PathLabel, DocSetLabel, SectionLabel} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	_, _, omission := ParseOmission(line)
	_, _, begin := ParseSummary(line)
	_, _, end := ParseSummaryEnd(line)
	return omission || begin || end
}

// OmissionLine is the line, without its newline, that replaces lines first to last
// of a page, both included, in a compressed document.
func OmissionLine(first, last int) string {
	return omissionHead + strconv.Itoa(first) + omissionDash + strconv.Itoa(last) + omissionTail
}

// ParseOmission parses an omission line; it may end in a carriage return. ok is
// false for any other line.
func ParseOmission(line string) (first, last int, ok bool) {
	return parseLines(line, omissionHead, omissionTail)
}

// SummaryLines are the lines before and after a model's summary of lines first to
// last of a page.
func SummaryLines(first, last int) (begin, end string) {
	span := strconv.Itoa(first) + omissionDash + strconv.Itoa(last)
	return omissionHead + span + summaryTail, summaryEnd + span + summaryStop
}

// ParseSummary reads the first of SummaryLines.
func ParseSummary(line string) (first, last int, ok bool) {
	return parseLines(line, omissionHead, summaryTail)
}

// ParseSummaryEnd reads the second of SummaryLines.
func ParseSummaryEnd(line string) (first, last int, ok bool) {
	return parseLines(line, summaryEnd, summaryStop)
}

func parseLines(line, head, tail string) (first, last int, ok bool) {
	rest, ok := strings.CutPrefix(line, head)
	if !ok {
		return 0, 0, false
	}
	rest, ok = strings.CutSuffix(strings.TrimSuffix(rest, "\r"), tail)
	if !ok {
		return 0, 0, false
	}
	a, b, ok := strings.Cut(rest, omissionDash)
	if !ok {
		return 0, 0, false
	}
	first, okA := lineNumber(a)
	last, okB := lineNumber(b)
	return first, last, okA && okB && first <= last
}

// lineNumber parses a line number in the form of strconv.Itoa alone, so that each
// omission line has one spelling.
func lineNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1<<30 || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	return n, true
}
