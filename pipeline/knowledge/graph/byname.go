package graph

import "iter"

// ByName is pages by a name that several may have. It takes less than half of what a map of lists takes, which counts
// where a doc set has many pages.
type ByName struct {
	chains map[string]chain
	links  []link
}

// chain is the links of a name from the first to the last, by their numbers.
type chain struct{ first, last int32 }

// link is one page of a name; next is the link behind it, 0 for none: no link comes before the first one.
type link struct{ page, next int32 }

// Add puts a page behind the others of a name.
func (b *ByName) Add(name string, page int) {
	if b.chains == nil {
		b.chains = map[string]chain{}
	}
	at := int32(len(b.links))
	b.links = append(b.links, link{page: int32(page)})
	c, ok := b.chains[name]
	if ok {
		b.links[c.last].next = at
	} else {
		c.first = at
	}
	c.last = at
	b.chains[name] = c
}

// All are the pages of a name in the order in which they were added.
func (b *ByName) All(name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		c, ok := b.chains[name]
		for at := c.first; ok; at = b.links[at].next {
			if !yield(int(b.links[at].page)) || at == c.last {
				return
			}
		}
	}
}

// Only is the page of a name that no other page has.
func (b *ByName) Only(name string) (page int, ok bool) {
	c, ok := b.chains[name]
	if !ok || c.first != c.last {
		return 0, false
	}
	return int(b.links[c.first].page), true
}
