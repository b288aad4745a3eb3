// Package graphfile is the form in which the reference graph of a doc set is stored: a file, and a patch
// next to it.
//
// The file is never changed in place. It begins with a line that names the format. Then come, for each page
// in the order of paths, its record, which is most of the file: what the page says by itself, and the edges
// that were made of it. Behind them are the names of parameters; the named places; a table of the
// pages; and a trailer with the sizes and checksums of all of these. The table has the checksums of the
// records, so that an update reads the table and few records.
//
// It refuses to know what records, names and places say.
package graphfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

// ErrDamaged means that a kept graph cannot be read.
var ErrDamaged = errors.New("the reference graph is damaged")

// ErrFormat means that a kept graph was written by another version of this program. It
// is ErrDamaged for all that matters, but nothing was lost.
var ErrFormat error = formatError{}

type formatError struct{}

func (formatError) Error() string        { return "the reference graph is in the format of another version" }
func (formatError) Is(target error) bool { return target == ErrDamaged }

// The formats begin alike.
const (
	anyMagic = "docent reference graph "
	magic    = anyMagic + "5\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// State says what a graph was made of.
type State struct {
	Generation string // of the doc set's index
	Rules      string // see Settings.Rules
}

// File is the file of a stored graph.
type File interface {
	io.ReaderAt
	Size() int64
}

// stretchAt is a part of a file.
type stretchAt struct {
	at   int64
	size int
}

// section is a part of the file that has a checksum.
type section struct {
	stretchAt
	sum uint32
}

// trailer is the end of the file: where its sections are.
type trailer struct {
	raw                  []byte // as it is written; it tells this graph from others
	bulk                 stretchAt
	names, places, table section
}

// trailerSize is the length of a trailer: four sizes, three checksums, its own.
const trailerSize = 4*8 + 3*4 + 4

// encodeTrailer writes a trailer.
func encodeTrailer(bulk int64, parts [][][]byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(bulk))
	sums := make([]uint32, len(parts))
	for i, pieces := range parts {
		size := 0
		for _, piece := range pieces {
			size += len(piece)
			sums[i] = crc32.Update(sums[i], castagnoli, piece)
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(size))
	}
	for _, sum := range sums {
		b = binary.LittleEndian.AppendUint32(b, sum)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// openTrailer reads the beginning and the end of a file. The error is ErrDamaged, ErrFormat, or one
// of reading.
func openTrailer(file File) (t trailer, err error) {
	size := file.Size()
	if size < int64(len(magic)+trailerSize) {
		return t, ErrDamaged
	}
	begin := make([]byte, len(magic))
	if err := ReadWhole(file, begin, 0); err != nil {
		return t, err
	}
	switch {
	case !bytes.HasPrefix(begin, []byte(anyMagic)):
		return t, ErrDamaged
	case string(begin) != magic:
		return t, ErrFormat
	}
	t.raw = make([]byte, trailerSize)
	if err := ReadWhole(file, t.raw, size-trailerSize); err != nil {
		return t, err
	}
	end := trailerSize - 4
	if checksum(t.raw[:end]) != binary.LittleEndian.Uint32(t.raw[end:]) {
		return t, ErrDamaged
	}
	left := uint64(size) - uint64(len(magic)) - trailerSize
	at := int64(len(magic))
	part := func(i int) (s stretchAt) {
		n := binary.LittleEndian.Uint64(t.raw[8*i:])
		if n > left {
			err = ErrDamaged
			return stretchAt{}
		}
		s = stretchAt{at, int(n)}
		left, at = left-n, at+int64(n)
		return s
	}
	sum := func(i int) uint32 { return binary.LittleEndian.Uint32(t.raw[4*8+4*i:]) }
	t.bulk = part(0)
	t.names, t.places, t.table = section{part(1), sum(0)}, section{part(2), sum(1)}, section{part(3), sum(2)}
	if left != 0 {
		err = ErrDamaged
	}
	return t, err
}

// ReadWhole fills b with the bytes of a file at a place. A file that ends there is damaged.
func ReadWhole(file io.ReaderAt, b []byte, at int64) error {
	n, err := file.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return ErrDamaged
	}
	return err
}

// readSection reads a section and compares it with its checksum.
func readSection(file io.ReaderAt, s section) ([]byte, error) {
	b := make([]byte, s.size)
	if err := ReadWhole(file, b, s.at); err != nil {
		return nil, err
	}
	if checksum(b) != s.sum {
		return nil, ErrDamaged
	}
	return b, nil
}

// Opened is a graph's file, opened: its state, and the rows of its pages with the places of their
// records.
type Opened struct {
	State
	Rows []Row
	At   []int64
	file File
	trailer
}

// Open opens a file. The rows of a graph for which the caller has no use it does not read. The error is
// ErrDamaged, ErrFormat, or one of reading.
func Open(file File, wants func(State) bool) (*Opened, error) {
	t, err := openTrailer(file)
	if err != nil {
		return nil, err
	}
	raw, err := readSection(file, t.table)
	if err != nil {
		return nil, err
	}
	o := &Opened{file: file, trailer: t}
	r := NewTextReader(string(raw))
	o.Generation, o.Rules = r.ReadText(), r.ReadText()
	n := r.ReadCount()
	if r.bad {
		return nil, ErrDamaged
	}
	if !wants(o.State) {
		return o, nil
	}
	o.Rows, o.At = make([]Row, 0, n), make([]int64, 0, n)
	next := t.bulk.at
	for range n {
		k := r.readRow()
		o.Rows, o.At = append(o.Rows, k), append(o.At, next)
		next += int64(k.Size())
	}
	if !r.Ended() || next != t.bulk.at+int64(t.bulk.size) {
		return nil, ErrDamaged
	}
	return o, nil
}

// Names reads the names of parameters, and Places the named places. They are compared with their checksums.
func (o *Opened) Names() ([]byte, error) { return readSection(o.file, o.names) }

// Places is described at Names.
func (o *Opened) Places() ([]byte, error) { return readSection(o.file, o.places) }

// Check compares the names, the places and all records with their checksums.
func (o *Opened) Check() error {
	for _, s := range []section{o.names, o.places} {
		if _, err := readSection(o.file, s); err != nil {
			return err
		}
	}
	var b []byte
	for i := 0; i < len(o.Rows); {
		n, size := i, 0
		for ; n < len(o.Rows) && (n == i || size+o.Rows[n].Size() <= fileBuffer); n++ {
			size += o.Rows[n].Size()
		}
		b = slices.Grow(b[:0], size)[:size]
		if err := ReadWhole(o.file, b, o.At[i]); err != nil {
			return err
		}
		for rest := b; i < n; i++ {
			if !o.Rows[i].Holds(rest[:o.Rows[i].Size()]) {
				return ErrDamaged
			}
			rest = rest[o.Rows[i].Size():]
		}
	}
	return nil
}
