package rerank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/reading"
)

// A question of several sides, a comparison or several questions in one, is answered
// by a heading for each of them. The candidates are weighed for each side by itself,
// and the best one of each is moved to the head of the list.

// mostSides bounds the work for a context that was written by hand.
const mostSides = 4

// leastSide is the least sim that the best heading of a side has for it, unless its page has the side's name:
// one that hardly has anything of it is no answer to it.
const leastSide = 0.15

// sideStep is how far the sims of the sides' headings are apart at the head.
const sideStep = 1e-3

// mostSide is the most that they are raised to.
const mostSide = 0.9999

// sideContexts are the contexts of a question's sides; nil for a question of one.
func sideContexts(c *contract.Context) []contract.Context {
	texts := c.Parts
	if len(texts) < 2 && c.Kind == contract.KindComparison {
		texts = c.Subjects
	}
	if len(texts) < 2 {
		return nil
	}
	parts := reading.OfContext(c).Parts
	var out []contract.Context
	for i, t := range texts[:min(len(texts), mostSides)] {
		side := *c
		side.Question, side.Queries, side.Parts, side.DomainNouns = t, nil, nil, nil
		side.Translations = slices.DeleteFunc(slices.Clone(c.Translations), func(tr contract.Translation) bool {
			return !strings.Contains(strings.ToLower(t), strings.ToLower(tr.Word))
		})
		r := reading.OfSide(t)
		if len(parts) > 1 {
			r = parts[i]
		}
		side.Kind, side.Subjects, side.Reading = r.Kind, r.Subjects, &r
		out = append(out, side)
	}
	return out
}

// liftSides moves the best heading of each side to the head of the list. It gives the
// pages that have one, with whether they lie below the threshold by themselves.
// A question each of whose sides has a heading that reaches the default threshold, or a page of its name, is not
// called unanswered: "lamps vs lanterns" has few words of the page on lamps.
func (b *Builtin) liftSides(ctx context.Context, m *Model, in *contract.Context, results []contract.Result, cands []candidate,
	threshold float64, out *contract.RerankOutput) (map[int]bool, error) {
	list := sideContexts(in)
	taken := map[candidate]bool{}
	var chosen []candidate
	switch {
	case len(cands) == 0:
		return nil, nil
	case len(list) == 0:
		values, err := b.valuesForDocSets(ctx, m, in, results, cands)
		if err != nil {
			return nil, err
		}
		chosen = bestOfDocSets(in, results, cands, values)
	}
	sure, titled := 0, 0 // sides
	for i := range list {
		vectors, traits, _, err := b.vectorsOfCandidates(ctx, &list[i], results, cands)
		if err != nil {
			return nil, err
		}
		best, value := -1, 0.0
		named := titledAsSide(results, cands, list[i].Question, in.Question)
		for k, c := range cands {
			logit, _ := m.logitOf(vectors[k], traits[k], false)
			if !taken[c] && (named == nil || named[c.page]) && (best < 0 || logit > value) {
				best, value = k, logit
			}
			if len(in.Parts) > 1 {
				// What answers a part answers the question.
				raiseTo(&results[c.page].Headings[c.heading], 1/(1+math.Exp(-logit)), "answers_a_part")
			}
		}
		if best < 0 || named == nil && 1/(1+math.Exp(-value)) < leastSide {
			continue
		}
		if named != nil || 1/(1+math.Exp(-value)) >= contract.DefaultThreshold {
			sure++
		}
		if named != nil {
			titled++
		}
		c := cands[best]
		taken[c] = true
		chosen = append(chosen, c)
	}
	if len(list) > 0 && sure == len(list) {
		out.Unanswered = false
	}
	top, first := 0.0, cands[0]
	reached := map[int]float64{} // by page
	for _, c := range cands {
		s := similarityOf(results[c.page].Headings[c.heading])
		if s > top {
			top, first = s, c
		}
		reached[c.page] = max(reached[c.page], s)
	}
	if titled > 0 && titled == len(list) && !comparesByHeading(&results[first.page], first.heading, in.Subjects) {
		top += sideStep * float64(titled+1) // the sides' own pages lead
	}
	below := map[int]bool{}
	for i, c := range chosen {
		below[c.page] = reached[c.page] < threshold
		raiseTo(&results[c.page].Headings[c.heading], min(mostSide, max(1e-6, top-sideStep*float64(i+1))), "best_of_a_side")
	}
	return below, nil
}

// comparesByHeading reports whether a heading, with its page's title and the headings above it, names all
// subjects of a comparison: it is about what tells them apart.
func comparesByHeading(r *contract.Result, heading int, subjects []string) bool {
	h := r.Headings[heading]
	return reading.HasNames(strings.Join(append([]string{r.PageTitle, h.Text}, h.Path...), " "), subjects)
}

// titledAsSide gives the pages whose title is a side of a question, those that fit it best: they are about it,
// while others may have more of its words. It is nil where no page is.
func titledAsSide(results []contract.Result, cands []candidate, side, question string) map[int]bool {
	var out map[int]bool
	best := 1
	for _, c := range cands {
		r := &results[c.page]
		switch fit := reading.FitOfTitle(r.PageTitle, r.DocSet, side, question); {
		case fit < best:
			continue
		case fit > best || out == nil:
			out, best = map[int]bool{}, fit
		}
		out[c.page] = true
	}
	return out
}

// comparesDocSets reports whether a question compares doc sets, and names no other sides:
// "compare Lantern and Beacon plugins" asks for the plugins of both.
func comparesDocSets(in *contract.Context) bool {
	return in.Kind == contract.KindComparison && len(in.Subjects) < 2 && len(in.DocSets) > 1
}

// valuesForDocSets are the values of the candidates in a comparison of doc sets: their
// similarities. Where no candidate of a doc set that the question names has enough of the whole
// question, those of it are weighed by the rest of the question alone: a page of Lantern on wicks may
// have nothing else of "Lantern versus Beacon wicks".
func (b *Builtin) valuesForDocSets(ctx context.Context, m *Model, in *contract.Context, results []contract.Result,
	cands []candidate) ([]float64, error) {
	values, best := make([]float64, len(cands)), map[string]float64{}
	for k, c := range cands {
		values[k] = similarityAt(results, c)
		set := results[c.page].DocSet
		best[set] = max(best[set], values[k])
	}
	poor := func(set string) bool { return slices.Contains(in.DocSets, set) && best[set] < leastSide }
	if !comparesDocSets(in) || !in.DocSetsExplicit || len(in.DomainNouns) == 0 || !slices.ContainsFunc(in.DocSets, poor) {
		return values, nil
	}
	about := *in
	about.Question, about.Queries = strings.Join(in.DomainNouns, " "), nil
	r := reading.OfSide(about.Question)
	about.Kind, about.Subjects, about.Reading = r.Kind, r.Subjects, &r
	vectors, traits, _, err := b.vectorsOfCandidates(ctx, &about, results, cands)
	if err != nil {
		return nil, err
	}
	for k, c := range cands {
		if poor(results[c.page].DocSet) {
			logit, _ := m.logitOf(vectors[k], traits[k], false)
			values[k] = 1 / (1 + math.Exp(-logit))
		}
	}
	return values, nil
}

// bestOfDocSets gives the best heading of each doc set that a comparison is about. values are
// those of the candidates.
func bestOfDocSets(in *contract.Context, results []contract.Result, cands []candidate, values []float64) []candidate {
	if !comparesDocSets(in) {
		return nil
	}
	var best []int // candidates
	for _, set := range in.DocSets[:min(len(in.DocSets), mostSides)] {
		of := -1
		for k, c := range cands {
			if results[c.page].DocSet == set && (of < 0 || values[k] > values[of]) {
				of = k
			}
		}
		if of >= 0 && values[of] >= leastSide {
			best = append(best, of)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	out := make([]candidate, len(best))
	for i, k := range best {
		out[i] = cands[k]
	}
	return out
}

// similarityAt is the similarity of a candidate.
func similarityAt(results []contract.Result, c candidate) float64 {
	return similarityOf(results[c.page].Headings[c.heading])
}

// raiseTo gives a heading at least a sim, and says why.
func raiseTo(h *contract.Heading, to float64, why string) {
	from := similarityOf(*h)
	to = math.Round(to*1e6) / 1e6
	if from >= to {
		return
	}
	h.RerankSim = &to
	if h.Explain == nil {
		return
	}
	logit := func(s float64) float64 { return math.Log(s / max(1e-6, 1-s)) }
	e := *h.Explain
	by := logit(to) - logit(from)
	e.Rerank = append(slices.Clone(e.Rerank), contract.ExplainPart{Name: why, Weight: 1, Input: by, Value: by})
	h.Explain = &e
}
