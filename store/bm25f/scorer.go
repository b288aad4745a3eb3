package bm25f

import (
	"maps"
	"slices"
	"strings"

	"docent/store"
)

// Scorer scores passages for some queries. It is safe for concurrent use once
// all queries are added.
type Scorer struct {
	params   store.Params
	average  [store.NumFields]float64
	passages int

	queries []store.Query
	terms   []string       // distinct, of all queries, in the order in which they came
	place   map[string]int // of each term among terms
	idf     []float64      // by place
	weights [][]weight     // by place: the queries that have the term
	stages  []stage
}

// weight is a term's weight in one query.
type weight struct {
	query int
	value float64
}

// stage is store.Stage with places in terms' stead.
type stage struct {
	terms  []placed
	groups [][][]placed
	aside  bool
}

type placed struct {
	place  int
	weight float64
}

// New begins without queries, over the doc sets that have these statistics
// together.
func New(params store.Params, s store.Statistics) *Scorer {
	return &Scorer{params: params, average: s.AverageLengths(), passages: s.Passages, place: map[string]int{}}
}

// Distinct lists the terms of queries, sorted, each once: those whose
// frequencies Add needs.
func Distinct(queries ...store.Query) []string {
	seen := map[string]bool{}
	for _, q := range queries {
		for _, t := range q.Terms {
			seen[t.Term] = true
		}
		for _, g := range q.Groups {
			for _, alt := range g {
				for _, t := range alt.Terms {
					seen[t] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// TermStat is one term of the queries.
type TermStat struct {
	Term      string
	Weight    float64 // over the queries that were added with it
	Frequency int     // passages that have it
	IDF       float64
}

// Add adds queries. frequencies are those of Distinct's terms, over all doc sets.
//
// A term counts as often as a query says it: what a long question repeats is what
// it is about (nDCG@10 +.04 on cisi and cacm, nothing lost elsewhere).
func (s *Scorer) Add(queries []store.Query, frequencies []int) []TermStat {
	terms := Distinct(queries...)
	first := len(s.queries)
	s.queries = append(s.queries, queries...)
	for i, t := range terms {
		if _, ok := s.place[t]; !ok {
			s.place[t] = len(s.terms)
			s.terms = append(s.terms, t)
			s.idf = append(s.idf, IDF(s.passages, frequencies[i]))
			s.weights = append(s.weights, nil)
		}
	}
	for i, q := range queries {
		for _, t := range q.Terms {
			s.addWeight(s.place[t.Term], first+i, q.Weight*t.Weight)
		}
	}
	stats := make([]TermStat, len(terms))
	for i, t := range terms {
		at := s.place[t]
		stats[i] = TermStat{Term: t, Frequency: frequencies[i], IDF: s.idf[at]}
		for _, w := range s.weights[at] {
			if w.query >= first {
				stats[i].Weight += w.value
			}
		}
	}
	s.makeStage(terms, first, false)
	s.makeStage(terms, first, true)
	return stats
}

func (s *Scorer) addWeight(place, query int, value float64) {
	list := s.weights[place]
	if n := len(list); n > 0 && list[n-1].query == query {
		list[n-1].value += value
		return
	}
	s.weights[place] = append(list, weight{query, value})
}

// makeStage makes a stage of the added queries that are marked aside, or of the others.
func (s *Scorer) makeStage(terms []string, first int, aside bool) {
	st := stage{aside: aside}
	for _, t := range terms {
		at := s.place[t]
		sum := 0.0
		for _, w := range s.weights[at] {
			if w.query >= first && s.queries[w.query].Aside == aside {
				sum += w.value
			}
		}
		if sum != 0 {
			st.terms = append(st.terms, placed{at, sum * s.idf[at]})
		}
	}
	for _, q := range s.queries[first:] {
		if q.Aside != aside {
			continue
		}
		for _, g := range q.Groups {
			st.groups = append(st.groups, s.weightedFrequency(g, q.Weight))
		}
	}
	if len(st.terms)+len(st.groups) > 0 {
		s.stages = append(s.stages, st)
	}
}

func (s *Scorer) weightedFrequency(g store.Group, weight float64) [][]placed {
	out := make([][]placed, len(g))
	for i, alt := range g {
		for _, t := range alt.Terms {
			at := s.place[t]
			out[i] = append(out[i], placed{at, weight * alt.Weight * s.idf[at]})
		}
	}
	return out
}

// Terms lists the terms whose occurrences are a passage's evidence.
func (s *Scorer) Terms() []string { return s.terms }

// Ranking is the queries as an engine finds candidates by them.
func (s *Scorer) Ranking() *store.Ranking {
	name := func(list []placed) []store.WeightedTerm {
		out := make([]store.WeightedTerm, len(list))
		for i, p := range list {
			out[i] = store.WeightedTerm{Term: s.terms[p.place], Weight: p.weight}
		}
		return out
	}
	r := &store.Ranking{Params: s.params, Average: s.average, Stages: make([]store.Stage, len(s.stages))}
	for i, st := range s.stages {
		r.Stages[i].Terms = name(st.terms)
		for _, g := range st.groups {
			group := make(store.WeightedGroup, len(g))
			for k, alt := range g {
				group[k] = name(alt)
			}
			r.Stages[i].Groups = append(r.Stages[i].Groups, group)
		}
	}
	return r
}

// ScorePassage is a passage's score, and the part of it by queries with Aside. The
// occurrences are by term and field. The order of the additions is fixed, and the
// conversions keep a compiler from fusing a product with a sum, which not all
// processors do.
func (s *Scorer) ScorePassage(evidence []store.Occurrence) (score, aside float64) {
	var room [128]float64 // most questions have fewer terms
	saturated := room[:]
	if len(s.terms) > len(room) {
		saturated = make([]float64, len(s.terms))
	}
	for i := 0; i < len(evidence); {
		term, tf := evidence[i].Term, 0.0
		for ; i < len(evidence) && evidence[i].Term == term; i++ {
			tf += s.shareOf(evidence[i])
		}
		if tf > 0 {
			saturated[term] = Saturate(tf, s.params.K1)
		}
	}
	for _, st := range s.stages {
		for _, t := range st.terms {
			x := float64(t.weight * saturated[t.place])
			score += x
			if st.aside {
				aside += x
			}
		}
		for _, g := range st.groups {
			best := 0.0
			for _, alt := range g {
				sum := 0.0
				for _, t := range alt {
					sum += float64(t.weight * saturated[t.place])
				}
				best = max(best, sum)
			}
			score += best
			if st.aside {
				aside += best
			}
		}
	}
	return score, aside
}

func (s *Scorer) shareOf(o store.Occurrence) float64 {
	return FieldFrequency(&s.params, s.average[o.Field], o.Field, int(o.Frequency), int(o.Length))
}

// match is what a passage has of one term.
type match struct {
	fields    [store.NumFields]float64 // each field's share
	frequency float64                  // the sum of them
	saturated float64
}

// matchEvidence reads a passage's occurrences, by the terms' places.
func (s *Scorer) matchEvidence(evidence []store.Occurrence) []match {
	out := make([]match, len(s.terms))
	for _, o := range evidence {
		m, share := &out[o.Term], s.shareOf(o)
		m.fields[o.Field] = share
		m.frequency += share
	}
	for i := range out {
		if m := &out[i]; m.frequency > 0 {
			m.saturated = Saturate(m.frequency, s.params.K1)
		}
	}
	return out
}

// Explain takes a passage's score apart.
func (s *Scorer) Explain(evidence []store.Occurrence) []store.Part {
	matches := s.matchEvidence(evidence)
	var out []store.Part
	add := func(query, place int, weight float64) {
		m := &matches[place]
		if m.frequency == 0 || weight == 0 {
			return
		}
		for f, share := range m.fields {
			if share != 0 {
				out = append(out, store.Part{Query: query, Field: store.Field(f), Term: s.terms[place],
					Value: weight * (s.idf[place] * m.saturated) * share / m.frequency})
			}
		}
	}
	order := make([]int, len(s.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(s.terms[a], s.terms[b]) })
	for _, place := range order {
		for _, w := range s.weights[place] {
			add(w.query, place, w.value)
		}
	}
	for qi, q := range s.queries {
		for _, g := range q.Groups {
			if alt, ok := s.bestAlternative(g, q.Weight, matches); ok {
				for _, t := range alt.Terms {
					add(qi, s.place[t], q.Weight*alt.Weight)
				}
			}
		}
	}
	return out
}

// bestAlternative is the alternative that a passage gets the score of, if it has any.
func (s *Scorer) bestAlternative(g store.Group, weight float64, matches []match) (alt store.Alternative, ok bool) {
	best := 0.0
	for _, a := range g {
		sum := 0.0
		for _, t := range a.Terms {
			at := s.place[t]
			sum += weight * a.Weight * (s.idf[at] * matches[at].saturated)
		}
		if sum > best {
			best, alt, ok = sum, a, true
		}
	}
	return alt, ok
}
