package lexical

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"docent/store/parallel"
)

// Asked is the scores of some queries so far. One may Add queries and look at
// the Hits again; it is not safe for concurrent use.
type Asked struct {
	// Stats of the queries that it was begun with.
	Stats Stats

	s        Searcher
	avg      [NumFields]float64
	passages int
	scores   [][]float64 // by reader and scorch's document number
	aside    [][]float64
	group    []groupScores
}

// groupScores is room for the scores of one group in one reader: all 0 between
// groups, and touched empty.
type groupScores struct {
	best, sum     []float64
	touched, some []uint64
}

// termBatch is how many terms' postings are read at a time, so that a question of
// thousands of words does not have all of them in memory.
const termBatch = 64

// Search gives the best passages, best first, at least limit of them where so
// many match: all that tie with the last one are given too, so that the caller
// can break ties by what it knows of them. OR semantics: one term is enough.
func (s Searcher) Search(ctx context.Context, queries []Query, limit int) ([]Hit, Stats, error) {
	a, err := s.Ask(ctx, queries)
	if err != nil {
		return nil, Stats{}, err
	}
	hits, matched, err := a.Hits(limit, nil)
	a.Stats.Matched = matched
	return hits, a.Stats, err
}

// Ask scores the passages that have any of the queries' terms.
func (s Searcher) Ask(ctx context.Context, queries []Query) (*Asked, error) {
	a := &Asked{s: s, scores: make([][]float64, len(s.Readers)), aside: make([][]float64, len(s.Readers)), group: make([]groupScores, len(s.Readers))}
	a.avg, a.passages = s.average()
	a.Stats.Passages = a.passages
	for _, r := range s.Readers {
		a.Stats.Documents += r.m.Documents
	}
	var err error
	a.Stats.Terms, err = a.add(ctx, queries)
	return a, err
}

// Add adds the scores of further queries.
func (a *Asked) Add(ctx context.Context, queries ...Query) error {
	_, err := a.add(ctx, queries)
	return err
}

func (a *Asked) add(ctx context.Context, queries []Query) ([]TermStat, error) {
	terms, weights := queryTerms(queries)
	stats := make([]TermStat, 0, len(terms))
	for batch := range slices.Chunk(terms, termBatch) {
		lists, err := a.read(ctx, batch)
		if err != nil {
			return nil, err
		}
		for i, t := range batch {
			w, wAside := 0.0, 0.0
			for k, x := range weights[t] {
				w += x
				if queries[k].Aside {
					wAside += x
				}
			}
			df := 0
			for _, l := range lists[i] {
				df += len(l)
			}
			id := idf(a.passages, df)
			stats = append(stats, TermStat{Term: t, Weight: w, DF: df, IDF: id})
			for k, list := range lists[i] {
				if len(list) == 0 {
					continue
				}
				a.score(a.scores, k, list, w*id)
				if wAside != 0 {
					a.score(a.aside, k, list, wAside*id)
				}
			}
		}
	}
	rarity := make(map[string]float64, len(stats))
	for _, t := range stats {
		rarity[t.Term] = t.IDF
	}
	for _, q := range queries {
		for _, g := range q.Groups {
			if err := a.addGroup(ctx, g, q.Weight, rarity); err != nil {
				return nil, err
			}
		}
	}
	return stats, nil
}

// read reads the postings of some terms, by term and reader.
func (a *Asked) read(ctx context.Context, terms []string) ([][][]posting, error) {
	n := len(a.s.Readers)
	lists := make([][][]posting, len(terms))
	for i := range lists {
		lists[i] = make([][]posting, n)
	}
	errs := make([]error, len(terms)*n)
	parallel.Do(len(errs), func(mine iter.Seq[int]) {
		for i := range mine {
			if errs[i] = ctx.Err(); errs[i] == nil {
				lists[i/n][i%n], errs[i] = a.s.Readers[i%n].list(ctx, terms[i/n], a.s.Params, a.avg)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// score adds one term's scores in one reader.
func (a *Asked) score(scores [][]float64, reader int, list []posting, weight float64) {
	to := a.room(scores, reader, list)
	if weight == 0 {
		return // it is a group's
	}
	k1 := a.s.Params.K1
	for _, p := range list {
		to[p.num] += weight * saturate(p.tf, k1)
	}
}

// room makes room for a list's passages.
func (a *Asked) room(scores [][]float64, reader int, list []posting) []float64 {
	if n := int(list[len(list)-1].num) + 1; n > len(scores[reader]) {
		grown := make([]float64, max(n, a.s.Readers[reader].m.Passages))
		copy(grown, scores[reader])
		scores[reader] = grown
	}
	return scores[reader]
}

// addGroup adds a group's scores: in each passage, that of its best alternative.
func (a *Asked) addGroup(ctx context.Context, g Group, weight float64, rarity map[string]float64) error {
	k1 := a.s.Params.K1
	for i, r := range a.s.Readers {
		n := len(a.scores[i]) // there is room for all terms of all groups
		x := &a.group[i]
		if len(x.best) < n {
			x.best, x.sum = make([]float64, n), make([]float64, n)
		}
		for _, alt := range g {
			for _, t := range alt.Terms {
				list, err := r.list(ctx, t, a.s.Params, a.avg)
				if err != nil {
					return err
				}
				w := weight * alt.Weight * rarity[t]
				for _, p := range list {
					if x.sum[p.num] == 0 {
						x.some = append(x.some, p.num)
					}
					x.sum[p.num] += w * saturate(p.tf, k1)
					if s := x.sum[p.num]; s > x.best[p.num] {
						if x.best[p.num] == 0 {
							x.touched = append(x.touched, p.num)
						}
						x.best[p.num] = s
					}
				}
			}
			for _, num := range x.some {
				x.sum[num] = 0
			}
			x.some = x.some[:0]
		}
		for _, num := range x.touched {
			a.scores[i][num] += x.best[num]
			x.best[num] = 0
		}
		x.touched = x.touched[:0]
	}
	return nil
}

// Hits gives the best passages so far, as Search does, and how many have any
// score. Those of also, by reader, are given with their scores wherever they
// stand, those without any of the terms too.
func (a *Asked) Hits(limit int, also []map[Key]bool) (hits []Hit, matched int, err error) {
	matched, least := floor(a.scores, limit)
	for i, list := range a.scores {
		for num, score := range list {
			if score > 0 && score >= least {
				hits = append(hits, a.hit(i, uint64(num)))
			}
		}
	}
	for i := range hits {
		h := &hits[i]
		if h.Doc, h.Chunk, h.Part, err = a.s.Readers[h.Reader].externalID(h.num); err != nil {
			return nil, 0, err
		}
	}
	more, err := a.missing(also, hits)
	if err != nil {
		return nil, 0, err
	}
	hits = append(hits, more...)
	slices.SortFunc(hits, func(a, b Hit) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Reader, b.Reader), cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.Part, b.Part))
	})
	return hits, matched, nil
}

func (a *Asked) hit(reader int, num uint64) Hit {
	h := Hit{Reader: reader, num: num}
	if num < uint64(len(a.scores[reader])) {
		h.Score = a.scores[reader][num]
	}
	if num < uint64(len(a.aside[reader])) {
		h.Aside = a.aside[reader][num]
	}
	return h
}

// missing gives the passages of also that are not among the hits.
func (a *Asked) missing(also []map[Key]bool, have []Hit) ([]Hit, error) {
	var out []Hit
	for i, keys := range also {
		missing := maps.Clone(keys)
		for _, h := range have {
			if h.Reader == i {
				delete(missing, Key{h.Doc, h.Chunk, h.Part})
			}
		}
		for k := range missing {
			num, ok, err := a.s.Readers[i].number(k)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue // of another generation
			}
			h := a.hit(i, num)
			h.Doc, h.Chunk, h.Part = k.Doc, k.Chunk, k.Part
			out = append(out, h)
		}
	}
	return out, nil
}

// floor counts the scores above 0 and gives the one at limit from the top: all
// that tie with it are wanted too. It is 0 where there are no more than that.
func floor(scores [][]float64, limit int) (matched int, least float64) {
	top := make([]float64, 0, max(0, limit)) // a heap, the least first
	for _, list := range scores {
		for _, x := range list {
			if x <= 0 {
				continue
			}
			matched++
			switch {
			case limit <= 0:
			case len(top) < limit:
				top = append(top, x)
				for i := len(top) - 1; i > 0 && top[(i-1)/2] > top[i]; i = (i - 1) / 2 {
					top[(i-1)/2], top[i] = top[i], top[(i-1)/2]
				}
			case x > top[0]:
				top[0] = x
				for i := 0; ; {
					c := 2*i + 1
					if c+1 < len(top) && top[c+1] < top[c] {
						c++
					}
					if c >= len(top) || top[i] <= top[c] {
						break
					}
					top[i], top[c] = top[c], top[i]
					i = c
				}
			}
		}
	}
	if limit <= 0 || matched <= limit {
		return matched, 0
	}
	return matched, top[0]
}
