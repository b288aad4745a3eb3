package lsa

import (
	"context"
	"math"

	"docent/store/parallel"
)

// dense is a matrix of single precision, row after row.
type dense struct {
	cols int
	data []float32
}

func newDense(rows, cols int) *dense { return &dense{cols, make([]float32, rows*cols)} }

func (d *dense) rowCount() int { return len(d.data) / max(1, d.cols) }

func (d *dense) rowOf(i int) []float32 { return d.data[i*d.cols : (i+1)*d.cols : (i+1)*d.cols] }

// The innermost loops are not watched by the race detector, with which they would take
// most of the time of every test that makes a home. What calls them is: it clears or
// copies the very rows that they write.

// addRows is y + a0 x0 + a1 x1 + a2 x2 + a3 x3, added in that order. Four rows at
// once, because y is then loaded and stored once for four products; twice as
// fast as one by one. The conversions forbid fusing, see the package comment.
//
//go:norace
func addRows(y []float32, a0, a1, a2, a3 float32, x0, x1, x2, x3 []float32) {
	n := len(y)
	if len(x0) < n || len(x1) < n || len(x2) < n || len(x3) < n {
		return // never; it tells the compiler that no bounds need checks
	}
	for i := range y {
		s := y[i] + float32(a0*x0[i])
		s += float32(a1 * x1[i])
		s += float32(a2 * x2[i])
		s += float32(a3 * x3[i])
		y[i] = s
	}
}

//go:norace
func addRow(y []float32, a float32, x []float32) {
	if len(x) < len(y) {
		return // never, as above
	}
	for i := range y {
		y[i] += float32(a * x[i])
	}
}

// addRows64 is addRows in double precision.
//
//go:norace
func addRows64(y []float64, a0, a1, a2, a3 float64, x0, x1, x2, x3 []float64) {
	n := len(y)
	if len(x0) < n || len(x1) < n || len(x2) < n || len(x3) < n {
		return // never, as above
	}
	for i := range y {
		s := y[i] + float64(a0*x0[i])
		s += float64(a1 * x1[i])
		s += float64(a2 * x2[i])
		s += float64(a3 * x3[i])
		y[i] = s
	}
}

// gramShards is into how many parts the rows are split for gram. It is fixed: the parts'
// sums are added in their order, whichever goroutine computed them.
const gramShards = 16

// gramMatrix is d's transpose times d, in double precision, because its small
// eigenvalues are what training stands or falls with.
func (d *dense) gramMatrix(ctx context.Context) ([]float64, error) {
	n := d.cols
	parts := make([][]float64, gramShards)
	err := parallel.Ranges(ctx, gramShards, 1, func(s, _ int) {
		g := make([]float64, n*n)
		parts[s] = g
		first, end := d.rowCount()*s/gramShards, d.rowCount()*(s+1)/gramShards
		var b [4][]float64
		for i := range b {
			b[i] = make([]float64, n)
		}
		for r := first; r < end; r += 4 {
			if ctx.Err() != nil {
				return
			}
			for k := range b {
				clear(b[k])
				if r+k < end {
					for i, x := range d.rowOf(r + k) {
						b[k][i] = float64(x)
					}
				}
			}
			for i := range n {
				addRows64(g[i*n+i:(i+1)*n], b[0][i], b[1][i], b[2][i], b[3][i], b[0][i:], b[1][i:], b[2][i:], b[3][i:])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	g := parts[0]
	for _, p := range parts[1:] {
		for i, x := range p {
			g[i] += x
		}
	}
	for i := range n {
		for j := range i {
			g[i*n+j] = g[j*n+i]
		}
	}
	return g, nil
}

// multiply is d times c (d.cols by c.cols, no more columns than d), in d's place.
func (d *dense) multiply(ctx context.Context, c *dense) (*dense, error) {
	out := &dense{c.cols, d.data[:d.rowCount()*c.cols]}
	if c.cols == d.cols {
		return out, parallel.Ranges(ctx, d.rowCount(), 256, func(first, end int) {
			y := make([]float32, c.cols)
			for r := first; r < end; r++ {
				c.combine(d.rowOf(r), y)
				copy(out.rowOf(r), y)
			}
		})
	}
	// Rows move forward: one after the other. Only corpora of few dimensions
	// come here.
	y := make([]float32, c.cols)
	for r := range d.rowCount() {
		if r%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.combine(d.rowOf(r), y)
		copy(out.rowOf(r), y)
	}
	return out, nil
}

// combine is x times c, in y.
func (c *dense) combine(x, y []float32) {
	clear(y)
	i := 0
	for ; i+4 <= len(x); i += 4 {
		addRows(y, x[i], x[i+1], x[i+2], x[i+3], c.rowOf(i), c.rowOf(i+1), c.rowOf(i+2), c.rowOf(i+3))
	}
	for ; i < len(x); i++ {
		addRow(y, x[i], c.rowOf(i))
	}
}

// eigenvalues gives the eigenvalues of a symmetric matrix that has none below zero, the
// greatest first, and its eigenvectors as rows. a is spoilt.
//
// It is the one-sided method of Jacobi (Hestenes, "Inversion of matrices by
// biorthogonalization", 1958; Golub and Van Loan, Matrix Computations, section
// 8.6.3): rows are rotated in pairs until all stand at right angles; the product
// of the rotations has the eigenvectors. For 140 rows it takes 20 ms, several times
// what tridiagonalisation would; it is forty lines, goes the same way on every
// machine, and is exact for small eigenvalues too.
func eigenvalues(a []float64, n int) (values []float64, vectors [][]float64) {
	rows, vectors := make([][]float64, n), make([][]float64, n)
	for i := range n {
		rows[i] = a[i*n : (i+1)*n]
		vectors[i] = make([]float64, n)
		vectors[i][i] = 1
	}
	values = make([]float64, n)
	for sweep, turned := 0, true; turned && sweep < 40; sweep++ {
		turned = false
		for i := range values {
			values[i] = dotProduct(rows[i], rows[i])
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				// The greater row first, so that they end up sorted.
				if values[p] < values[q] {
					rows[p], rows[q] = rows[q], rows[p]
					vectors[p], vectors[q] = vectors[q], vectors[p]
					values[p], values[q] = values[q], values[p]
				}
				if values[q] <= 1e-30*values[0] { // nothing but rounding
					continue
				}
				x := dotProduct(rows[p], rows[q])
				if math.Abs(x) <= 1e-13*math.Sqrt(values[p])*math.Sqrt(values[q]) {
					continue
				}
				turned = true
				theta := (values[q] - values[p]) / (2 * x)
				t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(1+float64(theta*theta))), theta)
				c := 1 / math.Sqrt(1+float64(t*t))
				s := c * t
				rotateColumns(rows[p], rows[q], c, s)
				rotateColumns(vectors[p], vectors[q], c, s)
				values[p] -= float64(t * x)
				values[q] += float64(t * x)
			}
		}
	}
	for i := range values {
		values[i] = math.Sqrt(dotProduct(rows[i], rows[i]))
	}
	return values, vectors
}

//go:norace
func dotProduct(a, b []float64) float64 {
	var s, t float64
	n := len(a) &^ 1
	if len(b) < len(a) {
		return 0 // never; it tells the compiler that no bounds need checks
	}
	for i := 0; i+1 < n+1 && i+1 < len(a) && i+1 < len(b); i += 2 {
		s += float64(a[i] * b[i])
		t += float64(a[i+1] * b[i+1])
	}
	if n < len(a) {
		s += float64(a[n] * b[n])
	}
	return s + t
}

//go:norace
func rotateColumns(x, y []float64, c, s float64) {
	if len(y) < len(x) {
		return // never, as above
	}
	for i := range x {
		a, b := x[i], y[i]
		x[i] = float64(c*a) - float64(s*b)
		y[i] = float64(s*a) + float64(c*b)
	}
}
