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
)

// OwnLine says whether a line reads as one that only this program writes: of a
// block's frame, of its citations, or one that marks what is not verbatim.
func OwnLine(line string) bool {
	for _, head := range []string{"===", SourceLabel, PathLabel, DocSetLabel} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	_, _, omission := ParseOmission(line)
	_, _, begin := ParseSummary(line)
	_, _, end := ParseSummaryEnd(line)
	return omission || begin || end
}

// OmissionLine is the line, without its newline, that stands in a compressed
// document in place of the source's lines first to last, both included.
func OmissionLine(first, last int) string {
	return omissionHead + strconv.Itoa(first) + omissionDash + strconv.Itoa(last) + omissionTail
}

// ParseOmission reads what OmissionLine wrote; a carriage return at the end is
// forgiven, nothing else is. ok is false for any other line.
func ParseOmission(line string) (first, last int, ok bool) {
	return parseLines(line, omissionHead, omissionTail)
}

// SummaryLines are the lines between which, in place of the source's lines first
// to last, a text stands that is not the source's.
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

// lineNumber reads a line number as strconv.Itoa writes one, so that each
// omission has one spelling.
func lineNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1<<30 || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	return n, true
}
