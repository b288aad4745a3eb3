package lsa

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// TrainModel learns a model from a corpus. Terms that only one passage has teach
// nothing and those of half the passages or more tell nothing apart: both are
// left out. The error wraps ErrNothing where there is nothing to learn, and the
// model is then nil, as it may be used.
//
// More than Options.MaxPassages are learned from an even sample, so that memory has a
// bound: 30 000 passages of 110 different terms each take some 80 MB, in addition to the
// matrix itself.
func TrainModel(ctx context.Context, m Matrix, o Options) (*Model, error) {
	if o.Dims <= 0 {
		o.Dims = defaultDims
	}
	if o.MaxTerms <= 0 {
		o.MaxTerms = defaultMaxTerms
	}
	if o.MaxPassages <= 0 {
		o.MaxPassages = defaultMaxPassages
	}
	o.Dims, o.MaxTerms = min(o.Dims, maxDims), min(o.MaxTerms, maxTerms/2)
	corpusSize := m.Passages()
	if corpusSize >= maxPassages {
		return nil, fmt.Errorf("a corpus of %d passages: less than %d are possible", corpusSize, maxPassages)
	}
	if corpusSize > o.MaxPassages {
		m = sample{m, o.MaxPassages}
	}
	passages := m.Passages()
	if passages < minPassages {
		return nil, fmt.Errorf("%d passages: %w", passages, ErrNothing)
	}
	all, err := collectMatrix(ctx, m, &slabs{}, func(string) bool { return true }, 1)
	if err != nil {
		return nil, err
	}
	// A new passage's share of unknown weight, were it like those there are: a
	// term that only two have would be unknown to a model that had not seen one
	// of them, so it counts as unknown already (leave-one-out).
	var unknown, total float64
	var kept, common []termEntries
	for _, t := range all.terms {
		w := 0.0
		for _, e := range t.entries {
			w += float64(localWeight(e.entryLevel()))
		}
		df := len(t.entries)
		if df > 2 {
			w = float64(w * globalWeight(t.entropy))
		} else {
			unknown += w
		}
		total += w
		switch {
		case 2*df >= passages:
			common = append(common, t)
		case df >= 2:
			kept = append(kept, t)
		}
	}
	all.terms = nil
	if len(kept) > o.MaxTerms {
		slices.SortFunc(kept, func(a, b termEntries) int {
			return cmp.Or(cmp.Compare(len(b.entries), len(a.entries)), strings.Compare(a.text, b.text))
		})
		for _, t := range kept[o.MaxTerms:] {
			if len(t.entries) > 2 {
				for _, e := range t.entries {
					unknown += float64(localWeight(e.entryLevel()) * globalWeight(t.entropy))
				}
			}
		}
		clear(kept[o.MaxTerms:])
		kept = kept[:o.MaxTerms]
		slices.SortFunc(kept, func(a, b termEntries) int { return strings.Compare(a.text, b.text) })
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("no term tells passages apart: %w", ErrNothing)
	}
	s := &svd{byTerm: &corpus{passages: passages, terms: kept}}
	squares := make([]float64, passages)
	for i := range kept {
		kept[i].number = i
		w := float32(globalWeight(kept[i].entropy))
		s.weight = append(s.weight, w)
		for _, e := range kept[i].entries {
			x := float64(localWeight(e.entryLevel()) * float64(w))
			squares[e.number()] += float64(x * x)
		}
	}
	s.inverse = make([]float32, passages)
	for i, x := range squares {
		if x > 0 {
			s.inverse[i] = float32(1 / math.Sqrt(x))
		}
	}
	if s.byPassage, err = s.byTerm.byPassage(ctx, nil); err != nil {
		return nil, err
	}
	vectors, values, err := s.decompose(ctx, min(o.Dims, max(1, passages/3)), o.Seed)
	if err != nil {
		return nil, err
	}
	return Decode(encodeModel(trained{
		passages: corpusSize, expected: unknown / max(total, 1e-9), values: values,
		terms: kept, weights: s.weight, vectors: vectors, common: common,
	}))
}

// globalWeight is one less a term's entropy over the passages (as a share of the
// greatest possible): 0 for a term that all have alike, 1 for one that a single
// passage has.
func globalWeight(entropy float64) float64 { return min(1, max(0, 1-entropy)) }
