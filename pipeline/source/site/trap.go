package site

import (
	"docent/pipeline/text/pattern"
	"net/url"
	"strings"
)

// Bounds of what one site can lead to. They hold for links, not for addresses that a sitemap
// lists.
const (
	mostOfCalendar = 50   // addresses that differ in their dates
	mostOfNumbers  = 1000 // addresses that differ in their numbers
	mostQueries    = 100  // queries of one path
	mostSameText   = 5    // pages with the same words
)

// traps notices links that never end: calendars, numbers that count up, folders in
// themselves.
type traps struct {
	shapes  map[string]int
	queries map[string]int
	texts   map[uint64]int
}

func newTraps() *traps {
	return &traps{shapes: map[string]int{}, queries: map[string]int{}, texts: map[uint64]int{}}
}

var (
	digits   = pattern.Lazy(`[0-9]+`)
	calendar = pattern.Lazy(`(?:^|[^0-9])(?:19|20)[0-9]{2}(?:[-/_]?(?:0?[1-9]|1[0-2]|[a-z]{3}))` +
		`(?:[^0-9a-z]|$|[-/_]?[0-9]{1,2}(?:[^0-9]|$))`)
)

// catches reports whether an address is one more of an endless row.
func (t *traps) catches(s scope, u *url.URL) bool {
	below := s.below(u)
	segments := strings.Split(below, "/")
	if len(segments) > mostSegments || repeats(segments) {
		return true
	}
	if u.RawQuery != "" {
		if t.queries[u.Path]++; t.queries[u.Path] > mostQueries {
			return true
		}
	}
	text := strings.ToLower(below + "?" + u.RawQuery)
	shape := digits().ReplaceAllString(text, "0")
	if shape == text {
		return false
	}
	most := mostOfNumbers
	if calendar().MatchString(text) {
		most = mostOfCalendar
	}
	t.shapes[shape]++
	return t.shapes[shape] > most
}

// repeats reports whether a folder occurs three times in a path, or a row of folders twice
// behind itself.
func repeats(segments []string) bool {
	count := map[string]int{}
	for _, s := range segments {
		if count[s]++; count[s] >= 3 {
			return true
		}
	}
	for size := 2; 2*size <= len(segments); size++ {
		for i := 0; i+2*size <= len(segments); i++ {
			if strings.Join(segments[i:i+size], "/") == strings.Join(segments[i+size:i+2*size], "/") {
				return true
			}
		}
	}
	return false
}

// repeatsText reports whether too many pages with these words, numbers aside, were there
// before.
func (t *traps) repeatsText(words uint64) bool {
	t.texts[words]++
	return t.texts[words] > mostSameText
}
