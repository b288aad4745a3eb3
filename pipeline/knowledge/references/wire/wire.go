// Package wire has the form of what the reference graph keeps of a page: numbers of variable
// length, and texts behind their length.
package wire

import (
	"encoding/binary"
	"math"
)

// Writer writes numbers and texts in a row.
type Writer struct{ B []byte }

// WriteNumber writes a number.
func (w *Writer) WriteNumber(n int) { w.B = binary.AppendVarint(w.B, int64(n)) }

// WriteString writes a text.
func (w *Writer) WriteString(s string) { w.WriteNumber(len(s)); w.B = append(w.B, s...) }

// WriteBytes writes bytes.
func (w *Writer) WriteBytes(b []byte) { w.WriteNumber(len(b)); w.B = append(w.B, b...) }

// WriteFlag writes 1 for true and 0 for false.
func (w *Writer) WriteFlag(ok bool) { w.WriteNumber(map[bool]int{true: 1}[ok]) }

// WriteScore writes a score with three digits.
func (w *Writer) WriteScore(f float64) { w.WriteNumber(int(math.Round(f * 1000))) }

// Reader reads what a Writer wrote. After something that cannot have been written it is
// bad, and gives nothing.
type Reader struct {
	B   []byte // the bytes left
	Bad bool
}

// ReadNumber reads a number of 32 bits.
func (r *Reader) ReadNumber() int {
	v, n := binary.Varint(r.B)
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		r.Bad, r.B = true, nil
		return 0
	}
	r.B = r.B[n:]
	return int(v)
}

// ReadCount reads how many items follow; each takes at least a byte.
func (r *Reader) ReadCount() int {
	n := r.ReadNumber()
	if n < 0 || n > len(r.B) {
		r.Bad, r.B = true, nil
		return 0
	}
	return n
}

// ReadBytes reads bytes, which are a part of what it reads from.
func (r *Reader) ReadBytes() []byte {
	n := r.ReadCount()
	out := r.B[:n]
	r.B = r.B[n:]
	return out
}

// ReadString reads a text.
func (r *Reader) ReadString() string { return string(r.ReadBytes()) }

// ReadFlag reads a flag.
func (r *Reader) ReadFlag() bool { return r.ReadNumber() == 1 }

// ReadScore reads a score.
func (r *Reader) ReadScore() float64 { return float64(r.ReadNumber()) / 1000 }
