package rerank

import (
	"context"
	"maps"
	"math"
	"slices"
)

// docSetSmoothing is the share of the mean frequency that a doc set without a word gets. With
// .03 to .6 the same questions are answered.
const docSetSmoothing = 0.1

// compareDocSets sets how well each doc set's words fit the question: the logarithm of how
// often it has them, their mean by idf (Si, Jin, Callan and Ogilvie, A Language Modeling
// Framework for Resource Selection and Results Merging, 2002). The best doc set has 0, and so
// has a single one: that a doc set is the best of several makes no answer surer.
func (b *Builtin) compareDocSets(ctx context.Context, q *query, sets []string) error {
	l, v := q.bestKnown()
	if len(sets) < 2 || v.total == 0 {
		return nil
	}
	terms := slices.DeleteFunc(slices.Sorted(maps.Keys(l.ids)), func(t string) bool { return !slices.Contains(v.terms, l.ids[t]) })
	frequency := make([][]float64, len(sets)) // share of a doc set's passages that have a term, by its number
	mean := make([]float64, len(l.idf))
	for i, s := range sets {
		idf, err := b.Texts.IDF(ctx, []string{s}, terms)
		if err != nil {
			return err
		}
		frequency[i] = make([]float64, len(l.idf))
		for k, t := range terms { // of a word's renderings the commonest counts
			id := l.ids[t]
			frequency[i][id] = max(frequency[i][id], math.Exp(-idf[k]))
		}
		for _, id := range v.terms {
			mean[id] += frequency[i][id] / float64(len(sets))
		}
	}
	q.docSets = map[string]float64{}
	best := math.Inf(-1)
	for i, s := range sets {
		sum := 0.0
		for _, id := range v.terms {
			if mean[id] > 0 {
				sum += l.idf[id] * math.Log((frequency[i][id]+docSetSmoothing*mean[id])/((1+docSetSmoothing)*mean[id]))
			}
		}
		q.docSets[s] = sum / v.total
		best = max(best, q.docSets[s])
	}
	for s := range q.docSets {
		q.docSets[s] -= best
	}
	return nil
}

// bestKnown is the way to ask whose words the doc sets have most of.
func (q *query) bestKnown() (*lens, variant) {
	best, known := q.lenses[0], variant{}
	least := math.Inf(1)
	for _, l := range q.lenses {
		for _, v := range l.variants {
			if gone := l.absentShare(v); gone < least {
				best, known, least = l, v, gone
			}
		}
	}
	return best, known
}
