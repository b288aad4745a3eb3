package query

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/measure"
	"docent/pipeline/question/reading"
)

const mostAims = 4

// Aim is a part of a question that needs passages of its own: the term of a definition,
// each side of a comparison, each of several questions in one.
type Aim struct {
	Text string
	Also string // words that its passages are likely to have, of less weight
	// Named says that pages and sections of this name are wanted, not the passages
	// that use it most.
	Named bool
}

// Aims are those of the question.
func (m *Maker) Aims() []Aim {
	c := m.In.Context
	if c == nil {
		return nil
	}
	var out []Aim
	for _, s := range c.Subjects[:min(len(c.Subjects), mostAims)] {
		if c.Kind != contract.KindDefinition && c.Kind != contract.KindComparison {
			break
		}
		out = append(out, Aim{Text: s, Named: true})
		if c.Kind == contract.KindComparison {
			out = append(out, Aim{Text: s})
		}
		if rendered := question.Rendered(s, c.Translations); len(rendered) > 0 {
			out = append(out, Aim{Text: strings.Join(rendered, " "), Named: true})
		}
		for _, x := range m.Abbreviations {
			if strings.EqualFold(x.Words, s) {
				out = append(out, Aim{Text: x.Also, Named: true})
			}
		}
	}
	read := reading.OfContext(c)
	for _, part := range read.Parts[:min(len(read.Parts), mostAims)] {
		p, asked := part.Question, part.Measures
		if rendered := question.Rendered(p, c.Translations); len(rendered) > 0 {
			p = rendered[0]
		}
		out = append(out, Aim{Text: p})
		if len(asked) > 0 {
			out = append(out, measured(p, asked))
		}
	}
	if asked := read.Measures; len(asked) > 0 && len(c.Parts) < 2 && len(m.In.Query) > 0 {
		out = append(out, measured(m.In.Query[0], asked))
	}
	return out
}

// measured is the aim of a question for a measure: the measured thing, with the words of
// sentences that state a measure.
func measured(question string, asked []measure.Measure) Aim {
	return Aim{Text: measure.Without(question), Also: measure.SentenceWords(question, asked)}
}
