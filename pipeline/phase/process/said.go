package process

import (
	"strings"

	"docent/store/doc"
)

// leastSaid is the fewest bytes of a text that is not shown twice: shorter ones, such as a type or
// a default, belong to the text around them.
const leastSaid = 60

// said knows the units of pages by their texts.
type said struct {
	pages []*page
	units map[int]map[string][]int // of the pages that something is kept of
}

// stands reports whether a whole block of a page, or an item or row of one, stands word for word among
// the kept units of another page. Copies of a page that differ in a few places, such as that of an older
// site or of another framework, would otherwise take the room twice.
func (s said) stands(page, i int) bool {
	text := saying(s.pages[page], i)
	if text == "" {
		return false
	}
	for n, other := range s.pages {
		if n == page || !other.keep.Any() {
			continue
		}
		if s.units[n] == nil {
			s.units[n] = sayings(other)
		}
		for _, k := range s.units[n][text] {
			if other.isKept(k) {
				return true
			}
		}
	}
	return false
}

// saying is the text of a unit as it is compared, "" for one that is short or a line of code.
func saying(p *page, i int) string {
	u := p.units[i]
	if u.kind == doc.HeadingRow || u.kind == doc.Code && p.blocks[u.block].end-p.blocks[u.block].first > 1 {
		return ""
	}
	text := strings.Join(strings.Fields(p.linesText(u.first, u.last)), " ")
	if len(text) < leastSaid {
		return ""
	}
	return text
}

// sayings are the units of a page by their texts as they are compared.
func sayings(p *page) map[string][]int {
	out := map[string][]int{}
	for i := range p.units {
		if text := saying(p, i); text != "" {
			out[text] = append(out[text], i)
		}
	}
	return out
}
