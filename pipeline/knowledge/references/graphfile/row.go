package graphfile

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"docent/pipeline/knowledge/references/wire"
)

// Row is what the table says of a page.
type Row struct {
	Document int64 // in the catalog
	// Head is the part that the page's address depends on, and Face names the part that the edges of
	// other pages depend on. Roots are the folders of the site that its links tell of, Basis the pages
	// and names that its edges depend on.
	Head, Face, Roots, Basis string
	// The sizes of the two parts of its record, and the checksum of both.
	Packed, Edges int
	Sum           uint32
}

// Size is the length of the record.
func (k Row) Size() int { return k.Packed + k.Edges }

// Of gives the row the sizes and the checksum of a record.
func (k Row) Of(packed, edges []byte) Row {
	k.Packed, k.Edges = len(packed), len(edges)
	k.Sum = crc32.Update(checksum(packed), castagnoli, edges)
	return k
}

// Holds reports whether a record has the row's checksum.
func (k Row) Holds(record []byte) bool { return checksum(record) == k.Sum }

func writeRow(w *wire.Writer, k Row) {
	w.B = binary.AppendVarint(w.B, k.Document)
	for _, s := range []string{k.Head, k.Face, k.Roots, k.Basis} {
		w.WriteString(s)
	}
	w.WriteNumber(k.Packed)
	w.WriteNumber(k.Edges)
	w.B = binary.LittleEndian.AppendUint32(w.B, k.Sum)
}

// TextReader reads what a writer wrote out of a text. The texts that it gives are parts of that, so that a
// table of many pages is one piece of memory. After something that cannot have been written it is bad,
// and gives nothing.
type TextReader struct {
	s   string
	bad bool
}

// NewTextReader reads a text.
func NewTextReader(s string) *TextReader { return &TextReader{s: s} }

// Left is how many bytes of the text were not read yet.
func (r *TextReader) Left() int { return len(r.s) }

// Bad reports whether the text cannot have been written so far, and Ended whether it was read to its end.
func (r *TextReader) Bad() bool { return r.bad }

// Ended is described at Bad.
func (r *TextReader) Ended() bool { return !r.bad && len(r.s) == 0 }

func (r *TextReader) spoil() { r.s, r.bad = "", true }

func (r *TextReader) readLong() int64 {
	var v uint64
	for i := 0; i < len(r.s) && i < binary.MaxVarintLen64; i++ {
		v |= uint64(r.s[i]&0x7f) << (7 * i)
		if r.s[i] < 0x80 {
			r.s = r.s[i+1:]
			return int64(v>>1) ^ -int64(v&1)
		}
	}
	r.spoil()
	return 0
}

// ReadNumber reads a number.
func (r *TextReader) ReadNumber() int {
	v := r.readLong()
	if v > math.MaxInt32 || v < math.MinInt32 {
		r.spoil()
		return 0
	}
	return int(v)
}

// ReadCount reads how many items follow; each takes at least a byte.
func (r *TextReader) ReadCount() int {
	n := r.ReadNumber()
	if n < 0 || n > len(r.s) {
		r.spoil()
		return 0
	}
	return n
}

// ReadText reads a text.
func (r *TextReader) ReadText() string {
	n := r.ReadCount()
	out := r.s[:n]
	r.s = r.s[n:]
	return out
}

// ReadSum reads a checksum.
func (r *TextReader) ReadSum() uint32 {
	if len(r.s) < 4 {
		r.spoil()
		return 0
	}
	sum := uint32(r.s[0]) | uint32(r.s[1])<<8 | uint32(r.s[2])<<16 | uint32(r.s[3])<<24
	r.s = r.s[4:]
	return sum
}

func (r *TextReader) readRow() Row {
	k := Row{Document: r.readLong(), Head: r.ReadText(), Face: r.ReadText(), Roots: r.ReadText(), Basis: r.ReadText(),
		Packed: r.ReadNumber(), Edges: r.ReadNumber(), Sum: r.ReadSum()}
	if k.Packed < 0 || k.Edges < 0 {
		r.spoil()
	}
	if r.bad {
		return Row{}
	}
	return k
}
