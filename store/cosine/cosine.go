// Package cosine keeps directions of vectors in seven bits a component and
// computes the cosines between them. Every store of vectors keeps this form and
// has its candidates scored here, so that all give the same order.
//
// Each component is rounded to one of 127 steps, -63 to 63 times a 63rd of the
// vector's greatest component, and kept as that number plus 64: a byte below 128.
// The vector is of unit length by definition, so no scale is kept, only one over
// the length of the rounded vector. On judged collections (med, cranfield, cisi,
// cacm, scifact) the order by rounded vectors of latent semantic analysis is as
// good as by float32, at a quarter of the bytes: nDCG@10 differs by .000, -.002,
// -.001, +.007 and +.001. Of 7 936 vectors of 512 dimensions that a real
// model made of documentation (the Universal Sentence Encoder lite), 99.3 % of the
// ten nearest are the same as by float32, and the first of them in 99 % of the
// cases; no cosine is off by more than .001. Scoring once more by float32 would
// gain nothing that could be seen.
//
// Seven bits and not eight, because sums of products of such then fit where the
// processor adds them quickest. In plain Go a 64-bit multiplication does four
// components at once: with four components in the four 16-bit lanes of a word
// and the query's four in the lanes of another in reverse order, the top lane of
// their product is the sum of the four products, and no lane overflows into the
// next, for 4 x 127 x 127 < 2^16. (That is multiplying polynomials, of which one
// coefficient is wanted.) With AVX2 one instruction multiplies 32 pairs and adds
// them in twos, which must stay below 2^15. (Lucene keeps vectors in seven bits
// for a like reason.) Over 100 000 vectors of 128 dimensions, on one core:
//
//	AVX2, thirty lines of assembly    0.3 ms
//	plain Go, as above                2.2 ms
//	plain Go, float32                 5.3 ms
//	plain Go, int8 one by one         8.5 ms
//	reading the same bytes            0.4 ms
//
// Only the first is as fast as memory, which is why there is assembly at all;
// both ways give the same integers, and a test holds them against each other.
//
// Integers have one more advantage: their sum does not depend on the order and
// no machine fuses a multiplication with an addition, so scores are the same
// everywhere.
//
// It refuses to know which passage a vector belongs to.
package cosine

import (
	"encoding/binary"
	"errors"
	"math"
)

const (
	bias      = 64 // added to a component so that it is not negative
	maxStep   = 63 // greatest rounded component
	wordLanes = 0x00ff00ff00ff00ff
	blockLen  = 32 // bytes the inner loop takes at once; codes are padded to it

	// A code is one over the rounded vector's length (float32), the sum of its
	// components (int32), and the components.
	headLen = 8
)

// MaxDims is the greatest number of dimensions.
const MaxDims = 1 << 14

// CodeLength is the length of a code in bytes.
func CodeLength(dims int) int { return headLen + (dims+blockLen-1)/blockLen*blockLen }

var errNotFinite = errors.New("a component is not a finite number")

// greatestComponent is the greatest absolute component.
func greatestComponent(v []float32) (float64, error) {
	top := 0.0
	for _, x := range v {
		a := math.Abs(float64(x))
		if !(a <= math.MaxFloat32) {
			return 0, errNotFinite
		}
		top = max(top, a)
	}
	return top, nil
}

// Append appends a vector's code; nothing for a vector of zeros, which has no
// direction.
func Append(b []byte, v []float32) ([]byte, error) {
	top, err := greatestComponent(v)
	if err != nil || top == 0 {
		return b, err
	}
	start := len(b)
	b = append(b, make([]byte, CodeLength(len(v)))...)
	code := b[start:]
	sum, squares := 0, 0
	for i, x := range v {
		n := int(math.Round(float64(x) / top * maxStep))
		sum += n
		squares += n * n
		code[headLen+i] = byte(n + bias)
	}
	binary.LittleEndian.PutUint32(code, math.Float32bits(float32(1/math.Sqrt(float64(squares)))))
	binary.LittleEndian.PutUint32(code[4:], uint32(int32(sum)))
	return b, nil
}

// inverseLength is one over the length of a code's vector.
func inverseLength(code []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(code)))
}

func codeSum(code []byte) int { return int(int32(binary.LittleEndian.Uint32(code[4:]))) }

// Decode gives a code's vector, of unit length.
func Decode(code []byte, dims int) []float32 {
	length := inverseLength(code)
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(float64(int(code[headLen+i])-bias) * length)
	}
	return v
}

// Query is a query's vector, rounded to 14 bits and taken apart into two planes
// of seven: component i is 128 high[i] + low[i] - 8192. The high plane alone
// gives a score that is off by at most slack, so that a search goes over all
// rows with it and over few with the low one.
type Query struct {
	high, low plane
	inverse   float64 // one over the rounded vector's length
	slack     float64 // greatest difference of coarse and score
}

// plane is seven bits of each of a query's components.
type plane struct {
	bytes []byte   // one a component
	words []uint64 // the same in lanes, see dot
	sum   int
}

func newPlane(dims int) plane {
	n := CodeLength(dims) - headLen
	return plane{bytes: make([]byte, n), words: make([]uint64, n/4)}
}

func (p *plane) setBit(i, x int) {
	p.bytes[i] = byte(x)
	// The even bytes of eight meet the first word, the odd ones the second, and
	// the lanes are in reverse.
	p.words[i/8*2+i%2] |= uint64(x) << (16 * (3 - i%8/2))
	p.sum += x
}

const (
	planeBits = 7
	planeMask = 1<<planeBits - 1
	planeMid  = 1 << (planeBits - 1)
	fineBias  = 1 << (2*planeBits - 1)
	fineStep  = fineBias - 1
)

// NewQuery rounds a query's vector; nil for one of zeros.
func NewQuery(v []float32) (*Query, error) {
	top, err := greatestComponent(v)
	if err != nil || top == 0 {
		return nil, err
	}
	q := &Query{high: newPlane(len(v)), low: newPlane(len(v))}
	squares, rest := 0, 0
	for i, x := range v {
		f := int(math.Round(float64(x) / top * fineStep))
		squares += f * f
		f += fineBias
		low := f & planeMask
		rest += (low - planeMid) * (low - planeMid)
		q.high.setBit(i, f>>planeBits)
		q.low.setBit(i, low)
	}
	q.inverse = 1 / math.Sqrt(float64(squares))
	// Cauchy and Schwarz; the millionth is for the rounding of floats.
	q.slack = float64(math.Sqrt(float64(rest))*q.inverse) + 1e-6
	return q, nil
}

// Coarse gives approximate cosines with the codes at offset at of each row, times
// the query's length. It reads half of what Cosine computes.
func (q *Query) Coarse(rows []byte, size, at int, out []float64) {
	var buf [256]uint32
	for len(out) > 0 {
		high := buf[:min(len(buf), len(out))]
		dotProducts(rows, size, at+headLen, &q.high, high)
		for i, h := range high {
			code := rows[i*size+at : i*size+at+headLen]
			n := int(h) - bias*q.high.sum
			out[i] = float64(n<<planeBits-(fineBias-planeMid)*codeSum(code)) * inverseLength(code)
		}
		rows, out = rows[len(high)*size:], out[len(high):]
	}
}

// SlackOf is the greatest difference between a value of Coarse and the exact one.
func (q *Query) SlackOf() float64 { return q.slack / q.inverse }

// Cosine is the cosine of the query and a code.
func (q *Query) Cosine(code []byte) float64 {
	high := int(dotProduct(code[headLen:], q.high.words)) - bias*q.high.sum
	low := int(dotProduct(code[headLen:], q.low.words)) - bias*q.low.sum
	return min(1, max(-1, float64(high<<planeBits+low-fineBias*codeSum(code))*inverseLength(code)*q.inverse))
}

// dotProduct is the sum of the products of a row's bytes and a plane's, in plain Go.
// Both accumulators and the arrays are for the compiler: no bounds are checked
// in the body, and the sums do not wait for each other.
func dotProduct(row []byte, plane []uint64) uint64 {
	var s, t uint64
	for len(row) >= blockLen && len(plane) >= blockLen/4 {
		a, q := (*[blockLen]byte)(row), (*[blockLen / 4]uint64)(plane)
		w := binary.LittleEndian.Uint64(a[0:8])
		s += ((w & wordLanes) * q[0]) >> 48
		t += ((w >> 8 & wordLanes) * q[1]) >> 48
		w = binary.LittleEndian.Uint64(a[8:16])
		s += ((w & wordLanes) * q[2]) >> 48
		t += ((w >> 8 & wordLanes) * q[3]) >> 48
		w = binary.LittleEndian.Uint64(a[16:24])
		s += ((w & wordLanes) * q[4]) >> 48
		t += ((w >> 8 & wordLanes) * q[5]) >> 48
		w = binary.LittleEndian.Uint64(a[24:32])
		s += ((w & wordLanes) * q[6]) >> 48
		t += ((w >> 8 & wordLanes) * q[7]) >> 48
		row, plane = row[blockLen:], plane[blockLen/4:]
	}
	return s + t
}

// dotsPlain is dot for the components at offset at of each row.
func dotsPlain(rows []byte, size, at int, p *plane, out []uint32) {
	for i := range out {
		out[i] = uint32(dotProduct(rows[i*size+at:(i+1)*size], p.words))
	}
}
