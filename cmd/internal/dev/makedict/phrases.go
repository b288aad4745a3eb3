package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The parameters of phrases.
const (
	longestForeign = 4   // units of a foreign phrase
	minPhrases     = 3   // times that a pair of phrases is seen
	minPhraseSure  = .25 // geometric mean of both directions' probabilities
	minPhraseGiven = .3  // probability of the English phrase given the foreign one
)

// unitSpace separates the units of a phrase: a unit may be a key with spaces.
const unitSpace = '\x03'

// phrasePair counts how often two phrases are aligned.
type phrasePair struct{ foreign, english int }

// phraseTable has the phrases that the alignment of both directions gives.
type phraseTable struct {
	english, foreign *numbering // phrases as units with unitSpace between
	written          counter    // from English phrases and from foreign ones, marked with "\x02", to how they are written
	count            map[phrasePair]int
	ofEnglish        map[int]int // how often a phrase is seen with any
	ofForeign        map[int]int
}

// phrases takes the phrases of up to four foreign and table.MaxWords English words that
// the alignment of both directions agrees on (Och and Ney, "The Alignment Template
// Approach", 2004, section 4.1): no word of one is aligned with a word outside the other.
func (a *alignment) phrases(forward, backward *model) *phraseTable {
	p := &phraseTable{newNumbering(), newNumbering(), counter{}, map[phrasePair]int{}, map[int]int{}, map[int]int{}}
	for _, b := range a.beads {
		grid := newGrid(forward.align(b.english, b.foreign), backward.align(b.foreign, b.english))
		for from := range b.english {
			for to := from; to < min(from+table.MaxWords, len(b.english)); to++ {
				if to > from && !b.englishJoined[to] {
					break
				}
				if first, last, ok := grid.closed(from, to); ok && last-first < longestForeign && allJoined(b.foreignJoined, first, last) {
					a.addPhrase(p, b, [2]int{from, to}, [2]int{first, last})
				}
			}
		}
	}
	return p
}

func allJoined(joined []bool, first, last int) bool {
	return !slices.Contains(joined[first+1:last+1], false)
}

func (a *alignment) addPhrase(p *phraseTable, b bead, english, foreign [2]int) {
	e, f := a.units.english.join(b.english[english[0]:english[1]+1]), a.units.foreign.join(b.foreign[foreign[0]:foreign[1]+1])
	pair := phrasePair{p.foreign.number(f), p.english.number(e)}
	p.count[pair]++
	p.ofForeign[pair.foreign]++
	p.ofEnglish[pair.english]++
	p.written.add(e, strings.Join(b.written[english[0]:english[1]+1], " "))
	if foreign[0] < foreign[1] {
		text := b.text[b.spans[foreign[0]][0]:b.spans[foreign[1]][1]]
		if a.draft.language == "ko" { // compounds are written with spaces or without
			text = a.spaced(b, foreign[0], foreign[1])
		}
		p.written.add("\x02"+f, strings.Map(a.draft.fold, strings.Join(strings.Fields(table.Normal(a.draft.language, text)), " ")))
	}
}

// spaced is the foreign words from first to last with a space between.
func (a *alignment) spaced(b bead, first, last int) string {
	var words []string
	for _, s := range b.spans[first : last+1] {
		words = append(words, b.text[s[0]:s[1]])
	}
	return strings.Join(words, " ")
}

func (n *numbering) join(units []int) string {
	var b strings.Builder
	for i, u := range units {
		if i > 0 {
			b.WriteByte(unitSpace)
		}
		b.WriteString(n.texts[u])
	}
	return b.String()
}

// grid has the links of a bead.
type grid struct {
	foreign [][]int // for each English word
	english [][]int // for each foreign word
}

// newGrid joins the alignments of both directions: the links that both have, and those of
// one direction beside them as long as they give a word its first link (grow-diag-final-and,
// Koehn et al. 2005).
func newGrid(forward, backward []int) grid {
	g := grid{make([][]int, len(forward)), make([][]int, len(backward))}
	has := map[[2]int]bool{}
	var union [][2]int
	for e, f := range forward {
		if f >= 0 {
			union = append(union, [2]int{e, f})
		}
	}
	for f, e := range backward {
		if e < 0 {
			continue
		}
		if forward[e] == f {
			has[[2]int{e, f}] = true
			g.add(e, f)
		} else {
			union = append(union, [2]int{e, f})
		}
	}
	for grown := true; grown; {
		grown = false
		for _, l := range union {
			e, f := l[0], l[1]
			if has[l] || len(g.foreign[e]) > 0 && len(g.english[f]) > 0 {
				continue
			}
			for _, n := range [][2]int{{e - 1, f}, {e + 1, f}, {e, f - 1}, {e, f + 1}, {e - 1, f - 1}, {e + 1, f + 1}, {e - 1, f + 1}, {e + 1, f - 1}} {
				if has[n] {
					has[l], grown = true, true
					g.add(e, f)
					break
				}
			}
		}
	}
	for _, l := range union {
		if !has[l] && len(g.foreign[l[0]]) == 0 && len(g.english[l[1]]) == 0 {
			g.add(l[0], l[1])
		}
	}
	return g
}

func (g grid) add(e, f int) {
	g.foreign[e] = append(g.foreign[e], f)
	g.english[f] = append(g.english[f], e)
}

// closed gives the foreign words that English ones are aligned with. ok is false if one of
// the words has no link, or a link that leaves the phrase.
func (g grid) closed(from, to int) (first, last int, ok bool) {
	first, last = math.MaxInt, -1
	for e := from; e <= to; e++ {
		if len(g.foreign[e]) == 0 {
			return 0, 0, false
		}
		first, last = min(first, slices.Min(g.foreign[e])), max(last, slices.Max(g.foreign[e]))
	}
	for f := first; f <= last; f++ {
		if len(g.english[f]) == 0 || slices.Min(g.english[f]) < from || slices.Max(g.english[f]) > to {
			return 0, 0, false
		}
	}
	return first, last, true
}

// scored is a phrase with its English ones, the best first.
type scored struct {
	foreign string // units
	english []scoredPhrase
}

type scoredPhrase struct {
	units, text string
	sure        float64
}

// best gives the phrases that are seen often enough and are likely in both directions.
func (p *phraseTable) best(keep func(foreign, english string) bool) []scored {
	byForeign := map[int][]scoredPhrase{}
	for pair, n := range p.count {
		f, e := p.foreign.texts[pair.foreign], p.english.texts[pair.english]
		if n < minPhrases || !keep(f, e) {
			continue
		}
		given := float64(n) / float64(p.ofForeign[pair.foreign])
		sure := math.Sqrt(given * float64(n) / float64(p.ofEnglish[pair.english]))
		if given >= minPhraseGiven && sure >= minPhraseSure {
			byForeign[pair.foreign] = append(byForeign[pair.foreign],
				scoredPhrase{e, p.written.best(e), sure * float64(n) / float64(n+1)})
		}
	}
	var out []scored
	for _, f := range slices.SortedFunc(maps.Keys(byForeign), func(a, b int) int { return cmp.Compare(p.foreign.texts[a], p.foreign.texts[b]) }) {
		list := byForeign[f]
		slices.SortFunc(list, func(x, y scoredPhrase) int { return cmp.Or(cmp.Compare(y.sure, x.sure), cmp.Compare(x.units, y.units)) })
		out = append(out, scored{p.foreign.texts[f], list})
	}
	return out
}

// addCompounds adds English phrases of two and three words as glosses of single foreign
// words: Umgebungsvariable is environment variable.
func (a *alignment) addCompounds(p *phraseTable, keys func(unit string) []string) {
	for _, s := range p.best(func(f, e string) bool {
		return strings.IndexByte(f, unitSpace) < 0 && strings.IndexByte(e, unitSpace) >= 0
	}) {
		for _, k := range keys(s.foreign) {
			for _, e := range s.english[:min(2, len(s.english))] {
				a.draft.add(k, e.text, alignedWeight*e.sure)
				a.draft.keep(k)
			}
		}
	}
}

// addParts adds the unknown part of a German compound that has two English words, if the
// other part is known and means one of them: Netzwerkverkehr is network traffic, Netzwerk
// is network, so Verkehr is traffic.
func (a *alignment) addParts(p *phraseTable, keys func(unit string) []string) {
	d := a.draft
	if d.language != "de" {
		return
	}
	means := func(key, english string) bool {
		e := d.entries[key]
		return e != nil && slices.ContainsFunc(e.glosses, func(g table.Gloss) bool { return englishStems(g.Text) == englishStem(english) })
	}
	weights := map[string]map[string]float64{}
	for _, s := range p.best(func(f, e string) bool {
		return strings.IndexByte(f, unitSpace) < 0 && strings.Count(e, string(unitSpace)) == 1
	}) {
		english := strings.Fields(s.english[0].text)
		for _, k := range keys(s.foreign) {
			part, meaning := unknownPart(k, english, means)
			if part != "" && weights[part] == nil {
				weights[part] = map[string]float64{}
			}
			if part != "" {
				weights[part][meaning] += s.english[0].sure
			}
		}
	}
	for _, part := range sortedKeys(weights) {
		if d.entries[part] != nil {
			continue
		}
		for _, e := range sortedKeys(weights[part]) {
			d.add(part, e, weights[part][e])
		}
	}
}

// unknownPart gives the part of a compound of two English words that means one of them, if
// the other part means the other one. A linking s, n, en or es belongs to neither.
func unknownPart(compound string, english []string, means func(key, english string) bool) (part, meaning string) {
	const shortest = 4 // bytes of a part
	if len(english) != 2 {
		return "", ""
	}
	for i := len(compound) - shortest; i >= shortest; i-- {
		if !utf8.RuneStart(compound[i]) {
			continue
		}
		for _, link := range []string{"en", "es", "s", "n", ""} {
			first, ok := strings.CutSuffix(compound[:i], link)
			switch rest := compound[i:]; {
			case !ok || len(first) < shortest:
			case means(first, english[0]):
				return rest, english[1]
			case means(rest, english[1]):
				return first, english[0]
			}
		}
	}
	return "", ""
}

// addPhrases adds foreign phrases whose English has a word that is no gloss of their words
// (mise à jour is update, 检索器 is retriever), or has fewer words.
func addPhrases(d *draft, dict *dictionary.Dictionary, p *phraseTable) {
	longestIdeographs := 8
	if d.language == "ko" {
		longestIdeographs = 16 // with spaces
	}
	for _, s := range p.best(func(f, _ string) bool { return strings.IndexByte(f, unitSpace) >= 0 }) {
		key := p.written.best("\x02" + s.foreign)
		e := s.english[0]
		if d.entries[key] != nil || strings.ContainsAny(key, ",.:;!?…\"«»“”()、。：") {
			continue
		}
		if !table.Inflects(d.language) {
			if strings.ContainsFunc(key, func(r rune) bool { return r < 0x1100 && (r != ' ' || d.language != "ko") }) || utf8.RuneCountInString(key) > longestIdeographs {
				continue
			}
		} else if len(strings.Fields(key)) > longestForeign {
			continue
		}
		if compositional(dict.SplitWords(key), e.text) {
			continue
		}
		d.add(key, e.text, 1)
		d.keep(key)
	}
}

// compositional reports whether a phrase means what its words mean.
func compositional(ws []dictionary.Word, english string) bool {
	known := map[string]bool{}
	content := 0
	for _, w := range ws {
		if w.Stop {
			continue
		}
		content++
		for _, g := range w.Glosses[:min(partGlosses, len(w.Glosses))] {
			for _, s := range strings.Fields(englishStems(g.Text)) {
				known[s] = true
			}
		}
	}
	stems := strings.Fields(englishStems(english))
	return content == len(stems) && !slices.ContainsFunc(stems, func(s string) bool { return !known[s] })
}
