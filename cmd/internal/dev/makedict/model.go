package main

import "math"

// rounds is how often expectation maximization goes over the beads.
const rounds = 6

// nullPrior is the probability that a word has no word in the other language.
const nullPrior = .08

// model has the probabilities of words of one language given one of the other: IBM
// Model 1 (Brown et al. 1993, section 4.1) with a preference for the same place in both
// texts (Dyer, Chahuneau and Smith, "A Simple, Fast, and Effective Reparameterization of
// IBM Model 2", 2013). It has one number for each pair that occurs in a bead.
type model struct {
	pairs   map[uint64]int32
	given   []int32   // of each pair
	p, seen []float64 // probability, and how often the pair is expected
	steep   float64   // how much the place counts
	priors  map[[3]int][]float64
}

func pairKey(given, word int) uint64 { return uint64(given)<<32 | uint64(word) }

// trainModel learns the probabilities of words given others. sides gives both of a bead.
func trainModel(beads []bead, steep float64, sides func(bead) (words, given []int)) *model {
	m := &model{pairs: map[uint64]int32{}, steep: steep, priors: map[[3]int][]float64{}}
	var links []int32 // of all beads: for each word the null word and all others
	most := 0
	for _, b := range beads {
		ws, gs := sides(b)
		for _, w := range ws {
			links = append(links, m.link(0, w))
			for _, g := range gs {
				links = append(links, m.link(g, w))
				most = max(most, g)
			}
		}
	}
	m.p, m.seen = make([]float64, len(m.given)), make([]float64, len(m.given))
	for i := range m.p {
		m.p[i] = 1
	}
	total := make([]float64, most+1)
	for range rounds {
		clear(m.seen)
		clear(total)
		at := 0
		for _, b := range beads {
			ws, gs := sides(b)
			for i := range ws {
				at += m.expect(links[at:at+len(gs)+1], i, len(ws))
			}
		}
		for i, n := range m.seen {
			total[m.given[i]] += n
		}
		for i, n := range m.seen {
			m.p[i] = max(n/max(total[m.given[i]], 1e-300), 1e-9)
		}
	}
	return m
}

func (m *model) link(given, word int) int32 {
	key := pairKey(given, word)
	i, ok := m.pairs[key]
	if !ok {
		i = int32(len(m.given))
		m.pairs[key], m.given = i, append(m.given, int32(given))
	}
	return i
}

// expect counts word i of n among the pairs with the null word and with each other word.
func (m *model) expect(links []int32, i, n int) int {
	var weights [maxBead + 1]float64
	places := m.places(i, n, len(links)-1)
	sum := 0.0
	for k, l := range links {
		weights[k] = m.p[l] * places[k]
		sum += weights[k]
	}
	for k, l := range links {
		m.seen[l] += weights[k] / sum
	}
	return len(links)
}

// places gives the priors of the word at i of n being aligned with the null word and with
// each of l other words.
func (m *model) places(i, n, l int) []float64 {
	key := [3]int{i, n, l}
	if out := m.priors[key]; out != nil {
		return out
	}
	out := make([]float64, l+1)
	sum := 0.0
	for k := range l {
		out[k+1] = math.Exp(-m.steep * math.Abs((float64(i)+.5)/float64(n)-(float64(k)+.5)/float64(l)))
		sum += out[k+1]
	}
	for k := range l {
		out[k+1] *= (1 - nullPrior) / sum
	}
	out[0] = nullPrior
	m.priors[key] = out
	return out
}

// prob gives the probability of a word given another, and how often the pair is expected.
func (m *model) prob(word, given int) (p, seen float64) {
	i, ok := m.pairs[pairKey(given, word)]
	if !ok {
		return 0, 0
	}
	return m.p[i], m.seen[i]
}

// align gives for each word the place of the likeliest other word, -1 for the null word.
func (m *model) align(words, given []int) []int {
	out := make([]int, len(words))
	for i, w := range words {
		places := m.places(i, len(words), len(given))
		p, _ := m.prob(w, 0)
		best, at := p*places[0], -1
		for k, g := range given {
			p, _ := m.prob(w, g)
			if p *= places[k+1]; p > best {
				best, at = p, k
			}
		}
		out[i] = at
	}
	return out
}
