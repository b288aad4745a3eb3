// Package query is the queries that phase 1 asks the word index, made of a question: its
// words with their weights, their repairs, and what the documentation may call the same
// things (abbreviations, expressions, synonyms, translations); and the parts of a question
// that are searched by themselves.
//
// It reads the vocabulary of the doc sets, and refuses to read their pages.
package query

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/question/synonym"
	"docent/store"
	"docent/store/analysis"
)

// Limits of a question, and the weights of its queries.
const (
	nounWeight      = 0.15 // of the domain nouns, relative to the first query's 1
	rewriting       = 0.15 // of each further query of rank r, over r²
	groupWeight     = 3.0  // of the translations: the best of them, not the one that phase 0a chose
	nativeWeight    = 0.25 // of the translations, where the documentation is in the question's language
	nativeRunes     = 200  // of a question that are looked at for its language
	quotingPassages = 100  // from so many on, one that quotes another language makes no documentation in it
	mostGroups      = 64   // words of a question that are translated
	mostRenderings  = 8
)

// Query is one of the ways to ask the question.
type Query struct {
	Name   string               // in an explanation; "": see Label
	Text   string               // whose words are asked
	Terms  []store.WeightedTerm // asked besides
	Groups []store.Group
	Weight float64
	Aside  bool // see store.Query
	// Own says that its words are those of the question, or renderings of them: a
	// passage with one of them is a match, which is counted.
	Own bool
	// Other says that it asks for other wordings of the question's words: what they find
	// is no ground to look for more like it.
	Other bool
}

// Label is what an explanation calls a query.
func (q Query) Label() string {
	switch {
	case q.Name != "":
		return q.Name
	case q.Aside:
		return "(feedback)"
	case len(q.Groups) > 0:
		return "(translations)"
	case q.Text == "":
		return "(abbreviations)"
	}
	return q.Text
}

// Synonyms returns the user's synonyms for a search in doc sets, and the faults of the
// lists.
type Synonyms func(context.Context, []store.Set) (*synonym.Book, []synonym.Fault)

// Maker makes the queries of one search.
type Maker struct {
	In     contract.SearchInput // MakeQueries repairs the spelling of its queries
	Empty  bool                 // the question itself has no term to look for
	Prefix bool                 // the last word is still being typed

	Analyzers *analysis.Pool
	Synonyms  Synonyms // nil: no synonyms of the user
	// Note is called with what the answer says of the queries.
	Note func(format string, args ...any)

	Queries       []Query // of In, by what the doc sets have of it
	Abbreviations []contract.Abbreviation
}
