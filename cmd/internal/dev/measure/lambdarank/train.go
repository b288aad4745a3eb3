// Package lambdarank learns the reranker's weights from judged questions: a linear
// model by LambdaRank (Burges, "From RankNet to LambdaRank to LambdaMART: An
// Overview", 2010, section 4) with AdaGrad steps, and a scale for its value by
// logistic regression (Platt, "Probabilistic Outputs for Support Vector
// Machines", 1999), so that rerank_sim is a probability as far as it can be.
//
// The same groups in the same order give the same weights. It refuses to read
// documents: the caller supplies features and grades.
package lambdarank

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// Group is one question with its candidates.
type Group struct {
	Set      string      // the set it belongs to; all sets weigh the same
	X        [][]float64 // candidates by features
	Grade    []float64   // of each candidate, 0 to 1
	Doc      []int       // the document that each candidate belongs to
	DocGrade []int       // of each document, by the numbers of Doc
	Weight   float64     // relative to others of its set; 0: 1
	Relevant []int       // grades of all relevant documents, those that were no candidates too
}

// Options steer the training.
type Options struct {
	Epochs int     // 0: 20
	Rate   float64 // 0: 0.05
	L2     float64 // 0: 1e-3
	Frozen []bool  // features that are left out
	// Monotone are pairs of features of which neither the first nor both together
	// may count against a candidate: the second is the first times something
	// between 0 and 1.
	Monotone [][2]int
}

// Linear is bias + Σ weight × feature.
type Linear struct {
	Bias    float64
	Weights []float64
}

// Score is the value for one candidate.
func (l Linear) Score(x []float64) float64 {
	s := l.Bias
	for i, w := range l.Weights {
		s += w * x[i]
	}
	return s
}

// ErrNothing means that no group has both a relevant candidate and another.
var ErrNothing = errors.New("there is nothing to learn from")

// Rank learns the weights.
func Rank(groups []Group, opt Options) (Linear, error) {
	if opt.Epochs == 0 {
		opt.Epochs = 20
	}
	if opt.Rate == 0 {
		opt.Rate = 0.05
	}
	if opt.L2 == 0 {
		opt.L2 = 1e-3
	}
	var gs []Group
	perSet := map[string]float64{}
	for _, g := range groups {
		low, high := false, false
		for _, y := range g.Grade {
			low, high = low || y == 0, high || y > 0
		}
		if low && high {
			gs = append(gs, g)
			perSet[g.Set]++
		}
	}
	if len(gs) == 0 {
		return Linear{}, ErrNothing
	}
	n := len(gs[0].X[0])
	mean, sd := moments(gs, n)
	z := make([][][]float64, len(gs))
	for i, g := range gs {
		z[i] = make([][]float64, len(g.X))
		for j, x := range g.X {
			v := make([]float64, n)
			for f := range x {
				if opt.Frozen == nil || !opt.Frozen[f] {
					v[f] = (x[f] - mean[f]) / sd[f]
				}
			}
			z[i][j] = v
		}
	}
	w, acc, sum := make([]float64, n), make([]float64, n), make([]float64, n)
	rng := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // the same every time is the point
	for epoch := range opt.Epochs {
		order := rng.Perm(len(gs))
		for at := 0; at < len(order); at += 64 {
			grad := make([]float64, n)
			weight := 0.0
			for _, i := range order[at:min(at+64, len(order))] {
				gw := 100 / max(perSet[gs[i].Set], 100)
				if gs[i].Weight > 0 {
					gw *= gs[i].Weight
				}
				weight += gw
				lambdas(gs[i], z[i], w, gw, grad)
			}
			for f := range w {
				g := grad[f]/weight - opt.L2*w[f]
				acc[f] += g * g
				w[f] += opt.Rate * g / (math.Sqrt(acc[f]) + 1e-6)
			}
			for _, m := range opt.Monotone {
				a, b := m[0], m[1]
				w[a] = max(0, w[a])
				if w[a]/sd[a]+w[b]/sd[b] < 0 {
					w[b] = -w[a] / sd[a] * sd[b]
				}
			}
		}
		// The mean over the epochs (Polyak and Juditsky, 1992), the first half left
		// out: the last steps depend on the order of the questions.
		if epoch >= opt.Epochs/2 {
			for f := range w {
				sum[f] += w[f]
			}
		}
	}
	for f := range w {
		w[f] = sum[f] / float64(opt.Epochs-opt.Epochs/2)
	}
	out := Linear{Weights: make([]float64, n)}
	for f := range w {
		if opt.Frozen == nil || !opt.Frozen[f] {
			out.Weights[f] = w[f] / sd[f]
			out.Bias -= w[f] * mean[f] / sd[f]
		}
	}
	return out, nil
}

func moments(gs []Group, n int) (mean, sd []float64) {
	mean, sd = make([]float64, n), make([]float64, n)
	count := 0.0
	for _, g := range gs {
		for _, x := range g.X {
			count++
			for f, v := range x {
				mean[f] += v
			}
		}
	}
	for f := range mean {
		mean[f] /= count
	}
	for _, g := range gs {
		for _, x := range g.X {
			for f, v := range x {
				sd[f] += (v - mean[f]) * (v - mean[f])
			}
		}
	}
	for f := range sd {
		sd[f] = max(math.Sqrt(sd[f]/count), 1e-3)
	}
	return mean, sd
}

// lambdas adds the gradient of one group: each pair of candidates of different
// grades pulls apart, the more the better an exchange would make nDCG@10.
func lambdas(g Group, z [][]float64, w []float64, weight float64, grad []float64) {
	k := len(z)
	s := make([]float64, k)
	order := make([]int, k)
	for i := range z {
		order[i] = i
		for f, v := range z[i] {
			s[i] += w[f] * v
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s[b], s[a]) })
	discount := make([]float64, k)
	for r, i := range order {
		discount[i] = 1 / math.Log2(float64(r)+2)
	}
	ideal := 1e-9
	grades := slices.Clone(g.Grade)
	slices.Sort(grades)
	slices.Reverse(grades)
	for i, y := range grades[:min(10, k)] {
		ideal += y / math.Log2(float64(i)+2)
	}
	for i := range z {
		for j := range z {
			if g.Grade[i] <= g.Grade[j] {
				continue
			}
			change := (g.Grade[i] - g.Grade[j]) * math.Abs(discount[i]-discount[j]) / ideal
			pull := weight * change / (1 + math.Exp(s[i]-s[j]))
			for f := range grad {
				grad[f] += pull * (z[i][f] - z[j][f])
			}
		}
	}
}

// Calibrate scales a model so that the logistic function of its value is the
// probability that a candidate is relevant, over sets that weigh the same. The
// order that it gives stays.
func Calibrate(l Linear, groups []Group) Linear {
	type one struct{ s, y, w float64 }
	var all []one
	perSet := map[string]float64{}
	for _, g := range groups {
		perSet[g.Set] += float64(len(g.X))
	}
	for _, g := range groups {
		for i, x := range g.X {
			y := 0.0
			if g.Grade[i] > 0 {
				y = 1
			}
			all = append(all, one{l.Score(x), y, 1 / perSet[g.Set]})
		}
	}
	// Newton's method on the two parameters, for scores of mean 0 and deviation 1;
	// a step that makes it worse is halved.
	mean, sd, total := 0.0, 0.0, 0.0
	for _, o := range all {
		mean, total = mean+o.w*o.s, total+o.w
	}
	mean /= max(total, 1e-12)
	for _, o := range all {
		sd += o.w * (o.s - mean) * (o.s - mean)
	}
	sd = max(math.Sqrt(sd/max(total, 1e-12)), 1e-9)
	loss := func(a, b float64) float64 {
		sum := 0.0
		for _, o := range all {
			x := a*(o.s-mean)/sd + b
			sum += o.w * (math.Log1p(math.Exp(-math.Abs(x))) + max(x, 0) - o.y*x)
		}
		return sum
	}
	a, b := 1.0, 0.0
	for range 100 {
		var ga, gb, haa, hab, hbb float64
		for _, o := range all {
			x := (o.s - mean) / sd
			p := 1 / (1 + math.Exp(-(a*x + b)))
			d, h := o.w*(o.y-p), o.w*p*(1-p)
			ga, gb = ga+d*x, gb+d
			haa, hab, hbb = haa+h*x*x, hab+h*x, hbb+h
		}
		haa, hbb = haa+1e-9, hbb+1e-9
		det := haa*hbb - hab*hab
		if det <= 0 {
			break
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		before, step := loss(a, b), 1.0
		for step > 1e-6 && loss(a+step*da, b+step*db) > before {
			step /= 2
		}
		a, b = a+step*da, b+step*db
		if step*(math.Abs(da)+math.Abs(db)) < 1e-9 {
			break
		}
	}
	a, b = a/sd, b-a*mean/sd
	if !(a > 0) {
		a, b = 1, 0 // nothing to learn; the order must stay
	}
	out := Linear{Bias: a*l.Bias + b, Weights: make([]float64, len(l.Weights))}
	for f, w := range l.Weights {
		out.Weights[f] = a * w
	}
	return out
}

// NDCG is the mean nDCG@10 of documents, each at its best candidate, that a
// score gives.
func NDCG(groups []Group, score func(x []float64) float64) float64 {
	sum := 0.0
	for _, g := range groups {
		order := make([]int, len(g.X))
		s := make([]float64, len(g.X))
		for i, x := range g.X {
			order[i], s[i] = i, score(x)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s[b], s[a]) })
		seen := map[int]bool{}
		got, r := 0.0, 0
		for _, i := range order {
			if seen[g.Doc[i]] {
				continue
			}
			seen[g.Doc[i]] = true
			if r == 10 {
				break
			}
			got += float64(g.DocGrade[g.Doc[i]]) / math.Log2(float64(r)+2)
			r++
		}
		ideal := 0.0
		rel := slices.Clone(g.Relevant)
		slices.Sort(rel)
		slices.Reverse(rel)
		for i, y := range rel[:min(10, len(rel))] {
			ideal += float64(y) / math.Log2(float64(i)+2)
		}
		if ideal > 0 {
			sum += got / ideal
		}
	}
	return sum / float64(max(1, len(groups)))
}

// MRR is the mean reciprocal rank at 10 of the first candidate of grade 1, over the
// groups that have one and others of the same document: how well sections are
// distinguished.
func MRR(groups []Group, score func(x []float64) float64) (mean float64, n int) {
	for _, g := range groups {
		if !slices.Contains(g.Grade, 1) || !slices.ContainsFunc(g.Grade, func(y float64) bool { return y > 0 && y < 1 }) {
			continue
		}
		n++
		order := make([]int, len(g.X))
		s := make([]float64, len(g.X))
		for i, x := range g.X {
			order[i], s[i] = i, score(x)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s[b], s[a]) })
		for r, i := range order[:min(10, len(order))] {
			if g.Grade[i] == 1 {
				mean += 1 / float64(r+1)
				break
			}
		}
	}
	return mean / float64(max(1, n)), n
}
