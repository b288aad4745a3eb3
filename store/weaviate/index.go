package weaviate

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"docent/store"
	"docent/store/bm25f"
	"docent/store/weaviate/wire"
)

// index is an opened generation of words. It is store.Index and store.Postings.
type index struct {
	*opened
	memory *memory
	mu     sync.Mutex
	inner  *postings // all terms of all passages, once they were asked for
}

// knownShare: one of so many passages in memory is many.
const knownShare = 3

func (c *client) openWords(ctx context.Context, set int64) (*index, error) {
	o, err := c.openGeneration(ctx, set, words)
	if err != nil {
		return nil, err
	}
	return &index{opened: o, memory: c.memories.get(stateKey{set, words})}, nil
}

// Statistics is store.Words'.
func (x *index) Statistics() store.Statistics {
	s := x.has.statistics
	s.Bytes = x.state.Bytes
	return s
}

// Frequencies is store.Words'.
func (x *index) Frequencies(ctx context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for i, t := range terms {
		n := x.has.numbersOf(t)
		out[i] = int(n[anyField])
	}
	return out, ctx.Err()
}

// mostCounted is up to how many passages the engine counts those that match: it looks at every
// one of them.
const mostCounted = 1000

// Matches is store.Words'. Where terms are frequent it is an estimate: as many as if each passage
// had each term by chance.
func (x *index) Matches(ctx context.Context, terms []string) (int, error) {
	terms = x.present(terms)
	all, without, sum := float64(x.has.statistics.Passages), 1.0, 0
	for _, t := range terms {
		n := x.has.numbersOf(t)
		sum += int(n[anyField])
		without *= 1 - float64(n[anyField])/all
	}
	switch {
	case len(terms) <= 1:
		return sum, ctx.Err()
	case sum > mostCounted:
		return int(math.Round(all * (1 - without))), ctx.Err()
	}
	if x.dead() == 0 {
		return x.count(ctx, terms)
	}
	list, err := x.search(ctx, everywhere, unweighted(terms), sum, x.leastWant())
	return len(list), err
}

// count has the engine count the passages that have one of some terms. As in search, the next node is asked where one
// counts fewer than have the most frequent term.
func (x *index) count(ctx context.Context, terms []string) (most int, err error) {
	least := 0
	for _, t := range terms {
		least = max(least, x.numberIn(t, everywhere))
	}
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = tokenOf(t)
	}
	for range x.c.At.Hosts {
		n := 0
		err = x.askTenant(ctx, func() (err error) {
			n, err = x.c.count(ctx, x.kind, x.state.Tenant, allHold(anyText(termsProperty, words), x.born()))
			return err
		})
		if most = max(most, n); err != nil || most >= least {
			break
		}
		x.c.AskNextHost()
	}
	return most, err
}

// present are those terms that a passage has, each once.
func (x *index) present(terms []string) []string {
	var out []string
	for _, t := range slices.Compact(slices.Sorted(slices.Values(terms))) {
		if n := x.has.numbersOf(t); n[anyField] > 0 {
			out = append(out, t)
		}
	}
	return out
}

// How candidates are found.
const (
	fewMatches  = 200 // so many passages are all taken
	extraFirst  = 40  // the engine's order is another one: so many more are taken,
	extraShare  = 4   // and one for so many
	fieldTimes  = 2   // of one field, so many times as many
	fieldFirst  = 32
	mostRepeats = 6  // of the most important term in a question to the engine
	mostAsked   = 24 // terms, the most important ones: 64 find the same ones of the top ten, and take the engine 1.5 times as long
	mostFound   = 10_000
)

// Candidates is store.Words'. The engine's BM25 is close to the ranking: it gets more
// passages than are wanted, and their exact scores decide.
func (x *index) Candidates(ctx context.Context, r *store.Ranking, limit int) ([]store.Candidate, error) {
	c := columnOf(r.Params)
	asked := x.weighted(r, c)
	if len(asked) == 0 {
		return nil, ctx.Err()
	}
	most := 0
	for _, t := range asked {
		most += x.numberIn(t.Term, c)
	}
	wanted := min(most, x.has.statistics.Passages)
	if limit > 0 && wanted > fewMatches {
		wanted = min(wanted, c.wanted(limit))
	}
	if wanted+x.dead() > mostFound {
		return x.all(ctx)
	}
	list, err := x.search(ctx, c, asked, wanted, x.wantFor(wanted))
	if err != nil {
		return nil, err
	}
	return x.nameFound(list)
}

// search has the engine rank the passages that have one of some terms, and gives the best of those that
// the generation has: so many, and some more.
//
// A node that was away says that it is ready before it has the passages that were added without it. So
// where it finds fewer passages than have the most frequent term, the next node is asked.
func (x *index) search(ctx context.Context, c column, terms []store.WeightedTerm, n int, of want) ([]found, error) {
	least := 0
	for _, t := range terms[:min(len(terms), mostAsked)] {
		least = max(least, min(n, x.numberIn(t.Term, c)))
	}
	list, err := x.searchNode(ctx, c, terms, n, of)
	for range x.c.At.Hosts[1:] {
		if err != nil || len(list) >= least {
			break
		}
		x.c.AskNextHost()
		var other []found
		if other, err = x.searchNode(ctx, c, terms, n, of); len(other) > len(list) {
			list = other
		}
	}
	return list, err
}

// searchNode is search of one node.
func (x *index) searchNode(ctx context.Context, c column, terms []store.WeightedTerm, n int, of want) (list []found, err error) {
	r := request{kind: words, tenant: x.state.Tenant, limit: min(n+x.dead(), mostFound), want: of,
		ranking: &wire.Ranking{Query: question(terms), Property: c.property}}
	for {
		err = x.askTenant(ctx, func() (err error) {
			list, err = x.c.find(ctx, r)
			return err
		})
		full := len(list) == r.limit
		if of == wantIDs && x.c.HasRemote() {
			list = x.memory.named(x.opened, list)
		}
		if list = x.living(list); err != nil || !full || len(list) >= n || r.where != nil {
			return list, err
		}
		r.where = x.born() // passages of later generations may take the places
	}
}

func unweighted(terms []string) []store.WeightedTerm {
	out := make([]store.WeightedTerm, len(terms))
	for i, t := range terms {
		out[i] = store.WeightedTerm{Term: t, Weight: 1}
	}
	return out
}

// wantFor is what so many candidates bring. Where many of the passages are in memory, the engine only names those that it
// finds: as a whole 290 passages are 300 KB of an answer, and named 10 KB. Few come as a whole until they bring nothing new
// for a while, because those that are not in memory take a second request.
func (x *index) wantFor(candidates int) want {
	if candidates <= fewMatches && x.memory.isWarm() || candidates > fewMatches && x.knowsMany() {
		return x.leastWant()
	}
	return wantWhole
}

// leastWant is the least by which an object of the generation is known. Where there are too many, their UUIDs are not in memory.
func (x *index) leastWant() want {
	if x.has.statistics.Passages > mostIDs {
		return wantNames
	}
	return wantIDs
}

// knowsMany reports whether many of the passages are in memory.
func (x *index) knowsMany() bool {
	return x.memory.passages.Len()*knownShare >= min(mostPassages, x.has.statistics.Passages)
}

// nameFound names the passages that came, and keeps those that came as a whole.
func (x *index) nameFound(list []found) ([]store.Candidate, error) {
	out := make([]store.Candidate, len(list))
	whole, isNew := false, false
	for i, f := range list {
		if f.Detail != "" {
			whole = true
			if _, ok := x.memory.passages.Get(bornKey{f.key(), f.Born}); !ok {
				isNew = true
				if _, err := x.keepPassage(f); err != nil {
					return nil, err
				}
			}
		}
		out[i] = store.Candidate{Key: f.key(), Bound: math.Inf(1)}
	}
	if whole {
		x.memory.sawNew(isNew)
	}
	return out, nil
}

func (x *index) keepPassage(f found) (encoded, error) {
	raw, err := unseal(f.Detail)
	if err != nil {
		return nil, x.damagedPassage(f, err)
	}
	x.memory.passages.Put(bornKey{f.key(), f.Born}, raw)
	return raw, nil
}

func (x *index) damagedPassage(f found, err error) error {
	return damagedError(words, "%s: passage %d.%d.%d of doc set %d: %w", x.c.At, f.Doc, f.Chunk, f.Part, x.set, err)
}

// all are all passages.
func (x *index) all(ctx context.Context) ([]store.Candidate, error) {
	var out []store.Candidate
	for id, o := range x.has.documents {
		for chunk, parts := range o.parts {
			for p := range parts {
				out = append(out, store.Candidate{Key: store.Key{Doc: id, Chunk: chunk, Part: p}, Bound: math.Inf(1)})
			}
		}
	}
	return out, ctx.Err()
}

// column is what the engine ranks by: all fields of a passage in one, or one field.
type column struct {
	property string
	counts   int // the place of its numbers of passages
}

var everywhere = column{termsProperty, anyField}

// columnOf is the column of a ranking: that of a field which a ranking is about alone.
func columnOf(p store.Params) column {
	var only []store.Field
	for f := range store.NumFields {
		if p.Weight[f] > 0 {
			only = append(only, f)
		}
	}
	if len(only) == 1 && slices.Contains(apart[:], only[0]) {
		return column{only[0].String(), int(only[0])}
	}
	return everywhere
}

// wanted is how many passages are taken of which so many are wanted. The constants of a ranking by one
// field are far from the engine's.
func (c column) wanted(limit int) int {
	if c == everywhere {
		return limit + limit/extraShare + extraFirst
	}
	return fieldTimes*limit + fieldFirst
}

// numberIn is the number of passages that have a term in a column.
func (x *index) numberIn(term string, c column) int {
	n := x.has.numbersOf(term)
	return int(n[c.counts])
}

// weighted are the terms of a ranking that a passage has, each once, with its weight over its
// IDF: the engine multiplies by its own. The most important come first.
func (x *index) weighted(r *store.Ranking, c column) []store.WeightedTerm {
	weights := map[string]float64{}
	for _, st := range r.Stages {
		for _, t := range st.Terms {
			weights[t.Term] += t.Weight
		}
		for _, g := range st.Groups {
			for _, alternative := range g {
				for _, t := range alternative {
					weights[t.Term] += t.Weight
				}
			}
		}
	}
	var out []store.WeightedTerm
	for _, t := range slices.Sorted(maps.Keys(weights)) {
		if x.numberIn(t, c) > 0 && weights[t] > 0 {
			out = append(out, store.WeightedTerm{Term: t, Weight: weights[t]})
		}
	}
	slices.SortStableFunc(out, func(a, b store.WeightedTerm) int { return cmp.Compare(b.Weight, a.Weight) })
	out = out[:min(len(out), mostAsked)]
	for i, t := range out {
		out[i].Weight /= bm25f.IDF(x.has.statistics.Passages, x.numberIn(t.Term, c))
	}
	return out
}

// question is a text in which a term stands the more often the more it weighs.
func question(terms []store.WeightedTerm) string {
	most := 0.0
	for _, t := range terms {
		most = max(most, t.Weight)
	}
	var b strings.Builder
	for _, t := range terms {
		for range max(1, int(math.Round(t.Weight/most*mostRepeats))) {
			b.WriteString(tokenOf(t.Term))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Evidence is store.Words'.
func (x *index) Evidence(ctx context.Context, terms []string, keys []store.Key) ([]store.Evidence, error) {
	places := make(map[string][]int32, len(terms))
	for i, t := range terms {
		places[t] = append(places[t], int32(i))
	}
	out := make([]store.Evidence, len(keys))
	have := make([]encoded, len(keys))
	var missing []store.Key
	for i, k := range keys {
		if out[i].Known = x.has.has(k); !out[i].Known {
			continue
		}
		var ok bool
		if have[i], ok = x.memory.passages.Get(bornKey{k, x.has.documents[k.Doc].born}); !ok {
			missing = append(missing, k)
		}
	}
	came := map[store.Key]encoded{}
	if len(missing) > 0 {
		x.memory.sawNew(true)
		list, err := x.fetch(ctx, missing)
		if err != nil {
			return nil, err
		}
		for k, f := range list {
			if came[k], err = x.keepPassage(f); err != nil {
				return nil, err
			}
		}
	}
	for i, k := range keys {
		if have[i] == nil {
			have[i] = came[k]
		}
		if have[i] == nil {
			continue
		}
		var err error
		if out[i].Occurrences, err = have[i].occurrences(places); err != nil {
			return nil, x.damagedPassage(found{Doc: k.Doc, Chunk: k.Chunk, Part: k.Part}, err)
		}
	}
	return out, ctx.Err()
}
