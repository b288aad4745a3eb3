// Package versions compares two versions of a doc set: which page of the one is which
// page of the other, which section is which section, and which lines of a section differ.
//
// Pages are matched by path, then by title, then by content; sections of matched pages by
// their place among the headings, then by heading, then by content; sections that are left
// over, by content with those of other pages. A match by heading alone wants some words in
// common, since "Overview" and "Example" stand in many places. Contents are compared by
// fingerprints, so that a page of a million lines costs no more than its reading.
//
// Terms. Before and after are the two versions, in the order in which they were given. A
// section's own text goes up to the next heading of any level and does without its
// heading. A section is moved when it stands below another heading or in another page, or
// in another order than its neighbours.
//
// It refuses to read files, and to say which version is right.
package versions

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/text/fingerprint"
	"docent/store/doc"
)

// Page is a page of a version.
type Page struct {
	Path, Title string
	// Text names the page's text: pages with the same are the same. "": not known.
	Text string
	// Print is the page's fingerprint, nil for a page with almost no text.
	Print []byte
	// Sections are needed of pages that have no partner with the same text.
	Sections []Section
	// Unread is why the page could not be read; it is compared with nothing. "": it was.
	Unread string
}

// Section is a section of a page.
type Section struct {
	Heading string // plain text, "" before the first heading
	Path    string // by doc.SectionPaths
	Anchor  string
	Level   int
	Parent  int // -1: none
	Lines   [2]int
	Start   int // bytes of the page's text
	End     int
	// Sum is the hash of the section's own text, 0 without text; Words is its number of
	// words.
	Sum   uint64
	Words int

	body  string // the own text, until its sketch is made
	print []byte
}

// sketchOfText is that of the own text. It is made when it is first asked for: most sections
// are matched by their headings, and making it is the dearest part of a comparison.
func (s *Section) sketchOfText() []byte {
	if s.print == nil && s.body != "" {
		if s.print = fingerprint.OfText(s.body); s.print == nil {
			s.print = sketchOfShortText(s.body)
		}
		s.body = ""
	}
	return s.print
}

// short is the words below which a text has no fingerprint of runs. Its sketch is of
// single words, and says less.
const short = 15

// ReadSections hashes and counts the sections of a page's text.
func ReadSections(text []byte, sections []doc.Section) []Section {
	out := make([]Section, len(sections))
	paths := doc.SectionPaths(sections)
	for i, s := range sections {
		out[i] = Section{Heading: s.Text, Path: paths[i], Anchor: s.Anchor, Level: s.Level, Parent: s.Parent,
			Lines: [2]int{s.Span.StartLine, s.Span.EndLine}, Start: s.Span.Start, End: s.Span.End}
		if s.Level == 0 {
			out[i].Heading = ""
		}
		body := strings.Join(bodyOfSection(text, out[i]), "\n")
		if body == "" {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(body)) // never fails
		out[i].Sum = max(h.Sum64(), 1)
		out[i].Words, out[i].body = countWords(body), body
	}
	return out
}

// ComparedLines are the lines of a section's own text as they are compared, without blanks at
// their ends, and the number of the first one. Blank lines around them are left out.
func ComparedLines(text []byte, s Section) (lines []string, first int) {
	return linesOf(text, s)
}

func bodyOfSection(text []byte, s Section) []string {
	lines, _ := linesOf(text, s)
	return lines
}

func linesOf(text []byte, s Section) ([]string, int) {
	if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
		return nil, s.Lines[0]
	}
	lines := strings.Split(strings.ToValidUTF8(string(text[s.Start:s.End]), "\uFFFD"), "\n")
	first := s.Lines[0]
	if s.Level > 0 {
		n := headingLines(lines, s.Heading)
		lines, first = lines[n:], first+n
	}
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(l, unicode.IsSpace)
	}
	for len(lines) > 0 && lines[0] == "" {
		lines, first = lines[1:], first+1
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines, first
}

// headingLines is how many lines the heading of a section takes: one, two where it is
// underlined, none where it does not stand in the text.
func headingLines(lines []string, heading string) int {
	first := strings.TrimSpace(lines[0])
	if strings.HasPrefix(first, "#") {
		return 1
	}
	letters := func(s string) string { return strings.Join(strings.FieldsFunc(s, notOfWord), " ") }
	if !strings.Contains(letters(first), letters(heading)) {
		return 0
	}
	if len(lines) > 1 {
		under := strings.TrimSpace(lines[1])
		if under != "" && (strings.Trim(under, "=") == "" || strings.Trim(under, "-") == "") {
			return 2
		}
	}
	return 1
}

func notOfWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func countWords(body string) int {
	n := 0
	for range strings.FieldsFuncSeq(body, notOfWord) {
		n++
	}
	return n
}

// sketchOfShortText is a sketch of a text that is too short for runs of words, in the form of a
// fingerprint.
func sketchOfShortText(body string) []byte {
	var hashes []uint32
	for w := range strings.FieldsFuncSeq(body, notOfWord) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(strings.ToLower(w)))
		hashes = append(hashes, h.Sum32())
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	out := make([]byte, 0, 4*len(hashes))
	for _, h := range hashes[:min(len(hashes), fingerprint.Size)] {
		out = binary.BigEndian.AppendUint32(out, h)
	}
	return out
}
