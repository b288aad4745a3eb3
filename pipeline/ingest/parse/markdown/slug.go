package markdown

import (
	"docent/pipeline/ingest/parse/markdown/dialect"
	"strconv"
	"strings"
	"unicode"
)

// Slugs makes unique anchors of a page's headings, as GitHub does: lower case, "-" for
// spaces, no punctuation, repeats numbered. The zero value has none.
type Slugs struct{ seen map[string]int }

// HeadingSlug is the anchor of a heading's text before it is made unique.
func HeadingSlug(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_':
			b.WriteRune(r)
		case r < 0x80:
			if r >= 'A' && r <= 'Z' {
				r |= 0x20
			}
			if dialect.IsLetter(byte(r)) || dialect.IsDigit(byte(r)) {
				b.WriteByte(byte(r))
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

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
