package lsa

import "context"

// sample is a matrix of every n-th passage of another, evenly spread over it: passages
// are numbered by path, so that each part of the documentation has its share.
type sample struct {
	Matrix
	passages int // at most those of the matrix
}

// Passages is Matrix's.
func (s sample) Passages() int { return s.passages }

// Terms is Matrix's. Terms of no passage of the sample are left out.
func (s sample) Terms(ctx context.Context, f func(string, []Posting) error) error {
	all := s.Matrix.Passages()
	return selectTerms(ctx, s.Matrix, f, func(passage int) (int, bool) {
		n := passage * s.passages / all
		return n, (passage+1)*s.passages/all > n
	})
}

// stretch is a matrix of the passages of another from first to before end.
type stretch struct {
	Matrix
	first, end int
}

// Passages is Matrix's.
func (s stretch) Passages() int { return s.end - s.first }

// Terms is Matrix's. Terms of no passage of the stretch are left out.
func (s stretch) Terms(ctx context.Context, f func(string, []Posting) error) error {
	return selectTerms(ctx, s.Matrix, f, func(passage int) (int, bool) {
		return passage - s.first, passage >= s.first && passage < s.end
	})
}

// selectTerms gives the terms of the passages for which number is true, with the numbers it
// gives them. A passage out of range has none, which collect says of the matrix.
func selectTerms(ctx context.Context, m Matrix, f func(string, []Posting) error, number func(passage int) (int, bool)) error {
	var out []Posting
	return m.Terms(ctx, func(term string, postings []Posting) error {
		out = out[:0]
		for _, p := range postings {
			if n, ok := number(p.Passage); ok {
				out = append(out, Posting{Passage: n, Count: p.Count})
			}
		}
		if len(out) == 0 {
			return nil
		}
		return f(term, out)
	})
}
