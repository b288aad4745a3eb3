package ingest

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline/ingest/domain"
	"docent/store/doc"
)

// Trace receives the decisions and results of an update, one file at a time; any of its
// functions may be nil. The calls do not overlap.
type Trace struct {
	// Decided receives the domain of each file, in the order of their paths, before any
	// is read.
	Decided func(Decided)
	// Indexed receives each indexed page.
	Indexed func(Indexed)
}

// Decided is the domain of a file and why it has it.
type Decided struct {
	File string
	domain.Decision
}

// String is the line of the domain specification.
func (d Decided) String() string {
	return fmt.Sprintf("INFO indexer: file=%s domain=%s reason=%s", quoteValue(d.File), quoteValue(d.Domain), quoteValue(d.Reason))
}

// Indexed is the result of indexing a page.
type Indexed struct {
	Decided
	Index     string
	Extractor string
	Chunks    int
	Millis    int64
	Words     doc.WordCount
}

// String is the line of the domain specification, with the file in front.
func (i Indexed) String() string {
	return fmt.Sprintf("INFO indexer: file=%s domain=%s override=%s index=%s extractor=%s chunks=%d ms=%d",
		quoteValue(i.File), quoteValue(i.Domain), strconv.Quote(i.Override), strconv.Quote(i.Index), strconv.Quote(i.Extractor), i.Chunks,
		i.Millis)
}

// quoteValue writes a value as it is, or in quotes where it would not be one word.
func quoteValue(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == '"' || r == '=' || r == 0x7f ||
			!strconv.IsPrint(r)
	}) {
		return strconv.Quote(s)
	}
	return s
}
