package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The parameters of the alignment.
const (
	minSeen       = 2.0 // expected number of times that a pair of words is seen
	minSure       = .18 // geometric mean of both directions' probabilities
	minOneWay     = .3  // probability of an English word given the foreign one, where the other direction is unlikely
	oneWayWeight  = .6  // of it
	alignedWeight = 1.6 // of a certain pair; the best gloss of a dictionary has 1
	maxAligned    = 4   // English words of a foreign word
)

// addAligned learns translations of words and phrases from translated messages: Model 1 in
// both directions. The score of a pair of words is the geometric mean of both
// probabilities: one direction alone aligns rare words with every word of their only
// message; the other direction removes those. It returns the phrases, which addPhrases
// adds once the words are there.
func addAligned(d *draft, dict *dictionary.Dictionary, messages []message) *phraseTable {
	a := newAlignment(d, dict, messages)
	a.makeBeads()
	a.addUntranslated()
	steep := 2.0
	if d.language == "ja" || d.language == "ko" || d.language == "de" { // their verbs stand at the end
		steep = 0
	}
	forward := trainModel(a.beads, steep, func(b bead) ([]int, []int) { return b.english, b.foreign })
	backward := trainModel(a.beads, steep, func(b bead) ([]int, []int) { return b.foreign, b.english })
	p := a.phrases(forward, backward)
	keys := a.keysOfUnits()
	a.addCompounds(p, keys)
	a.addPairs(forward, backward, keys)
	a.addParts(p, keys)
	return p
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

// keysOfUnits gives the keys that a unit stands for: those of the table, or else the form
// that it has most often.
func (a *alignment) keysOfUnits() func(unit string) []string {
	byUnit := map[string][]string{}
	for _, k := range sortedKeys(a.draft.entries) {
		byUnit[a.unit(k)] = append(byUnit[a.unit(k)], k)
	}
	return func(unit string) []string {
		if keys := byUnit[unit]; len(keys) > 0 {
			return keys
		}
		return []string{a.foreign.best(unit)}
	}
}

// addPairs adds the best pairs of words.
func (a *alignment) addPairs(forward, backward *model, keys func(unit string) []string) {
	d := a.draft
	candidates, written := a.candidates(forward)
	for _, f := range slices.Sorted(maps.Keys(candidates)) {
		type pair struct {
			english string
			sure    float64
		}
		var best []pair
		for _, e := range slices.Compact(slices.Sorted(slices.Values(candidates[f]))) {
			p, n := forward.prob(e, f)
			q, _ := backward.prob(f, e)
			// A rare word for something common (abschalten for deactivate) is likely in one
			// direction only.
			sure := math.Sqrt(p * q)
			if oneWay := oneWayWeight * p; sure < oneWay && n >= minPhrases && p >= minOneWay {
				sure = oneWay
			}
			if sure >= minSure {
				best = append(best, pair{written.best(a.units.foreign.texts[f] + "\x00" + a.units.english.texts[e]), sure * n / (n + 1)})
			}
		}
		slices.SortStableFunc(best, func(x, y pair) int { return cmp.Or(cmp.Compare(y.sure, x.sure), cmp.Compare(x.english, y.english)) })
		for _, k := range keys(a.units.foreign.texts[f]) {
			// A compound without an entry is translated by its parts: one of its words is
			// not enough.
			if d.language == "de" && d.entries[k] == nil && len(a.dict.SplitWords(k)) > 1 {
				continue
			}
			for _, p := range best[:min(len(best), maxAligned)] {
				// Half of "environment variable" is not the translation of Umgebungsvariable.
				if partOfGloss(d.glosses(k, a.dict), p.english) {
					continue
				}
				d.add(k, p.english, alignedWeight*p.sure)
				d.keep(k)
			}
		}
	}
}

// candidates gives the English units that are seen with a foreign one often enough, and
// how the English of each pair is written.
func (a *alignment) candidates(forward *model) (map[int][]int, counter) {
	out, written := map[int][]int{}, counter{}
	for _, b := range a.beads {
		for _, f := range b.foreign {
			for i, e := range b.english {
				if _, n := forward.prob(e, f); n < minSeen {
					continue
				}
				key := a.units.foreign.texts[f] + "\x00" + a.units.english.texts[e]
				if written[key] == nil {
					out[f] = append(out[f], e)
				}
				written.add(key, b.written[i])
			}
		}
	}
	return out, written
}

// glosses returns the glosses of a key. A key without an entry has those that the
// current table finds.
func (d *draft) glosses(key string, dict *dictionary.Dictionary) []table.Gloss {
	if e := d.entries[key]; e != nil {
		e.sort()
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
