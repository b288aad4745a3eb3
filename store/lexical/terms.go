package lexical

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"
)

// Key names a passage.
type Key struct {
	Doc         int64
	Chunk, Part int
}

// Count is a passage, by its place in Keys, and how often it has a term, each
// time counted by its field's weight.
type Count struct {
	Passage int
	Count   float64
}

// Keys lists the passages by document, chunk and part.
func (r *Reader) Keys(ctx context.Context) ([]Key, error) {
	keys, _, err := r.keys(ctx)
	return keys, err
}

// keys gives the passages and, by scorch's number, their places among them.
func (r *Reader) keys(ctx context.Context) (keys []Key, at map[uint64]int, err error) {
	if r.rd == nil {
		return nil, nil, nil
	}
	defer runtime.KeepAlive(r) // see Retire
	all, err := r.rd.DocIDReaderAll()
	if err != nil {
		return nil, nil, fmt.Errorf("list the passages of %s: %w", r.dir, err)
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	type one struct {
		key Key
		num uint64
	}
	var list []one
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		id, err := all.Next()
		if err != nil {
			return nil, nil, fmt.Errorf("list the passages of %s: %w", r.dir, err)
		}
		if id == nil {
			break
		}
		num := id.Value()
		d, chunk, part, err := r.externalID(num)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, one{Key{d, chunk, part}, num})
	}
	slices.SortFunc(list, func(a, b one) int {
		return cmp.Or(cmp.Compare(a.key.Doc, b.key.Doc), cmp.Compare(a.key.Chunk, b.key.Chunk), cmp.Compare(a.key.Part, b.key.Part))
	})
	at = make(map[uint64]int, len(list))
	for i, o := range list {
		keys = append(keys, o.key)
		at[o.num] = i
	}
	return keys, at, nil
}

// EachTerm calls f with every term and the passages that have it, by ascending
// place in Keys; a field of weight 0 is passed over, and so is a term that stands
// in fewer than least fields of passages. Terms come in the order of
// their bytes. It stops at f's first error.
func (r *Reader) EachTerm(ctx context.Context, weights [NumFields]float64, least uint64, f func(term string, counts []Count) error) (err error) {
	if r.rd == nil {
		return nil
	}
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read the terms of %s: %v: %w", r.dir, x, ErrDamaged)
		}
	}()
	_, at, err := r.keys(ctx)
	if err != nil {
		return err
	}
	type entry struct {
		term  string
		field Field
	}
	var entries []entry
	for field := range NumFields {
		if weights[field] == 0 {
			continue
		}
		dict, err := r.rd.FieldDict(fieldNames[field])
		if err != nil {
			return fmt.Errorf("read the terms of %s: %w", r.dir, err)
		}
		for {
			e, err := dict.Next()
			if err != nil {
				return errors.Join(fmt.Errorf("read the terms of %s: %w", r.dir, err), dict.Close())
			}
			if e == nil {
				break
			}
			entries = append(entries, entry{e.Term, field})
		}
		if err := dict.Close(); err != nil {
			return err
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(strings.Compare(a.term, b.term), cmp.Compare(a.field, b.field)) })
	// The counts of a dictionary's entries would spare the opening of rare terms,
	// but they are not those of the postings once an index has several segments.
	var counts []Count
	for len(entries) > 0 {
		term, n := entries[0].term, 0
		for n < len(entries) && entries[n].term == term {
			n++
		}
		same := entries[:n]
		entries = entries[n:]
		if err := ctx.Err(); err != nil {
			return err
		}
		counts = counts[:0]
		for _, e := range same {
			field := e.field
			tr, err := r.rd.TermFieldReader(ctx, []byte(term), fieldNames[field], true, false, false)
			if err != nil {
				return fmt.Errorf("read %q from %s: %w", term, r.dir, err)
			}
			var tfd index.TermFieldDoc
			for {
				d, err := tr.Next(tfd.Reset())
				if err != nil {
					return errors.Join(fmt.Errorf("read %q from %s: %w", term, r.dir, err), tr.Close())
				}
				if d == nil {
					break
				}
				if i, ok := at[d.ID.Value()]; ok {
					counts = append(counts, Count{i, weights[field] * float64(d.Freq)})
				}
			}
			if err := tr.Close(); err != nil {
				return err
			}
		}
		if len(counts) == 0 || uint64(len(counts)) < least {
			continue
		}
		slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Compare(a.Passage, b.Passage) })
		last := 0
		for _, c := range counts[1:] {
			if c.Passage == counts[last].Passage {
				counts[last].Count += c.Count
			} else {
				last++
				counts[last] = c
			}
		}
		if err := f(term, counts[:last+1]); err != nil {
			return err
		}
	}
	return nil
}

// number is scorch's number of a passage.
func (r *Reader) number(k Key) (num uint64, ok bool, err error) {
	if r.rd == nil {
		return 0, false, nil
	}
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("look a passage of %s up: %v: %w", r.dir, x, ErrDamaged)
		}
	}()
	id, err := r.rd.InternalID(externalID(k.Doc, k.Chunk, k.Part))
	if err != nil {
		return 0, false, fmt.Errorf("look a passage of %s up: %w", r.dir, err)
	}
	if id == nil {
		return 0, false, nil
	}
	return id.Value(), true, nil
}

// Frequencies gives the number of passages that have each of many terms, most of
// which are in none: they are looked up in the dictionaries first.
func (s Searcher) Frequencies(ctx context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for _, r := range s.Readers {
		if err := r.frequencies(ctx, terms, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Reader) frequencies(ctx context.Context, terms []string, add []int) (err error) {
	dicts, ok := r.rd.(index.IndexReaderContains)
	if !ok {
		return nil // no passages
	}
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("look terms of %s up: %v: %w", r.dir, x, ErrDamaged)
		}
	}()
	maybe := make([]bool, len(terms))
	for _, field := range wordFields() {
		d, err := dicts.FieldDictContains(fieldNames[field])
		if err != nil {
			return fmt.Errorf("look terms of %s up: %w", r.dir, err)
		}
		for i, t := range terms {
			if maybe[i] || t == "" {
				continue
			}
			if maybe[i], err = d.Contains([]byte(t)); err != nil {
				return fmt.Errorf("look %q of %s up: %w", t, r.dir, err)
			}
		}
	}
	// The dictionaries keep the terms of deleted passages for a while.
	for i, t := range terms {
		if !maybe[i] {
			continue
		}
		n, err := r.count(ctx, t)
		if err != nil {
			return err
		}
		add[i] += n
	}
	return nil
}

// Within gives the terms of at most distance edits (Levenshtein, 1 or 2) from a
// term that begin with its first letter, with their numbers of passages.
func (s Searcher) Within(ctx context.Context, term string, distance int) (map[string]int, error) {
	out := map[string]int{}
	for _, r := range s.Readers {
		if err := r.within(ctx, term, distance, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Reader) within(ctx context.Context, term string, distance int, add map[string]int) error {
	dicts, ok := r.rd.(index.IndexReaderFuzzy)
	if !ok || term == "" {
		return nil
	}
	_, first := utf8.DecodeRuneInString(term)
	found := map[string]bool{}
	if err := r.walk(ctx, names(wordFields()), math.MaxInt, found, func(field string) (index.FieldDict, error) {
		return dicts.FieldDictFuzzy(field, term, distance, term[:first])
	}); err != nil {
		return err
	}
	return r.counts(ctx, found, add)
}

// walk puts the terms of the fields' dictionaries that open gives into found, up
// to most of them; terms of deleted passages may be among them.
func (r *Reader) walk(ctx context.Context, fields []string, most int, found map[string]bool, open func(field string) (index.FieldDict, error)) (err error) {
	if r.rd == nil {
		return nil
	}
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read the terms of %s: %v: %w", r.dir, x, ErrDamaged)
		}
	}()
	for _, field := range fields {
		d, err := open(field)
		if err != nil {
			return fmt.Errorf("read the terms of %s: %w", r.dir, err)
		}
		for len(found) < most {
			e, err := d.Next()
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return errors.Join(fmt.Errorf("read the terms of %s: %w", r.dir, err), d.Close())
			}
			if e == nil {
				break
			}
			found[e.Term] = true
		}
		if err := d.Close(); err != nil {
			return err
		}
	}
	return nil
}

// wordFields are those whose terms are words.
func wordFields() []Field { return []Field{Title, Heading, Body, Code, Parameters} }

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.String()
	}
	return out
}

// counts adds the numbers of passages of the terms that a passage has.
func (r *Reader) counts(ctx context.Context, terms map[string]bool, add map[string]int) error {
	for _, t := range slices.Sorted(maps.Keys(terms)) {
		n, err := r.count(ctx, t)
		if err != nil {
			return err
		}
		if n > 0 {
			add[t] += n
		}
	}
	return nil
}

// Beginning gives the terms that begin with a prefix, those of most passages
// first, at most limit of them.
func (s Searcher) Beginning(ctx context.Context, prefix string, limit int) ([]string, error) {
	counts := map[string]int{}
	for _, r := range s.Readers {
		if err := r.beginning(ctx, prefix, counts); err != nil {
			return nil, err
		}
	}
	terms := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return terms[:min(limit, len(terms))], nil
}

// mostBeginnings bounds the work for a prefix of one letter.
const mostBeginnings = 2000

func (r *Reader) beginning(ctx context.Context, prefix string, add map[string]int) error {
	if prefix == "" {
		return nil
	}
	found := map[string]bool{}
	if err := r.walk(ctx, names(wordFields()), mostBeginnings, found, func(field string) (index.FieldDict, error) {
		return r.rd.FieldDictPrefix(field, []byte(prefix))
	}); err != nil {
		return err
	}
	return r.counts(ctx, found, add)
}

// Vocabulary gives every term of some fields, sorted; terms of deleted passages
// may be among them.
func (s Searcher) Vocabulary(ctx context.Context, fields ...Field) ([]string, error) {
	found := map[string]bool{}
	for _, r := range s.Readers {
		if err := r.walk(ctx, names(fields), math.MaxInt, found, func(field string) (index.FieldDict, error) { return r.rd.FieldDict(field) }); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}
