package wordvectors

import (
	"math"
	"math/rand/v2"
	"sync"
)

// workers share the work of a step. What each computes does not depend on their number.
const workers = 2

// eachOf calls f with the numbers below n, each once.
func eachOf(n int, f func(i int)) {
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	group.Wait()
}

// batch is the pairs of a step. errors[i][j] is the derivative of the loss by the cosine of
// short i and long j.
type batch struct {
	pairs       []pair
	short, long []encoded
	errors      [][]float32
	first       []bool // by pair: it was found before the others
}

// learnBatch changes the table by a batch, and gives how many pairs were found first.
func (l *learner) learnBatch(pairs []pair, rate float32, random *rand.Rand) (found int) {
	n := len(pairs)
	b := batch{pairs: pairs, short: make([]encoded, n), long: make([]encoded, n), errors: make([][]float32, n), first: make([]bool, n)}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = random.Uint64()
	}
	eachOf(n, func(i int) {
		drop := map[int32]bool{}
		own := rand.New(rand.NewPCG(seeds[i], 2))
		for _, t := range pairs[i].short {
			if own.Float64() < shareDrop {
				drop[t] = true
			}
		}
		b.short[i], b.long[i] = l.encode(pairs[i].short, nil), l.encode(pairs[i].long, drop)
	})
	eachOf(n, b.compare)
	eachOf(n, func(j int) {
		sum := make([]float32, l.dims)
		for i := range n {
			addError(sum, b.short[i].unit, b.errors[i][j])
		}
		b.long[j].setGradient(sum)
	})
	l.update(b, rate)
	for _, first := range b.first {
		if first {
			found++
		}
	}
	return found
}

// leastError is the derivative below which a comparison is not worth its time.
const leastError = 1e-4 / temperature

func addError(sum, unit []float32, e float32) {
	if e > leastError || e < -leastError {
		addTimes(sum, unit, e)
	}
}

// compare compares a short text with all long ones, by a softmax over their cosines.
func (b *batch) compare(i int) {
	row := make([]float32, len(b.pairs))
	out := float32(math.Inf(-1))
	best := out
	for j := range row {
		row[j] = out
		if j == i || b.pairs[j].section != b.pairs[i].section {
			row[j] = dot(b.short[i].unit, b.long[j].unit) / temperature
			best = max(best, row[j])
		}
	}
	b.first[i] = row[i] == best
	sum := float32(0)
	for j, x := range row {
		row[j] = float32(math.Exp(float64(x - best)))
		sum += row[j]
	}
	gradient := make([]float32, len(b.short[i].unit))
	for j := range row {
		row[j] /= sum
		if j == i {
			row[j]--
		}
		row[j] /= temperature
		addError(gradient, b.long[j].unit, row[j])
	}
	b.errors[i] = row
	b.short[i].setGradient(gradient)
}

// update moves the rows of a batch's words, each word by one worker.
func (l *learner) update(b batch, rate float32) {
	eachOf(workers, func(worker int) {
		sums := map[int32][]float32{}
		var order []int32
		add := func(e encoded) {
			for k, t := range e.terms {
				if int(t)%workers != worker {
					continue
				}
				if sums[t] == nil {
					sums[t] = make([]float32, l.dims)
					order = append(order, t)
				}
				addTimes(sums[t], e.gradient, e.weights[k])
			}
		}
		for i := range b.pairs {
			add(b.short[i])
			add(b.long[i])
		}
		for _, t := range order {
			l.squares[t] += dot(sums[t], sums[t]) / float32(l.dims)
			addTimes(l.rows[t], sums[t], -rate/float32(math.Sqrt(float64(l.squares[t])+1e-8)))
		}
	})
}
