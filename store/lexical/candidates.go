package lexical

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"docent/store"
)

// room is what one search for candidates works in, by scorch's numbers of
// passages. All of it is 0 and touched empty between searches.
type room struct {
	scores, best []float64
	touched      []uint32
}

func (r *Reader) newRoom() *room { return &room{scores: make([]float64, r.size)} }

// Candidates gives the limit best passages, and all that tie with the last of
// them. Bounds are the exact scores: values are added in the order of package
// bm25f.
func (r *Reader) Candidates(ctx context.Context, rk *store.Ranking, limit int) ([]store.Candidate, error) {
	if r.rd == nil {
		return nil, ctx.Err()
	}
	x := r.rooms.Get(r.newRoom)
	defer func() {
		clear(x.scores)
		r.rooms.Put(x)
	}()
	c := constants{rk.Params, rk.Average}
	for _, st := range rk.Stages {
		if err := r.addStage(ctx, x, st, c); err != nil {
			return nil, err
		}
	}
	least := threshold(x.scores, limit)
	var nums []uint32
	var bounds []float64
	for num, score := range x.scores {
		if score > 0 && score >= least {
			nums, bounds = append(nums, uint32(num)), append(bounds, score)
		}
	}
	keys, err := r.keysOf(nums)
	if err != nil {
		return nil, err
	}
	out := make([]store.Candidate, len(keys))
	for i, k := range keys {
		out[i] = store.Candidate{Key: k, Bound: bounds[i]}
	}
	return out, nil
}

// addStage adds the scores of one stage: its terms, then its groups.
func (r *Reader) addStage(ctx context.Context, x *room, st store.Stage, c constants) error {
	names := make([]string, 0, min(termBatch, len(st.Terms)))
	for batch := range slices.Chunk(st.Terms, termBatch) {
		names = names[:0]
		for _, t := range batch {
			names = append(names, t.Term)
		}
		lists, err := r.readLists(ctx, names)
		if err != nil {
			return err
		}
		for i, l := range lists {
			weight, of := batch[i].Weight, l.saturated(c)
			for _, p := range l.postings {
				x.scores[p.num] += float64(weight * of[p.pattern])
			}
		}
	}
	for _, g := range st.Groups {
		if err := r.addGroup(ctx, x, g, c); err != nil {
			return err
		}
	}
	return nil
}

// addGroup adds a group's scores: in each passage, that of its best alternative.
func (r *Reader) addGroup(ctx context.Context, x *room, g store.WeightedGroup, c constants) error {
	if x.best == nil {
		x.best, x.touched = make([]float64, r.size), make([]uint32, 0, r.size)
	}
	for _, alt := range g {
		names := make([]string, len(alt))
		for i, t := range alt {
			names[i] = t.Term
		}
		lists, err := r.readLists(ctx, names)
		if err != nil {
			x.best, x.touched = nil, nil
			return err
		}
		if len(lists) == 1 { // as most are
			weight, of := alt[0].Weight, lists[0].saturated(c)
			for _, p := range lists[0].postings {
				x.raiseBest(p.num, float64(weight*of[p.pattern]))
			}
			continue
		}
		x.raiseSums(alt, lists, c)
	}
	for _, num := range x.touched {
		x.scores[num] += x.best[num]
		x.best[num] = 0
	}
	x.touched = x.touched[:0]
	return nil
}

// raiseSums notes the scores of an alternative of several terms in all passages that have one of them: the
// sums of the terms' scores, in the order of the terms.
func (x *room) raiseSums(alt []store.WeightedTerm, lists []*list, c constants) {
	rest, values := make([][]posting, len(lists)), make([][]float64, len(lists))
	for i, l := range lists {
		rest[i], values[i] = l.postings, l.saturated(c)
	}
	for {
		next := uint32(math.MaxUint32)
		for _, postings := range rest {
			if len(postings) > 0 {
				next = min(next, postings[0].num)
			}
		}
		if next == math.MaxUint32 { // scorch's numbers are lower
			return
		}
		sum := 0.0
		for i, postings := range rest {
			if len(postings) > 0 && postings[0].num == next {
				sum += float64(alt[i].Weight * values[i][postings[0].pattern])
				rest[i] = postings[1:]
			}
		}
		x.raiseBest(next, sum)
	}
}

// raiseBest notes the score of an alternative of a group in a passage.
func (x *room) raiseBest(num uint32, score float64) {
	if score <= x.best[num] {
		return
	}
	if x.best[num] == 0 {
		x.touched = append(x.touched, num)
	}
	x.best[num] = score
}

// threshold is the score at limit from the top: passages that tie with it are
// candidates too. It is 0 where there are no more than limit scores above 0.
func threshold(scores []float64, limit int) float64 {
	if limit <= 0 {
		return 0
	}
	top := make([]float64, 0, limit) // a heap, the least first
	matched := 0
	for _, x := range scores {
		if x <= 0 {
			continue
		}
		matched++
		switch {
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
	if matched <= limit {
		return 0
	}
	return top[0]
}

// Evidence gives what passages have of some terms.
func (r *Reader) Evidence(ctx context.Context, terms []string, keys []store.Key) ([]store.Evidence, error) {
	out := make([]store.Evidence, len(keys))
	type wanted struct {
		num uint32
		key int // its place among the keys
	}
	var want []wanted
	for i, k := range keys {
		num, ok, err := r.numberOfPassage(k)
		if err != nil {
			return nil, err
		}
		if out[i].Known = ok; ok {
			want = append(want, wanted{num, i})
		}
	}
	slices.SortFunc(want, func(a, b wanted) int { return cmp.Compare(a.num, b.num) })
	type one struct {
		key int
		store.Occurrence
	}
	var all []one
	term := int32(0)
	for batch := range slices.Chunk(terms, termBatch) {
		lists, err := r.readLists(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, l := range lists {
			at := 0
			for _, w := range want {
				if at += seekPosting(l.postings[at:], w.num); at == len(l.postings) {
					break
				}
				if l.postings[at].num != w.num {
					continue
				}
				for _, o := range l.occurrencesOf(l.postings[at].pattern) {
					all = append(all, one{w.key,
						store.Occurrence{Term: term, Frequency: o.frequency, Length: o.length(), Field: o.field()}})
				}
			}
			term++
		}
	}
	counts := make([]int, len(keys))
	for i := range all {
		counts[all[i].key]++
	}
	occurrences := make([]store.Occurrence, len(all))
	first := 0
	for i, n := range counts {
		out[i].Occurrences = occurrences[first : first : first+n]
		first += n
	}
	for i := range all {
		e := &out[all[i].key]
		e.Occurrences = append(e.Occurrences, all[i].Occurrence)
	}
	return out, ctx.Err()
}

// seekPosting is the place of the first posting at num or after it, found by ever
// greater steps: the next one wanted is often near.
func seekPosting(list []posting, num uint32) int {
	step := 1
	for step < len(list) && list[step].num < num {
		step *= 2
	}
	first := step / 2
	return first + sort.Search(min(step+1, len(list))-first, func(i int) bool { return list[first+i].num >= num })
}
