// Package wordvectors learns vectors of words from documentation: words that stand for each
// other in headings and the texts under them become neighbours. A text's vector is the sum
// of its words' vectors, brought to length 1.
//
// The vectors are a dual encoder of one table (Reimers and Gurevych, "Sentence-BERT", 2019,
// without a network; Henderson et al., "Efficient Natural Language Response Suggestion for
// Smart Reply", 2017, for the loss: of the texts of a batch a heading must find its own).
// Half of a batch is of one repository, so that not the subject alone decides. Most of the
// words that both texts have are dropped from the longer one: word search finds those.
// Steps are AdaGrad's, one rate for a word.
//
// The same sections give the same vectors on one machine at any GOMAXPROCS. It refuses to
// read questions: they measure the vectors.
package wordvectors

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Options of the learning. The zero value means the defaults.
type Options struct {
	Dims   int     // 0: 128
	Epochs int     // 0: 4
	Batch  int     // pairs compared with each other; 0: 256
	Rate   float64 // of the first steps; 0: 0.05
	Seed   uint64
	// Report is called after some hundred steps with the share of pairs that were found
	// first in their batch; nil: nothing is reported.
	Report func(epoch, step, steps int, first float64)
}

const (
	temperature = 0.05 // of the softmax over cosines
	shareDrop   = 0.7  // of the words that both texts of a pair have
	firstLength = 0.02 // of a vector before learning, times the word's idf
	rateFall    = 0.9  // how much of the rate is gone at the end
	reportSteps = 500
)

func (o Options) withDefaults() Options {
	if o.Dims == 0 {
		o.Dims = 128
	}
	if o.Epochs == 0 {
		o.Epochs = 4
	}
	if o.Batch == 0 {
		o.Batch = 256
	}
	if o.Rate == 0 {
		o.Rate = 0.05
	}
	return o
}

// Vectors are the words, the most frequent first, each with a row.
type Vectors struct {
	Dims  int
	Terms []string
	Rows  [][]float32
}

// Learn learns from the sections of repositories.
func Learn(ctx context.Context, repositories [][]Section, o Options) (Vectors, error) {
	o = o.withDefaults()
	words := newVocabulary(repositories)
	pairs := words.pairsOf(repositories)
	random := rand.New(rand.NewPCG(o.Seed, 1))
	l := learner{dims: o.Dims, rows: make([][]float32, len(words.terms)), squares: make([]float32, len(words.terms))}
	for i := range l.rows {
		l.rows[i] = make([]float32, o.Dims)
		for k := range l.rows[i] {
			l.rows[i][k] = float32(random.NormFloat64() * words.idf[i] * firstLength)
		}
	}
	for epoch := range o.Epochs {
		chunks := chunksOf(pairs, o.Batch/2, random)
		found, asked := 0, 0
		for at := 0; at+1 < len(chunks); at += 2 {
			if err := ctx.Err(); err != nil {
				return Vectors{}, err
			}
			batch := slices.Concat(chunks[at], chunks[at+1])
			done := (float64(epoch) + float64(at)/float64(len(chunks))) / float64(o.Epochs)
			found += l.learnBatch(batch, float32(o.Rate*(1-rateFall*done)), random)
			asked += len(batch)
			if o.Report != nil && at/2%reportSteps == reportSteps-1 {
				o.Report(epoch, at/2, len(chunks)/2, float64(found)/float64(asked))
				found, asked = 0, 0
			}
		}
	}
	return Vectors{Dims: o.Dims, Terms: words.terms, Rows: l.rows}, nil
}

// chunksOf divides the pairs into runs of one repository each, in another order each time.
func chunksOf(repositories [][]pair, size int, random *rand.Rand) [][]pair {
	const least = 16 // a run of fewer pairs is too easy
	var out [][]pair
	for _, pairs := range repositories {
		pairs = slices.Clone(pairs)
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		for chunk := range slices.Chunk(pairs, size) {
			if len(chunk) == size || len(chunk) >= least && len(pairs) < size {
				out = append(out, chunk)
			}
		}
	}
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// learner is the table while it is learned.
type learner struct {
	dims    int
	rows    [][]float32
	squares []float32 // of each word's gradients, added up
}

// encoded is one text of a batch.
type encoded struct {
	terms    []int32   // distinct
	weights  []float32 // the square root of how often each stands in the text
	unit     []float32 // its vector, of length 1
	length   float32   // before that
	gradient []float32 // of the loss, by the vector before it was brought to length 1
}

// encode gives a text's vector. Terms of drop are left out.
func (l *learner) encode(terms []int32, drop map[int32]bool) encoded {
	var e encoded
	counts := map[int32]int{}
	for _, t := range terms {
		if drop[t] {
			continue
		}
		if counts[t] == 0 {
			e.terms = append(e.terms, t)
		}
		counts[t]++
	}
	e.unit = make([]float32, l.dims)
	for _, t := range e.terms {
		w := float32(math.Sqrt(float64(counts[t])))
		e.weights = append(e.weights, w)
		addTimes(e.unit, l.rows[t], w)
	}
	e.length = float32(math.Sqrt(float64(dot(e.unit, e.unit)))) + 1e-6
	for k := range e.unit {
		e.unit[k] /= e.length
	}
	return e
}

// setGradient takes a gradient by the unit vector back to the vector before it.
func (e *encoded) setGradient(byUnit []float32) {
	along := dot(byUnit, e.unit)
	e.gradient = make([]float32, len(byUnit))
	for k := range byUnit {
		e.gradient[k] = (byUnit[k] - along*e.unit[k]) / e.length
	}
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s [4]float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s[0] += a[i] * b[i]
		s[1] += a[i+1] * b[i+1]
		s[2] += a[i+2] * b[i+2]
		s[3] += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s[0] += a[i] * b[i]
	}
	return s[0] + s[1] + s[2] + s[3]
}

// addTimes adds w times b to a.
func addTimes(a, b []float32, w float32) {
	b = b[:len(a)]
	for i := range a {
		a[i] += w * b[i]
	}
}
