// Package synonym knows words that mean the same from the lists of people: groups of terms
// parted by commas, abbreviations with their long forms. It finds the terms of a question
// in them.
//
// A term is one to five words, found in all their forms ("turning it off" is "turn off").
// It refuses to go from group to group: of a=b and b=c, c is not another word for a. It
// reads no file and asks nothing; what a synonym is worth is not its business.
package synonym

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/question/gloss"
	"docent/store/analysis"
)

// Group is terms that mean the same, with where they are from.
type Group struct {
	Terms []string
	File  string
	Line  int // from 1
	// Short says that the first term is an abbreviation: in small letters it counts only
	// where it is no English word.
	Short bool
}

// Place is FILE:LINE of a group.
func (g Group) Place() string {
	return fmt.Sprintf("%s:%d", g.File, g.Line)
}

// Book finds terms of groups in questions. It may be used by several goroutines.
type Book struct {
	groups []Group
	first  map[string][]place // by the key of a term's first word
	han    []place            // of terms without spaces between words
}

// place is a term of a group.
type place struct {
	group, term int
	keys        []string
}

// Found is a part of a question with the other terms of its group.
type Found struct {
	Words string   // as the question has them
	Also  []string // at most mostAlso
	Group Group
}

const (
	// mostAlso bounds the other terms of one part of a question.
	mostAlso = 8
	// mostFound bounds the parts of one question that have synonyms.
	mostFound = 6
	// between is how many words may stand between a verb and its particle: "turn the
	// feature off".
	between = 3
)

// New makes a book of groups. Where several have a term, all of them count, in their order.
func New(groups []Group) *Book {
	b := &Book{groups: groups, first: map[string][]place{}}
	a := analysis.New()
	for g, group := range groups {
		for t, term := range group.Terms {
			p := place{group: g, term: t}
			if strings.ContainsFunc(term, analysis.IsCJK) {
				b.han = append(b.han, p)
				continue
			}
			for w := range strings.FieldsSeq(term) {
				p.keys = append(p.keys, commonKey(a, w))
			}
			if len(p.keys) > 0 {
				b.first[p.keys[0]] = append(b.first[p.keys[0]], p)
			}
		}
	}
	return b
}

// commonKey is what all forms of a word have in common. The particle of "add-on" is a part of
// it: "add" is another word.
func commonKey(a *analysis.Analyzer, word string) string {
	var keys []string
	for part := range strings.SplitSeq(word, "-") {
		k := analysis.LongFormKey(a, part)
		if k == "" {
			k = strings.ToLower(part)
		}
		keys = append(keys, k)
	}
	return strings.Join(keys, " ")
}

// In finds the synonyms of the parts of a question, given as text and as its words; an
// empty word ends a part. Of two parts that share a word the longer counts, then the one
// that begins first.
func (b *Book) In(text string, words []string) []Found {
	if b == nil || len(b.groups) == 0 {
		return nil
	}
	a := analysis.New()
	keys := make([]string, len(words))
	for i, w := range words {
		if w != "" {
			keys[i] = commonKey(a, w)
		}
	}
	found := b.matches(words, keys)
	slices.SortStableFunc(found, func(x, y match) int { return len(y.place.keys) - len(x.place.keys) })
	taken := make([]bool, len(words))
	of := map[int]bool{} // groups
	var out []Found
	var began []match
	for _, m := range found {
		// The terms of one place may be in several groups; other terms over its words are not wanted.
		same := slices.ContainsFunc(began, func(o match) bool { return slices.Equal(o.at, m.at) })
		if of[m.place.group] || !same && slices.ContainsFunc(m.at, func(i int) bool { return taken[i] }) {
			continue
		}
		of[m.place.group] = true
		began = append(began, m)
		for _, i := range m.at {
			taken[i] = true
		}
		if f := b.describeFound(m.place, b.writtenInQuestion(words, m), keys); len(f.Also) > 0 {
			if out = append(out, f); len(out) == mostFound {
				return out
			}
		}
	}
	for _, p := range b.han {
		term := b.groups[p.group].Terms[p.term]
		if !of[p.group] && strings.Contains(text, term) && len(out) < mostFound {
			of[p.group] = true
			if f := b.describeFound(p, term, keys); len(f.Also) > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// match is a term that stands in a question.
type match struct {
	place place
	at    []int // its words
}

// matches are all terms in a question, by their places in it.
func (b *Book) matches(words, keys []string) []match {
	var out []match
	for i, k := range keys {
		if k == "" {
			continue
		}
		for _, p := range b.first[k] {
			at, ok := findTermAt(p.keys, keys, i)
			if ok && b.isWantedAt(p, words[i]) {
				out = append(out, match{p, at})
			}
		}
	}
	return out
}

// isWantedAt reports whether a word in the question is the abbreviation of a group, if the term
// is one.
func (b *Book) isWantedAt(p place, word string) bool {
	if g := b.groups[p.group]; !g.Short || p.term != 0 || word == g.Terms[0] {
		return true
	}
	return !gloss.English(strings.ToLower(word))
}

// findTermAt finds a term at a place of the question. A term of a verb and its particle may
// have words between them.
func findTermAt(term, keys []string, i int) (at []int, ok bool) {
	at = append(at, i)
	for n, k := range term[1:] {
		j := i + 1 + n
		if n == 0 && len(term) == 2 && isParticle(k) {
			for ; j < len(keys) && j <= i+1+between && keys[j] != k && keys[j] != ""; j++ {
			}
		}
		if j >= len(keys) || keys[j] != k {
			return nil, false
		}
		at = append(at, j)
	}
	return at, true
}

func isParticle(w string) bool {
	switch w {
	case "on", "off", "in", "out", "up", "down", "over", "back":
		return true
	}
	return false
}

// writtenInQuestion is a match as the question has it.
func (b *Book) writtenInQuestion(words []string, m match) string {
	out := make([]string, len(m.at))
	for k, i := range m.at {
		out[k] = words[i]
	}
	return strings.Join(out, " ")
}

// describeFound is a part of the question with what else it is called, without what the question
// says itself.
func (b *Book) describeFound(p place, words string, keys []string) Found {
	a := analysis.New()
	f := Found{Words: words, Group: b.groups[p.group]}
	for t, term := range f.Group.Terms {
		if t == p.term || len(f.Also) == mostAlso {
			continue
		}
		said := true
		for w := range strings.FieldsSeq(term) {
			said = said && slices.Contains(keys, commonKey(a, w))
		}
		if !said {
			f.Also = append(f.Also, term)
		}
	}
	return f
}
