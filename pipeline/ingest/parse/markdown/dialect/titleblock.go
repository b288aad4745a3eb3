package dialect

import (
	"bytes"
	"strings"

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

// ReadTitleBlock reads the lines that begin with "%" at the top of a page, Pandoc's title block: a line
// each for the title, the authors and the date, which goes on in lines that are indented. Manual
// pages in Markdown have it. It gives the page's title and the number of the block's lines, 0 for a page without one.
// at gives line i of n, with or without its end.
func ReadTitleBlock(at func(int) []byte, n int) (title string, lines int) {
	if n == 0 || !bytes.HasPrefix(at(0), []byte("% ")) {
		return "", 0
	}
	var fields []string
	i := 0
	for ; i < n; i++ {
		line := at(i)
		switch {
		case bytes.HasPrefix(line, []byte("%")) && len(fields) < mostTitleFields:
			fields = append(fields, string(bytes.TrimSpace(line[1:])))
			continue
		case i > 0 && IndentBytes(line) > 0 && !IsBlank(line):
			fields[len(fields)-1] += " " + string(bytes.TrimSpace(line))
			continue
		}
		break
	}
	if len(fields) == 0 || fields[0] == "" || i < n && !IsBlank(at(i)) {
		return "", 0
	}
	return titleOfBlock(fields[0], func() bool {
		for k := i; k < min(n, i+nameWithin); k++ {
			if nameSection().Match(bytes.TrimRight(at(k), "\r\n")) {
				return true
			}
		}
		return false
	}), i
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
