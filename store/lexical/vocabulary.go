package lexical

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
)

// Keys lists the passages by document, chunk and part.
func (r *Reader) Keys(ctx context.Context) ([]store.Key, error) {
	list, err := r.numberPassages(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]store.Key, len(list))
	for i, n := range list {
		keys[i] = n.key
	}
	return keys, nil
}

// numberedKey is a passage and scorch's number of it.
type numberedKey struct {
	key store.Key
	num uint32
}

// numberPassages lists the passages by document, chunk and part, and keeps their places.
func (r *Reader) numberPassages(ctx context.Context) (list []numberedKey, err error) {
	if r.rd == nil {
		return nil, nil
	}
	all, err := r.rd.DocIDReaderAll()
	if err != nil {
		return nil, r.unreadError("list the passages", err)
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	list = make([]numberedKey, 0, r.size)
	held := mappedBy(r)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id, err := all.Next()
		if err != nil {
			return nil, r.unreadError("list the passages", err)
		}
		if id == nil {
			break
		}
		k, err := r.readKey(id.Value())
		if err != nil {
			return nil, err
		}
		list = append(list, numberedKey{k, uint32(id.Value())})
		held.countPostings(1) // keys side by side
	}
	slices.SortFunc(list, func(a, b numberedKey) int { return a.key.Compare(b.key) })
	places := make([]int32, r.size)
	for i := range places {
		places[i] = -1
	}
	for i, n := range list {
		places[n.num] = int32(i)
	}
	r.mu.Lock()
	r.places = places
	r.mu.Unlock()
	return list, nil
}

// placesOf gives, by scorch's number, the places of passages in Keys, -1 for those that
// were deleted. Learning reads the terms several times, and asks for them each time.
func (r *Reader) placesOf(ctx context.Context) ([]int32, error) {
	r.mu.Lock()
	places := r.places
	r.mu.Unlock()
	if places != nil {
		return places, nil
	}
	if _, err := r.numberPassages(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.places, nil
}

// EachTerm calls f with every term and the passages that have it, by ascending
// place in Keys; a field of weight 0 is passed over, and so is a term that stands
// in fewer than least fields of passages. Terms come in the order of
// their bytes. It stops at f's first error.
func (r *Reader) EachTerm(ctx context.Context, weights [store.NumFields]float64, least uint64,
	f func(term string, counts []store.TermCount) error) (err error) {
	if r.rd == nil {
		return nil
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read the terms of %s: %v: %w", r.dir, x, store.ErrDamaged)
		}
	}()
	places, err := r.placesOf(ctx)
	if err != nil {
		return err
	}
	dicts, err := r.dictionaries(weights)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dicts.close()) }()
	w := r.walkers.Get(func() *walker { return &walker{} })
	var one found
	var counts []store.TermCount
	held := mappedBy(r)
	for {
		term, fields, err := dicts.next()
		if err != nil {
			return r.unreadError("read the terms", err)
		}
		if len(fields) == 0 {
			r.walkers.Put(w)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		counts = counts[:0]
		for _, field := range fields {
			one = found{field: field, nums: one.nums[:0], freqs: one.freqs[:0], lens: one.lens[:0]}
			if err := r.readField(w, []byte(term), &one); err != nil {
				return r.unreadError("read "+strconv.Quote(term), err)
			}
			held.countPostings(len(one.nums))
			for i, num := range one.nums {
				if p := places[num]; p >= 0 {
					counts = append(counts, store.TermCount{Passage: int(p), Count: weights[field] * float64(one.freqs[i])})
				}
			}
		}
		if len(counts) == 0 || uint64(len(counts)) < least {
			continue
		}
		if err := f(term, joinedCounts(counts)); err != nil {
			return err
		}
	}
}

// joinedCounts sorts the counts of a term by passage, and adds up those of one passage.
func joinedCounts(counts []store.TermCount) []store.TermCount {
	slices.SortStableFunc(counts, func(a, b store.TermCount) int { return cmp.Compare(a.Passage, b.Passage) })
	last := 0
	for _, c := range counts[1:] {
		if c.Passage == counts[last].Passage {
			counts[last].Count += c.Count
		} else {
			last++
			counts[last] = c
		}
	}
	return counts[:last+1]
}

// manyTerms is the number of terms from which on the dictionaries are asked first
// whether they have a term at all: of many terms most are in none.
const manyTerms = 32

// ApproxFrequencies gives the approximate number of passages of each term.
func (r *Reader) ApproxFrequencies(ctx context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	if r.rd == nil {
		return out, ctx.Err()
	}
	has := func(int) bool { return true }
	if len(terms) >= manyTerms {
		maybe, err := r.inDictionaries(terms)
		if err != nil {
			return nil, err
		}
		has = func(i int) bool { return maybe[i] }
	}
	// The dictionaries keep the terms of deleted passages for a while.
	for i, t := range terms {
		if t == "" || !has(i) {
			continue
		}
		var err error
		if out[i], err = r.approxFrequency(ctx, t); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// inDictionaries says which terms are in a dictionary of words.
func (r *Reader) inDictionaries(terms []string) (in []bool, err error) {
	in = make([]bool, len(terms))
	dicts, ok := r.rd.(index.IndexReaderContains)
	if !ok {
		return nil, fmt.Errorf("look terms of %s up: scorch gives %T", r.dir, r.rd)
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("look terms of %s up: %v: %w", r.dir, x, store.ErrDamaged)
		}
	}()
	for _, field := range wordFields() {
		d, err := dicts.FieldDictContains(field.String())
		if err != nil {
			return nil, r.unreadError("look terms up", err)
		}
		for i, t := range terms {
			if in[i] || t == "" {
				continue
			}
			if in[i], err = d.Contains([]byte(t)); err != nil {
				return nil, r.unreadError("look "+strconv.Quote(t)+" up", err)
			}
		}
	}
	return in, nil
}

// Fuzzy gives the terms of at most distance edits (Levenshtein, 1 or 2) from a
// term that begin with its first letter, with their numbers of passages.
func (r *Reader) Fuzzy(ctx context.Context, term string, distance int) (map[string]int, error) {
	if r.rd == nil || term == "" {
		return nil, ctx.Err()
	}
	dicts, ok := r.rd.(index.IndexReaderFuzzy)
	if !ok {
		return nil, fmt.Errorf("read the terms of %s: scorch gives %T", r.dir, r.rd)
	}
	_, first := utf8.DecodeRuneInString(term)
	found, err := r.walkTerms(ctx, wordFields(), math.MaxInt, func(field string) (index.FieldDict, error) {
		return dicts.FieldDictFuzzy(field, term, distance, term[:first])
	})
	if err != nil {
		return nil, err
	}
	return r.countPassages(ctx, found)
}

// mostPrefixed bounds the work for a prefix of one letter.
const mostPrefixed = 2000

// Prefix gives the terms with a prefix, with their numbers of passages.
func (r *Reader) Prefix(ctx context.Context, prefix string) (map[string]int, error) {
	if prefix == "" {
		return nil, ctx.Err()
	}
	found, err := r.walkTerms(ctx, wordFields(), mostPrefixed, func(field string) (index.FieldDict, error) {
		return r.rd.FieldDictPrefix(field, []byte(prefix))
	})
	if err != nil {
		return nil, err
	}
	return r.countPassages(ctx, found)
}

// Terms gives every term of some fields, sorted; terms of deleted passages may be
// among them.
func (r *Reader) Terms(ctx context.Context, fields ...store.Field) ([]string, error) {
	found, err := r.walkTerms(ctx, fields, math.MaxInt, func(field string) (index.FieldDict, error) { return r.rd.FieldDict(field) })
	return slices.Sorted(maps.Keys(found)), err
}

// walkTerms collects the terms of the fields' dictionaries that open gives, up to most
// of them; terms of deleted passages may be among them.
func (r *Reader) walkTerms(ctx context.Context, fields []store.Field, most int,
	open func(field string) (index.FieldDict, error)) (found map[string]bool, err error) {
	found = map[string]bool{}
	if r.rd == nil {
		return found, ctx.Err()
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read the terms of %s: %v: %w", r.dir, x, store.ErrDamaged)
		}
	}()
	for _, field := range fields {
		if err := r.walkField(ctx, field, most, found, open); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (r *Reader) walkField(ctx context.Context, field store.Field, most int, found map[string]bool,
	open func(field string) (index.FieldDict, error)) error {
	d, err := open(fieldName(field))
	if err != nil {
		return r.unreadError("read the terms", err)
	}
	for len(found) < most {
		e, err := d.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return errors.Join(r.unreadError("read the terms", err), d.Close())
		}
		if e == nil {
			break
		}
		found[e.Term] = true
	}
	return d.Close()
}

// wordFields are those whose terms are words.
func wordFields() []store.Field {
	return []store.Field{store.Title, store.Heading, store.Body, store.Code, store.Parameters}
}

// countPassages gives the numbers of passages of those terms that a passage has.
func (r *Reader) countPassages(ctx context.Context, terms map[string]bool) (map[string]int, error) {
	out := map[string]int{}
	for _, t := range slices.Sorted(maps.Keys(terms)) {
		n, err := r.approxFrequency(ctx, t)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out[t] = n
		}
	}
	return out, nil
}
