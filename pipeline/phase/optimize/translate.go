package optimize

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/gloss"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/lexicon"
	"docent/pipeline/question/wordlist"
)

const (
	comparing   wordlist.Rule = "translate/compares"
	possessive  wordlist.Rule = "translate/possessive"
	conjunction wordlist.Rule = "translate/and"
)

func (f *frame) addHan(p gloss.Word) {
	e := p.Entry
	tm := term{han: true, text: p.Text, source: p.Text, gloss: p.Glosses}
	if len(e.Glosses) > 0 {
		tm.text, tm.other = e.Glosses[0], e.Glosses[1:]
	}
	switch e.Class {
	case lexicon.Unknown:
		if len(p.Glosses) > 0 { // from the dictionary
			tm.text = p.Glosses[0].Text
		}
	case lexicon.Verb:
		tm.role, tm.verb = action, tm.text
	case lexicon.VerbNoun:
		tm.role, tm.noun, tm.verb, tm.text, tm.other = action, e.Glosses[0], e.Verbs[0], e.Verbs[0], e.Verbs[1:]
	case lexicon.Modifier:
		tm.role = modifier
	case lexicon.Question:
		tm.role = asking
		if f.asks == "" {
			f.asks = tm.text
		}
	case lexicon.Conjunction:
		tm.role = joining
	case lexicon.Coverb:
		tm.role = coverb
		if len(e.Glosses) == 0 {
			tm.text = ""
		}
	case lexicon.Particle:
		if possessive.Has(p.Text) && len(f.terms) > 0 {
			f.terms[len(f.terms)-1].tail = true
		}
		tm.role = nothing
	}
	if comparing.Has(p.Text) {
		tm.role, tm.noun, f.compares = compare, "", true
	}
	f.terms = append(f.terms, tm)
}

// addForeign adds a word of a language other than Chinese and English.
func (f *frame) addForeign(t *tables, w gloss.Word, language string) {
	tm := term{text: w.Text, source: w.Text, gloss: w.Glosses}
	lower := strings.ToLower(w.Text)
	switch {
	case questionKind(lower, language) != "":
		tm.role = asking
		if f.asks == "" {
			f.asks = questionKind(lower, language)
		}
	case joinsIn(lower, language):
		tm.role = joining
	case w.Entry.Class == lexicon.Particle:
		tm.role = nothing
	case len(w.Glosses) > 0:
		tm.han, tm.text = true, w.Glosses[0].Text
		for _, g := range w.Glosses[1:] {
			tm.other = append(tm.other, g.Text)
		}
		if verb, sure := t.baseVerb(tm.text); sure {
			tm.role, tm.verb, tm.text = action, verb, verb
		}
	}
	f.terms = append(f.terms, tm)
}

// questionKind is the kind of a question word, "" for any other word.
func questionKind(w, language string) string {
	for _, kind := range []string{"how", "what", "why", "where", "when", "which"} {
		if slices.Contains(wordlist.Rule("translate/"+kind).In(language), w) {
			return kind
		}
	}
	return ""
}

// joinsIn reports whether a word is a conjunction of the language.
func joinsIn(w, language string) bool {
	return slices.Contains(conjunction.In(language), w)
}

// ownWeight is the weight of an untranslated word of Latin script, relative to its
// translations: technical terms are the same in most languages.
const ownWeight = 0.5

// translations are the contents of the question with their translations; nil if no
// term was translated.
func translations(terms []term) []contract.Translation {
	if !slices.ContainsFunc(terms, func(tm term) bool { return len(tm.gloss) > 0 && tm.isContent() }) {
		return nil
	}
	var out []contract.Translation
	for _, tm := range terms {
		if !tm.isContent() && tm.role != compare || tm.text == "" {
			continue
		}
		one := contract.Translation{Word: tm.source}
		if one.Word == "" {
			one.Word = tm.text
		}
		for _, g := range tm.gloss {
			one.Terms = append(one.Terms, contract.Rendering{Text: g.Text, Weight: math.Round(g.Weight*100) / 100})
		}
		if own := (contract.Rendering{Text: one.Word, Weight: 1}); len(one.Terms) == 0 {
			one.Terms = append(one.Terms, own)
		} else if strings.IndexFunc(own.Text, func(r rune) bool { return r > 0x24f }) < 0 &&
			!slices.ContainsFunc(one.Terms, func(g contract.Rendering) bool { return strings.EqualFold(g.Text, own.Text) }) {
			own.Weight = ownWeight
			one.Terms = append(one.Terms, own)
		}
		out = append(out, one)
	}
	return out
}

// inEnglishWords is a part in Chinese around a name as English asks it: 什么时候用 StatefulSet is "when
// to use StatefulSet". Other parts stay as they are.
func inEnglishWords(t *tables, part string) string {
	if question.Language(part) != "zh" && !strings.ContainsFunc(part, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return part
	}
	f := t.readFrame(part, "zh")
	topics, verbs := joinedTopics(f.terms, nil), predicateVerbs(f.terms, 1)
	switch {
	case topics == "":
		return part
	case f.asks == "what" || kind.ReadKind(part).Kind == contract.KindDefinition:
		return "what is " + topics
	case f.asks != "" && len(verbs) > 0:
		return f.asks + " to " + verbs[0] + " " + topics
	}
	return f.englishQuery(f.terms)
}
