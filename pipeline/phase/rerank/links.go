package rerank

import "strings"

// Lists of links (what to read next, tables of contents, indexes of releases) have
// the words of a question in them and answer none.
const (
	linkLines = 2   // lines with links that make a list, at least
	linkText  = 0.5 // of a line's text that its links have, at least
	linkLeast = 0.6 // of a passage's text that such lines have; less is no list
)

// linkShare is the share of a passage's text that stands in lines that are mostly
// links, 0 for less than linkLeast. Headings and code are not counted.
func linkShare(text string) float64 {
	if strings.Count(text, "](") < linkLines {
		return 0
	}
	lines, linked, all := 0, 0, 0
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code {
			all += len(line)
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		inside, total := linkBytes(strings.TrimLeft(line, "-*+ "))
		all += total
		if total > 0 && float64(inside) >= linkText*float64(total) {
			lines++
			linked += total
		}
	}
	if lines < linkLines || all == 0 {
		return 0
	}
	if s := float64(linked) / float64(all); s >= linkLeast {
		return s
	}
	return 0
}

// linkBytes counts the text of a line's links and of the whole line, addresses left
// out.
func linkBytes(line string) (inside, total int) {
	for line != "" {
		open := strings.IndexByte(line, '[')
		if open < 0 {
			return inside, total + len(line)
		}
		mid := strings.Index(line[open:], "](")
		if mid < 0 {
			return inside, total + len(line)
		}
		end := strings.IndexByte(line[open+mid:], ')')
		if end < 0 {
			return inside, total + len(line)
		}
		inside += mid - 1
		total += open + mid - 1
		line = line[open+mid+end+1:]
	}
	return inside, total
}

// entryLeast is the share of entries from which on a passage is a reference.
const entryLeast = 0.6

// entryShare is the share of a passage's text that stands in items, rows and code, 0
// for less than entryLeast.
func entryShare(text string) float64 {
	entries, all := 0, 0
	code, item := false, false
	for line := range strings.Lines(text) {
		indented := line[0] == ' ' || line[0] == '\t'
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		// Lines indented under an item belong to it.
		item = item && indented || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") ||
			line[0] == '|' || line[0] == '<'
		all += len(line)
		if code || item {
			entries += len(line)
		}
	}
	if all == 0 {
		return 0
	}
	if s := float64(entries) / float64(all); s >= entryLeast {
		return s
	}
	return 0
}
