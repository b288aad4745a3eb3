package lsa

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// entry is one entry of the matrix: a passage's or a term's number in the upper
// 24 bits, the level of the count in the lower eight.
type entry uint32

func newEntry(number int, level uint8) entry { return entry(number)<<8 | entry(level) }

func (e entry) number() int { return int(e >> 8) }

func (e entry) entryLevel() uint8 { return uint8(e) }

// corpus is a matrix as training holds it, by term.
type corpus struct {
	passages int
	terms    []termEntries
}

// termEntries is one column of the matrix: a term and its passages.
type termEntries struct {
	text    string
	number  int // which a passage's entries have for it
	entropy float64
	entries []entry
}

// slabLen is how many entries are allocated at once: with one growing array, half of the
// memory would be the old array.
const slabLen = 1 << 18

// slabs are memory for entries. What one corpus was collected in can serve the next,
// once that corpus is no longer used. The zero value is ready for use.
type slabs struct {
	all  [][]entry
	used int // of all, with the one that is being filled
}

// slabWithRoom is a slab that has place for n more entries, which are to be appended to it.
func (s *slabs) slabWithRoom(current []entry, n int) []entry {
	if cap(current)-len(current) >= n {
		return current
	}
	for s.used < len(s.all) {
		s.used++
		if next := s.all[s.used-1]; cap(next) >= n {
			return next[:0]
		}
	}
	next := make([]entry, 0, max(slabLen, n))
	s.all = append(s.all, next)
	s.used++
	return next
}

// collectMatrix reads a matrix: the terms for which want holds and that at least minDF
// passages have, sorted. Their entries are in memory.
func collectMatrix(ctx context.Context, m Matrix, memory *slabs, want func(string) bool, minDF int) (*corpus, error) {
	c := &corpus{passages: m.Passages()}
	if c.passages < 0 || c.passages >= maxPassages {
		return nil, fmt.Errorf("a corpus of %d passages: less than %d are possible", c.passages, maxPassages)
	}
	logN := naturalLog(float64(max(2, c.passages)))
	var slab []entry
	memory.used = 0
	err := m.Terms(ctx, func(term string, postings []Posting) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(postings) < minDF || !want(term) {
			return nil
		}
		slab = memory.slabWithRoom(slab, len(postings))
		start, total := len(slab), 0.0
		for i, p := range postings {
			if p.Passage < 0 || p.Passage >= c.passages || i > 0 && p.Passage <= postings[i-1].Passage {
				return fmt.Errorf("term %q: passage %d of %d is out of order", term, p.Passage, c.passages)
			}
			if !validCount(p.Count) {
				return fmt.Errorf("term %q: it is %v times in passage %d", term, p.Count, p.Passage)
			}
			total += float64(p.Count)
			slab = append(slab, newEntry(p.Passage, countLevel(float64(p.Count))))
		}
		entropy := 0.0
		for _, p := range postings {
			share := float64(p.Count) / total
			entropy -= float64(share * naturalLog(share))
		}
		c.terms = append(c.terms, termEntries{text: strings.Clone(term), entropy: entropy / logN, entries: slab[start:len(slab):len(slab)]})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(c.terms, func(a, b termEntries) int { return strings.Compare(a.text, b.text) })
	for i := range c.terms {
		if i > 0 && c.terms[i].text == c.terms[i-1].text {
			return nil, fmt.Errorf("term %q: it comes twice", c.terms[i].text)
		}
		c.terms[i].number = i
	}
	return c, nil
}

// passageEntries is the matrix by passage: the entries of passage p are those
// from start[p] to start[p+1], by term.
type passageEntries struct {
	start   []int
	entries []entry
}

func (r passageEntries) entriesOf(p int) []entry { return r.entries[r.start[p]:r.start[p+1]] }

// byPassage turns the matrix round. It uses the memory of entries, if there is enough.
func (c *corpus) byPassage(ctx context.Context, entries []entry) (passageEntries, error) {
	r := passageEntries{start: make([]int, c.passages+2)}
	for _, t := range c.terms {
		for _, e := range t.entries {
			r.start[e.number()+2]++
		}
	}
	for p := 2; p < len(r.start); p++ {
		r.start[p] += r.start[p-1]
	}
	// start[p+1] is where passage p's next entry goes; in the end that is where
	// passage p+1's begin.
	total := r.start[len(r.start)-1]
	r.entries = slices.Grow(entries[:0], total)[:total]
	for _, t := range c.terms {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		for _, e := range t.entries {
			p := e.number() + 1
			r.entries[r.start[p]] = newEntry(t.number, e.entryLevel())
			r.start[p]++
		}
	}
	return r, nil
}
