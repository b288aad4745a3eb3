// Package repeat compares sections: one that says again what another one says adds nothing to an
// answer. It refuses to know pages: it compares lines.
package repeat

import "strings"

// Lines are the lines of a section's text that are long enough to tell it from others.
type Lines map[string]bool

const (
	short = 12  // bytes of a line that tells nothing
	most  = 400 // lines of a section
)

// Add adds a line, unless it is short or there are many.
func (l Lines) Add(line string) {
	if line = strings.TrimSpace(line); len(line) > short && len(l) < most {
		l[line] = true
	}
}

// repeated: a section with this part of its lines in another one says nothing new.
const repeated = .6

// StandIn reports whether most lines stand in another section: in one of a page with the same
// text, or of another version of the page. Sections of one page may be alike and differ in a
// few lines that matter: there the whole text must be the same, as where a reference describes
// a field again for each object that has it.
func (l Lines) StandIn(other Lines, onePage bool) bool {
	same := 0
	for line := range l {
		if other[line] {
			same++
		}
	}
	if onePage && (same < len(l) || !l.haveSentence()) {
		return false
	}
	return len(l) > 0 && float64(same) >= repeated*float64(len(l))
}

// haveSentence reports whether one of the lines has words enough to be a sentence: sections of a
// page that consist of a type or a version alone are not the same for that.
func (l Lines) haveSentence() bool {
	const words = 6
	for line := range l {
		if len(strings.Fields(line)) >= words {
			return true
		}
	}
	return false
}
