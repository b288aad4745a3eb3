package process

import (
	"strings"

	"docent/pipeline/question/wordlist"
)

// Pages on troubles describe each in sections of its own: the symptom, the cause and the
// remedy. A user who pastes an error finds the first, and needs the others.
const (
	symptoms wordlist.Rule = "process/symptom" // headings above a symptom
	remedies wordlist.Rule = "process/remedy"  // headings above its cause and remedy
)

// remedyPart is the most of the block that such a section may take.
const remedyPart = .5

// takeRemedies keeps the sections behind a symptom that say its cause and what helps.
func takeRemedies(f *filler, at place) {
	p := f.pages[at.page]
	s := p.sections[at.section]
	if !isHeadedBy(s, symptoms) {
		return
	}
	for k := at.section + 1; k < len(p.sections) && p.sections[k].level >= s.level; k++ {
		if p.sections[k].parent != s.parent {
			continue
		}
		if !isHeadedBy(p.sections[k], remedies) {
			return
		}
		if next := (place{at.page, k}); !f.isLeftOutByPerson(next) {
			f.takeSection(next, remedyPart)
		}
	}
}

// isHeadedBy reports whether a section's heading is a phrase of a list and nothing more.
func isHeadedBy(s section, list wordlist.Rule) bool {
	return len(s.path) > 0 && list.Has(strings.ToLower(strings.Trim(s.path[len(s.path)-1], "*_:. \t")))
}
