package kind

import (
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/lexicon"
)

// AsksHow reports whether a question asks for a procedure explicitly, and does not only
// name an action.
func AsksHow(text string) bool { return isProcedure(newSentence(question.Shorten(text, mostRead))) }

// isProcedure reports whether a question asks how something is done.
func isProcedure(s sentence) bool {
	for _, w := range procedureOpening.Phrases() {
		if rest, ok := s.cutStart(w); ok && rest.line != "" {
			return true
		}
	}
	return procedureInside.Inside(s.lower) != "" || s.hasPhrase(procedureStands)
}

// procedure reads "how do I …", "怎么 …", and instructions: "copy a file from a
// container".
func procedure(s sentence) (Reading, bool) {
	for _, w := range procedureOpening.Phrases() {
		if rest, ok := s.cutStart(w); ok && rest.line != "" {
			return Reading{Kind: contract.KindProcedure, Cue: w}, true
		}
	}
	if w := procedureInside.Inside(s.lower); w != "" {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	if w, i := procedureStands.FindPhrase(s.lower); i >= 0 {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	if w := hanInstruction(s); w != "" {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	if w := instruction(s); w != "" {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	return Reading{}, false
}

// verbs are the English verbs of the lexicon; true: hardly ever a noun.
var verbs = sync.OnceValue(func() map[string]bool {
	out, nouns := map[string]bool{}, map[string]bool{}
	lexicon.English(func(g string, verb bool) {
		switch {
		case strings.Contains(g, " "):
		case verb:
			out[g] = true
		default:
			nouns[strings.ToLower(g)] = true
		}
	})
	for _, v := range verbList.Phrases() {
		out[v] = true
	}
	for v := range out {
		out[v] = !nouns[v] || v == "use"
	}
	return out
})

// instruction is the verb of a text that tells to do something, "" for any other
// text. A word that is a noun as well is a verb before an article or a pronoun, or
// before "all" and "from" and the like.
//
// The documentation of options tells too ("Set to 1 to skip validation. Use when …"):
// several sentences and long ones are descriptions.
func instruction(s sentence) string {
	w := strings.Fields(s.line)
	const most = 14
	if len(w) > most || strings.Contains(s.line, ". ") || strings.Contains(s.line, ": ") || strings.HasPrefix(s.lower, "set to ") {
		return ""
	}
	for len(w) > 1 && (strings.HasSuffix(w[0], "ly") || strings.EqualFold(w[0], "do") && strings.EqualFold(w[1], "not")) {
		w = w[1:]
	}
	if len(w) < 2 {
		return ""
	}
	verb := strings.ToLower(w[0])
	sure, ok := verbs()[verb]
	if !ok && len(w) > 2 && phrasalVerb.Has(verb+" "+strings.ToLower(w[1])) {
		return verb + " " + w[1]
	}
	if !ok || w[0] != verb && w[0] != strings.ToUpper(verb[:1])+verb[1:] {
		return ""
	}
	switch next := strings.ToLower(w[1]); {
	case verbObject.Has(next):
		return verb
	case verbNot.Has(next):
		return ""
	}
	if sure && len(w) > 2 {
		return verb
	}
	// "pull image from a private registry": a noun before a noun is rather a name, but
	// not where the sentence goes on with what a verb needs.
	const long = 4
	if len(w) >= long && s.hasPhrase(verbComplement) {
		return verb
	}
	return ""
}

// hanInstruction is the Chinese verb of a text that tells to do something: 清理过期数据.
func hanInstruction(s sentence) string {
	rest := s.line
	for _, w := range instructionAdverb.Phrases() {
		rest = strings.TrimPrefix(rest, w)
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < 0x2e80 })
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return ""
	}
	p := lexicon.Segment(rest[:end])
	if len(p) == 0 || p[0].End == len(rest) {
		return ""
	}
	if c := p[0].Entry.Class; c == lexicon.Verb || c == lexicon.VerbNoun && rest != s.line {
		return p[0].Text
	}
	return ""
}
