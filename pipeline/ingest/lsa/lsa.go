// Package lsa is latent semantic analysis. It learns from a corpus which words
// occur together, and maps texts to vectors. Texts on one subject get similar
// vectors, with or without a shared word.
//
// Source: Deerwester, Dumais, Furnas, Landauer and Harshman, "Indexing by Latent
// Semantic Analysis", JASIS 41(6), 1990. A corpus is a matrix of passages and
// terms; a term's weight in a passage is log2(1 + count) times the term's global
// weight, one less its entropy over the passages (Dumais, "Improving the
// retrieval of information from external sources", 1991: log-entropy); passages
// have length 1. Its greatest singular vectors, found as svd.go says, are the
// model. A text's vector is its weighted terms' rows of the right singular
// vectors added up ("folding in"), so that a passage that came after training,
// or a query, is treated exactly as those that were trained on. What a model
// does not know it leaves out; Drift says when too much is left out.
//
// The same corpus gives the same model to the last byte, on every machine and at
// any GOMAXPROCS, if its passages have the same numbers. Number them by path, not
// by their order in the index, which depends on its history. Sums are added in a
// fixed order, products are rounded before they are added (a conversion keeps the
// compiler from fusing the two), and logarithms are computed here.
//
// It refuses to split texts into terms, and to read or write files: a model is
// bytes.
package lsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"docent/store/parallel"
)

// ErrNothing means that a corpus has nothing to learn from: too few passages, or
// no two that share a term that not every other has as well. Do without a
// model; a nil one gives no vectors.
var ErrNothing = errors.New("the corpus is too small to learn from")

// ErrDamaged means that bytes are no model, or none that this program can read.
// The remedy is to train again.
var ErrDamaged = errors.New("the model is damaged")

const (
	minPassages = 10
	maxPassages = 1 << 24
	// defaultDims: fused with word search, 256 is better on scifact (.715 against
	// .708), worse on med (.705 against .727), cisi and cranfield, and costs twice
	// as much.
	defaultDims = 128
	// defaultMaxTerms keeps a model under 10 MB. The terms beyond it are the rarest ones,
	// which word search finds without a model.
	defaultMaxTerms = 1 << 16
	// defaultMaxPassages is some 3 600 pages. A model of an even eighth of the Kubernetes
	// documentation ranks its sets as well as one of all (k8s-links .822 and .816 by
	// page, .741 and .740 by section; scifact .713 and .714).
	defaultMaxPassages = 30_000
)

// Term is a term of a text and how often it is there. Counts may be fractions: a
// heading's word may count more than once.
type Term struct {
	Text  string
	Count float32
}

// Posting is a passage that has a term, and how often.
type Posting struct {
	Passage int
	Count   float32
}

// Matrix is a corpus, term by term, as an inverted index has it.
type Matrix interface {
	// Passages is their number; they are numbered from 0.
	Passages() int
	// Terms calls f with every term once, in any order, and its postings by
	// ascending passage, and stops at f's first error, which it returns. The
	// postings are the matrix's own again when f returns.
	Terms(ctx context.Context, f func(term string, postings []Posting) error) error
}

// Options of training. The zero value means the defaults.
type Options struct {
	Dims     int    // at most; fewer where the corpus is small
	MaxTerms int    // at most; the most frequent ones are kept
	Seed     uint64 // of the pseudo-random numbers
	// MaxPassages is how many passages are learned from. Of more an even sample is.
	MaxPassages int
}

// A count is kept as one byte, its logarithm in sixteenths: an entry of the
// matrix is then four bytes, which is what makes 100 000 passages fit in memory.
const levels = 16

// countLevel is 16 log2(1 + count), rounded, from 1 to 255.
func countLevel(count float64) uint8 {
	return uint8(min(255, max(1, math.Round(levels*logBase2(1+count)))))
}

func localWeight(level uint8) float64 { return float64(float64(level) / levels) }

// logBase2 is the logarithm, by a series of which every step is one that all machines
// take alike: math.Log2 differs in the last bit between some of them.
func logBase2(x float64) float64 { return naturalLog(x) / math.Ln2 }

// naturalLog is the natural logarithm of a positive number, good to some 1e-15: with
// x = m 2^e and m about 1, ln m = 2 atanh((m-1)/(m+1)).
func naturalLog(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	z := (m - 1) / (m + 1)
	zz := float64(z * z)
	sum := 0.0
	for n := 27; n >= 1; n -= 2 { // |z| < .18: the omitted terms are below 1e-21
		sum = float64(sum*zz) + 1/float64(n)
	}
	return float64(float64(e)*math.Ln2) + float64(2*z*sum)
}

func validCount(c float32) bool { return c > 0 && c <= math.MaxFloat32 }

// FoldText is a text's vector, of length 1; zeros where the model knows none of its
// terms. Terms may come in any order and more than once. A nil model gives nil.
func (m *Model) FoldText(terms []Term) []float32 {
	if m == nil {
		return nil
	}
	sum := make([]float64, m.dims)
	for _, t := range mergeTerms(terms) {
		if i := m.findTerm(t.Text); i >= 0 {
			m.addRow(sum, i, countLevel(t.count))
		}
	}
	return normalize(sum, make([]float32, m.dims))
}

type merged struct {
	Text  string
	count float64
}

// mergeTerms sorts terms and adds up those that come more than once, in an order that does not
// depend on theirs. Terms without a valid count are left out.
func mergeTerms(terms []Term) []merged {
	sorted := slices.SortedFunc(slices.Values(terms), func(a, b Term) int {
		if c := strings.Compare(a.Text, b.Text); c != 0 {
			return c
		}
		return int(math.Copysign(1, float64(a.Count)-float64(b.Count)))
	})
	out := make([]merged, 0, len(sorted))
	for _, t := range sorted {
		if !validCount(t.Count) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Text == t.Text {
			out[n-1].count += float64(t.Count)
			continue
		}
		out = append(out, merged{t.Text, float64(t.Count)})
	}
	return out
}

// addRow adds a term's row, times its weight.
func (m *Model) addRow(sum []float64, term int, level uint8) {
	w := float64(localWeight(level) * m.weightOfTerm(term) * m.rowScale(term))
	row := m.rowBytes(term)
	for i := range min(len(sum), len(row)) {
		sum[i] += float64(w * float64(int8(row[i])))
	}
}

// normalize is a sum brought to length 1, in out.
func normalize(sum []float64, out []float32) []float32 {
	squares := 0.0
	for _, x := range sum {
		squares += float64(x * x)
	}
	if squares == 0 {
		return out
	}
	length := math.Sqrt(squares)
	for i, x := range sum {
		out[i] = float32(x / length)
	}
	return out
}

// Passages are folded foldStretch between two handovers, and of more than foldPassages
// the matrix is read once for each foldPassages, so that memory has a bound.
const (
	foldStretch  = 4096
	foldPassages = 1 << 15
)

// FoldAll calls f with every passage of a corpus and its vector, ascending: the
// one that Fold gives it, to the last bit, but without looking up each term for
// each passage. The vector is f's only until it returns. A nil model gives none.
func (m *Model) FoldAll(ctx context.Context, corpus Matrix, f func(passage int, vector []float32) error) error {
	if m == nil {
		return nil
	}
	all, memory := corpus.Passages(), &foldMemory{}
	if all <= foldPassages {
		return m.foldAll(ctx, corpus, memory, f)
	}
	for first := 0; first < all; first += foldPassages {
		part := stretch{corpus, first, min(all, first+foldPassages)}
		err := m.foldAll(ctx, part, memory, func(passage int, v []float32) error { return f(first+passage, v) })
		if err != nil {
			return err
		}
	}
	return nil
}

// foldMemory serves one stretch of passages after the other.
type foldMemory struct {
	byTerm    slabs
	byPassage []entry
}

func (m *Model) foldAll(ctx context.Context, corpus Matrix, memory *foldMemory, f func(passage int, vector []float32) error) error {
	c, err := collectMatrix(ctx, corpus, &memory.byTerm, func(term string) bool { return m.findTerm(term) >= 0 }, 1)
	if err != nil {
		return err
	}
	for i := range c.terms {
		c.terms[i].number = m.findTerm(c.terms[i].text)
	}
	rows, err := c.byPassage(ctx, memory.byPassage)
	if err != nil {
		return err
	}
	memory.byPassage = rows.entries
	vectors := make([]float32, min(foldStretch, c.passages)*m.dims)
	for first := 0; first < c.passages; first += foldStretch {
		end := min(c.passages, first+foldStretch)
		err := parallel.Ranges(ctx, end-first, 64, func(a, b int) {
			sum := make([]float64, m.dims)
			for i := a; i < b; i++ {
				clear(sum)
				for _, e := range rows.entriesOf(first + i) {
					m.addRow(sum, e.number(), e.entryLevel())
				}
				v := vectors[i*m.dims : (i+1)*m.dims]
				clear(v)
				normalize(sum, v)
			}
		})
		if err != nil {
			return err
		}
		for i := first; i < end; i++ {
			if err := f(i, vectors[(i-first)*m.dims:(i-first+1)*m.dims]); err != nil {
				return fmt.Errorf("passage %d: %w", i, err)
			}
		}
	}
	return nil
}
