package weaviate

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"slices"
	"strings"

	"docent/store"
	"docent/store/analysis"
	"docent/store/definition"
)

// termCount is how often a field has a term.
type termCount struct {
	term string
	n    int
}

// passage is an analysed passage.
type passage struct {
	chunk, part int
	lengths     [store.NumFields]int
	fields      [store.NumFields][]termCount // by term
	definitions []string                     // see package definition
}

func analyzePassage(a *analysis.Analyzer, from store.Passage) passage {
	p := passage{chunk: from.Chunk, part: from.Part}
	for f := range store.NumFields {
		if from.Fields[f] == "" {
			continue
		}
		counts := map[string]int{}
		if f == store.Name {
			if t := analysis.NameTerm(from.Fields[f]); t != "" {
				counts[t], p.lengths[f] = 1, 1
			}
		} else {
			a.EachToken(from.Fields[f], func(t analysis.Token) {
				if t.Kind != analysis.Stop {
					counts[t.Term]++
					p.lengths[f]++
				}
			})
		}
		for _, t := range slices.Sorted(maps.Keys(counts)) {
			p.fields[f] = append(p.fields[f], termCount{t, counts[t]})
		}
	}
	p.definitions = definition.Terms(a, from.Abbreviations)
	return p
}

// repeats is how often the engine gets each occurrence of a term: so its BM25, which knows one
// field, comes close to BM25F over all.
var repeats = [store.NumFields]int{store.Title: 3, store.Heading: 4, store.Body: 1, store.Code: 1, store.Parameters: 2, store.Name: 4}

// tokenOf is a term as a word for the engine, which splits at white space.
func tokenOf(term string) string { return strings.ReplaceAll(term, " ", "\x1f") }

// tokens are the passage's terms as a text for the engine.
func (p *passage) tokens() string {
	var b strings.Builder
	for f, list := range p.fields {
		for _, t := range list {
			for range t.n * repeats[f] {
				b.WriteString(tokenOf(t.term))
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// apart are the fields by which some rankings search alone. The engine has them apart too.
var apart = [...]store.Field{store.Title, store.Heading, store.Parameters}

// fieldTokens are the terms of one field as a text for the engine.
func (p *passage) fieldTokens(f store.Field) string {
	var b strings.Builder
	for _, t := range p.fields[f] {
		for range t.n {
			b.WriteString(tokenOf(t.term))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// encode writes the passage's fields and definitions: for each field its length, its number of
// terms, and each term with its frequency, then the definitions; numbers are varints. A
// CRC-32 stands behind them.
func (p *passage) encode() string {
	var b []byte
	for f, list := range p.fields {
		b = binary.AppendUvarint(b, uint64(p.lengths[f]))
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, t := range list {
			b = appendText(b, t.term)
			b = binary.AppendUvarint(b, uint64(t.n))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(p.definitions)))
	for _, d := range p.definitions {
		b = appendText(b, d)
	}
	return seal(b)
}

func decodePassage(text string) (p passage, err error) {
	b, err := unseal(text)
	if err != nil {
		return p, err
	}
	d := decoder{rest: b}
	for f := range p.fields {
		p.lengths[f] = int(d.uvarint())
		p.fields[f] = make([]termCount, d.count())
		for i := range p.fields[f] {
			p.fields[f][i] = termCount{d.text(), int(d.uvarint())}
		}
	}
	for range d.count() {
		p.definitions = append(p.definitions, d.text())
	}
	return p, d.err
}

// encoded is a passage as encode writes it, without its checksum. Most of its terms are never asked for.
type encoded []byte

// occurrences are what the passage has of terms, by the terms' places.
func (e encoded) occurrences(places map[string][]int32) ([]store.Occurrence, error) {
	out := []store.Occurrence{}
	d := decoder{rest: e}
	for f := range store.NumFields {
		length := int32(d.uvarint())
		for range d.count() {
			at := places[string(d.bytes())]
			n := int32(d.uvarint())
			for _, term := range at {
				out = append(out, store.Occurrence{Term: term, Frequency: n, Length: length, Field: f})
			}
		}
	}
	slices.SortFunc(out, func(a, b store.Occurrence) int {
		return cmp.Or(cmp.Compare(a.Term, b.Term), cmp.Compare(a.Field, b.Field))
	})
	return out, d.err
}

// Analyzed is a document whose passages are analysed. The terms of a large one are made when
// they are asked for: all at once would take many times the memory of its text.
type Analyzed struct {
	id       int64
	passages []passage
	later    []store.Passage
}

const analyzeAtOnce = 256 << 10 // bytes of text

// analyze analyses a document's passages.
func analyze(a *analysis.Analyzer, list []store.Passage) *Analyzed {
	size := 0
	for _, p := range list {
		for _, text := range p.Fields {
			size += len(text)
		}
	}
	if size > analyzeAtOnce {
		return &Analyzed{later: list}
	}
	out := &Analyzed{passages: make([]passage, 0, len(list))}
	for _, p := range list {
		out.passages = append(out.passages, analyzePassage(a, p))
	}
	return out
}

// SetID is store.Analyzed's.
func (d *Analyzed) SetID(id int64) { d.id = id }

func (d *Analyzed) each() iter.Seq[*passage] {
	return func(yield func(*passage) bool) {
		for i := range d.passages {
			if !yield(&d.passages[i]) {
				return
			}
		}
		if len(d.later) == 0 {
			return
		}
		a := analysis.New()
		for _, from := range d.later {
			p := analyzePassage(a, from)
			if !yield(&p) {
				return
			}
		}
	}
}

// Terms is store.Analyzed's.
func (d *Analyzed) Terms(weights [store.NumFields]float64) iter.Seq[store.PassageTerms] {
	return func(yield func(store.PassageTerms) bool) {
		for p := range d.each() {
			if !yield(store.PassageTerms{Chunk: p.chunk, Part: p.part, Terms: p.weighted(weights)}) {
				return
			}
		}
	}
}

// weighted are the counts of the passage's terms; a field of weight 0 is left out.
func (p *passage) weighted(weights [store.NumFields]float64) map[string]float64 {
	counts := map[string]float64{}
	for f, list := range p.fields {
		if weights[f] == 0 {
			continue
		}
		for _, t := range list {
			counts[t.term] += weights[f] * float64(t.n)
		}
	}
	return counts
}

// seal writes bytes with a checksum as a text.
func seal(b []byte) string {
	return base64.StdEncoding.EncodeToString(binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

func unseal(text string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	n := len(b) - 4
	if n < 0 || crc32.ChecksumIEEE(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, fmt.Errorf("%d bytes do not have the checksum that stands behind them", len(b))
	}
	return b[:n], nil
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// decoder reads what the encoders write. After an error it gives zeros.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = fmt.Errorf("it ends early")
	}
	d.rest = nil
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count is the number of things that follow, each of which takes at least a byte.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > uint64(len(d.rest)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte {
	n := d.count()
	out := d.rest[:n]
	d.rest = d.rest[n:]
	return out
}

func (d *decoder) text() string { return string(d.bytes()) }
