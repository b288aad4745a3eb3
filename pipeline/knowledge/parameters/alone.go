package parameters

import (
	"slices"
	"strings"

	"docent/store/doc"
)

// readAlone takes a constant that stands by itself in code, where the paragraph below says of it
// that it is a parameter. A directive such as envvar of reStructuredText may stand without a text of
// its own: it marks the place, and the text that follows is about it.
func (r *reader) readAlone(i int) {
	b := r.d.Blocks[i]
	name := strings.TrimSpace(b.Code)
	if name == "" || name != strings.TrimSpace(b.Text) || !isConstantName(name) || i+1 == len(r.d.Blocks) || r.isFull() {
		return
	}
	next := r.d.Blocks[i+1]
	if next.Kind != doc.Paragraph || next.Section != b.Section || !isCalledNoun(name, next) {
		return
	}
	p := Parameter{Name: name, Form: Item, Section: b.Section, First: b.Span.StartLine, Last: next.Span.EndLine,
		Description: cleanLine(next.Text[:min(len(next.Text), mostMarkup)], false)}
	p.fillFromText(p.Description)
	r.addParameter(p)
}

// isCalledNoun reports whether a sentence of a paragraph has a name, in code, and a word for
// parameters near it: "by an environment variable, `LAMP_HOME`".
func isCalledNoun(name string, b doc.Block) bool {
	if !slices.Contains(strings.Split(b.Code, "\n"), name) {
		return false
	}
	for sentence := range strings.SplitSeq(b.Text[:min(len(b.Text), mostMarkup)], ". ") {
		words := strings.Fields(sentence)
		for i, w := range words {
			if strings.Trim(w, "`'\",.:;()") != name {
				continue
			}
			if slices.ContainsFunc(words[max(0, i-3):min(len(words), i+3)], func(w string) bool {
				return nounWord.Has(strings.ToLower(strings.Trim(w, "`'\",.:;()")))
			}) {
				return true
			}
		}
	}
	return false
}
