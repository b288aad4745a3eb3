// Package lexicon has the Chinese words of technical questions with their English
// equivalents, and cuts Chinese text into such words.
//
// It is a table and a segmentation, no more: it refuses to order words, to guess at words
// that it does not have (they come back unchanged), and to translate English into
// Chinese. The table is lexicon.tsv, written by hand for this program; it is read at the
// first use and costs nothing before that.
//
// Terms. A piece is a stretch of the text: a word of the table with its entry,
// or a run of characters that the table does not have.
package lexicon

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// Class says what a word does in a sentence.
type Class uint8

// The classes.
const (
	Unknown     Class = iota // not in the table
	Noun                     // a thing
	Verb                     // an action
	VerbNoun                 // an action or its name: 配置 is configure and configuration
	Modifier                 // an adjective or an adverb that carries meaning
	Question                 // a question word; Glosses has its kind: how, what, which, where ...
	Conjunction              // and, or
	Coverb                   // begins a phrase that follows the verb in English: 为, 在, 把
	Particle                 // carries no meaning for a search
)

// Entry is one word of the table.
type Entry struct {
	Word    string
	Class   Class
	Glosses []string // English, the first choice first; empty for particles
	Verbs   []string // of a VerbNoun: the English of the action
}

// Piece is a stretch of a segmented text; Entry.Class is Unknown and Entry.Word
// empty where the table has no such word.
type Piece struct {
	Text       string
	Start, End int // bytes in the text
	Entry      Entry
}

//go:embed lexicon.tsv
var source string

type table struct {
	words   map[string]Entry
	longest int // runes of the longest word
}

var load = sync.OnceValue(func() table { return parseTable(source) })

func parseTable(src string) table {
	t := table{words: make(map[string]Entry, 2048)}
	for line := range strings.Lines(src) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, "\t")
		class, rest, _ := strings.Cut(rest, "\t")
		glosses, verbs, _ := strings.Cut(rest, "\t")
		e := Entry{Word: word, Class: classOf(class), Glosses: alternatives(glosses), Verbs: alternatives(verbs)}
		t.words[word] = e
		t.longest = max(t.longest, utf8.RuneCountInString(word))
	}
	return t
}

func classOf(s string) Class {
	switch s {
	case "n":
		return Noun
	case "v":
		return Verb
	case "vn":
		return VerbNoun
	case "a":
		return Modifier
	case "q":
		return Question
	case "c":
		return Conjunction
	case "x":
		return Coverb
	case "p":
		return Particle
	}
	return Unknown
}

func alternatives(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

// Lookup finds a word.
func Lookup(word string) (Entry, bool) {
	e, ok := load().words[word]
	return e, ok
}

// English calls yield for every English gloss of a noun, a verb or a modifier,
// in no order; verb says that the gloss is an action.
func English(yield func(gloss string, verb bool)) {
	for _, e := range load().words {
		switch e.Class {
		case Noun, VerbNoun, Modifier, Verb:
			for _, g := range e.Glosses {
				yield(g, e.Class == Verb)
			}
			for _, g := range e.Verbs {
				yield(g, true)
			}
		}
	}
}

// The costs of a segmentation: the cheapest one is taken. A character that the
// table does not have costs more than any word, so that as much as possible is
// understood; a word of one character costs more than a longer one, because it
// is more often a part of some word that is not in the table.
const (
	costWord    = 4
	costShort   = 6
	costUnknown = 13
)

// Segment cuts text into pieces whose texts, joined, are the text again. It
// takes the cheapest of all ways to cut, the one with the longer first words
// among equals; time is linear in the text's length.
func Segment(text string) []Piece {
	t := load()
	starts := make([]int, 0, utf8.RuneCountInString(text)+1)
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	n := len(starts) - 1
	cost := make([]int, n+1) // of the text from rune i on
	take := make([]int, n+1) // runes of the word at i; 0: unknown
	for i := n - 1; i >= 0; i-- {
		cost[i] = costUnknown + cost[i+1]
		for l := 1; l <= t.longest && i+l <= n; l++ {
			if _, ok := t.words[text[starts[i]:starts[i+l]]]; !ok {
				continue
			}
			c := costWord + cost[i+l]
			if l == 1 {
				c = costShort + cost[i+l]
			}
			if c <= cost[i] {
				cost[i], take[i] = c, l
			}
		}
	}
	var pieces []Piece
	for i := 0; i < n; {
		if l := take[i]; l > 0 {
			word := text[starts[i]:starts[i+l]]
			pieces = append(pieces, Piece{Text: word, Start: starts[i], End: starts[i+l], Entry: t.words[word]})
			i += l
			continue
		}
		j := i + 1
		for j < n && take[j] == 0 {
			j++
		}
		pieces = append(pieces, Piece{Text: text[starts[i]:starts[j]], Start: starts[i], End: starts[j]})
		i = j
	}
	return pieces
}
