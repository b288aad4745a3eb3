package contract

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// Separators in a section's citation line.
const (
	SectionPath  = " › "
	SectionField = " · "
)

// SectionLine is the citation line of a section that is quoted of a document: its
// heading path, its lines, their place in a source that is not the text, and, if the
// page has one, its address.
func SectionLine(q Quote, d Extracted) string {
	path := q.Path
	if len(path) == 0 || path[0] != d.Title {
		path = append([]string{d.Title}, path...)
	}
	words := make([]string, len(path))
	for i, p := range path {
		words[i] = sectionName(p)
	}
	line := SectionLabel + " " + strings.Join(words, SectionPath) + SectionField + linesOf(q.Lines)
	if at := d.SourceOf(q.Lines).String(); at != "" {
		line += SectionField + at
	}
	if url := q.URL(d); url != "" {
		line += SectionField + EscapeURL(url)
	}
	return line
}

func linesOf(lines [2]int) string {
	if lines[0] == lines[1] {
		return "line " + strconv.Itoa(lines[0])
	}
	return "lines " + strconv.Itoa(lines[0]) + omissionDash + strconv.Itoa(lines[1])
}

// sectionName is a heading on one line, without what the line is parted by.
func sectionName(s string) string {
	s = strings.Join(strings.Fields(sanitizeName(s)), " ")
	for _, sep := range []string{SectionPath, SectionField} {
		s = strings.ReplaceAll(s, sep, " ")
	}
	return s
}

// sanitizeName removes control and format characters.
func sanitizeName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// URL is the address of the section: the page's with the section's anchor on the web, where that is
// known; "" if the page has none.
func (q Quote) URL(d Extracted) string {
	if d.URL == "" {
		return ""
	}
	at := doc.WebPlace{Generator: d.Generator, URL: d.URL, File: d.FilePath, Outermost: len(q.Path) == 1, Anchor: q.Anchor}
	if n := len(q.Path); n > 0 {
		at.Heading = q.Path[n-1]
	}
	anchor := doc.WebAnchor(at)
	if anchor == "" {
		return d.URL
	}
	base, _, _ := strings.Cut(d.URL, "#")
	return base + "#" + url.PathEscape(anchor)
}

// ParseSectionLine reads a section's citation line: its heading path, page title
// first, and its lines. ok is false for any other line.
func ParseSectionLine(line string) (path []string, lines [2]int, ok bool) {
	rest, ok := strings.CutPrefix(line, SectionLabel+" ")
	if !ok {
		return nil, lines, false
	}
	fields := strings.Split(rest, SectionField)
	if len(fields) < 2 || len(fields) > 3+strings.Count(rest, SectionField+sourceLines)+strings.Count(rest, SectionField+"page") {
		return nil, lines, false
	}
	if one, found := strings.CutPrefix(fields[1], "line "); found {
		n, good := lineNumber(one)
		return strings.Split(fields[0], SectionPath), [2]int{n, n}, good
	}
	first, last, ok := parseLines(fields[1], "lines ", "")
	return strings.Split(fields[0], SectionPath), [2]int{first, last}, ok
}

// UnsafeRune reports whether a rune can break a line or disguise it as another.
func UnsafeRune(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// EscapeURL percent-encodes characters that would break a line or be invisible.
func EscapeURL(s string) string {
	s = strings.TrimSpace(s)
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || UnsafeRune(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == ' ' || UnsafeRune(r) || r == utf8.RuneError && n <= 1 {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
