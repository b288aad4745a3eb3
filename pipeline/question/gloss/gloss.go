// Package gloss cuts a question that is not English into words with their
// English renderings: our own lexicon of technical terms first, then the
// dictionary of its language.
//
// A dictionary is opened the first time that a question of its language comes
// and kept; a question in English opens none. It refuses to say which language
// a text is in and to choose among the renderings of a word.
package gloss

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/lexicon"
)

// Word is a stretch of a text.
type Word struct {
	Text       string
	Start, End int // bytes of the text
	// Entry is the lexicon's. Where only the dictionary has the word, its class
	// is Particle for a function word and Unknown otherwise.
	Entry lexicon.Entry
	// Glosses are the renderings, the best first, with weights in (0, 1]; none
	// for a word that stands for itself.
	Glosses []dictionary.Gloss
}

// otherGloss is the weight of each further rendering of the lexicon, relative to the
// first.
const otherGloss = 0.7

// dictionaries open the dictionary of each language at its first use.
var dictionaries = sync.OnceValue(func() map[string]func() *dictionary.Dictionary {
	out := map[string]func() *dictionary.Dictionary{}
	for _, l := range dictionary.Languages() {
		out[l] = sync.OnceValue(func() *dictionary.Dictionary { return openDictionary(l) })
	}
	return out
})

// openDictionary gives nil for a language without a table: a distributor may have left it
// out, and a table that is broken is one that is not there. The tests open all.
func openDictionary(language string) *dictionary.Dictionary {
	d, err := dictionary.OpenTable(language)
	if err != nil {
		return nil
	}
	return d
}

func dictionaryOf(language string) *dictionary.Dictionary {
	if open, ok := dictionaries()[language]; ok {
		return open()
	}
	return nil
}

// HasDictionary reports whether there is a dictionary of a language.
func HasDictionary(language string) bool {
	_, ok := dictionaries()[language]
	return ok
}

// SplitWords cuts a text of a language into words, in their order, without the text between
// them; nil without a dictionary of the language.
func SplitWords(text, language string) []Word {
	if language == "zh" {
		return joinAgents(hanWords(text))
	}
	d := dictionaryOf(language)
	if d == nil {
		return nil
	}
	return appendPlain(d, text, 0, nil)
}

func appendPlain(d *dictionary.Dictionary, text string, at int, out []Word) []Word {
	for _, w := range d.SplitWords(text) {
		one := Word{Text: w.Text, Start: at + w.Span[0], End: at + w.Span[1], Glosses: w.Glosses}
		if w.Stop {
			one.Entry = lexicon.Entry{Word: w.Text, Class: lexicon.Particle}
		}
		out = append(out, one)
	}
	return out
}

// hanWords takes the words of two characters and more that the lexicon has, and cuts the text
// between them by the dictionary, whose segmentation sees the lexicon's short words as
// parts of longer ones (为 in 因为).
func hanWords(text string) []Word {
	var out []Word
	pieces := lexicon.Segment(text)
	from := 0
	for i, p := range pieces {
		long := p.Entry.Class != lexicon.Unknown && utf8.RuneCountInString(p.Text) > 1
		if !long && i+1 < len(pieces) {
			continue
		}
		end := p.Start
		if !long {
			end = p.End
		}
		out = segmentBetween(text[from:end], from, out)
		if long {
			out = append(out, Word{Text: p.Text, Start: p.Start, End: p.End, Entry: p.Entry, Glosses: glossesOfEntry(p.Entry)})
		}
		from = p.End
	}
	return out
}

// segmentBetween cuts a text without long words of the lexicon; the short ones are
// looked up among what the dictionary makes of it.
func segmentBetween(text string, at int, out []Word) []Word {
	if text == "" {
		return out
	}
	d := dictionaryOf("zh")
	if d == nil {
		for _, p := range lexicon.Segment(text) {
			out = append(out, Word{Text: p.Text, Start: at + p.Start, End: at + p.End, Entry: p.Entry, Glosses: glossesOfEntry(p.Entry)})
		}
		return out
	}
	n := len(out)
	out = appendPlain(d, text, at, out)
	for i := n; i < len(out); i++ {
		if e, ok := lexicon.Lookup(out[i].Text); ok {
			out[i].Entry, out[i].Glosses = e, glossesOfEntry(e)
		}
	}
	return out
}

// glossesOfEntry are a lexicon entry's renderings.
func glossesOfEntry(e lexicon.Entry) []dictionary.Gloss {
	switch e.Class {
	case lexicon.Noun, lexicon.Verb, lexicon.VerbNoun, lexicon.Modifier:
	default:
		return nil
	}
	var out []dictionary.Gloss
	add := func(texts []string) {
		for i, t := range texts {
			if slices.ContainsFunc(out, func(g dictionary.Gloss) bool { return strings.EqualFold(g.Text, t) }) {
				continue
			}
			w := 1.0
			if i > 0 {
				w = otherGloss
			}
			out = append(out, dictionary.Gloss{Text: t, Weight: w})
		}
	}
	add(e.Glosses)
	add(e.Verbs)
	slices.SortStableFunc(out, func(a, b dictionary.Gloss) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return out
}

// longWord is the letters of a word that tells a language by itself.
const longWord = 8

// Foreign reports whether a text is of another language by its words: half of them
// or more have an English rendering that is another word. One short word proves
// nothing.
func Foreign(text, language string) bool {
	n, k, letters := 0, 0, 0
	for _, w := range SplitWords(text, language) {
		if w.Entry.Class == lexicon.Particle {
			continue
		}
		n++
		letters += utf8.RuneCountInString(w.Text)
		if len(w.Glosses) > 0 && !slices.ContainsFunc(w.Glosses,
			func(g dictionary.Gloss) bool { return strings.EqualFold(g.Text, w.Text) }) {
			k++
		}
	}
	return (n > 1 || letters >= longWord) && k > 0 && 2*k >= n
}

var english = sync.OnceValue(func() map[string]struct{} {
	words := map[string]struct{}{}
	for _, l := range []string{"zh", "de"} {
		if d := dictionaryOf(l); d != nil {
			d.Vocabulary(func(w string) {
				if l == "zh" && isCapital(w) {
					return // a name: the Chinese table has those of people
				}
				words[strings.ToLower(w)] = struct{}{}
			})
		}
	}
	return words
})

// isCapital reports whether a word begins with a capital letter.
func isCapital(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

// English reports whether a lower-case word, or what it is an ordinary inflection
// of, is an English word that a dictionary knows. The first call takes some
// milliseconds.
func English(word string) bool {
	known := func(w string) bool {
		_, ok := english()[w]
		return ok
	}
	if known(word) {
		return true
	}
	for _, ending := range []string{"s", "es", "d", "ed", "ing", "ly", "er", "est", "ness", "'s"} {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || len(stem) < 3 {
			continue
		}
		if known(stem) || known(stem+"e") || stem[len(stem)-1] == stem[len(stem)-2] && known(stem[:len(stem)-1]) ||
			strings.HasSuffix(stem, "i") && known(stem[:len(stem)-1]+"y") {
			return true
		}
	}
	return false
}

// Spelled reports whether a lower-case word is an English word that a dictionary knows or
// is inflected from one by the rules of spelling: "handled" and "stopping", not
// "developper", "livenes" and "readyness", which English takes for inflections. Words
// such as "programmer" do not count either: a word that Spelled does not know may still
// be right.
func Spelled(word string) bool {
	if _, ok := english()[word]; ok {
		return true
	}
	for _, ending := range []string{"s", "es", "d", "ed", "ing", "ly", "er", "est", "ness"} {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || len(stem) < 3 {
			continue
		}
		last, before := stem[len(stem)-1], stem[len(stem)-2]
		for _, base := range []struct {
			word string
			fits bool
		}{
			{stem, (last != 'e' || before == 'e' || ending != "ing" && ending != "ed" && ending != "er" && ending != "est" &&
				ending != "es") && (ending != "es" || strings.ContainsRune("sxzho", rune(last))) &&
				(last != 'y' || ending == "ing" || ending == "s" && strings.ContainsRune("aeou", rune(before)))},
			{stem + "e", strings.HasPrefix(ending, "e") || ending == "ing"},
			{stem[:len(stem)-1] + "y", last == 'i' && ending != "s" && ending != "ing"},
			{stem[:len(stem)-1], last == before && len(stem) <= 5 &&
				(ending == "ed" || ending == "ing" || ending == "er" || ending == "est")},
		} {
			if _, known := english()[base.word]; known && base.fits {
				return true
			}
		}
	}
	return false
}

// EnglishWords lists the English words that a dictionary knows and that begin
// with a prefix, sorted.
func EnglishWords(prefix string) []string {
	var out []string
	for w := range english() {
		if strings.HasPrefix(w, prefix) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}
