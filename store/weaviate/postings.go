package weaviate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"docent/store"
)

// postings are the terms of all passages.
type postings struct {
	keys  []store.Key
	terms []string
	lists [][]posting
}

type posting struct {
	place int32
	n     int32
	field store.Field
}

// load reads the terms of all passages, once.
func (x *index) load(ctx context.Context) (*postings, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.inner != nil {
		return x.inner, nil
	}
	in := &postings{}
	candidates, err := x.all(ctx)
	if err != nil {
		return nil, err
	}
	places := make(map[store.Key]int32, len(candidates))
	for _, c := range candidates {
		in.keys = append(in.keys, c.Key)
	}
	slices.SortFunc(in.keys, store.Key.Compare)
	for i, k := range in.keys {
		places[k] = int32(i)
	}
	var by map[string][]posting
	var met int
	err = x.eachWhole(ctx, len(in.keys), func() { by, met = map[string][]posting{}, 0 }, func(list []found) error {
		for _, f := range list {
			p, err := decodePassage(f.Detail)
			if err != nil {
				return x.damagedPassage(f, err)
			}
			met++
			at := places[f.key()]
			for field, list := range p.fields {
				for _, t := range list {
					by[t.term] = append(by[t.term], posting{at, int32(t.n), store.Field(field)})
				}
			}
		}
		return nil
	})
	if err == nil && met != len(in.keys) {
		err = damagedError(words, "%s: doc set %d has %d passages, and should have %d", x.c.At, x.set, met, len(in.keys))
	}
	if err != nil {
		return nil, err
	}
	in.terms = slices.Sorted(maps.Keys(by))
	for _, t := range in.terms {
		slices.SortFunc(by[t], func(a, b posting) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.field, b.field)) })
		in.lists = append(in.lists, by[t])
	}
	x.inner = in
	return in, nil
}

// Keys is store.Postings'.
func (x *index) Keys(ctx context.Context) ([]store.Key, error) {
	in, err := x.load(ctx)
	if err != nil {
		return nil, err
	}
	return in.keys, nil
}

// EachTerm is store.Postings'. It holds all terms of all passages in memory.
func (x *index) EachTerm(ctx context.Context, weights [store.NumFields]float64, least uint64,
	f func(term string, counts []store.TermCount) error) error {
	in, err := x.load(ctx)
	if err != nil {
		return err
	}
	var list []store.TermCount
	for i, t := range in.terms {
		if err := ctx.Err(); err != nil {
			return err
		}
		list = list[:0]
		pairs := uint64(0)
		for _, p := range in.lists[i] {
			w := weights[p.field]
			if w == 0 {
				continue
			}
			pairs++
			if n := len(list); n > 0 && list[n-1].Passage == int(p.place) {
				list[n-1].Count += w * float64(p.n)
			} else {
				list = append(list, store.TermCount{Passage: int(p.place), Count: w * float64(p.n)})
			}
		}
		if len(list) == 0 || pairs < least {
			continue
		}
		if err := f(t, list); err != nil {
			return err
		}
	}
	return nil
}
