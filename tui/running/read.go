package running

import (
	"strings"

	"docent/pipeline/ingest/parse/markdown/legible"
)

// readLines are the lines of a page and how they read. Whether a line is code, or stands within HTML
// or within a component, depends on the lines above it, which a part of the page by itself does not
// show: a row of a table in HTML was shown as its tags, since it is indented as code is.
type readLines struct{ source, read []string }

// readLinesOf reads a whole page. The lines of one without such frames read as they are.
func readLinesOf(content string) readLines {
	read := legible.Lines([]byte(content))
	if read == nil {
		return readLines{}
	}
	return readLines{source: strings.SplitAfter(content, "\n"), read: read}
}

// lineAs is how a line of the page reads, which may be several lines; number counts from 1. A line
// that is another one in the page reads as it is.
func (r readLines) lineAs(number int, line string) []string {
	if number > len(r.read) || number > len(r.source) || strings.TrimRight(r.source[number-1], "\r\n") != strings.TrimRight(line, "\r") {
		return []string{line}
	}
	return strings.Split(strings.TrimRight(r.read[number-1], "\r\n"), "\n")
}
