package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docent/store/doc"
)

// ParseTOC reads a page's table of contents (doc.TOCFile): headings such as
//
//	### 2.1. Heading：https://host/page#anchor
//
// of any level, with a full-width or ASCII colon before the address, or with no address
// at all. The first level-1 heading without number and address is the page's title and no
// entry. Other text is skipped.
func ParseTOC(src []byte) []doc.TOCEntry {
	text, _ := toUTF8(src)
	lines := dialect.LineStarts(text)
	var entries []doc.TOCEntry
	var f dialect.Fence
	titled := false
	for i := range len(lines) - 1 {
		line := bytes.TrimSuffix(text[lines[i]:lines[i+1]], []byte{'\n'})
		if f.Step(line) {
			continue
		}
		_, n := dialect.IndentOf(line)
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
		if url := strings.TrimSpace(s[at:]); ok && isAddress(url) {
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
	for n < len(s) && (dialect.IsDigit(s[n]) || s[n] == '.' && n > 0 && s[n-1] != '.') {
		n++
	}
	if n < 2 || s[n-1] != '.' || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// readTOC makes a page of a table of contents that stands for it: headings without
// numbers and addresses, with their anchors.
func readTOC(d *doc.Document) {
	for i := range d.Sections {
		s := &d.Sections[i]
		e := tocEntry(s.Text)
		if s.Level == 0 || e.Text == "" {
			continue
		}
		s.Text = e.Text
		if address, anchor, ok := strings.Cut(e.URL, "#"); e.URL != "" {
			if ok {
				s.Anchor = unescape(anchor)
			}
			if d.URL == "" {
				d.URL = address
			}
		}
		s.Path = []string{s.Text}
		if s.Parent >= 0 {
			s.Path = append(slices.Clone(d.Sections[s.Parent].Path), s.Text)
		}
	}
	for i := range d.Blocks {
		if b := &d.Blocks[i]; b.Kind == doc.HeadingRow {
			b.Text = d.Sections[b.Section].Text
		}
	}
	unique(d.Sections, nil)
}

// ApplyTOC gives the sections of a page the anchors that its table of contents has for
// them, and returns the headings there that the page lacks. Where a heading stands more
// often in the page than in the table, the sections keep their own anchors: which of
// them is meant is not known.
func ApplyTOC(d *doc.Document, toc []doc.TOCEntry) (missing []string) {
	sections := map[string][]int{}
	old := make([]string, len(d.Sections))
	for i, s := range d.Sections {
		old[i] = s.Anchor
		if s.Level > 0 {
			k := doc.LettersOf(s.Text)
			sections[k] = append(sections[k], i)
		}
	}
	entries := map[string]int{}
	for _, e := range toc {
		entries[doc.LettersOf(e.Text)]++
	}
	seen := map[string]int{}
	for _, e := range toc {
		k := doc.LettersOf(e.Text)
		at := sections[k]
		n := seen[k]
		seen[k]++
		if len(at) == 0 {
			if k != "" && n == 0 && k != doc.LettersOf(d.Title) {
				missing = append(missing, e.Text)
			}
			continue
		}
		if _, anchor, ok := strings.Cut(e.URL, "#"); ok && anchor != "" && len(at) == entries[k] {
			d.Sections[at[n]].Anchor = unescape(anchor)
		}
	}
	unique(d.Sections, old)
	return missing
}

// unique makes anchors unique again: of several the first keeps it, the others have
// their old ones, or none is left to them but a number.
func unique(sections []doc.Section, old []string) {
	seen := map[string]int{} // the last number that was tried behind it
	for i := range sections {
		s := &sections[i]
		if s.Anchor == "" {
			continue
		}
		if _, taken := seen[s.Anchor]; taken && old != nil {
			s.Anchor = old[i]
		}
		base := s.Anchor
		for _, taken := seen[base]; taken; _, taken = seen[s.Anchor] {
			seen[base]++
			s.Anchor = base + "-" + strconv.Itoa(seen[base])
		}
		seen[s.Anchor] = 0
	}
}

func unescape(anchor string) string {
	if plain, err := url.PathUnescape(anchor); err == nil && utf8.ValidString(plain) {
		return plain
	}
	return anchor
}
