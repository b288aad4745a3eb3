package lexical

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// posting is one passage of a term: freq-weighted, length-normalised over the
// fields (BM25F's pseudo frequency).
type posting struct {
	num uint64
	tf  float64
}

// walker reads postings of one reader: the dictionaries of its segments, which
// are for one user at a time, and what they can use again. Walking the segments
// themselves costs half of what scorch's own reader of terms does, which prepares
// for much that is not needed here.
type walker struct {
	dicts [NumFields][]segment.TermDictionary // by segment, nil where not yet opened
	list  segment.PostingsList
	iter  segment.PostingsIterator
}

// in finds a term's postings in a field of one segment.
func (w *walker) in(r *Reader, f Field, n int, term []byte) (segment.PostingsList, error) {
	if w.dicts[f] == nil {
		w.dicts[f] = make([]segment.TermDictionary, len(r.segments))
	}
	d := w.dicts[f][n]
	if d == nil {
		var err error
		if d, err = r.segments[n].Segment().Dictionary(fieldNames[f]); err != nil {
			return nil, err
		}
		w.dicts[f][n] = d
	}
	l, err := d.PostingsList(term, r.segments[n].Deleted(), w.list)
	if err != nil {
		return nil, err
	}
	w.list = l
	return l, nil
}

// walking runs f with a walker of its own. One in which something panicked, which
// scorch does on bytes that are none of its own, is not used again.
func (r *Reader) walking(ctx context.Context, term string, f func(w *walker) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read %q from %s: %v: %w", term, r.dir, x, ErrDamaged)
		}
	}()
	w := r.walkers.Get(func() *walker { return &walker{} })
	if err := f(w); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("read %q from %s: %w: %w", term, r.dir, err, ErrDamaged)
	}
	r.walkers.Put(w)
	return nil
}

// postings reads one term from every field.
func (r *Reader) postings(ctx context.Context, term string, p Params, avg [NumFields]float64) (out []posting, err error) {
	err = r.walking(ctx, term, func(w *walker) error {
		key := []byte(term)
		for f := range NumFields {
			if p.Weight[f] == 0 || avg[f] == 0 {
				continue
			}
			var found []posting
			offset := uint64(0)
			for n, s := range r.segments {
				l, err := w.in(r, f, n, key)
				if err != nil {
					return err
				}
				if c := int(l.Count()); c > 0 {
					found = slices.Grow(found, c)
					w.iter = l.Iterator(true, true, false, w.iter)
					for {
						one, err := w.iter.Next()
						if err != nil {
							return err
						}
						if one == nil {
							break
						}
						found = append(found, posting{offset + one.Number(), frequency(one, f, p, avg)})
					}
				}
				offset += uint64(s.FullSize())
			}
			out = add(out, found)
		}
		return nil
	})
	return out, err
}

// frequency is a field's share of a passage's pseudo frequency.
func frequency(one segment.Posting, f Field, p Params, avg [NumFields]float64) float64 {
	norm := one.Norm()
	length := 1 / (norm * norm) // scorch's norm is 1/sqrt(length)
	return p.Weight[f] * float64(one.Frequency()) / (1 - p.B[f] + p.B[f]*length/avg[f])
}

// fields gives each field's share of one passage's pseudo frequency.
func (r *Reader) fields(ctx context.Context, term string, p Params, avg [NumFields]float64, num uint64) (out [NumFields]float64, err error) {
	err = r.walking(ctx, term, func(w *walker) error {
		offset := uint64(0)
		for n, s := range r.segments {
			size := uint64(s.FullSize())
			if num < offset || num >= offset+size {
				offset += size
				continue
			}
			for f := range NumFields {
				if p.Weight[f] == 0 || avg[f] == 0 {
					continue
				}
				l, err := w.in(r, f, n, []byte(term))
				if err != nil {
					return err
				}
				if l.Count() == 0 {
					continue
				}
				w.iter = l.Iterator(true, true, false, w.iter)
				one, err := w.iter.Advance(num - offset)
				if err != nil {
					return err
				}
				if one != nil && one.Number() == num-offset {
					out[f] = frequency(one, f, p, avg)
				}
			}
			break
		}
		return nil
	})
	return out, err
}

// add merges two lists of postings, both ascending.
func add(a, b []posting) []posting {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]posting, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].num < b[0].num:
			out, a = append(out, a[0]), a[1:]
		case a[0].num > b[0].num:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, posting{a[0].num, a[0].tf + b[0].tf})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// count is the number of passages that have a term in their body, or where none
// has, in the field where most have it.
func (r *Reader) count(ctx context.Context, term string) (most int, err error) {
	r.mu.Lock()
	most, ok := r.most[term]
	r.mu.Unlock()
	if ok {
		return most, nil
	}
	err = r.walking(ctx, term, func(w *walker) error {
		for _, f := range []Field{Body, Title, Heading, Code, Parameters} {
			passages := 0
			for n := range r.segments {
				l, err := w.in(r, f, n, []byte(term))
				if err != nil {
					return err
				}
				passages += int(l.Count())
			}
			if most = max(most, passages); f == Body && most > 0 {
				break
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.most == nil || len(r.most) >= knownTerms {
		r.most = map[string]int{}
	}
	r.most[term] = most
	return most, nil
}
