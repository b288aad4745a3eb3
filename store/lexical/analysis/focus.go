package analysis

import (
	"slices"
	"strings"
)

// Focus gives the window of a long text, about size bytes of whole lines, that
// holds the most weight of the terms; a text of at most twice the size is given
// whole. It looks for the terms as substrings, whatever the case, which is cheap
// and good enough to find the place: a stem is mostly the beginning of its word.
func Focus(text string, terms map[string]float64, size int) string {
	if len(text) <= 2*size {
		return text
	}
	names := make([]string, 0, len(terms))
	for t := range terms {
		names = append(names, t)
	}
	slices.Sort(names) // the sum of weights must not depend on the map's order
	best, from, to := -1.0, 0, size
	start, last, at := 0, 0, 0
	weigh := func(end int) {
		window := strings.ToLower(text[start:end])
		sum := 0.0
		for _, t := range names {
			if w := terms[t]; w > 0 && strings.Contains(window, t) {
				sum += w
			}
		}
		if sum > best {
			best, from, to = sum, start, end
		}
	}
	for line := range strings.Lines(text) {
		if at > start && at+len(line)-start > size {
			weigh(at)
			start = last
			if at-start > size {
				start = at
			}
		}
		last = at
		at += len(line)
	}
	weigh(at)
	return text[from:to]
}
