package rerank

import (
	"context"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/kind"
)

// A question of several sides, a comparison or several questions in one, is answered
// by a heading for each of them. The candidates are weighed for each side by itself,
// and the best one of each is moved to the head of the list.

// mostSides bounds the work for a context that was written by hand.
const mostSides = 4

// leastSide is the least sim that the best heading of a side has for it: one that
// hardly has anything of it is no answer to it.
const leastSide = 0.15

// sideStep is how far the sims of the sides' headings are apart at the head.
const sideStep = 1e-3

// sides are the contexts of a question's sides; nil for a question of one.
func sides(c *contract.Context) []contract.Context {
	texts := c.Parts
	if len(texts) < 2 && c.Kind == contract.KindComparison {
		texts = c.Subjects
	}
	if len(texts) < 2 {
		return nil
	}
	var out []contract.Context
	for _, t := range texts[:min(len(texts), mostSides)] {
		side := *c
		side.Question, side.Queries, side.Parts, side.DomainNouns = t, nil, nil, nil
		side.Translations = slices.DeleteFunc(slices.Clone(c.Translations), func(tr contract.Translation) bool {
			return !strings.Contains(strings.ToLower(t), strings.ToLower(tr.Word))
		})
		side.Kind, side.Subjects = contract.KindDefinition, []string{t}
		if len(c.Parts) > 1 {
			r := kind.Read(t)
			side.Kind, side.Subjects = r.Kind, r.Subjects
		}
		side = term(side)
		out = append(out, side)
	}
	return out
}

// lift moves the best heading of each side to the head of the list. It gives the
// pages that have one, with whether they lie below the threshold by themselves.
func (b *Builtin) lift(ctx context.Context, m *Model, in *contract.Context, results []contract.Result, cands []candidate, threshold float64) (map[int]bool, error) {
	list := sides(in)
	if len(list) == 0 || len(cands) == 0 {
		return nil, nil
	}
	top := 0.0
	reached := map[int]float64{} // by page
	for _, c := range cands {
		s := sim(results[c.page].Headings[c.heading])
		top, reached[c.page] = max(top, s), max(reached[c.page], s)
	}
	below := map[int]bool{}
	taken := map[candidate]bool{}
	for i := range list {
		vectors, traits, _, err := b.vectors(ctx, &list[i], results, cands)
		if err != nil {
			return nil, err
		}
		best, value := -1, 0.0
		for k, c := range cands {
			logit, _ := m.logit(vectors[k], traits[k], false)
			if len(in.Parts) > 1 {
				// A part may speak of "it": what the whole question says of a heading
				// counts too.
				s := sim(results[c.page].Headings[c.heading])
				logit = (logit + math.Log(s/max(1e-6, 1-s))) / 2
			}
			if !taken[c] && (best < 0 || logit > value) {
				best, value = k, logit
			}
		}
		if best < 0 || 1/(1+math.Exp(-value)) < leastSide {
			continue
		}
		c := cands[best]
		taken[c], below[c.page] = true, reached[c.page] < threshold
		h := &results[c.page].Headings[c.heading]
		raise(h, max(1e-6, top-sideStep*float64(len(taken))))
	}
	return below, nil
}

// raise gives a heading at least a sim.
func raise(h *contract.Heading, to float64) {
	from := sim(*h)
	if from >= to {
		return
	}
	to = math.Round(to*1e6) / 1e6
	h.RerankSim = &to
	if h.Explain == nil {
		return
	}
	logit := func(s float64) float64 { return math.Log(s / max(1e-6, 1-s)) }
	e := *h.Explain
	by := logit(to) - logit(from)
	e.Rerank = append(slices.Clone(e.Rerank), contract.ExplainPart{Name: "best_of_a_side", Weight: 1, Input: by, Value: by})
	h.Explain = &e
}
