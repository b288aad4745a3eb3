package optimize

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
)

// readKind writes what kind of question it is into the context. The subjects of a
// question that is not English come with their English renderings: of a definition or
// a look-up the term as written first, of a comparison each side in English, so that
// there are as many subjects as sides.
func (t *tables) readKind(c *contract.Context, r kind.Reading) {
	c.Kind, c.Parts = r.Kind, r.Parts
	for _, s := range r.Subjects {
		english := t.inEnglish(s, c.Language)
		switch {
		case english == "" || strings.EqualFold(english, s):
			english = s
		case c.Kind != contract.KindComparison:
			c.Subjects = append(c.Subjects, s)
		}
		if !slices.Contains(c.Subjects, english) {
			c.Subjects = append(c.Subjects, english)
		}
	}
}

// comparesDocSets reports whether a question compares the doc sets that it names ("compare Lantern
// and Beacon plugins"). Without their names it compares nothing; its sides are the doc sets.
func comparesDocSets(target question.Target, r kind.Reading, head string) bool {
	return len(target.DocSets) > 1 && len(target.Naming.Mentions) > 1 && len(r.Subjects) < 2 && len(r.Parts) == 0 &&
		kind.ReadKind(head).Kind == contract.KindComparison
}

// inEnglish is a subject in English, "" if there is nothing to translate in it.
func (t *tables) inEnglish(subject, language string) string {
	if language == "en" || language == "" {
		return ""
	}
	f := t.readFrame(subject, language)
	if !translates(f.terms) {
		return ""
	}
	for i := range f.terms {
		if tm := &f.terms[i]; tm.role == action && tm.noun != "" {
			tm.text = tm.noun // a subject is a thing
		}
	}
	return joinText(contentTerms(f.terms))
}
