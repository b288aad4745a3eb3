package search

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/phrase"
)

// expressionWeight is the weight of the other spelling of a fixed expression, relative to
// the question: "rollback" for "roll back".
const expressionWeight = 0.4

// expressions asks for the fixed expressions of the question in their other writing.
func (r wordReader) expressions() {
	if r.empty || len(r.queries) == 0 {
		return
	}
	_, words := r.asWords()
	for _, o := range phrase.Others(words) {
		r.queries = append(r.queries, query{text: o.Also, weight: expressionWeight})
		r.abbrs = append(r.abbrs, contract.Abbreviation{Words: o.Words, Also: o.Also})
	}
}

// asWords are the question and its words; an empty one is what no expression goes over.
func (r wordReader) asWords() (text string, words []string) {
	text = r.in.Query[0]
	if c := r.in.Context; c != nil && c.Question != "" {
		text = c.Question
	}
	for _, t := range question.Tokens(question.Shorten(text, 16*abbreviationWords)) {
		if t.Kind == question.Word {
			words = append(words, strings.TrimSuffix(t.Text, "'s"))
		} else {
			words = append(words, "")
		}
	}
	return text, words
}

// besides asks for what words of the question were probably meant as.
func (r wordReader) besides(repairs []repair) {
	for _, p := range repairs {
		if p.also && !r.empty && len(r.queries) > 0 {
			r.queries = append(r.queries, query{text: p.used, weight: alsoWeight})
			r.abbrs = append(r.abbrs, contract.Abbreviation{Words: p.wrote, Also: p.used})
		}
	}
}
