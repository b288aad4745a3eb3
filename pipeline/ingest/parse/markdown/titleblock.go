package markdown

import (
	"bytes"
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

var (
	// manualTitle is the title of a manual page: "lamp(1) Harbour manual", and where the page has a section
	// NAME "lamp 1".
	manualTitle   = pattern.Lazy(`^([\w.:+-]+)\s*\(([1-9][a-z]{0,4})\)`)
	manualSection = pattern.Lazy(`^([\w.:+-]+)\s+([1-9][a-z]{0,4})(?:\s.*)?$`)
	nameSection   = pattern.Lazy(`(?i)^#+\s*name\s*#*$`)
)

// mostTitleFields is the number of the fields of a title block: title, authors, date. Within
// nameWithin lines after it a manual page has its section NAME.
const (
	mostTitleFields = 3
	nameWithin      = 12
)

// readTitleBlock reads the lines that begin with "%" at the top of a page, Pandoc's title block: a line
// each for the title, the authors and the date, which goes on in lines that are indented. Manual
// pages in Markdown have it.
func readTitleBlock(at func(int) []byte, n int) frontMatter {
	var fields []string
	i := 0
	for ; i < n; i++ {
		line := at(i)
		switch {
		case bytes.HasPrefix(line, []byte("%")) && len(fields) < mostTitleFields:
			fields = append(fields, string(bytes.TrimSpace(line[1:])))
			continue
		case i > 0 && dialect.IndentBytes(line) > 0 && !dialect.IsBlank(line):
			fields[len(fields)-1] += " " + string(bytes.TrimSpace(line))
			continue
		}
		break
	}
	if len(fields) == 0 || fields[0] == "" || i < n && !dialect.IsBlank(at(i)) {
		return frontMatter{}
	}
	return frontMatter{lines: i, title: titleOfBlock(fields[0], func() bool {
		for k := i; k < min(n, i+nameWithin); k++ {
			if nameSection().Match(at(k)) {
				return true
			}
		}
		return false
	})}
}

// titleOfBlock is the title of a page by the first field of its title block. isManual reports whether it is a
// manual page.
func titleOfBlock(field string, isManual func() bool) string {
	if m := manualTitle().FindStringSubmatch(field); m != nil {
		return m[1] + "(" + m[2] + ")"
	}
	if m := manualSection().FindStringSubmatch(field); m != nil && isManual() {
		return m[1] + "(" + m[2] + ")"
	}
	return strings.TrimSpace(field)
}
