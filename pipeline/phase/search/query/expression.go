package query

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
func (m *Maker) expressions() {
	if m.Empty || len(m.Queries) == 0 {
		return
	}
	_, words := m.asWords()
	for _, o := range phrase.Others(words) {
		m.Queries = append(m.Queries, Query{Text: o.Also, Weight: expressionWeight})
		m.Abbreviations = append(m.Abbreviations, contract.Abbreviation{Words: o.Words, Also: o.Also})
	}
}

// asWords are the question and its words; an empty one is what no expression goes over.
func (m *Maker) asWords() (text string, words []string) {
	text = m.In.Query[0]
	if c := m.In.Context; c != nil && c.Question != "" {
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
func (m *Maker) besides(repairs []repair) {
	for _, p := range repairs {
		if p.also && !m.Empty && len(m.Queries) > 0 {
			m.Queries = append(m.Queries, Query{Text: p.used, Weight: alsoWeight})
			m.Abbreviations = append(m.Abbreviations, contract.Abbreviation{Words: p.wrote, Also: p.used})
		}
	}
}
