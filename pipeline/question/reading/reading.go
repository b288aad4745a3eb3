// Package reading reads a question once, for all phases: its kind and its subjects, the
// measures that it asks for, and whether it asks for the full or the compressed text.
//
// Phase 0a makes the reading and puts it into the context. The later phases take it from
// there by Of, which makes it again where the context came as JSON or was changed. The
// rules are those of the packages kind, measure and question. This package refuses to have
// rules of its own, to choose a scene and to write queries.
package reading

import (
	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/measure"
)

// New makes the reading of a context's question. r is how the question was read without
// the names of doc sets.
func New(c *contract.Context, r kind.Reading) *contract.Reading {
	out := askedFields(c.Question, r.Kind, r.Subjects)
	out.Cue, out.Pasted, out.Asked = r.Cue, r.Pasted, question.WithoutPreference(c.Question)
	out.Full, out.Compress = question.Preference(c.Question)
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, OfPart(p))
	}
	return &out
}

// OfPart reads one of several questions in a text.
func OfPart(text string) contract.Reading {
	r := kind.ReadKind(text)
	return askedFields(text, r.Kind, r.Subjects)
}

// OfSide is the reading of one side of a comparison: a question for its definition.
func OfSide(subject string) contract.Reading {
	return askedFields(subject, contract.KindDefinition, []string{subject})
}

// askedFields reads what a question of a kind asks for.
func askedFields(text, questionKind string, subjects []string) contract.Reading {
	return contract.Reading{Question: text, Asked: text, Kind: questionKind, Subjects: subjects,
		Measures: measure.AskedMeasures(text, questionKind), How: kind.AsksHow(text), Default: kind.AsksDefault(text)}
}

// OfContext is the reading of a context: its own, or a new one by its fields where it has none
// or was changed since.
func OfContext(c *contract.Context) *contract.Reading {
	if c.Reading != nil && isReadingOf(c.Reading, c) {
		return c.Reading
	}
	return New(c, kind.Reading{Kind: c.Kind, Subjects: c.Subjects, Parts: c.Parts})
}

// isReadingOf reports whether a reading is of the question, the kind and the parts that the
// context has.
func isReadingOf(r *contract.Reading, c *contract.Context) bool {
	if r.Question != c.Question || r.Kind != c.Kind || len(r.Parts) != len(c.Parts) {
		return false
	}
	for i, p := range r.Parts {
		if p.Question != c.Parts[i] {
			return false
		}
	}
	return true
}

// States reports whether a sentence states one of the measures that a question asks for.
func States(sentence string, asked []contract.Measure) bool { return measure.States(sentence, asked) }
