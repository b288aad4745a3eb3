package lsa

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"docent/store/parallel"
)

// The singular value decomposition.
//
// Halko, Martinsson and Tropp, "Finding structure with randomness: Probabilistic
// algorithms for constructing approximate matrix decompositions", SIAM Review
// 53(2), 2011: algorithm 4.4 (randomised subspace iteration) for the transpose of
// the matrix A of passages and terms, with oversampling 12 and two iterations.
// So X = (A^T A)^2 A^T W for a random W, orthonormalised after each iteration;
// then the eigenvectors of (AX)^T (AX) turn X into the right singular vectors.
//
// W is of +1 and -1 in place of normal numbers, which serves as well (section
// 4.6 there; Tropp and others, "Practical sketching algorithms for low-rank
// matrix approximation", 2017, section 3.9) and takes no logarithm.
//
// X is orthonormalised by the eigenvectors of X^T X (Stathopoulos and Wu, "A
// block orthogonalization procedure with constant synchronization requirements",
// 2002), which shows as well where the corpus has fewer dimensions than asked
// for: a corpus of equal passages has one. Cholesky's decomposition, which is
// faster, fails there.
const (
	oversample = 12
	iterations = 2
	// A direction of X that is shorter than this times the longest one is
	// rounding: X is of single precision.
	tiny = 1e-5
)

// svd is the matrix A = (passage lengths to 1) (levels) (term weights).
type svd struct {
	byTerm    *corpus
	byPassage passageEntries
	weight    []float32 // of each term
	inverse   []float32 // one over each passage's length
}

// timesTerms is A times x, in y.
func (s *svd) timesTerms(ctx context.Context, x, y *dense) error {
	return parallel.Ranges(ctx, y.rowCount(), 64, func(first, end int) {
		for p := first; p < end; p++ {
			out, n := y.rowOf(p), s.inverse[p]
			clear(out)
			e := s.byPassage.entriesOf(p)
			value := func(e entry) float32 { return float32(e.entryLevel()) / levels * s.weight[e.number()] * n }
			for ; len(e) >= 4; e = e[4:] {
				addRows(out, value(e[0]), value(e[1]), value(e[2]), value(e[3]),
					x.rowOf(e[0].number()), x.rowOf(e[1].number()), x.rowOf(e[2].number()), x.rowOf(e[3].number()))
			}
			for _, e := range e {
				addRow(out, value(e), x.rowOf(e.number()))
			}
		}
	})
}

// timesPassages is A's transpose times y, in x.
func (s *svd) timesPassages(ctx context.Context, y, x *dense) error {
	return parallel.Ranges(ctx, x.rowCount(), 16, func(first, end int) {
		for t := first; t < end; t++ {
			out, w := x.rowOf(t), s.weight[t]
			clear(out)
			e := s.byTerm.terms[t].entries
			value := func(e entry) float32 { return float32(e.entryLevel()) / levels * w * s.inverse[e.number()] }
			for ; len(e) >= 4; e = e[4:] {
				addRows(out, value(e[0]), value(e[1]), value(e[2]), value(e[3]),
					y.rowOf(e[0].number()), y.rowOf(e[1].number()), y.rowOf(e[2].number()), y.rowOf(e[3].number()))
			}
			for _, e := range e {
				addRow(out, value(e), y.rowOf(e.number()))
			}
		}
	})
}

// decompose gives at most dims right singular vectors, as the columns of a matrix
// with a row for each term, and their singular values, the greatest first.
func (s *svd) decompose(ctx context.Context, dims int, seed uint64) (*dense, []float64, error) {
	passages, terms := s.byTerm.passages, len(s.byTerm.terms)
	width := min(dims+oversample, passages, terms)
	x, y := newDense(terms, width), newDense(passages, width)
	err := parallel.Ranges(ctx, passages, 256, func(first, end int) {
		for p := first; p < end; p++ {
			fillWithSigns(y.rowOf(p), seed, p)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if err := s.timesPassages(ctx, y, x); err != nil {
		return nil, nil, err
	}
	for range iterations {
		if err := s.timesTerms(ctx, x, y); err != nil {
			return nil, nil, err
		}
		if err := s.timesPassages(ctx, y, x); err != nil {
			return nil, nil, err
		}
		if x, err = orthonormal(ctx, x); err != nil {
			return nil, nil, err
		}
		y = &dense{x.cols, y.data[:passages*x.cols]}
	}
	if err := s.timesTerms(ctx, x, y); err != nil {
		return nil, nil, err
	}
	g, err := y.gramMatrix(ctx)
	if err != nil {
		return nil, nil, err
	}
	squares, vectors := eigenvalues(g, y.cols)
	dims = min(dims, len(squares))
	for dims > 0 && !(squares[dims-1] > float64(tiny*tiny)*squares[0]) {
		dims--
	}
	if dims == 0 {
		return nil, nil, fmt.Errorf("no two passages have anything in common: %w", ErrNothing)
	}
	values := make([]float64, dims)
	for i := range values {
		values[i] = math.Sqrt(squares[i])
	}
	x, err = x.multiply(ctx, matrixOfColumns(vectors[:dims], nil))
	return x, values, err
}

// fillWithSigns fills a passage's row with +1 and -1.
func fillWithSigns(row []float32, seed uint64, passage int) {
	rng := rand.NewPCG(seed, uint64(passage))
	for part := range slices.Chunk(row, 64) {
		bits := rng.Uint64()
		for i := range part {
			part[i] = 1 - 2*float32(bits>>i&1)
		}
	}
}

// orthonormal brings x's columns to length 1 and right angles, and drops those
// that add nothing.
func orthonormal(ctx context.Context, x *dense) (*dense, error) {
	g, err := x.gramMatrix(ctx)
	if err != nil {
		return nil, err
	}
	squares, vectors := eigenvalues(g, x.cols)
	n := len(squares)
	for n > 0 && !(squares[n-1] > float64(tiny*tiny)*squares[0]) {
		n--
	}
	if n == 0 {
		return nil, fmt.Errorf("no two passages have anything in common: %w", ErrNothing)
	}
	return x.multiply(ctx, matrixOfColumns(vectors[:n], squares))
}

// matrixOfColumns makes a matrix of which these are the columns, each over the square
// root of its square where those are given.
func matrixOfColumns(vectors [][]float64, squares []float64) *dense {
	c := newDense(len(vectors[0]), len(vectors))
	for j, v := range vectors {
		length := 1.0
		if squares != nil {
			length = math.Sqrt(squares[j])
		}
		for i, x := range v {
			c.data[i*c.cols+j] = float32(x / length)
		}
	}
	return c
}
