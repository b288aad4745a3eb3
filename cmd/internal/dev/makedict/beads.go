package main

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// bead is a message as units, without function words. A unit is the stem of an
// English word, or a foreign word, or the stem of a rare foreign word.
type bead struct {
	english, foreign []int // numbers of units
	written          []string
	spans            [][2]int // of the foreign units in the text
	text             string   // the foreign text
	// joined says of each unit whether only space, hyphens or, in the foreign text,
	// function words lie between it and the unit before.
	englishJoined, foreignJoined []bool
}

// frequent is the number of occurrences that makes a form a unit of its own: the
// Spanish noun configuración means something else than the verb configurar. Rarer
// forms share the meaning of their stem.
const frequent = 5

const stemUnit = "\x01" // prefix of a unit that is a stem

// maxBead limits the units of a bead in each language. Longer messages align badly.
const maxBead = 40

// numbering gives texts numbers from 1 on. 0 is the null word of Model 1.
type numbering struct {
	of    map[string]int
	texts []string
}

func newNumbering() *numbering { return &numbering{of: map[string]int{}, texts: []string{""}} }

func (n *numbering) number(text string) int {
	i, ok := n.of[text]
	if !ok {
		i = len(n.texts)
		n.of[text], n.texts = i, append(n.texts, text)
	}
	return i
}

// alignment is the data of aligning messages.
type alignment struct {
	draft    *draft
	dict     *dictionary.Dictionary
	messages []message
	forms    map[string]int // occurrences of the foreign forms
	beads    []bead
	units    struct{ english, foreign *numbering }
	english  counter        // from English stems to words
	foreign  counter        // from foreign units to forms
	same     map[string]int // occurrences of words that are the same in both languages
	stems    map[string]string
}

func newAlignment(d *draft, dict *dictionary.Dictionary, messages []message) *alignment {
	a := &alignment{draft: d, dict: dict, messages: messages, forms: map[string]int{}, english: counter{}, foreign: counter{},
		same: map[string]int{}, stems: map[string]string{}}
	a.units.english, a.units.foreign = newNumbering(), newNumbering()
	return a
}

// unit is the unit of a foreign form.
func (a *alignment) unit(form string) string {
	if bases := a.draft.extra[form]; len(bases) > 0 && a.draft.entries[form] == nil {
		return bases[0]
	}
	if table.Inflects(a.draft.language) && !strings.Contains(form, " ") && a.forms[form] < frequent {
		s, ok := a.stems[form]
		if !ok {
			s = stemUnit + table.StemWord(a.draft.language, form)
			a.stems[form] = s
		}
		return s
	}
	return form
}

// makeBeads turns the messages into beads.
func (a *alignment) makeBeads() {
	split := make([][]dictionary.Word, len(a.messages))
	for i, m := range a.messages {
		for _, w := range a.dict.SplitWords(m.foreign) {
			w.Glosses = nil
			split[i] = append(split[i], w)
			a.forms[a.form(w)]++
		}
	}
	for i, m := range a.messages {
		b := bead{text: m.foreign}
		both := a.addEnglish(&b, m.english, words(strings.Join(englishWords(m.foreign), " ")))
		a.addForeign(&b, split[i], both)
		if len(b.english) > 0 && len(b.foreign) > 0 && len(b.english) <= maxBead && len(b.foreign) <= maxBead {
			a.beads = append(a.beads, b)
		}
	}
}

// form is a foreign word as it is counted: as keys are written, in a language without
// spaces with the table's characters.
func (a *alignment) form(w dictionary.Word) string {
	n := table.Normal(a.draft.language, w.Text)
	if len(a.draft.folds) == 0 {
		return n
	}
	return strings.Map(a.draft.fold, n)
}

// addEnglish adds the English words to a bead, and returns those that are also words of
// the foreign text: names, which translate no other word.
func (a *alignment) addEnglish(b *bead, text string, foreign map[string]bool) map[string]bool {
	both := map[string]bool{}
	end := -1
	for _, t := range englishTokens(text) {
		s := englishStem(t.word)
		a.english.add(s, t.word)
		if foreign[t.word] {
			a.same[t.word]++
			both[t.word] = true
			continue
		}
		b.english = append(b.english, a.units.english.number(s))
		b.written = append(b.written, t.word)
		b.englishJoined = append(b.englishJoined, end >= 0 && strings.Trim(text[end:t.span[0]], " -") == "")
		end = t.span[1]
	}
	return both
}

// addForeign adds the foreign words to a bead, without function words and names.
func (a *alignment) addForeign(b *bead, ws []dictionary.Word, both map[string]bool) {
	end := -1 // of the word before, function words included
	joined := false
	for _, w := range ws {
		if end >= 0 && strings.Trim(b.text[end:w.Span[0]], " -'’") != "" {
			joined = false
		}
		end = w.Span[1]
		n := a.form(w)
		switch {
		case w.Stop:
			joined = joined && table.Inflects(a.draft.language)
			continue
		case !foreign(a.draft.language, w.Text), both[n]:
			joined = false
			continue
		}
		u := a.unit(n)
		a.foreign.add(u, n)
		b.foreign = append(b.foreign, a.units.foreign.number(u))
		b.spans = append(b.spans, w.Span)
		b.foreignJoined = append(b.foreignJoined, joined)
		joined = true
	}
}

// foreign reports whether a word is written in the language's own script. Latin
// words in Russian or Chinese texts are names and need no translation.
func foreign(language, w string) bool {
	for _, r := range w {
		switch {
		case !unicode.IsLetter(r) && r != '-' && r != '\'' && r != 'ー' && r != ' ':
			return false
		case r < 0x250 && !table.Inflects(language), r < 0x250 && language == "ru" && unicode.IsLetter(r):
			return false
		}
	}
	return true
}

// englishStop are the English stop words.
var englishStop = words(`a an the and or but if then else of in on at to for with by from as is are was were be been being am do does did done have has had
	can could should would will shall may might must not no nor it its it's this that these those there here he she they them their we our you your i my me
	what which who whom whose when where why how all any some such so than too very just also only other into out up down over under again once more most
	about above below between after before while during both each few own same s t don't doesn't can't cannot isn't aren't won't`)

// token is an English word, with its bytes in the text.
type token struct {
	word string
	span [2]int
}

// englishTokens gives the words of an English text in lower case, without stop words,
// numbers and words with digits.
func englishTokens(s string) []token {
	var out []token
	add := func(from, to int) {
		w := strings.ToLower(strings.Trim(s[from:to], "'-"))
		if len(w) > 1 && !englishStop[w] && latin(w) && !strings.ContainsAny(w, "0123456789") {
			out = append(out, token{w, [2]int{from, to}})
		}
	}
	from := -1
	for i, r := range s {
		switch inside := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '-'; {
		case inside && from < 0:
			from = i
		case !inside && from >= 0:
			add(from, i)
			from = -1
		}
	}
	if from >= 0 {
		add(from, len(s))
	}
	return out
}

// englishWords gives the words of englishTokens.
func englishWords(s string) []string {
	var out []string
	for _, t := range englishTokens(s) {
		out = append(out, t.word)
	}
	return slices.Clip(out)
}
