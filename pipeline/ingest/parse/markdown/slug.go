package markdown

import (
	"strconv"

	"docent/store/doc"
)

// Slugs makes unique anchors of a page's headings, as GitHub does: lower case, "-" for
// spaces, no punctuation, repeats numbered. The zero value has none.
type Slugs struct{ seen map[string]int }

// HeadingSlug is the anchor of a heading's text before it is made unique.
func HeadingSlug(text string) string { return doc.GitHubSlug(text) }

// Unique numbers repeats: a, a-1, a-2. A number that is another heading's own anchor is
// skipped.
func (s *Slugs) Unique(base string) string {
	if s.seen == nil {
		s.seen = make(map[string]int)
	}
	result := base
	for {
		if _, taken := s.seen[result]; !taken {
			s.seen[result] = 0
			return result
		}
		s.seen[base]++
		result = base + "-" + strconv.Itoa(s.seen[base])
	}
}
