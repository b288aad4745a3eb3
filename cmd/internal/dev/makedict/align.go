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

// Alignment: how often a pair of words must be seen, how sure both directions
// must be of it, and what a sure pair weighs against the dictionary's best
// gloss.
const (
	rounds        = 6
	leastSeen     = 2.0
	leastSure     = .18
	alignedWeight = 1.6
	mostAligned   = 4
)

// bead is a message as units: stems of English words, and foreign words, or
// their stems where they are rare; no function words.
type bead struct {
	english, foreign []string
	written          []string // the English words
}

// frequent is how often a form must occur to be a unit of its own: the noun
// configuración says something else than the verb configurar does. Rarer forms
// share what their stem is known to mean.
const frequent = 5

const stemUnit = "\x01" // begins the unit of a stem

// addAligned learns from translated messages what words are in English: IBM
// model 1 (Brown et al. 1993, section 4.1) in both directions; a pair counts by
// the geometric mean of both probabilities. Model 1 alone aligns rare words
// with everything in their only message; asking both directions drops those.
func addAligned(d *draft, dict *dictionary.Dictionary, messages []message) {
	var beads []bead
	surface := counter{} // of English stems
	same := map[string]int{}
	forms := map[string]int{}
	for _, m := range messages {
		for _, w := range dict.Words(m.foreign) {
			forms[table.Normal(d.language, w.Text)]++
		}
	}
	unit := func(n string) string {
		if table.Inflects(d.language) && !strings.Contains(n, " ") && forms[n] < frequent {
			return stemUnit + table.Stem(d.language, n)
		}
		return n
	}
	written := counter{} // the forms of a unit
	for _, m := range messages {
		var b bead
		kept := words(strings.Join(englishWords(m.foreign), " "))
		for _, w := range englishWords(m.english) {
			s := englishStem(w)
			surface.add(s, w)
			// What stands in both texts is a name, and explains nothing else.
			if kept[w] {
				same[w]++
				continue
			}
			b.english = append(b.english, s)
			b.written = append(b.written, w)
		}
		for _, w := range dict.Words(m.foreign) {
			n := table.Normal(d.language, w.Text)
			if w.Stop || !foreign(d.language, w.Text) || same[n] > 0 && kept[n] {
				continue
			}
			u := unit(n)
			written.add(u, n)
			b.foreign = append(b.foreign, u)
		}
		const longest = 40
		if len(b.english) > 0 && len(b.foreign) > 0 && len(b.english) <= longest && len(b.foreign) <= longest {
			beads = append(beads, b)
		}
	}
	// A word that is left as it is (Docker, Server) means itself: the German
	// Docker of the dictionary is a poppet head.
	if table.Inflects(d.language) {
		for _, w := range sortedKeys(same) {
			if same[w] >= leastSeen && (d.entries[w] != nil || same[w] >= 2*leastSeen) {
				d.add(w, w, alignedWeight)
			}
		}
	}
	// An English word that is no word of the language is likely used as a term,
	// and otherwise found by a stem that it has by chance.
	if d.language != "ru" && table.Inflects(d.language) {
		const least, shortest = 3, 4
		for _, s := range sortedKeys(surface) {
			for _, w := range sortedKeys(surface[s]) {
				if surface[s][w] >= least && len(w) >= shortest && !strings.Contains(w, "'") && d.entries[w] == nil {
					d.add(w, w, 1)
					d.want(w)
				}
			}
		}
	}
	addCollocations(d, dict, messages, surface)
	forward, seen := model1(beads)
	turned := make([]bead, len(beads))
	for i, b := range beads {
		turned[i] = bead{english: b.foreign, foreign: b.english}
	}
	backward, _ := model1(turned)
	byUnit := map[string][]string{} // the words of the dictionary
	for _, k := range sortedKeys(d.entries) {
		byUnit[unit(k)] = append(byUnit[unit(k)], k)
	}
	englishForms := counter{} // how a pair's English word is written beside it
	for _, b := range beads {
		for _, f := range b.foreign {
			for i, e := range b.english {
				if seen[f][e] >= leastSeen {
					englishForms.add(f+"\x00"+e, b.written[i])
				}
			}
		}
	}
	for _, f := range slices.Sorted(maps.Keys(forward)) {
		type pair struct {
			english string
			sure    float64
		}
		var best []pair
		for _, e := range slices.Sorted(maps.Keys(forward[f])) {
			sure := math.Sqrt(forward[f][e] * backward[e][f])
			if n := seen[f][e]; n >= leastSeen && sure >= leastSure {
				best = append(best, pair{englishForms.best(f + "\x00" + e), sure * n / (n + 1)})
			}
		}
		slices.SortStableFunc(best, func(a, b pair) int { return cmp.Compare(b.sure, a.sure) })
		targets := byUnit[f]
		if len(targets) == 0 {
			// A compound is better cut than known by one of its words.
			w := written.best(f)
			if d.language == "de" && len(dict.Words(w)) > 1 {
				continue
			}
			targets = []string{w}
		}
		for _, p := range best[:min(len(best), mostAligned)] {
			for _, k := range targets {
				// Model 1 knows no phrases: half of "environment variable" is
				// not what Umgebungsvariable is.
				if partOfGloss(d.glosses(k, dict), p.english) {
					continue
				}
				d.add(k, p.english, alignedWeight*p.sure)
				d.want(k)
			}
		}
	}
}

// glosses is the glosses of a key, or what the table finds for it so far.
func (d *draft) glosses(key string, dict *dictionary.Dictionary) []table.Gloss {
	if e := d.entries[key]; e != nil {
		return e.glosses
	}
	if ws := dict.Words(key); len(ws) == 1 {
		return ws[0].Glosses
	}
	return nil
}

// partOfGloss says whether a word is a part of the best gloss, and not a gloss
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

// Collocations: how often a phrase and an English word must be seen together,
// and in what part of the messages with the phrase.
const (
	leastTogether = 4
	leastPart     = .55
)

// addCollocations adds phrases of two words, with function words in between,
// that are one word in English: mise à jour is update, base de données is
// database. In the messages with such a phrase one English word stands mostly,
// and no other; variable d'environnement has two.
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
		for p, text := range phrasesOf(d.language, m.foreign, dict.Words(m.foreign)) {
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
			if float64(together[p][e]) >= leastPart*float64(count[p]) {
				one = append(one, e)
			}
		}
		if len(one) != 1 || together[p][one[0]] < leastTogether {
			continue
		}
		if key := written.best(p); d.entries[key] == nil && len(surface[one[0]]) > 0 {
			d.add(key, surface.best(one[0]), 1)
		}
	}
}

// phrasesOf is the phrases of two content words in a message, by their stems,
// as they are written.
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
				out[table.Stems(language, key)] = key
			}
			break
		}
	}
	return out
}

// model1 is t[f][e], the probability of e given f, after some rounds of
// expectation maximisation, and how often they were seen together in the last.
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

// prob is t[f][e]; before the first round everything is as likely.
func prob(t map[string]map[string]float64, f, e string) float64 {
	if len(t) == 0 {
		return 1
	}
	return max(t[f][e], 1e-9)
}

// addPhrases adds messages that are short phrases (mise à jour) where they say
// something that their words do not.
func addPhrases(d *draft, dict *dictionary.Dictionary, messages []message) {
	const longestIdeographs = 6
	for _, m := range messages {
		gloss := strings.Join(englishWords(m.english), " ")
		ws := dict.Words(m.foreign)
		if gloss == "" || len(strings.Fields(gloss)) > 2 || len(strings.Fields(m.english)) > table.MaxWords || len(ws) < 2 || len(ws) > 3 {
			continue
		}
		span := strings.TrimSpace(m.foreign[ws[0].Span[0]:ws[len(ws)-1].Span[1]])
		if len(span) < len(strings.Trim(m.foreign, " .…:!?。")) || strings.ContainsFunc(span, func(r rune) bool { return strings.ContainsRune(",.:;!?…\"«»“”()、。：", r) }) {
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

// foreign says whether a word is written in the language's own script: Latin
// words in Russian or Chinese text are names and need no translation.
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

// englishStop are words that a search drops.
var englishStop = words(`a an the and or but if then else of in on at to for with by from as is are was were be been being am do does did done have has had
	can could should would will shall may might must not no nor it its it's this that these those there here he she they them their we our you your i my me
	what which who whom whose when where why how all any some such so than too very just also only other into out up down over under again once more most
	about above below between after before while during both each few own same s t don't doesn't can't cannot isn't aren't won't`)

func englishWords(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' }) {
		w = strings.Trim(w, "'-")
		if w != "" && !englishStop[w] && latin(w) && len(w) > 1 && !strings.ContainsAny(w, "0123456789") {
			out = append(out, w)
		}
	}
	return out
}

// counter counts what is behind a key, and knows the most frequent.
type counter map[string]map[string]int

func (c counter) add(key, value string) {
	if c[key] == nil {
		c[key] = map[string]int{}
	}
	c[key][value]++
}

func (c counter) best(key string) string {
	return slices.MinFunc(slices.Collect(maps.Keys(c[key])), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[key][b], c[key][a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
