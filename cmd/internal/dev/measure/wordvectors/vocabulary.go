package wordvectors

import (
	"cmp"
	"math"
	"slices"
)

// A term has a vector if so many repositories and sections have it: what fewer have are
// names, which word search finds.
const (
	minRepositories = 3
	minSections     = 12
	maxVocabulary   = 60_000
)

// vocabulary numbers the terms, the most frequent first.
type vocabulary struct {
	terms []string
	idf   []float64
	ids   map[string]int32
}

type termCount struct{ repositories, sections, last int }

func newVocabulary(repositories [][]Section) vocabulary {
	counts := map[string]*termCount{}
	all := 0
	for r, sections := range repositories {
		all += len(sections)
		for _, s := range sections {
			countSection(counts, s, r+1)
		}
	}
	v := vocabulary{ids: map[string]int32{}}
	for term, c := range counts {
		if c.repositories >= minRepositories && c.sections >= minSections {
			v.terms = append(v.terms, term)
		}
	}
	slices.SortFunc(v.terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b].sections, counts[a].sections), cmp.Compare(a, b))
	})
	v.terms = v.terms[:min(len(v.terms), maxVocabulary)]
	for i, term := range v.terms {
		v.ids[term] = int32(i)
		v.idf = append(v.idf, math.Log(float64(all)/float64(counts[term].sections)))
	}
	return v
}

// countSection counts the distinct terms of a section of a repository, counted from 1.
func countSection(counts map[string]*termCount, s Section, repository int) {
	terms := slices.Concat(s.Heading, s.First, s.Rest)
	slices.Sort(terms)
	for _, term := range slices.Compact(terms) {
		c := counts[term]
		if c == nil {
			c = &termCount{}
			counts[term] = c
		}
		c.sections++
		if c.last != repository {
			c.last = repository
			c.repositories++
		}
	}
}

// numbers gives the terms of lists that have a vector.
func (v vocabulary) numbers(lists ...[]string) []int32 {
	var out []int32
	for _, list := range lists {
		for _, term := range list {
			if id, ok := v.ids[term]; ok {
				out = append(out, id)
			}
		}
	}
	return out
}

// pair is two texts that say the same in other words.
type pair struct {
	short, long []int32
	section     int // two pairs of one section do not count against each other
}

// pairsOf makes the pairs of each repository: the heading and the text, the first sentence
// and the rest with the headings.
func (v vocabulary) pairsOf(repositories [][]Section) [][]pair {
	const minFirst, minBody, minRest = 4, 5, 8
	out := make([][]pair, len(repositories))
	number := 0
	for r, sections := range repositories {
		for _, s := range sections {
			number++
			heading, first := v.numbers(s.Heading), v.numbers(s.First)
			if body := v.numbers(s.First, s.Rest); len(heading) > 0 && len(body) >= minBody {
				out[r] = append(out[r], pair{heading, body, number})
			}
			if rest := v.numbers(s.Path, s.Heading, s.Rest); len(first) >= minFirst && len(rest) >= minRest {
				out[r] = append(out[r], pair{first, rest, number})
			}
		}
	}
	return out
}
