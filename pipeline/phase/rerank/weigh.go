package rerank

import (
	"math"

	"docent/pipeline/contract"
)

// WeighVectors orders headings that were reranked without a model's vectors as they would
// stand with these at a weight: for finding the weight. The input is not changed.
func WeighVectors(results []contract.Result, weight float64) []contract.Result {
	out := cloneResults(results)
	var cands []candidate
	for i, r := range out {
		for j, h := range r.Headings {
			if h.RerankSim != nil {
				cands = append(cands, candidate{page: i, heading: j})
			}
		}
	}
	logit := func(i int) float64 {
		s := *out[cands[i].page].Headings[cands[i].heading].RerankSim
		return math.Log(s / max(1e-6, 1-s))
	}
	d := newDense(weight, out, cands, logit)
	sims := make([]float64, len(cands))
	for i, c := range cands {
		l, _ := d.fuseCosine(out[c.page].Headings[c.heading].Signals.Model, logit(i), nil)
		sims[i] = 1 / (1 + math.Exp(-l))
	}
	for i, c := range cands {
		out[c.page].Headings[c.heading].RerankSim = &sims[i]
	}
	orderResults(out)
	return out
}
