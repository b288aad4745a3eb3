package lambdarank

import "math"

// Logistic learns the probability of y from x by Newton's method with a small
// ridge; both classes weigh the same, and in each the examples as weights has them
// (nil: all the same).
func Logistic(x [][]float64, y []bool, weights []float64) (Linear, error) {
	if len(x) == 0 {
		return Linear{}, ErrNothing
	}
	n := len(x[0]) + 1
	var count [2]float64
	of := func(k int) float64 {
		if weights == nil {
			return 1
		}
		return weights[k]
	}
	for k, t := range y {
		count[at(t)] += of(k)
	}
	if count[0] == 0 || count[1] == 0 {
		return Linear{}, ErrNothing
	}
	const ridge = 1e-2
	w := make([]float64, n)
	row := make([]float64, n)
	for range 50 {
		grad, hess := make([]float64, n), make([][]float64, n)
		for i := range hess {
			hess[i] = make([]float64, n)
			hess[i][i] = ridge
			grad[i] = -ridge * w[i]
		}
		for k, xs := range x {
			copy(row, xs)
			row[n-1] = 1
			s := 0.0
			for i := range row {
				s += w[i] * row[i]
			}
			p := 1 / (1 + math.Exp(-s))
			weight := of(k) / count[at(y[k])]
			for i := range row {
				grad[i] += weight * (float64(at(y[k])) - p) * row[i]
				for j := range row {
					hess[i][j] += weight * p * (1 - p) * row[i] * row[j]
				}
			}
		}
		step := solve(hess, grad)
		most := 0.0
		for i := range w {
			w[i] += step[i]
			most = max(most, math.Abs(step[i]))
		}
		if most < 1e-8 {
			break
		}
	}
	return Linear{Bias: w[n-1], Weights: w[:n-1]}, nil
}

func at(b bool) int {
	if b {
		return 1
	}
	return 0
}

// solve is x of a·x = b for a symmetric positive a, by Cholesky's way. It
// overwrites a.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i + 1 {
			s := a[i][j]
			for k := range j {
				s -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(s, 1e-12))
			} else {
				a[i][j] = s / a[j][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		s := b[i]
		for k := range i {
			s -= a[i][k] * x[k]
		}
		x[i] = s / a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < n; k++ {
			s -= a[k][i] * x[k]
		}
		x[i] = s / a[i][i]
	}
	return x
}
