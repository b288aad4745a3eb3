package weaviate

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"

	"docent/store"
	"docent/store/definition"
)

// A generation is known by its parts: the first has all that there was when it was written,
// each later one what a change brought and took. Where the later ones become many or large, a
// change writes one that has all.

// object says how a document stands in a tenant.
type object struct {
	born   int64 // the change that brought it
	parts  []int // how many parts each chunk has; of vectors, one number: how many there are
	tokens [store.NumFields]int64
}

func (o object) count() (n int) {
	for _, p := range o.parts {
		n += p
	}
	return n
}

// anyField is where the passages that have a term in any field are counted.
const anyField = int(store.NumFields)

// counts are numbers of passages, by field and in any.
type counts [store.NumFields + 1]int32

func (c *counts) add(o *counts, sign int32) {
	for i := range c {
		c[i] += sign * o[i]
	}
}

// part is what a change brought and took, or all that there is.
type part struct {
	added       map[int64]object
	removed     []int64
	terms       map[string]*counts
	definitions map[string]int32
}

func newPart() *part {
	return &part{added: map[int64]object{}, terms: map[string]*counts{}, definitions: map[string]int32{}}
}

// count adds a passage's terms and definitions, or takes them with sign -1.
func (p *part) count(of *passage, sign int32) {
	seen := map[string]bool{}
	for f, list := range of.fields {
		for _, t := range list {
			c := p.terms[t.term]
			if c == nil {
				c = new(counts)
				p.terms[t.term] = c
			}
			c[f] += sign
			if !seen[t.term] {
				seen[t.term] = true
				c[anyField] += sign
			}
		}
	}
	for _, d := range of.definitions {
		p.definitions[d] += sign
	}
}

// encode writes a part: documents and terms ascending, numbers as varints, each term without
// the beginning that it shares with the one before.
func (p *part) encode() []byte {
	b := binary.AppendUvarint(nil, uint64(len(p.added)))
	for _, id := range slices.Sorted(maps.Keys(p.added)) {
		o := p.added[id]
		b = binary.AppendVarint(binary.AppendVarint(b, id), o.born)
		b = binary.AppendUvarint(b, uint64(len(o.parts)))
		for _, n := range o.parts {
			b = binary.AppendUvarint(b, uint64(n))
		}
		for _, n := range o.tokens {
			b = binary.AppendVarint(b, n)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(p.removed)))
	for _, id := range p.removed {
		b = binary.AppendVarint(b, id)
	}
	maps.DeleteFunc(p.terms, func(_ string, c *counts) bool { return *c == counts{} })
	b = binary.AppendUvarint(b, uint64(len(p.terms)))
	last := ""
	for _, t := range slices.Sorted(maps.Keys(p.terms)) {
		shared := 0
		for shared < min(len(t), len(last)) && t[shared] == last[shared] {
			shared++
		}
		b = appendText(binary.AppendUvarint(b, uint64(shared)), t[shared:])
		for _, n := range p.terms[t] {
			b = binary.AppendVarint(b, int64(n))
		}
		last = t
	}
	maps.DeleteFunc(p.definitions, func(_ string, n int32) bool { return n == 0 })
	b = binary.AppendUvarint(b, uint64(len(p.definitions)))
	for _, t := range slices.Sorted(maps.Keys(p.definitions)) {
		b = binary.AppendVarint(appendText(b, t), int64(p.definitions[t]))
	}
	return b
}

// contents are what a generation has, of all of its parts.
type contents struct {
	documents   map[int64]object
	terms       []string // ascending
	counts      []counts
	definitions []knownDefinition
	statistics  store.Statistics
}

type knownDefinition struct {
	store.Definition
	term string
}

// addPart reads a part behind those before it.
func (c *contents) addPart(raw []byte) error {
	d := decoder{rest: raw}
	added := map[int64]object{}
	for range d.count() {
		id, o := d.varint(), object{born: d.varint()}
		o.parts = make([]int, d.count())
		for i := range o.parts {
			o.parts[i] = int(d.uvarint())
		}
		for f := range o.tokens {
			o.tokens[f] = d.varint()
		}
		added[id] = o
	}
	for range d.count() {
		delete(c.documents, d.varint())
	}
	maps.Copy(c.documents, added)
	n := d.count()
	terms, numbers := make([]string, 0, n), make([]counts, 0, n)
	last := ""
	for range n {
		shared := d.uvarint()
		if shared > uint64(len(last)) {
			d.fail()
			break
		}
		last = last[:shared] + d.text()
		var k counts
		for i := range k {
			k[i] = int32(d.varint())
		}
		terms, numbers = append(terms, last), append(numbers, k)
	}
	c.terms, c.counts = mergedTerms(c.terms, c.counts, terms, numbers)
	for range d.count() {
		c.addDefinition(d.text(), int(d.varint()))
	}
	return d.err
}

func (c *contents) addDefinition(term string, n int) {
	def, ok := definition.Parse(term)
	if !ok {
		return
	}
	at, found := slices.BinarySearchFunc(c.definitions, term, func(d knownDefinition, t string) int { return strings.Compare(d.term, t) })
	if !found {
		c.definitions = slices.Insert(c.definitions, at, knownDefinition{def, term})
	}
	if c.definitions[at].Passages += n; c.definitions[at].Passages <= 0 {
		c.definitions = slices.Delete(c.definitions, at, at+1)
	}
}

// mergedTerms adds the counts of two lists of terms, both ascending. Terms that no passage has
// any more go.
func mergedTerms(a []string, an []counts, b []string, bn []counts) ([]string, []counts) {
	if len(a) == 0 {
		return b, bn
	}
	terms, numbers := make([]string, 0, len(a)+len(b)), make([]counts, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var t string
		var n counts
		switch order := compareFirst(a, b); {
		case order < 0:
			t, n, a, an = a[0], an[0], a[1:], an[1:]
		case order > 0:
			t, n, b, bn = b[0], bn[0], b[1:], bn[1:]
		default:
			t, n = a[0], an[0]
			n.add(&bn[0], 1)
			a, an, b, bn = a[1:], an[1:], b[1:], bn[1:]
		}
		if n != (counts{}) {
			terms, numbers = append(terms, t), append(numbers, n)
		}
	}
	return terms, numbers
}

func compareFirst(a, b []string) int {
	switch {
	case len(b) == 0:
		return -1
	case len(a) == 0:
		return 1
	}
	return strings.Compare(a[0], b[0])
}

// sumStatistics adds up the statistics.
func (c *contents) sumStatistics() {
	c.statistics = store.Statistics{Documents: len(c.documents)}
	for _, o := range c.documents {
		c.statistics.Passages += o.count()
		for f, n := range o.tokens {
			c.statistics.Tokens[f] += n
		}
	}
}

// numbersOf are the numbers of passages with a term.
func (c *contents) numbersOf(term string) counts {
	if at, ok := slices.BinarySearch(c.terms, term); ok {
		return c.counts[at]
	}
	return counts{}
}

// whole is one part that has all.
func (c *contents) whole() *part {
	p := newPart()
	p.added = c.documents
	for i, t := range c.terms {
		p.terms[t] = &c.counts[i]
	}
	for _, d := range c.definitions {
		p.definitions[d.term] = int32(min(d.Passages, math.MaxInt32))
	}
	return p
}

// holds reports whether an object is in the generation.
func (c *contents) holds(doc, born int64) bool {
	o, ok := c.documents[doc]
	return ok && o.born == born
}

// has reports whether the generation has a passage.
func (c *contents) has(k store.Key) bool {
	o, ok := c.documents[k.Doc]
	return ok && k.Chunk >= 0 && k.Chunk < len(o.parts) && k.Part >= 0 && k.Part < o.parts[k.Chunk]
}

// checksum is one of the document's division into passages and of their lengths.
func (o object) checksum() uint32 {
	var b []byte
	for _, n := range o.parts {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, 0)
	for _, n := range o.tokens {
		b = binary.AppendVarint(b, n)
	}
	return crc32.ChecksumIEEE(b)
}
