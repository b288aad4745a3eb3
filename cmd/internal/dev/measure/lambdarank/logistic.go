package lambdarank

import "math"

// ridge is the penalty on the square of a weight, in standard deviations of its feature: the unit
// of a feature does not change the model.
const ridge = 1e-2

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
	penalty := penalties(x, n)
	w := make([]float64, n)
	row := make([]float64, n)
	for range 50 {
		grad, hess := make([]float64, n), make([][]float64, n)
		for i := range hess {
			hess[i] = make([]float64, n)
			hess[i][i] = penalty[i]
			grad[i] = -penalty[i] * w[i]
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

// penalties are the ridge times the variance of each column of x. The last of n is that of the
// bias: next to nothing, for the system to have a solution where a column does not vary.
func penalties(x [][]float64, n int) []float64 {
	const least = 1e-9
	out := make([]float64, n)
	out[n-1] = least
	for i := range n - 1 {
		var sum, squares float64
		for _, row := range x {
			sum += row[i]
			squares += row[i] * row[i]
		}
		mean := sum / float64(len(x))
		out[i] = ridge*max(0, squares/float64(len(x))-mean*mean) + least
	}
	return out
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
