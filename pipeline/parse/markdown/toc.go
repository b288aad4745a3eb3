package markdown

import (
	"bytes"
	"strings"

	"docent/store/doc"
)

// ParseTOC reads a page's table of contents (doc.TOCFile): headings such as
//
//	### 2.1. Heading：https://host/page#anchor
//
// of any level, with a full-width or ASCII colon before the address, or with
// no address at all. The first level-1 heading without number and address is
// the page's title and no entry. What is no heading is passed over.
func ParseTOC(src []byte) []doc.TOCEntry {
	text, _ := decode(src)
	lines := lineStarts(text)
	var entries []doc.TOCEntry
	var f fence
	titled := false
	for i := range len(lines) - 1 {
		line := bytes.TrimSuffix(text[lines[i]:lines[i+1]], []byte{'\n'})
		if f.step(line) {
			continue
		}
		_, n := indentOf(line)
		if n > 3 {
			continue
		}
		body := line[n:]
		level := 0
		for level < len(body) && body[level] == '#' {
			level++
		}
		if level == 0 || level > 6 || level < len(body) && body[level] != ' ' && body[level] != '\t' {
			continue
		}
		e := tocEntry(trimHashes(string(body[level:])))
		e.Level, e.Line = level, i+1
		if level == 1 && !titled && e.Number == "" && e.URL == "" {
			titled = true
			continue
		}
		if e.Text == "" && e.URL == "" && e.Number == "" {
			continue
		}
		entries = append(entries, e)
	}
	return entries
}

// trimHashes takes the closing hashes off a heading: "A ##" is "A".
func trimHashes(s string) string {
	s = strings.TrimSpace(s)
	t := strings.TrimRight(s, "#")
	if t == "" || t != s && (strings.HasSuffix(t, " ") || strings.HasSuffix(t, "\t")) {
		return strings.TrimSpace(t)
	}
	return s
}

func tocEntry(s string) doc.TOCEntry {
	var e doc.TOCEntry
	// The address follows the last colon that stands before a scheme: the
	// heading may hold colons and addresses, and so may the address.
	for at := strings.LastIndex(s, "http"); at >= 0; at = strings.LastIndex(s[:at], "http") {
		head := strings.TrimRight(s[:at], " \t")
		t, ok := strings.CutSuffix(head, "：")
		if !ok {
			t, ok = strings.CutSuffix(head, ":")
		}
		if url := strings.TrimSpace(s[at:]); ok && isURL(url) {
			s, e.URL = t, url
			break
		}
	}
	if e.URL == "" {
		s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), "："), ":")
	}
	s = strings.TrimSpace(s)
	if n := numberLen(s); n > 0 {
		e.Number = s[:n]
		s = strings.TrimSpace(s[n:])
	}
	e.Text = s
	return e
}

// numberLen is the length of the leading "2.1." of a heading: digits and dots,
// a dot at the end, then a space or nothing.
func numberLen(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.' && n > 0 && s[n-1] != '.') {
		n++
	}
	if n < 2 || s[n-1] != '.' || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}
