package doc

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// SectionPaths are the section paths of a page's sections, in their order: the headings
// from the outermost, with ~2, ~3 … where a path repeats in the page. That of a text
// before the first heading is "".
func SectionPaths(sections []Section) []string {
	out := make([]string, len(sections))
	seen := map[string]int{}
	for i, s := range sections {
		if s.Level == 0 {
			continue
		}
		path := s.sectionPath()
		if seen[path]++; seen[path] > 1 {
			path += "~" + strconv.Itoa(seen[path])
		}
		out[i] = path
	}
	return out
}

// SectionID names a page, for which sectionPath is "", or a section without a chunk of its
// own. It is what SpanID gives for the first chunk of such a section.
func SectionID(document, sectionPath string) string { return spanHash(document, sectionPath) }

// SpanIDs are the SpanID of all chunks of a page.
func SpanIDs(document string, sections []Section, chunks []Chunk) []string {
	out := make([]string, len(chunks))
	seen := map[string]int{}
	for i, c := range chunks {
		own := sections[c.Section]
		key := own.Text + "\x00" + strings.Join(own.Path, "\x00")
		path := own.sectionPath()
		if seen[key]++; seen[key] > 1 {
			path += "~" + strconv.Itoa(seen[key])
		}
		out[i] = spanHash(document, path)
	}
	return out
}

func spanHash(document, path string) string {
	const digits = 16
	sum := sha256.Sum256([]byte(document + "::" + path))
	return hex.EncodeToString(sum[:])[:digits]
}
