package weaviate

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/store"
)

// approximate is the number of passages that have a term in the body, or in the field where
// most have it.
func approximate(n counts) int {
	if n[store.Body] > 0 {
		return int(n[store.Body])
	}
	return int(slices.Max(n[:store.Name]))
}

// ApproxFrequencies is store.Vocabulary's.
func (x *index) ApproxFrequencies(ctx context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for i, t := range terms {
		out[i] = approximate(x.has.numbersOf(t))
	}
	return out, ctx.Err()
}

// Fuzzy is store.Vocabulary's.
func (x *index) Fuzzy(ctx context.Context, term string, distance int) (map[string]int, error) {
	if term == "" {
		return nil, ctx.Err()
	}
	_, first := utf8.DecodeRuneInString(term)
	want := []rune(term)
	return x.collect(ctx, term[:first], func(t string) bool { return isWithin([]rune(t), want, distance) })
}

// Prefix is store.Vocabulary's.
func (x *index) Prefix(ctx context.Context, prefix string) (map[string]int, error) {
	if prefix == "" {
		return nil, ctx.Err()
	}
	return x.collect(ctx, prefix, func(string) bool { return true })
}

// collect gives the words with a prefix that fulfil a condition.
func (x *index) collect(ctx context.Context, prefix string, is func(string) bool) (map[string]int, error) {
	out := map[string]int{}
	from, _ := slices.BinarySearch(x.has.terms, prefix)
	for i, t := range x.has.terms[from:] {
		if !strings.HasPrefix(t, prefix) {
			break
		}
		if n := approximate(x.has.counts[from+i]); n > 0 && is(t) {
			out[t] = n
		}
	}
	return out, ctx.Err()
}

// isWithin reports whether two texts are at most so many edits apart (Levenshtein).
func isWithin(a, b []rune, distance int) bool {
	if len(a) > len(b)+distance || len(b) > len(a)+distance {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last, least := row[0], i+1
		row[0] = i + 1
		for j := range b {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
			least = min(least, row[j+1])
		}
		if least > distance {
			return false
		}
	}
	return row[len(b)] <= distance
}

// Terms is store.Vocabulary's.
func (x *index) Terms(ctx context.Context, fields ...store.Field) ([]string, error) {
	var out []string
	for i, t := range x.has.terms {
		if slices.ContainsFunc(fields, func(f store.Field) bool { return x.has.counts[i][f] > 0 }) {
			out = append(out, t)
		}
	}
	return out, ctx.Err()
}

// Definitions is store.Vocabulary's.
func (x *index) Definitions(ctx context.Context, keys, stems []string) ([]store.Definition, error) {
	var out []store.Definition
	for _, d := range x.has.definitions {
		if slices.Contains(keys, d.Key) || slices.Contains(stems, d.Stems) {
			out = append(out, d.Definition)
		}
	}
	return out, ctx.Err()
}
