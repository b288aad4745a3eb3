package rerank

import (
	"slices"
	"strings"
	"unicode"

	"docent/store/analysis"
)

// Measures of how a text has the words of a question.

// text is a text as a lens sees it.
type text struct {
	has   []bool // by term
	words []int  // terms in order without stop words and identifiers; -1: not asked for
}

func (l *lens) textOfString(a *analysis.Analyzer, s string) text {
	t := text{has: make([]bool, len(l.idf)), words: make([]int, 0, len(s)/8)}
	a.Seek(s, l.wanted, func(tok analysis.Token, id int) {
		if tok.Kind == analysis.Stop {
			return
		}
		if id >= 0 {
			t.has[id] = true
		}
		if tok.Kind != analysis.Identifier {
			t.words = append(t.words, id)
		}
	})
	for _, x := range l.aliases {
		t.replaceAlias(x)
	}
	return t
}

// replaceAlias reads an alias as the question's words.
func (t *text) replaceAlias(x alias) {
	for i := 0; i+len(x.from) <= len(t.words); i++ {
		if t.words[i] != x.from[0] || !slices.Equal(t.words[i:i+len(x.from)], x.from) {
			continue
		}
		t.words = slices.Replace(t.words, i, i+len(x.from), x.to...)
		for _, id := range x.to {
			t.has[id] = true
		}
		i += len(x.to) - 1
	}
}

// coverageOfVariant is the share of a variant's idf that the texts have between them.
func (l *lens) coverageOfVariant(v variant, texts ...text) float64 {
	if v.total == 0 {
		return 0
	}
	got := 0.0
	for _, id := range v.terms {
		for _, t := range texts {
			if t.has[id] {
				got += l.idf[id]
				break
			}
		}
	}
	return got / v.total
}

// absentShare is the share of a variant's idf whose terms no page has.
func (l *lens) absentShare(v variant) float64 {
	if v.total == 0 {
		return 0
	}
	gone := 0.0
	for _, id := range v.terms {
		if l.missing[id] {
			gone += l.idf[id]
		}
	}
	return gone / v.total
}

// fitOfVariant is the share of a text's words that a variant has.
func (t text) fitOfVariant(v variant) float64 {
	if len(t.words) == 0 {
		return 0
	}
	n := 0
	for _, id := range t.words {
		if id >= 0 && slices.Contains(v.terms, id) {
			n++
		}
	}
	return float64(n) / float64(len(t.words))
}

// neighbours is the share of a variant's pairs whose words stand at most
// distance apart, in their order when that is 1, in any order otherwise. A pair
// counts by its weight: "create a hook" has less of "create hooks" than of
// "lifecycle hooks".
func (t text) neighbours(v variant, distance int) float64 {
	if len(v.pairs) == 0 {
		return 0
	}
	n := 0.0
	for k, p := range v.pairs {
		first, second := -distance-1, -distance-1 // where each stood last
		for i, id := range t.words {
			if id == p[0] {
				first = i
			} else if id == p[1] {
				second = i
			} else {
				continue
			}
			if d := second - first; d >= 1 && d <= distance || distance > 1 && d < 0 && -d <= distance {
				if first >= 0 && second >= 0 {
					n += v.weight[k]
					break
				}
			}
		}
	}
	return n / float64(len(v.pairs))
}

// windowWords is the width of the window feature.
const windowWords = 30

// densestWindow is the best share of a variant's idf within windowWords words.
func (l *lens) densestWindow(v variant, t text) float64 {
	if v.total == 0 {
		return 0
	}
	wanted := make([]bool, len(l.idf))
	for _, id := range v.terms {
		wanted[id] = true
	}
	count := make([]int, len(l.idf))
	sum, best := 0.0, 0.0
	for i, id := range t.words {
		if id >= 0 && wanted[id] {
			if count[id]++; count[id] == 1 {
				sum += l.idf[id]
				best = max(best, sum)
			}
		}
		if i >= windowWords {
			if old := t.words[i-windowWords]; old >= 0 && wanted[old] {
				if count[old]--; count[old] == 0 {
					sum -= l.idf[old]
				}
			}
		}
	}
	return best / v.total
}

// longestRun is the longest run of a variant's words that stands in a text in their
// order, over their number.
func (t text) longestRun(v variant) float64 {
	if len(v.words) == 0 {
		return 0
	}
	best := 0
	for i, id := range t.words {
		if id < 0 {
			continue
		}
		for j := range v.words {
			if v.words[j] != id {
				continue
			}
			n := 1
			for i+n < len(t.words) && j+n < len(v.words) && t.words[i+n] == v.words[j+n] {
				n++
			}
			best = max(best, n)
		}
		if best >= len(v.words) {
			break
		}
	}
	return float64(best) / float64(len(v.words))
}

// shareOfTerms is the part of some terms that a text has.
func (t text) shareOfTerms(ids []int) float64 {
	if len(ids) == 0 {
		return 0
	}
	n := 0
	for _, id := range ids {
		if t.has[id] {
			n++
		}
	}
	return float64(n) / float64(len(ids))
}

// wordPairs are the neighbouring words of a text, its ends counted as words, each
// with how often it occurs.
type wordPairs map[[2]string]int

// maxPairs bounds the words that are looked at: no heading is longer.
const maxPairs = 64

func pairsOf(text string) wordPairs {
	out := wordPairs{}
	last := ""
	n := 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n++; n > maxPairs {
			break
		}
		out[[2]string{last, w}]++
		last = w
	}
	if n > 0 {
		out[[2]string{last, ""}]++
	}
	return out
}

// diceSimilarity is Dice's coefficient of two texts' pairs.
func (p wordPairs) diceSimilarity(o wordPairs) float64 {
	both, all := 0, 0
	for k, n := range p {
		both += min(n, o[k])
		all += n
	}
	for _, n := range o {
		all += n
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}
