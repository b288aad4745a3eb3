package rerank

import (
	"math"
	"slices"

	"docent/pipeline/contract"
)

// dense fuses the built-in value with the cosine of a model's vectors: a convex
// combination on the scale of logits, where the cosines of the candidates are
// stretched to the range of the built-in values (TM2C2 of Bruch, Gai and Ingber,
// 2023, with the candidates' own minimum). Candidates of doc sets without such
// vectors keep the built-in value.
type dense struct {
	weight        float64
	low, high     float64 // of the built-in values
	least, widest float64 // of the cosines: the lowest, and how far the highest is from it
}

func newDense(weight float64, results []contract.Result, cands []candidate, logit func(i int) float64) dense {
	if !(weight > 0 && weight < 1) || len(cands) < 2 {
		return dense{}
	}
	d := dense{weight: weight, low: math.Inf(1), high: math.Inf(-1), least: math.Inf(1)}
	most := math.Inf(-1)
	for i, c := range cands {
		l, s := logit(i), results[c.page].Headings[c.heading].Signals.Model
		d.low, d.high = min(d.low, l), max(d.high, l)
		if s > 0 {
			d.least, most = min(d.least, s), max(most, s)
		}
	}
	d.widest = most - d.least
	if !(d.widest > 0) {
		return dense{}
	}
	return d
}

// fuseCosine gives the value with the model's part in it, and how it came about where
// parts are wanted.
func (d dense) fuseCosine(cosine, logit float64, parts []contract.ExplainPart) (float64, []contract.ExplainPart) {
	if d.weight == 0 || cosine <= 0 {
		return logit, parts
	}
	value := d.low + float64((d.high-d.low)*((cosine-d.least)/d.widest))
	if parts != nil {
		parts = slices.Clone(parts)
		for i := range parts {
			parts[i].Weight *= 1 - d.weight
			parts[i].Value *= 1 - d.weight
		}
		parts = append(parts, contract.ExplainPart{Name: "model_cosine", Weight: d.weight, Input: value, Value: d.weight * value})
	}
	return float64((1-d.weight)*logit) + float64(d.weight*value), parts
}
