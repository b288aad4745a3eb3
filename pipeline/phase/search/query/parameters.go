package query

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/reading"
	"docent/pipeline/question/wordlist"
	"docent/store/analysis"
)

// ParameterName is the only name that a question asks about, "" where it asks for
// something else, or for several. sure says that it is written as names in code are.
func ParameterName(c *contract.Context) (name string, sure bool) {
	if c == nil || len(c.Subjects) != 1 || len(c.Parts) > 1 || c.Kind != contract.KindLookup && c.Intent != contract.IntentParameter {
		return "", false
	}
	name = strings.Trim(c.Subjects[0], "`'\" ")
	if name == "" || strings.ContainsAny(name, " \t*") || len(besides(c, name)) > mostBesides {
		return "", false
	}
	return name, kind.Identifier(name)
}

// mostBesides is how many other words a question for a parameter may have than its name
// and the requested property: the program or the page of the parameter. "sessionAffinity
// ClientIP timeout default seconds" asks for another parameter than sessionAffinity.
const mostBesides = 2

// besides are the words of a question that are neither the parameter's name nor the
// requested property. Words of Chinese and Japanese count as their first renderings.
func besides(c *contract.Context, name string) []string {
	var out []string
	count := func(w string) {
		if w != "" && !strings.ContainsFunc(w, analysis.IsCJK) && !asksOf.Has(w) {
			out = append(out, w)
		}
	}
	for w := range strings.FieldsSeq(strings.ReplaceAll(c.Question, name, " ")) {
		count(strings.ToLower(strings.Trim(w, "`'\"?!.,:;()")))
	}
	for _, t := range c.Translations {
		if strings.ContainsFunc(t.Word, analysis.IsCJK) && len(t.Terms) > 0 {
			count(strings.ToLower(t.Terms[0].Text))
		}
	}
	return out
}

// asksOf are the words with which something is asked of a parameter.
const asksOf wordlist.Rule = "parameters/asks-of"

// WantsDefault reports whether a question asks for the default of its parameter.
func WantsDefault(c *contract.Context) bool { return reading.OfContext(c).Default }
