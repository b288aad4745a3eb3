package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The glosses of a word that a table keeps. A gloss with a much lower weight than
// the best one is a homonym or a rare meaning.
const (
	maxGlosses  = 8
	minRelative = 0.15 // of the best gloss's weight
)

// draft is a table under construction.
type draft struct {
	language string
	entries  map[string]*entry
	folds    map[rune]rune
	extra    map[string][]string // more forms of words, besides stems and forms without accents
	// known are words that a text without spaces is cut into while the table is learned.
	// Those that get no gloss are not in the table.
	known map[string]bool
	// written are the words of the list by hand, which are added at the end.
	written map[string]bool
}

// entry is a word of a draft.
type entry struct {
	glosses   []table.Gloss
	frequency float64 // sum of all added weights; decides between words with the same form
	keep      bool    // a computing term: its glosses are kept even if they are rare
}

func newDraft(language string) *draft {
	return &draft{language: language, entries: map[string]*entry{}, folds: map[rune]rune{}, extra: map[string][]string{},
		known: map[string]bool{}, written: writtenWords(language)}
}

// fold is a character as keys are written.
func (d *draft) fold(r rune) rune {
	if f, ok := d.folds[r]; ok {
		return f
	}
	return r
}

// add adds a gloss to a key. The weights of equal glosses are added.
func (d *draft) add(key, gloss string, weight float64) {
	if key == "" || gloss == "" || weight <= 0 || !utf8.ValidString(key) {
		return
	}
	e := d.entries[key]
	if e == nil {
		e = &entry{}
		d.entries[key] = e
	}
	e.frequency += weight
	stem := englishStems(gloss)
	for i := range e.glosses {
		if englishStems(e.glosses[i].Text) == stem {
			e.glosses[i].Weight += weight
			return
		}
	}
	e.glosses = append(e.glosses, table.Gloss{Text: gloss, Weight: weight})
}

// keep marks a word as a computing term.
func (d *draft) keep(key string) {
	if e := d.entries[key]; e != nil {
		e.keep = true
	}
}

// preferFrequent makes glosses lighter whose words are rare in the English texts: win is
// likelier meant than bring off.
func (d *draft) preferFrequent(messages []message) {
	count := map[string]int{}
	for _, m := range messages {
		for _, w := range englishWords(m.english) {
			count[englishStem(w)]++
		}
	}
	const frequent = 1000
	for _, e := range d.entries {
		for i, g := range e.glosses {
			least := frequent
			for _, w := range strings.Fields(englishStems(g.Text)) {
				if !englishStop[w] {
					least = min(least, count[w])
				}
			}
			e.glosses[i].Weight *= rareWeight + (1-rareWeight)*math.Log1p(float64(least))/math.Log1p(frequent)
		}
	}
}

// rareWeight is how much a gloss that does not occur in the texts keeps of its weight.
const rareWeight = .3

// normalize sorts the glosses of every word and scales the best weight down to 1.
// A gloss that is added later then has the same influence on every word, and more
// on a word whose weights are small.
func (d *draft) normalize() {
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

// contents returns the current table, with the known words or without them.
func (d *draft) contents(source string, known bool) table.Contents {
	c := table.Contents{Language: d.language, Source: source, Folds: d.folds, Forms: d.forms(known)}
	if known {
		for _, k := range sortedKeys(d.known) {
			if d.entries[k] == nil {
				c.Entries = append(c.Entries, table.Entry{Key: k})
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.entries)) {
		e := d.entries[k]
		e.sort()
		var keep []table.Gloss
		for _, g := range e.glosses {
			if len(keep) < maxGlosses && g.Weight >= minRelative*e.glosses[0].Weight {
				keep = append(keep, g)
			}
		}
		c.Entries = append(c.Entries, table.Entry{Key: k, Glosses: keep})
	}
	return c
}

// prune drops redundant compounds: all words of their best gloss are among the
// glosses of their parts.
func (d *draft) prune(dict *dictionary.Dictionary) {
	for _, k := range sortedKeys(d.entries) {
		parts := dict.PartsOf(k)
		if len(parts) < 2 {
			continue
		}
		known := map[string]bool{}
		covered := true
		for _, p := range parts {
			covered = covered && len(p.Glosses) > 0
			for _, g := range p.Glosses[:min(len(p.Glosses), partGlosses)] {
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
		// A long German word probably means the same as its parts.
		const long = 12
		if loose := d.language == "de" && !d.entries[k].keep && utf8.RuneCountInString(k) >= long; loose && covered && hits > 0 {
			delete(d.entries, k)
			continue
		}
		covered = covered && hits == len(best)
		// A gloss with fewer words than the compound has parts is kept: it selects one
		// of the meanings of the parts.
		if covered && len(best) >= len(parts) {
			delete(d.entries, k)
		}
	}
}

// partGlosses is the number of glosses of a part that prune considers. A compound
// with a rarer meaning of its part needs an entry of its own.
const partGlosses = 3

// forms maps other forms of words to their keys: forms without accents, and stems
// that are not a prefix of the word. A form has at most three keys, the most
// frequent first. A form that is itself a key is left out.
func (d *draft) forms(known bool) map[string][]string {
	forms := map[string][]string{}
	has := func(k string) bool { return d.entries[k] != nil || known && d.known[k] || d.written[k] }
	if table.Inflects(d.language) {
		for _, k := range slices.Sorted(maps.Keys(d.entries)) {
			if f := table.WithoutAccents(k); f != k && d.language != "de" && d.entries[f] == nil {
				forms[f] = append(forms[f], k)
			}
			if f, ok := table.StemForm(d.language, k); ok {
				forms[f] = append(forms[f], k)
			}
		}
	}
	if d.language == "ja" {
		for _, k := range sortedKeys(d.entries) {
			if f, ok := otherEnding(k); ok && !has(f) {
				forms[f] = append(forms[f], k)
			}
		}
	}
	for f, keys := range d.extra {
		if !has(f) {
			forms[f] = append(forms[f], keys...)
		}
	}
	for f, keys := range forms {
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !has(k) })
		slices.Sort(keys)
		keys = slices.Compact(keys)
		slices.SortStableFunc(keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(d.frequency(b), d.frequency(a)), cmp.Compare(len(a), len(b)))
		})
		forms[f] = keys[:min(len(keys), mostOfForm)]
	}
	return forms
}

// mostOfForm is the most keys of a form.
const mostOfForm = 3

// otherEnding is a word of katakana with or without the long vowel at its end: some
// write コンテナー, some コンテナ.
func otherEnding(key string) (string, bool) {
	const shortest = 3 // characters without the mark
	f, long := strings.CutSuffix(key, "ー")
	if utf8.RuneCountInString(f) < shortest || strings.ContainsFunc(f, func(r rune) bool { return r != 'ー' && !unicode.Is(unicode.Katakana, r) }) {
		return "", false
	}
	if !long {
		f += "ー"
	}
	return f, true
}

// frequency is the sum of all weights of a key.
func (d *draft) frequency(key string) float64 {
	if e := d.entries[key]; e != nil {
		return e.frequency
	}
	return 0
}

// englishStems returns the stems of a gloss's words. Glosses with the same stems are
// equal for a search.
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
