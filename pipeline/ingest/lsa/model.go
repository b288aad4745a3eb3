package lsa

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"sort"
	"strings"
)

// Model is a trained model. It is safe for concurrent use, and a nil one may be used: it
// has no dimensions and gives no vectors.
//
// It is bytes, of which a query touches a few rows: nothing is decoded on
// opening. Little-endian: a head; the singular values (float32); of each term,
// sorted, its global weight (float32), the scale of its row (float32), where its
// text begins (uint32, and where the last one ends); the rows, one signed byte a
// dimension; the texts. A row is its bytes times its scale, so that a component
// is off by at most a 254th of the row's greatest, less than what a text's vector
// loses when it is stored; float32 would take four times the room and the time
// to read it. Terms that too many passages have are there with an empty row, so
// that Drift does not take them for new.
type Model struct {
	raw      []byte
	dims     int
	terms    int
	passages int
	expected float64 // see Drift

	values, weights, scales, starts, rows, texts []byte
}

// The head: magic, dimensions, terms (uint32 each), passages (uint64), expected
// share of unknown weight (float64), identity (8 bytes), CRC-32C (uint32) of all
// the other bytes, four bytes of zero.
const (
	headLen  = 48
	crcAt    = 40
	idAt     = 32
	version  = "1"
	maxDims  = 1 << 14
	maxTerms = 1 << 24
)

var magic = []byte("docentl" + version)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// trained is what training found out.
type trained struct {
	passages int
	expected float64
	values   []float64
	terms    []termEntries
	weights  []float32
	vectors  *dense
	common   []termEntries
}

func encodeModel(t trained) []byte {
	type line struct {
		text   string
		weight float32
		row    []float32
	}
	lines := make([]line, 0, len(t.terms)+len(t.common))
	for i, e := range t.terms {
		lines = append(lines, line{e.text, t.weights[i], t.vectors.rowOf(i)})
	}
	for _, e := range t.common {
		lines = append(lines, line{e.text, float32(globalWeight(e.entropy)), nil})
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.text, b.text) })
	dims, size := len(t.values), 0
	for _, l := range lines {
		size += len(l.text)
	}
	b := make([]byte, headLen, headLen+4*dims+len(lines)*(12+dims)+4+size)
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], uint32(dims))
	binary.LittleEndian.PutUint32(b[12:], uint32(len(lines)))
	binary.LittleEndian.PutUint64(b[16:], uint64(t.passages))
	binary.LittleEndian.PutUint64(b[24:], math.Float64bits(t.expected))
	for _, v := range t.values {
		b = appendFloat(b, float32(v))
	}
	for _, l := range lines {
		b = appendFloat(b, l.weight)
	}
	for _, l := range lines {
		b = appendFloat(b, scaleOfRow(l.row))
	}
	at := 0
	for _, l := range lines {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(l.text)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(at))
	for _, l := range lines {
		scale := float64(scaleOfRow(l.row))
		for i := range dims {
			n := 0.0
			if scale > 0 {
				n = min(127, max(-127, math.Round(float64(l.row[i])/scale)))
			}
			b = append(b, byte(int8(n)))
		}
	}
	for _, l := range lines {
		b = append(b, l.text...)
	}
	sum := sha256.Sum256(b)
	copy(b[idAt:idAt+8], sum[:])
	binary.LittleEndian.PutUint32(b[crcAt:], checksumOfModel(b))
	return b
}

func scaleOfRow(row []float32) float32 {
	top := float32(0)
	for _, x := range row {
		top = max(top, x, -x)
	}
	return top / 127
}

func appendFloat(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

// checksumOfModel is that of all bytes but its own.
func checksumOfModel(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:crcAt], castagnoli), castagnoli, b[crcAt+4:])
}

// Decode opens a model. It keeps b, which must not change while the model is in
// use. The error wraps ErrDamaged.
func Decode(b []byte) (*Model, error) {
	if len(b) >= headLen && checksumOfModel(b) != binary.LittleEndian.Uint32(b[crcAt:]) {
		return nil, fmt.Errorf("the model does not have its checksum: %w", ErrDamaged)
	}
	return OpenTrusted(b)
}

// OpenTrusted is as Decode for bytes that are known to be as they were written: their
// checksum is not compared, which would read all of them.
func OpenTrusted(b []byte) (*Model, error) {
	if len(b) < headLen || !bytes.Equal(b[:len(magic)], magic) {
		return nil, fmt.Errorf("this is no model of version %s: %w", version, ErrDamaged)
	}
	dims, terms := uint64(binary.LittleEndian.Uint32(b[8:])), uint64(binary.LittleEndian.Uint32(b[12:]))
	passages := binary.LittleEndian.Uint64(b[16:])
	fixed := headLen + 4*dims + terms*(12+dims) + 4 // cannot overflow: both are below 2^24
	if dims < 1 || dims > maxDims || terms > maxTerms || passages >= maxPassages || uint64(len(b)) < fixed {
		return nil, fmt.Errorf("the model's head does not fit its %d bytes: %w", len(b), ErrDamaged)
	}
	m := &Model{raw: b, dims: int(dims), terms: int(terms), passages: int(passages)}
	m.expected = math.Float64frombits(binary.LittleEndian.Uint64(b[24:]))
	at := headLen
	take := func(n int) []byte {
		at += n
		return b[at-n : at : at]
	}
	m.values = take(4 * m.dims)
	m.weights = take(4 * m.terms)
	m.scales = take(4 * m.terms)
	m.starts = take(4 * (m.terms + 1))
	m.rows = take(m.terms * m.dims)
	m.texts = b[at:]
	if err := m.checkNumbers(); err != nil {
		return nil, err
	}
	return m, nil
}

// checkNumbers looks at every number that others are computed from or sliced by. To
// open a model of 65 000 terms takes 1.6 ms with it and the checksum.
func (m *Model) checkNumbers() error {
	damaged := fmt.Errorf("the model's numbers are none that training gives: %w", ErrDamaged)
	if !(m.expected >= 0 && m.expected <= 1) {
		return damaged
	}
	for i := range m.dims {
		if !(floatAt(m.values, i) > 0 && floatAt(m.values, i) <= math.MaxFloat32) {
			return damaged
		}
	}
	at := uint32(0)
	for i := range m.terms {
		if w := floatAt(m.weights, i); !(w >= 0 && w <= 1) {
			return damaged
		}
		// A row's components are those of unit vectors.
		if s := floatAt(m.scales, i); !(s >= 0 && s <= 1) {
			return damaged
		}
		next := binary.LittleEndian.Uint32(m.starts[4*i+4:])
		if i == 0 && binary.LittleEndian.Uint32(m.starts) != 0 || next < at {
			return damaged
		}
		at = next
	}
	if uint64(at) != uint64(len(m.texts)) {
		return damaged
	}
	return nil
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

// Encode is the model's bytes; they must not be changed. A nil model has none.
func (m *Model) Encode() []byte {
	if m == nil {
		return nil
	}
	return m.raw
}

// ID names the model: the same for the same bytes. Vectors of models with
// different names cannot be compared. A nil model has none.
func (m *Model) ID() string {
	if m == nil {
		return ""
	}
	return "lsa:" + version + ":" + hex.EncodeToString(m.raw[idAt:idAt+8])
}

// Dimensions is the number of dimensions of the vectors.
func (m *Model) Dimensions() int {
	if m == nil {
		return 0
	}
	return m.dims
}

// Terms is the number of terms the model knows.
func (m *Model) Terms() int {
	if m == nil {
		return 0
	}
	return m.terms
}

// Passages is the number of passages of the corpus it was trained on, all or a sample.
func (m *Model) Passages() int {
	if m == nil {
		return 0
	}
	return m.passages
}

// Values is the singular values, the greatest first: how much of the corpus each
// dimension holds.
func (m *Model) Values() []float32 {
	out := make([]float32, m.Dimensions())
	for i := range out {
		out[i] = floatAt(m.values, i)
	}
	return out
}

func (m *Model) termText(i int) []byte {
	return m.texts[binary.LittleEndian.Uint32(m.starts[4*i:]):binary.LittleEndian.Uint32(m.starts[4*i+4:])]
}

// findTerm finds a term, -1 where it is unknown.
func (m *Model) findTerm(term string) int {
	i := sort.Search(m.terms, func(i int) bool { return string(m.termText(i)) >= term })
	if i < m.terms && string(m.termText(i)) == term {
		return i
	}
	return -1
}

func (m *Model) weightOfTerm(i int) float64 { return float64(floatAt(m.weights, i)) }

func (m *Model) rowScale(i int) float64 { return float64(floatAt(m.scales, i)) }

func (m *Model) rowBytes(i int) []byte { return m.rows[i*m.dims : (i+1)*m.dims] }
