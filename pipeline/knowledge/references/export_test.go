package references

import (
	"slices"
	"strings"
)

// KeptEdges is how many pages keep the edges that are stored.
func KeptEdges(kept []Kept, was Before) (n int) {
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.head.path, b.head.path) })
	r := newResolver(kept)
	r.keepEdges(was)
	for _, same := range r.same {
		if same {
			n++
		}
	}
	return n
}

// EncodeRecord is a page as it is stored.
func EncodeRecord(p *Page) []byte { return encodeRecord(p) }
