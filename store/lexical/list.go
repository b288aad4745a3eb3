package lexical

import (
	"slices"
	"sync"

	"docent/store"
	"docent/store/bm25f"
)

// list is all postings of one term: the passages that have it, ascending, and what each of their fields
// has of it. Only values changes after it is made.
//
// Most passages of a frequent term have the same of it as others: once in a body of 60 words. What
// passages have is kept once, as a pattern, and a posting names its pattern. A question over 412 000
// sections reads two million occurrences; one by one, with the values, they took 28 bytes a posting.
type list struct {
	postings    []posting
	ends        []uint32     // of each pattern's occurrences in occurrences
	occurrences []occurrence // by pattern and field

	mu     sync.Mutex
	values [2]values // for the rankings that were asked for last
}

// posting is one passage of a term.
type posting struct {
	num     uint32 // scorch's number of the passage
	pattern uint32 // what the passage has of the term
}

// occurrence is what one field of a passage has of a term.
type occurrence struct {
	frequency int32
	place     uint32 // the field, and above fieldBits its length
}

const fieldBits = 3

func (o occurrence) field() store.Field { return store.Field(o.place & (1<<fieldBits - 1)) }

func (o occurrence) length() int32 { return int32(o.place >> fieldBits) }

// values are the patterns' saturated frequencies. They hold for one set of
// constants and average lengths.
type values struct {
	constants constants
	of        []float64 // by pattern
}

type constants struct {
	params  store.Params
	average [store.NumFields]float64
}

// occurrencesOf gives the occurrences of a pattern.
func (l *list) occurrencesOf(pattern uint32) []occurrence {
	first := uint32(0)
	if pattern > 0 {
		first = l.ends[pattern-1]
	}
	return l.occurrences[first:l.ends[pattern]]
}

// saturated gives the patterns' saturated frequencies.
func (l *list) saturated(c constants) []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.values {
		if v.of != nil && v.constants == c {
			return v.of
		}
	}
	out := make([]float64, len(l.ends))
	for i := range out {
		tf := 0.0
		for _, o := range l.occurrencesOf(uint32(i)) {
			tf += bm25f.FieldFrequency(&c.params, c.average[o.field()], o.field(), int(o.frequency), int(o.length()))
		}
		if tf > 0 {
			out[i] = bm25f.Saturate(tf, c.params.K1)
		}
	}
	l.values[0], l.values[1] = values{c, out}, l.values[0]
	return out
}

// patterns finds the patterns of a list that is being made. It has room for some of them, so a list may
// have a pattern twice: that changes no answer, and costs less than a map.
type patterns struct {
	slots [patternSlots]patternSlot
	list  uint32 // the number of the list that is being made; slots of others are empty
}

// patternSlots is a power of 2: a frequent term has some thousand patterns.
const patternSlots = 1 << 12

type patternSlot struct {
	key     uint64
	pattern uint32
	list    uint32
}

// begin empties all slots for the next list.
func (p *patterns) begin() {
	if p.list++; p.list == 0 { // numbers begin again
		p.slots, p.list = [patternSlots]patternSlot{}, 1
	}
}

// severalFields marks the keys of patterns with several occurrences, which are hashes: others say all of
// their pattern.
const severalFields = 1 << 63

func patternKey(has []occurrence) uint64 {
	key := uint64(uint32(has[0].frequency))<<32 | uint64(has[0].place)
	for _, o := range has[1:] {
		key = (key*hashFactor ^ uint64(uint32(o.frequency))<<32 ^ uint64(o.place)) | severalFields
	}
	return key
}

// hashFactor is 2^64 over the golden ratio: Knuth, The Art of Computer Programming, volume 3, section 6.4.
const hashFactor = 0x9e3779b97f4a7c15

// addPosting adds a passage and what it has of the term.
func (l *list) addPosting(known *patterns, num uint32, has []occurrence) {
	key := patternKey(has)
	// A pattern has two slots, side by side. The one that was found last is in the first.
	at := key * hashFactor >> 52 &^ 1
	first, second := &known.slots[at], &known.slots[at+1]
	switch {
	case first.key == key && first.list == known.list && l.isPattern(first, has):
	case second.key == key && second.list == known.list && l.isPattern(second, has):
		*first, *second = *second, *first
	default:
		*second = *first
		*first = patternSlot{key, uint32(len(l.ends)), known.list}
		l.occurrences = append(l.occurrences, has...)
		l.ends = append(l.ends, uint32(len(l.occurrences)))
	}
	l.postings = append(l.postings, posting{num, first.pattern})
}

// isPattern reports whether the pattern of a slot with their key has these occurrences.
func (l *list) isPattern(s *patternSlot, has []occurrence) bool {
	return s.key < severalFields || slices.Equal(l.occurrencesOf(s.pattern), has)
}
