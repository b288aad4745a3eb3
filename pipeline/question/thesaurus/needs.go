package thesaurus

import (
	_ "embed"
	"slices"
	"strings"

	"docent/store/analysis"
)

// needs is the table of what two to four words say together: "same machine" with
// "anti-affinity". The first field has the stems of the words in the order of the alphabet,
// small words left out; the others are those of source.
//
//go:embed needs.tsv
var needs string

// telling reports whether a word is part of a need: the small words that change what the others
// say are, "same" and "without", the rest is not.
func (w word) telling() bool {
	switch w.key {
	case "":
		return false
	case "same", "only", "every", "each", "all", "other", "no", "not", "without", "before", "after", "again", "once", "own",
		"both", "between", "during", "until", "too", "more", "most":
		return true
	}
	return !w.stop
}

// mostBetween is the number of words that may stand between those of a need.
const mostBetween = 4

// Needs returns what two to four words of a question that stand near each other say together,
// in any order: "same machine" of "on one and the same machine". The alternatives are those of
// all the words, which may be part of several needs and of a concept each. A need whose words
// are all part of a longer one is left out.
func Needs(a *analysis.Analyzer, text string) []Concept {
	words := wordsOf(a, text)
	var out []Concept
	for i, w := range words {
		if !w.telling() || slices.ContainsFunc(words[:i], func(o word) bool { return o.key == w.key }) {
			continue
		}
		for _, line := range linesOf(needs, w.key) {
			keys, rest, _ := strings.Cut(line, "\t")
			terms := strings.Split(keys, " ")
			if near(words, terms) {
				c := conceptOf(a, rest)
				c.Terms = terms
				out = append(out, c)
			}
		}
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(c Concept) bool {
		return slices.ContainsFunc(all, func(o Concept) bool {
			return len(o.Terms) > len(c.Terms) && !slices.ContainsFunc(c.Terms, func(t string) bool { return !slices.Contains(o.Terms, t) })
		})
	})
}

// near reports whether terms stand in a question with few other words between.
func near(words []word, terms []string) bool {
	for from, w := range words {
		if !w.telling() || !slices.Contains(terms, w.key) {
			continue
		}
		part := words[from:min(len(words), from+len(terms)+mostBetween)]
		if !slices.ContainsFunc(terms, func(t string) bool {
			return !slices.ContainsFunc(part, func(w word) bool { return w.telling() && w.key == t })
		}) {
			return true
		}
	}
	return false
}
