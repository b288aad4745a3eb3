// Package thesaurus leads from the everyday words of a question to the words that
// documentation has in their place: from "undo" to "revert" and "roll back".
//
// It is two tables and their look-up, no more: it refuses to decide where the other words are
// looked for. The tables are thesaurus.tsv and needs.tsv, written by hand for this program,
// from knowledge of English and of how documentation is worded, before any figure of them was
// seen. They are searched by halves in the embedded text, and cost nothing before that.
//
// Terms. A head is a word, a phrase or a need of a table. A concept is a part of a question that
// is a head. An alternative is one of the head's other wordings.
package thesaurus

import (
	_ "embed"
	"slices"
	"strings"

	"docent/pipeline/question"
	"docent/store/analysis"
)

// source has one head a line, fields parted by tabs: the head's stems, by which the lines
// are sorted; the head; its close alternatives; its distant ones. Alternatives are parted
// by commas, the likeliest first.
//
//go:embed thesaurus.tsv
var source string

const (
	mostWords  = 64 // of a question that are looked up
	mostKeys   = 5  // words of a head
	mostStems  = 3  // words of an alternative
	mostBefore = 3  // words between a verb and its particle: "switch the second light off"
)

// What another wording is worth, relative to the question's own. Chosen by questions over
// doc sets that the reranker's weights had not seen, as the middle of a plateau.
const (
	closeWorth   = 0.8
	distantWorth = 0.4
)

// Alternative is another wording of a concept.
type Alternative struct {
	Terms []string // as the index has them
	Worth float64  // in (0,1], less where pages on the same need often have it and it means something else
}

// Concept is a part of a question that the table has.
type Concept struct {
	Words        string   // the head
	Terms        []string // of the question, without stop words; none where the head has stop words alone
	Alternatives []Alternative
}

// particles are the words that may stand apart from their verb.
var particles = []string{"away", "off", "up", "down", "out", "in", "on", "back", "over", "apart", "together", "through", "around",
	"along", "aside", "from"}

// Concepts returns the parts of a question that the table has, the longest first, then in
// the question's order. A word is part of one concept at most. Text in quotation marks and
// code is searched as it is written and has none. No concept reaches over a mark of punctuation.
func Concepts(a *analysis.Analyzer, text string) []Concept {
	words := wordsOf(a, text)
	free := make([]bool, len(words))
	for i := range free {
		free[i] = words[i].key != ""
	}
	var out []Concept
	for length := mostKeys; length > 0; length-- {
		for i, w := range words {
			if !free[i] {
				continue
			}
			for _, line := range linesOf(source, w.key) {
				keys, rest, _ := strings.Cut(line, "\t")
				if strings.Count(keys, " ") != length-1 {
					continue
				}
				at := placesOf(words, free, i, strings.Split(keys, " "))
				if at == nil {
					continue
				}
				c := conceptOf(a, rest)
				for _, k := range at {
					free[k] = false
					if !words[k].stop {
						c.Terms = append(c.Terms, words[k].key)
					}
				}
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// Asked returns the text whose words are looked up: the question, or the first of its
// queries where it is not English, since the table is.
func Asked(question, language string, queries []string) string {
	if question == "" || language != "" && language != "en" {
		if len(queries) == 0 {
			return ""
		}
		return queries[0]
	}
	return question
}

// word is a word of a question as the table's first field has it; its key is empty between
// words that are no neighbours.
type word struct {
	key  string
	stop bool
}

func wordsOf(a *analysis.Analyzer, text string) []word {
	var out []word
	for _, span := range question.Tokens(text) {
		if span.Kind == question.Quoted || span.Kind == question.Code || span.Kind == question.Punct {
			out = append(out, word{})
			continue
		}
		a.EachToken(span.Text, func(t analysis.Token) {
			if t.Kind != analysis.Identifier {
				out = append(out, word{key: t.Term, stop: t.Kind == analysis.Stop})
			}
		})
		if len(out) >= mostWords {
			return out[:mostWords]
		}
	}
	return out
}

// linesOf returns the lines of a table whose first field begins with a word.
func linesOf(table, key string) []string {
	from := lineAt(table, key)
	var out []string
	for rest := table[from:]; ; {
		line, after, _ := strings.Cut(rest, "\n")
		if !strings.HasPrefix(line, key) || len(line) == len(key) || line[len(key)] != ' ' && line[len(key)] != '\t' {
			return out
		}
		out = append(out, line)
		rest = after
	}
}

// lineAt returns the place of the first line of a table that does not sort before a key.
// Both separators sort before all letters.
func lineAt(table, key string) int {
	low, high := 0, len(table)
	for low < high {
		middle := (low + high) / 2
		start := strings.LastIndexByte(table[:middle], '\n') + 1
		end := start + strings.IndexByte(table[start:], '\n') + 1
		if table[start:end] < key {
			low = end
		} else {
			high = start
		}
	}
	return low
}

// placesOf returns the places of a head's words in a question, the first of which is at i,
// or nil. Words between a verb and its particle are passed over.
func placesOf(words []word, free []bool, i int, keys []string) []int {
	at := []int{i}
	next := i + 1
	for k, key := range keys[1:] {
		apart := 0
		if k == len(keys)-2 && slices.Contains(particles, key) {
			apart = mostBefore
		}
		found := slices.IndexFunc(words[next:min(len(words), next+apart+1)], func(w word) bool { return w.key == key || w.key == "" })
		if found < 0 || !free[next+found] {
			return nil
		}
		at = append(at, next+found)
		next += found + 1
	}
	return at
}

// conceptOf reads a line of the table without its first field.
func conceptOf(a *analysis.Analyzer, line string) Concept {
	fields := strings.Split(line, "\t")
	c := Concept{Words: fields[0]}
	for i, worth := range []float64{closeWorth, distantWorth} {
		list := fields[i+1]
		for wording := range strings.SplitSeq(list, ",") {
			terms := a.Terms(wording)
			if len(terms) == 0 || len(terms) > mostStems {
				continue
			}
			if !slices.ContainsFunc(c.Alternatives, func(o Alternative) bool { return slices.Equal(o.Terms, terms) }) {
				c.Alternatives = append(c.Alternatives, Alternative{Terms: terms, Worth: worth})
			}
		}
	}
	return c
}
