package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The parameters of the alignment.
const (
	rounds        = 6   // of expectation maximization
	minSeen       = 2.0 // expected number of times that a pair of words is seen
	minSure       = .18 // geometric mean of both directions' probabilities
	alignedWeight = 1.6 // of a certain pair; the dictionary's best gloss has 1
	maxAligned    = 4   // English words of a foreign word
)

// bead is a message as units, without function words. A unit is the stem of an
// English word, or a foreign word, or the stem of a rare foreign word.
type bead struct {
	english, foreign []string
	written          []string // the English words, parallel to english
}

// frequent is the number of occurrences that makes a form a unit of its own: the
// Spanish noun configuración means something else than the verb configurar. Rarer
// forms share the meaning of their stem.
const frequent = 5

const stemUnit = "\x01" // prefix of a unit that is a stem

// maxBead limits the units of a bead in each language. Longer messages align badly.
const maxBead = 40

// alignment is the data of aligning messages.
type alignment struct {
	draft    *draft
	dict     *dictionary.Dictionary
	messages []message
	forms    map[string]int // occurrences of the foreign forms
	beads    []bead
	english  counter        // from English stems to words
	foreign  counter        // from foreign units to forms
	same     map[string]int // occurrences of words that are the same in both languages
}

// addAligned learns translations of words from translated messages with IBM model 1
// (Brown et al. 1993, section 4.1) in both directions. The score of a pair is the
// geometric mean of both probabilities. Model 1 in one direction aligns rare words
// with every word of their only message; the other direction removes those.
func addAligned(d *draft, dict *dictionary.Dictionary, messages []message) {
	a := alignment{draft: d, dict: dict, messages: messages, forms: map[string]int{}, english: counter{}, foreign: counter{},
		same: map[string]int{}}
	a.makeBeads()
	a.addUntranslated()
	addCollocations(d, dict, messages, a.english)
	a.addPairs()
}

// unit returns the unit of a foreign form.
func (a *alignment) unit(form string) string {
	if table.Inflects(a.draft.language) && !strings.Contains(form, " ") && a.forms[form] < frequent {
		return stemUnit + table.StemWord(a.draft.language, form)
	}
	return form
}

// makeBeads turns the messages into beads.
func (a *alignment) makeBeads() {
	language := a.draft.language
	for _, m := range a.messages {
		for _, w := range a.dict.SplitWords(m.foreign) {
			a.forms[table.Normal(language, w.Text)]++
		}
	}
	for _, m := range a.messages {
		var b bead
		kept := words(strings.Join(englishWords(m.foreign), " "))
		for _, w := range englishWords(m.english) {
			s := englishStem(w)
			a.english.add(s, w)
			// A word in both texts is a name. It translates no other word.
			if kept[w] {
				a.same[w]++
				continue
			}
			b.english = append(b.english, s)
			b.written = append(b.written, w)
		}
		for _, w := range a.dict.SplitWords(m.foreign) {
			n := table.Normal(language, w.Text)
			if w.Stop || !foreign(language, w.Text) || a.same[n] > 0 && kept[n] {
				continue
			}
			u := a.unit(n)
			a.foreign.add(u, n)
			b.foreign = append(b.foreign, u)
		}
		if len(b.english) > 0 && len(b.foreign) > 0 && len(b.english) <= maxBead && len(b.foreign) <= maxBead {
			a.beads = append(a.beads, b)
		}
	}
}

// addUntranslated adds words that the language takes from English.
func (a *alignment) addUntranslated() {
	d := a.draft
	if !table.Inflects(d.language) {
		return
	}
	// A word that translators keep (Docker, Server) means itself. The German Docker
	// of the dictionary is a poppet head.
	for _, w := range sortedKeys(a.same) {
		if a.same[w] >= minSeen && (d.entries[w] != nil || a.same[w] >= 2*minSeen) {
			d.add(w, w, alignedWeight)
		}
	}
	if d.language == "ru" {
		return
	}
	// An English word that is not in the dictionary is probably used as a term.
	// Without an entry its stem could match an unrelated word.
	const least, shortest = 3, 4
	for _, s := range sortedKeys(a.english) {
		for _, w := range sortedKeys(a.english[s]) {
			if a.english[s][w] >= least && len(w) >= shortest && !strings.Contains(w, "'") && d.entries[w] == nil {
				d.add(w, w, 1)
				d.keep(w)
			}
		}
	}
}

// addPairs aligns the beads and adds the best pairs.
func (a *alignment) addPairs() {
	d := a.draft
	forward, seen := model1(a.beads)
	reversed := make([]bead, len(a.beads))
	for i, b := range a.beads {
		reversed[i] = bead{english: b.foreign, foreign: b.english}
	}
	backward, _ := model1(reversed)
	byUnit := map[string][]string{} // the words of the dictionary
	for _, k := range sortedKeys(d.entries) {
		byUnit[a.unit(k)] = append(byUnit[a.unit(k)], k)
	}
	englishForms := counter{} // from pairs of units to the English words
	for _, b := range a.beads {
		for _, f := range b.foreign {
			for i, e := range b.english {
				if seen[f][e] >= minSeen {
					englishForms.add(f+"\x00"+e, b.written[i])
				}
			}
		}
	}
	type pair struct {
		english string
		sure    float64
	}
	for _, f := range slices.Sorted(maps.Keys(forward)) {
		var best []pair
		for _, e := range slices.Sorted(maps.Keys(forward[f])) {
			sure := math.Sqrt(forward[f][e] * backward[e][f])
			if n := seen[f][e]; n >= minSeen && sure >= minSure {
				best = append(best, pair{englishForms.best(f + "\x00" + e), sure * n / (n + 1)})
			}
		}
		slices.SortStableFunc(best, func(x, y pair) int { return cmp.Compare(y.sure, x.sure) })
		targets := byUnit[f]
		if len(targets) == 0 {
			// A compound is translated by its parts: one of its words is not enough.
			w := a.foreign.best(f)
			if d.language == "de" && len(a.dict.SplitWords(w)) > 1 {
				continue
			}
			targets = []string{w}
		}
		for _, p := range best[:min(len(best), maxAligned)] {
			for _, k := range targets {
				// Model 1 does not know phrases. Half of "environment variable" is not
				// the translation of Umgebungsvariable.
				if partOfGloss(d.glosses(k, a.dict), p.english) {
					continue
				}
				d.add(k, p.english, alignedWeight*p.sure)
				d.keep(k)
			}
		}
	}
}

// glosses returns the glosses of a key. A key without an entry has those that the
// current table finds.
func (d *draft) glosses(key string, dict *dictionary.Dictionary) []table.Gloss {
	if e := d.entries[key]; e != nil {
		return e.glosses
	}
	if ws := dict.SplitWords(key); len(ws) == 1 {
		return ws[0].Glosses
	}
	return nil
}

// partOfGloss reports whether a word is a part of the best gloss, and not a gloss
// itself.
func partOfGloss(glosses []table.Gloss, word string) bool {
	stem := englishStem(word)
	for _, g := range glosses {
		if englishStems(g.Text) == stem {
			return false
		}
	}
	return len(glosses) > 0 && slices.Contains(strings.Fields(englishStems(glosses[0].Text)), stem)
}

// The parameters of addCollocations.
const (
	minTogether = 4   // messages with the phrase and the English word
	minPart     = .55 // of all messages with the phrase
)

// addCollocations adds phrases of two words, possibly with function words between
// them, that are a single word in English: mise à jour is update, base de données is
// database. Most messages with such a phrase contain the same English word, and
// exactly one; variable d'environnement has two.
func addCollocations(d *draft, dict *dictionary.Dictionary, messages []message, surface counter) {
	if !table.Inflects(d.language) {
		return
	}
	count := map[string]int{}
	together := map[string]map[string]int{}
	written := counter{}
	for _, m := range messages {
		english := map[string]bool{}
		for _, w := range englishWords(m.english) {
			english[englishStem(w)] = true
		}
		for p, text := range phrasesOf(d.language, m.foreign, dict.SplitWords(m.foreign)) {
			count[p]++
			written.add(p, text)
			if together[p] == nil {
				together[p] = map[string]int{}
			}
			for e := range english {
				together[p][e]++
			}
		}
	}
	for _, p := range sortedKeys(count) {
		var one []string
		for _, e := range sortedKeys(together[p]) {
			if float64(together[p][e]) >= minPart*float64(count[p]) {
				one = append(one, e)
			}
		}
		if len(one) != 1 || together[p][one[0]] < minTogether {
			continue
		}
		if key := written.best(p); d.entries[key] == nil && len(surface[one[0]]) > 0 {
			d.add(key, surface.best(one[0]), 1)
		}
	}
}

// phrasesOf returns the phrases of two content words in a message. It maps their
// stems to the phrase as it is written.
func phrasesOf(language, text string, ws []dictionary.Word) map[string]string {
	out := map[string]string{}
	for i, w := range ws {
		if w.Stop || !foreign(language, w.Text) {
			continue
		}
		const longest = 4
		for j := i + 1; j < len(ws) && j < i+longest; j++ {
			if strings.Trim(text[ws[j-1].Span[1]:ws[j].Span[0]], " '’") != "" || ws[j-1].Span[1] == ws[j].Span[0] {
				break
			}
			if ws[j].Stop {
				continue
			}
			if foreign(language, ws[j].Text) {
				var n []string
				for _, x := range ws[i : j+1] {
					n = append(n, table.Normal(language, x.Text))
				}
				key := strings.Join(n, " ")
				out[table.StemWords(language, key)] = key
			}
			break
		}
	}
	return out
}

// model1 runs expectation maximization. t[f][e] is the probability of e given f, and
// seen[f][e] is the expected number of times that e is aligned with f in the last
// round.
func model1(beads []bead) (t, seen map[string]map[string]float64) {
	t = map[string]map[string]float64{}
	for range rounds {
		count, total := map[string]map[string]float64{}, map[string]float64{}
		for _, b := range beads {
			sources := append([]string{""}, b.foreign...) // "" is the null word
			for _, e := range b.english {
				sum := 0.0
				for _, f := range sources {
					sum += prob(t, f, e)
				}
				for _, f := range sources {
					c := prob(t, f, e) / sum
					if count[f] == nil {
						count[f] = map[string]float64{}
					}
					count[f][e] += c
					total[f] += c
				}
			}
		}
		t = map[string]map[string]float64{}
		for f, es := range count {
			t[f] = map[string]float64{}
			for e, c := range es {
				t[f][e] = max(c/total[f], 1e-9)
			}
		}
		seen = count
	}
	delete(t, "")
	return t, seen
}

// prob is t[f][e]. Before the first round all pairs are equally likely.
func prob(t map[string]map[string]float64, f, e string) float64 {
	if len(t) == 0 {
		return 1
	}
	return max(t[f][e], 1e-9)
}

// addPhrases adds messages that are short phrases (mise à jour), if their English
// has a word that is not among the glosses of their words.
func addPhrases(d *draft, dict *dictionary.Dictionary, messages []message) {
	const longestIdeographs = 6
	for _, m := range messages {
		gloss := strings.Join(englishWords(m.english), " ")
		ws := dict.SplitWords(m.foreign)
		if gloss == "" || len(strings.Fields(gloss)) > 2 || len(strings.Fields(m.english)) > table.MaxWords || len(ws) < 2 || len(ws) > 3 {
			continue
		}
		span := strings.TrimSpace(m.foreign[ws[0].Span[0]:ws[len(ws)-1].Span[1]])
		if len(span) < len(strings.Trim(m.foreign, " .…:!?。")) ||
			strings.ContainsFunc(span, func(r rune) bool { return strings.ContainsRune(",.:;!?…\"«»“”()、。：", r) }) {
			continue
		}
		known := map[string]bool{}
		stops := 0
		for _, w := range ws {
			if w.Stop {
				stops++
			}
			for _, g := range w.Glosses {
				for _, s := range strings.Fields(englishStems(g.Text)) {
					known[s] = true
				}
			}
		}
		news := 0
		for _, s := range strings.Fields(englishStems(gloss)) {
			if !known[s] {
				news++
			}
		}
		if news == 0 || stops == len(ws) || ws[0].Stop {
			continue
		}
		key := foreignKey(d.language, span)
		if !table.Inflects(d.language) {
			key = ""
			if !strings.ContainsFunc(span, func(r rune) bool { return r < 0x2e80 }) && len([]rune(span)) <= longestIdeographs {
				key = span
			}
		}
		if key != "" && d.entries[key] == nil {
			d.add(key, gloss, 1)
		}
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

// englishWords returns the words of an English text, without stop words.
func englishWords(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' }) {
		w = strings.Trim(w, "'-")
		if w != "" && !englishStop[w] && latin(w) && len(w) > 1 && !strings.ContainsAny(w, "0123456789") {
			out = append(out, w)
		}
	}
	return out
}

// counter counts the values of keys.
type counter map[string]map[string]int

func (c counter) add(key, value string) {
	if c[key] == nil {
		c[key] = map[string]int{}
	}
	c[key][value]++
}

// best is the most frequent value of a key.
func (c counter) best(key string) string {
	return slices.MinFunc(slices.Collect(maps.Keys(c[key])), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[key][b], c[key][a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
