package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The glosses that a table keeps: at most so many a word, and none that is much
// worse than the best: that is a homonym, or a meaning hardly ever meant.
const (
	mostGlosses = 8
	leastWeight = 0.15
)

// draft is a table in the making.
type draft struct {
	language string
	entries  map[string]*entry
	folds    map[rune]rune
	extra    map[string][]string // forms besides stems and missing accents
}

type entry struct {
	glosses []table.Gloss
	better  float64 // how much better known the word is than others: for forms
	wanted  bool    // computing: its glosses are kept however rare they are
}

func newDraft(language string) *draft {
	return &draft{language: language, entries: map[string]*entry{}, folds: map[rune]rune{}, extra: map[string][]string{}}
}

// add gives a key a gloss. The same gloss from two places is the sum of both.
func (d *draft) add(key, gloss string, weight float64) {
	if key == "" || gloss == "" || weight <= 0 || !utf8.ValidString(key) {
		return
	}
	e := d.entries[key]
	if e == nil {
		e = &entry{}
		d.entries[key] = e
	}
	e.better += weight
	stem := englishStems(gloss)
	for i := range e.glosses {
		if englishStems(e.glosses[i].Text) == stem {
			e.glosses[i].Weight += weight
			return
		}
	}
	e.glosses = append(e.glosses, table.Gloss{Text: gloss, Weight: weight})
}

// want marks a word as one that is kept.
func (d *draft) want(key string) {
	if e := d.entries[key]; e != nil {
		e.wanted = true
	}
}

// settle orders every word's glosses and makes the best one's weight at most 1,
// so that what is added afterwards weighs the same for every word, and more for
// one that the dictionary is not sure of.
func (d *draft) settle() {
	for _, e := range d.entries {
		e.sort()
		best := max(e.glosses[0].Weight, 1)
		for i := range e.glosses {
			e.glosses[i].Weight /= best
		}
	}
}

func (e *entry) sort() {
	slices.SortStableFunc(e.glosses, func(a, b table.Gloss) int { return cmp.Compare(b.Weight, a.Weight) })
}

// contents is the table as it stands.
func (d *draft) contents(source string) table.Contents {
	c := table.Contents{Language: d.language, Source: source, Folds: d.folds, Forms: d.forms()}
	for _, k := range slices.Sorted(maps.Keys(d.entries)) {
		e := d.entries[k]
		e.sort()
		var keep []table.Gloss
		for _, g := range e.glosses {
			if len(keep) < mostGlosses && g.Weight >= leastWeight*e.glosses[0].Weight {
				keep = append(keep, g)
			}
		}
		c.Entries = append(c.Entries, table.Entry{Key: k, Glosses: keep})
	}
	return c
}

// prune drops words that say no more than their parts do: a compound whose best
// gloss has only words that are among the glosses of its parts.
func (d *draft) prune(dict *dictionary.Dictionary) {
	for _, k := range sortedKeys(d.entries) {
		parts := dict.Parts(k)
		if len(parts) < 2 {
			continue
		}
		known := map[string]bool{}
		covered := true
		for _, p := range parts {
			covered = covered && len(p.Glosses) > 0
			for _, g := range p.Glosses[:min(len(p.Glosses), mostKnown)] {
				for _, s := range strings.Fields(englishStems(g.Text)) {
					known[s] = true
				}
			}
		}
		best := strings.Fields(englishStems(strings.ReplaceAll(d.entries[k].glosses[0].Text, "-", " ")))
		hits := 0
		for _, s := range best {
			if known[s] {
				hits++
			}
		}
		// The longer a German word is, the likelier its parts are what it means.
		const long = 12
		if loose := d.language == "de" && !d.entries[k].wanted && utf8.RuneCountInString(k) >= long; loose && covered && hits > 0 {
			delete(d.entries, k)
			continue
		}
		covered = covered && hits == len(best)
		// One word for several parts is a choice among their meanings.
		if covered && len(best) >= len(parts) {
			delete(d.entries, k)
		}
	}
}

// dropRare drops glosses with a word that no other gloss has, and words that
// have nothing else. Their English is of plants and trades; a third of the
// vocabulary of Ding and EDICT is such words.
func (d *draft) dropRare() {
	count := map[string]int{}
	for _, e := range d.entries {
		for _, g := range e.glosses {
			for _, w := range strings.Fields(englishStems(g.Text)) {
				count[w]++
			}
		}
	}
	for k, e := range d.entries {
		if e.wanted {
			continue
		}
		e.glosses = slices.DeleteFunc(e.glosses, func(g table.Gloss) bool {
			return slices.ContainsFunc(strings.Fields(englishStems(g.Text)), func(w string) bool { return count[w] < 2 })
		})
		if len(e.glosses) == 0 {
			delete(d.entries, k)
		}
	}
}

// mostKnown is how many glosses of a part are looked at: a meaning that is
// further down is one that the whole had better name.
const mostKnown = 3

// forms is the other forms of words: without accents, and stems that the word
// does not begin with. The best-known words come first, three at most. A form
// that is itself a key finds nothing new.
func (d *draft) forms() map[string][]string {
	forms := map[string][]string{}
	if table.Inflects(d.language) {
		for _, k := range slices.Sorted(maps.Keys(d.entries)) {
			if f := table.Plain(k); f != k && d.language != "de" && d.entries[f] == nil {
				forms[f] = append(forms[f], k)
			}
			if f, ok := table.StemForm(d.language, k); ok {
				forms[f] = append(forms[f], k)
			}
		}
	}
	for f, keys := range d.extra {
		if d.entries[f] == nil {
			forms[f] = append(forms[f], keys...)
		}
	}
	const most = 3
	for f, keys := range forms {
		keys = slices.DeleteFunc(keys, func(k string) bool { return d.entries[k] == nil })
		slices.Sort(keys)
		keys = slices.Compact(keys)
		slices.SortStableFunc(keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(d.entries[b].better, d.entries[a].better), cmp.Compare(len(a), len(b)))
		})
		forms[f] = keys[:min(len(keys), most)]
	}
	return forms
}

// englishStems is a gloss's words by their stems: two glosses with the same
// ones are the same to a search.
func englishStems(gloss string) string {
	words := strings.Fields(strings.ToLower(gloss))
	for i, w := range words {
		words[i] = englishStem(w)
	}
	return strings.Join(words, " ")
}

func englishStem(w string) string {
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}
