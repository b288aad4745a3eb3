package dictionary

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/question/dictionary/table"
)

// longestPhrase is the most words of a key of several words.
const longestPhrase = 4

// maxGlosses is the most glosses of a word.
const maxGlosses = 8

// longestWord is the longest word that is looked up, in bytes: longer ones are
// no words, and the stemmers' time grows with its square.
const longestWord = 128

// appendWords appends the word text[from:to], or the several words that it is: parts
// at hyphens and apostrophes, and the parts of a compound.
func (d *Dictionary) appendWords(text string, from, to int, out []Word) []Word {
	if d.language == "ko" {
		return d.appendKorean(text, from, to, out)
	}
	if d.unspacedScript() != nil || isIdentifier(text[from:to]) {
		return append(out, Word{Text: text[from:to], Span: [2]int{from, to}})
	}
	for from < to {
		// Text that is too long for a word can only be cut.
		if to-from <= longestWord {
			if w, ok := d.wholeWord(text, from, to); ok {
				return append(out, w)
			}
		}
		i := strings.IndexAny(text[from:to], "-'’ʼ")
		if i < 0 {
			i = to - from
		}
		if i > 0 {
			out = d.appendHyphened(text, from, from+i, to, out)
		}
		_, size := utf8.DecodeRuneInString(text[from+i:])
		from += i + size
	}
	return out
}

// appendHyphened appends text[from:at], a part of a word that ends at to: an article
// that has lost its vowel, a word, the parts of a compound, or what it is.
func (d *Dictionary) appendHyphened(text string, from, at, to int, out []Word) []Word {
	self := Word{Text: text[from:at], Span: [2]int{from, at}}
	if at-from > longestWord {
		return append(out, self)
	}
	if at < to && text[at] != '-' && d.splitCompound(table.Normal(d.language, self.Text)) {
		self.Stop = true
		return append(out, self)
	}
	if w, ok := d.wholeWord(text, from, at); ok {
		return append(out, w)
	}
	if parts := d.compound(text, from, at); parts != nil {
		return append(out, parts...)
	}
	return append(out, self)
}

// wholeWord is text[from:to] as a function word or a word of the table.
func (d *Dictionary) wholeWord(text string, from, to int) (Word, bool) {
	w := Word{Text: text[from:to], Span: [2]int{from, to}}
	n := table.Normal(d.language, w.Text)
	if !d.stops[n] {
		w.Glosses = d.findGlosses(n)
	}
	w.Stop = w.Glosses == nil && (d.stops[n] || d.stops[table.WithoutAccents(n)])
	return w, w.Stop || w.Glosses != nil
}

// splitCompound reports whether a normal word is an article or a pronoun that has lost its
// vowel: l'utilisateur, qu'un.
func (d *Dictionary) splitCompound(n string) bool {
	return slices.Contains(elidedWord.In(d.language), n)
}

// findGlosses is the glosses of a normal word: as it is written, without accents or
// with the umlauts it spells out, and by its stem.
func (d *Dictionary) findGlosses(n string) []Gloss {
	if id, _ := d.table.FindKey(n); id >= 0 {
		return d.table.Glosses(id)
	}
	if ids := d.table.KeysOfForm(n); len(ids) > 0 {
		return d.mergeGlosses(ids)
	}
	if g := d.mergeGlosses(d.sameStems(n)); g != nil {
		return g
	}
	if u := table.Unspelled(n); d.language == "de" && u != n {
		if id, _ := d.table.FindKey(u); id >= 0 {
			return d.table.Glosses(id)
		}
		return d.mergeGlosses(d.sameStems(u))
	}
	return nil
}

// How many keys with the beginning of a stem are looked at, and how many bytes
// longer than the stem they may be: an ending, not another word.
const (
	maxLookedAt   = 4000
	longestEnding = 16
	maxSame       = 3
)

// sameStems is the keys that have the stems of a normal word, or of several
// with a space between: those that agree with it in most letters, the shortest
// first. Einstellungen has the stem of Einstellung, einstellen and einstellig,
// and is the first.
func (d *Dictionary) sameStems(n string) []int {
	if utf8.RuneCountInString(n) < 3 || !table.Inflects(d.language) {
		return nil
	}
	stem := table.StemWords(d.language, n)
	if utf8.RuneCountInString(stem) < 2 {
		return nil
	}
	type match struct{ id, agree, length int }
	var found []match
	take := func(id int, key string) {
		found = append(found, match{id, agreement(n, key), len(key)})
	}
	looked := 0
	d.table.Prefixed(stem, func(id int, key string) bool {
		if len(key) <= len(stem)+longestEnding && table.StemWords(d.language, key) == stem {
			take(id, key)
		}
		looked++
		return looked < maxLookedAt
	})
	for _, id := range d.table.KeysOfForm(stem) {
		take(id, d.table.Key(id))
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.agree, a.agree), cmp.Compare(a.length, b.length))
	})
	var ids []int
	for _, m := range found {
		if m.agree == found[0].agree && len(ids) < maxSame && !slices.Contains(ids, m.id) {
			ids = append(ids, m.id)
		}
	}
	return ids
}

// agreement is how many bytes two words share at their beginnings, whatever
// their accents.
func agreement(a, b string) int {
	a, b = table.WithoutAccents(a), table.WithoutAccents(b)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// mergeGlosses is the glosses of several words that are likely the same: the first
// word's count most.
func (d *Dictionary) mergeGlosses(ids []int) []Gloss {
	var out []Gloss
	for k, id := range ids {
		for _, g := range d.table.Glosses(id) {
			g.Weight /= float64(k + 1)
			i := slices.IndexFunc(out, func(o Gloss) bool { return o.Text == g.Text })
			if i < 0 {
				out = append(out, g)
			} else {
				out[i].Weight = max(out[i].Weight, g.Weight)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Gloss) int { return cmp.Compare(b.Weight, a.Weight) })
	return out[:min(len(out), maxGlosses)]
}

// joinPhrases joins neighbours that the table has as one key (mise à jour, base de
// datos), the longest first.
func (d *Dictionary) joinPhrases(text string, words []Word) []Word {
	var out []Word
	for i := 0; i < len(words); {
		joined := false
		for n := min(longestPhrase, len(words)-i); n > 1 && !joined; n-- {
			key, ok := d.keyOfJoined(text, words[i:i+n])
			if !ok {
				continue
			}
			id, _ := d.table.FindKey(key)
			if id < 0 {
				ids := d.sameStems(key)
				if len(ids) == 0 {
					continue
				}
				id = ids[0]
			}
			span := [2]int{words[i].Span[0], words[i+n-1].Span[1]}
			out = append(out, Word{Text: text[span[0]:span[1]], Span: span, Glosses: d.table.Glosses(id)})
			i += n
			joined = true
		}
		if !joined {
			out = append(out, words[i])
			i++
		}
	}
	return out
}

// keyOfJoined is the key of several words, if nothing but space lies between them, in
// Korean not even that, and one of them means something.
func (d *Dictionary) keyOfJoined(text string, words []Word) (string, bool) {
	var b strings.Builder
	content := false
	for i, w := range words {
		if i > 0 {
			between := text[words[i-1].Span[1]:w.Span[0]]
			if strings.Trim(between, " \t\n\u00a0'’ʼ") != "" || between == "" && d.language != "ko" {
				return "", false
			}
			b.WriteByte(' ')
		}
		content = content || !w.Stop
		b.WriteString(table.Normal(d.language, w.Text))
	}
	return b.String(), content
}

// The parts of a compound: at least this many letters each, and not more parts
// than that. Three letters would split Bericht into Ber and Icht.
const (
	shortestPart    = 4
	maxParts        = 4
	longestCompound = 48 // bytes: the work grows with its square
)

// compound splits a German word that the table does not have into words that
// it has: Konfigurationsdateipfad is Konfigurations, datei and pfad. A linking
// s, n, en, es or er belongs to the part before it. The fewest parts win, then
// the shorter first one, because the last one is what the compound is.
func (d *Dictionary) compound(text string, from, to int) []Word {
	w := text[from:to]
	if d.language != "de" || len(w) < 2*shortestPart || len(w) > longestCompound {
		return nil
	}
	type step struct {
		parts, end int // parts from here to the end of the word; 0: there is no way
		glosses    []Gloss
	}
	steps := make([]step, len(w)+1)
	for at := len(w) - shortestPart; at >= 0; at-- {
		if !utf8.RuneStart(w[at]) {
			continue
		}
		if at > 0 {
			if g := d.lastGlosses(w[at:]); g != nil {
				steps[at] = step{1, len(w), g}
				continue
			}
		}
		for end := at + shortestPart; end <= len(w)-shortestPart; end++ {
			if rest := steps[end].parts; rest == 0 || steps[at].parts > 0 && rest+1 >= steps[at].parts {
				continue
			}
			if g := d.partGlosses(w[at:end]); g != nil {
				steps[at] = step{steps[end].parts + 1, end, g}
			}
		}
	}
	if steps[0].parts > maxParts {
		return nil
	}
	var out []Word
	for at := 0; steps[at].parts > 0; at = steps[at].end {
		s := steps[at]
		out = append(out, Word{Text: w[at:s.end], Span: [2]int{from + at, from + s.end}, Glosses: s.glosses})
	}
	return out
}

// lastGlosses is the glosses of the last part of a compound, which is inflected
// as any word is.
func (d *Dictionary) lastGlosses(w string) []Gloss {
	if utf8.RuneCountInString(w) < shortestPart {
		return nil
	}
	return d.findGlosses(table.Normal(d.language, w))
}

// partGlosses is the glosses of a part of a compound that is not the last: a word as
// it is, with a linking element, or without its last e (Sprach-, Schul-).
func (d *Dictionary) partGlosses(w string) []Gloss {
	n := table.Normal(d.language, w)
	if id, _ := d.table.FindKey(n); id >= 0 {
		return d.table.Glosses(id)
	}
	for _, link := range []string{"s", "n", "en", "es", "er"} {
		if stem, ok := strings.CutSuffix(n, link); ok && utf8.RuneCountInString(stem) >= shortestPart-1 {
			if id, _ := d.table.FindKey(stem); id >= 0 {
				return d.table.Glosses(id)
			}
		}
	}
	if id, _ := d.table.FindKey(n + "e"); id >= 0 {
		return d.table.Glosses(id)
	}
	return nil
}
