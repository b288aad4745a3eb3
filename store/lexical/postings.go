package lexical

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"docent/store"
	"docent/store/parallel"
)

// walker reads postings of one reader: the dictionaries of its segments, which
// are for one user at a time, and what they can use again. Walking the segments
// themselves costs half of what scorch's own reader of terms does, which prepares
// for much that is not needed here.
type walker struct {
	dicts [store.NumFields][]segment.TermDictionary // by segment, nil where not yet opened
	lists [store.NumFields]segment.PostingsList
	iters [store.NumFields]segment.PostingsIterator

	terms   [store.NumFields][]*fieldTerms // by segment, nil where not yet opened
	streams [store.NumFields]stream

	patterns patterns
}

// startStream begins to read a term's postings in a field of one segment, and gives their number, with
// those of deleted passages.
func (w *walker) startStream(r *Reader, f store.Field, n int, term []byte) (s *stream, count int, err error) {
	if w.terms[f] == nil {
		w.terms[f] = make([]*fieldTerms, len(r.segments))
	}
	t := w.terms[f][n]
	if t == nil {
		whole, ok := r.segments[n].Segment().(*zap.Segment)
		if !ok {
			return nil, 0, fmt.Errorf("scorch gives %T", r.segments[n].Segment())
		}
		if t, err = openTerms(whole, f.String()); err != nil {
			return nil, 0, err
		}
		w.terms[f][n] = t
	}
	s = &w.streams[f]
	count, err = s.start(t, f, term, r.segments[n].Deleted())
	return s, count, err
}

// findTerm finds a term's postings in a field of one segment.
func (w *walker) findTerm(r *Reader, f store.Field, n int, term []byte) (segment.PostingsList, error) {
	if w.dicts[f] == nil {
		w.dicts[f] = make([]segment.TermDictionary, len(r.segments))
	}
	d := w.dicts[f][n]
	if d == nil {
		var err error
		if d, err = r.segments[n].Segment().Dictionary(f.String()); err != nil {
			return nil, err
		}
		w.dicts[f][n] = d
	}
	l, err := d.PostingsList(term, r.segments[n].Deleted(), w.lists[f])
	if err != nil {
		return nil, err
	}
	w.lists[f] = l
	return l, nil
}

// withWalker runs f with a walker of its own. A walker in which something panicked,
// as scorch does on damaged bytes, is not used again.
func (r *Reader) withWalker(ctx context.Context, term string, f func(w *walker) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read %q from %s: %v: %w", term, r.dir, x, store.ErrDamaged)
		}
	}()
	w := r.walkers.Get(func() *walker { return &walker{} })
	if err := f(w); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("read %q from %s: %w: %w", term, r.dir, err, store.ErrDamaged)
	}
	r.walkers.Put(w)
	return nil
}

// readTerm reads one term from every field. The fields of a segment are read at the same time, in
// the order of the passages: a frequent term has megabytes of postings, which are written once.
func (r *Reader) readTerm(ctx context.Context, term string) (*list, error) {
	out := &list{}
	err := r.withWalker(ctx, term, func(w *walker) error {
		key := []byte(term)
		offset := uint64(0)
		w.patterns.begin()
		for n, s := range r.segments {
			if err := r.addSegment(w, out, key, n, offset); err != nil {
				return err
			}
			offset += uint64(s.FullSize())
		}
		return nil
	})
	return out, err
}

// addSegment adds what the fields of a segment have of a term; offset is scorch's number of the
// segment's first passage.
func (r *Reader) addSegment(w *walker, out *list, term []byte, n int, offset uint64) error {
	var fields [store.NumFields]*stream
	some, all, most := 0, 0, 0
	for f := range store.NumFields {
		s, count, err := w.startStream(r, f, n, term)
		if err != nil {
			return err
		}
		if err := s.advance(); err != nil {
			return err
		}
		if s.num != noMore {
			fields[some] = s
			some, all, most = some+1, all+count, max(most, count)
		}
	}
	likely := most + (all-most)/4 // most passages have a term in one field, or it is in that too
	if out.postings == nil {
		out.postings = make([]posting, 0, likely) // unlike Grow it touches no memory that stays unused
	}
	out.postings = slices.Grow(out.postings, likely)
	var room [store.NumFields]occurrence
	for open := fields[:some]; ; {
		next := uint64(noMore)
		for _, s := range open {
			next = min(next, s.num)
		}
		if next == noMore {
			return nil
		}
		has := room[:0]
		for _, s := range open {
			if s.num == next {
				has = append(has, occurrence{s.frequency, uint32(s.length)<<fieldBits | uint32(s.field)})
				if err := s.advance(); err != nil {
					return err
				}
			}
		}
		out.addPosting(&w.patterns, uint32(offset+next), has)
	}
}

// found is one field's postings of a term.
type found struct {
	field store.Field
	nums  []uint32
	freqs []int32
	lens  []int32
}

func (r *Reader) readField(w *walker, term []byte, out *found) error {
	offset := uint64(0)
	for n, s := range r.segments {
		l, err := w.findTerm(r, out.field, n, term)
		if err != nil {
			return err
		}
		if c := int(l.Count()); c > 0 {
			out.nums, out.freqs, out.lens = slices.Grow(out.nums, c), slices.Grow(out.freqs, c), slices.Grow(out.lens, c)
			w.iters[out.field] = l.Iterator(true, true, false, w.iters[out.field])
			for {
				one, err := w.iters[out.field].Next()
				if err != nil {
					return err
				}
				if one == nil {
					break
				}
				out.nums = append(out.nums, uint32(offset+one.Number()))
				out.freqs = append(out.freqs, int32(one.Frequency()))
				out.lens = append(out.lens, fieldLength(one))
			}
		}
		offset += uint64(s.FullSize())
	}
	return nil
}

// fieldLength is the number of terms of a posting's field. A segment has that number; the interface
// gives 1/sqrt(length) as a float32, from which lengths below four millions are found again exactly.
// A root and two divisions a posting were a quarter of the time of reading a frequent term.
func fieldLength(p segment.Posting) int32 {
	if counted, ok := p.(interface{ NormUint64() uint64 }); ok {
		return int32(counted.NormUint64())
	}
	norm := p.Norm()
	return int32(math.Round(1 / (norm * norm)))
}

// readLists gives the postings of some terms, several at a time where they must be
// read.
func (r *Reader) readLists(ctx context.Context, terms []string) ([]*list, error) {
	out := make([]*list, len(terms))
	var missing []int
	r.mu.Lock()
	for i, t := range terms {
		if out[i] = r.recallList(t); out[i] == nil {
			missing = append(missing, i)
		}
	}
	r.mu.Unlock()
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	errs := make([]error, len(missing))
	if len(missing) >= manyTerms { // looking words up before has mapped much of the dictionaries
		releaseSegments(r.segments)
	}
	parallel.Do(len(missing), func(mine iter.Seq[int]) {
		held := mappedBy(r)
		for k := range mine {
			out[missing[k]], errs[k] = r.readTerm(ctx, terms[missing[k]])
			held.countPostings(len(out[missing[k]].postings))
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	held := mappedBy(r)
	for k, i := range missing {
		if errs[k] != nil {
			return nil, errs[k]
		}
		held.countPostings(len(out[i].postings))
		r.rememberList(terms[i], out[i])
	}
	return out, nil
}

// recallList gives a list that was read before, nil where it is not kept. r.mu is
// held.
func (r *Reader) recallList(term string) *list {
	l := r.recent[term]
	if l == nil {
		if l = r.older[term]; l != nil {
			r.keepList(term, l)
		}
	}
	return l
}

// rememberList keeps a list for the next question. r.mu is held.
func (r *Reader) rememberList(term string, l *list) {
	if r.df == nil || len(r.df) >= knownTerms {
		r.df = map[string]int{}
	}
	r.df[term] = len(l.postings)
	r.keepList(term, l)
}

func (r *Reader) keepList(term string, l *list) {
	if r.recent == nil || len(r.recent) >= knownTerms || r.kept+len(l.postings) > max(keptPostings, 4*r.m.Passages) {
		r.recent, r.older, r.kept = map[string]*list{}, r.recent, 0
	}
	if r.recent[term] == nil {
		r.kept += len(l.postings)
	}
	r.recent[term] = l
}

// Frequencies gives, for each term, the number of passages that have it.
func (r *Reader) Frequencies(ctx context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for first := 0; first < len(terms); first += termBatch {
		batch := terms[first:min(len(terms), first+termBatch)]
		var ask []string
		var at []int
		r.mu.Lock()
		for i, t := range batch {
			if n, ok := r.df[t]; ok {
				out[first+i] = n
			} else {
				ask, at = append(ask, t), append(at, first+i)
			}
		}
		r.mu.Unlock()
		lists, err := r.readLists(ctx, ask)
		if err != nil {
			return nil, err
		}
		for i, l := range lists {
			out[at[i]] = len(l.postings)
		}
	}
	return out, nil
}

// Matches gives the number of passages that have at least one of the terms.
func (r *Reader) Matches(ctx context.Context, terms []string) (int, error) {
	seen := make([]uint64, (r.size+63)/64) // a bit for each of scorch's numbers
	matches := 0
	for batch := range slices.Chunk(terms, termBatch) {
		lists, err := r.readLists(ctx, batch)
		if err != nil {
			return 0, err
		}
		for _, l := range lists {
			for _, p := range l.postings {
				bit := uint64(1) << (p.num % 64)
				if seen[p.num/64]&bit == 0 {
					seen[p.num/64] |= bit
					matches++
				}
			}
		}
	}
	return matches, ctx.Err()
}

// approxFrequency is the number of passages that have a term in their body, or
// where none has, in the field where most have it.
func (r *Reader) approxFrequency(ctx context.Context, term string) (most int, err error) {
	r.mu.Lock()
	most, ok := r.approx[term]
	r.mu.Unlock()
	if ok {
		return most, nil
	}
	err = r.withWalker(ctx, term, func(w *walker) error {
		for _, f := range []store.Field{store.Body, store.Title, store.Heading, store.Code, store.Parameters} {
			passages := 0
			for n := range r.segments {
				l, err := w.findTerm(r, f, n, []byte(term))
				if err != nil {
					return err
				}
				passages += int(l.Count())
			}
			if most = max(most, passages); f == store.Body && most > 0 {
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
	if r.approx == nil || len(r.approx) >= knownTerms {
		r.approx = map[string]int{}
	}
	r.approx[term] = most
	return most, nil
}
