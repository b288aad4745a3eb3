package domain

import (
	"strings"

	"docent/pipeline/contract"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

var (
	// reference is how folders and titles of reference documentation are called.
	reference = pattern.Lazy(`(?i)\b(api|apis|reference|ref|godoc|javadoc|apidocs|rest|openapi|swagger)\b`)
	// regulation matches the names of laws; any other legal text is a contract.
	regulation = pattern.Lazy(`(?i)\b(regulations?|directive|act|statute|ordinance|constitution|code of|decree|law|` +
		`gesetz|verordnung|richtlinie|règlement|loi)\b|^§`)
	// clinical are the headings of notes on a patient.
	clinical = pattern.Lazy(`(?i)^(subjective|objective|assessment|plan|chief complaint|history of present illness|hpi|vital signs|` +
		`physical exam(ination)?|discharge (summary|diagnosis)|medications?|allerg(y|ies))\b`)
)

// leastClinical is how many such headings a note has.
const leastClinical = 2

// SliceType says what kind of text of its domain a document is, by its path, its format
// and its headings.
func SliceType(domain string, d doc.Document) string {
	switch domain {
	case contract.DomainCode:
		return sliceCode
	case contract.DomainLegal:
		names := []string{d.Path, d.Title, d.H1}
		for _, s := range d.Sections[:min(3, len(d.Sections))] {
			names = append(names, s.Text)
		}
		for _, name := range names {
			if regulation().MatchString(wordsOfPath(name)) {
				return sliceRegulation
			}
		}
		return sliceContract
	case contract.DomainMedical:
		n := 0
		for _, b := range d.Blocks {
			if first, _, _ := strings.Cut(b.Text, "\n"); clinical().MatchString(first) {
				n++
			}
		}
		if n >= leastClinical {
			return sliceClinical
		}
		return sliceResearch
	}
	if d.Format == doc.FormatJSON || reference().MatchString(wordsOfPath(d.Path)) {
		return sliceAPIReference
	}
	return sliceManual
}

// wordsOfPath parts the words of a path.
func wordsOfPath(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/_-.@", r) {
			return ' '
		}
		return r
	}, name)
}
