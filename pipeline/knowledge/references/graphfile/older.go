package graphfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// olderMagic begins a graph of the format before: the state, the names of parameters and the named places
// come first, then the pages with all of their parts, then one checksum. What it says is the same, so
// that a home of the version before need not read its pages again.
const olderMagic = anyMagic + "4\n"

// IsOlder reports whether a file begins as a graph of the format before.
func IsOlder(file File) bool {
	begin := make([]byte, len(olderMagic))
	return ReadWhole(file, begin, 0) == nil && string(begin) == olderMagic
}

// ConvertOlder writes a graph of the format before in this one. The error is ErrDamaged where it is not
// whole, which shows at its end.
func ConvertOlder(to io.Writer, file File) error {
	end := file.Size() - 4
	s := &olderReader{sum: crc32.New(castagnoli), left: end}
	s.from = bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, 0, end), s.sum), fileBuffer)
	if _, err := io.CopyN(io.Discard, s, int64(len(olderMagic))); err != nil {
		return ErrDamaged
	}
	state := State{Generation: s.text(), Rules: s.text()}
	names := bytes.Clone(s.bytes())
	places := bytes.Clone(s.bytes())
	n := s.number()
	w := NewWriter(to, int(min(max(n, 0), 1<<20)))
	for ; n > 0 && !s.bad; n-- {
		k := Row{Document: s.number()}
		k.Head = s.text()
		packed := bytes.Clone(s.bytes())
		k.Face, k.Roots, k.Basis = s.text(), s.text(), s.text()
		if err := w.WriteRecord(k, packed, s.bytes()); err != nil {
			return err
		}
	}
	var sum [4]byte
	if err := ReadWhole(file, sum[:], end); err != nil {
		return err
	}
	if s.bad || s.left != 0 || s.sum.Sum32() != binary.LittleEndian.Uint32(sum[:]) {
		return ErrDamaged
	}
	return w.Seal(state, names, places)
}

// Convert gives a graph of either format in this one, until an update writes it so.
func Convert(raw []byte) ([]byte, error) {
	file := bytes.NewReader(raw)
	if !IsOlder(file) {
		return raw, nil
	}
	var out bytes.Buffer
	err := ConvertOlder(&out, file)
	return out.Bytes(), err
}

// olderReader reads a graph from its beginning to its end, and makes its checksum. After something that
// cannot have been written it is bad, and gives nothing.
type olderReader struct {
	from *bufio.Reader
	sum  hash.Hash32
	left int64
	bad  bool
	buf  []byte
}

// Read is io.Reader's.
func (s *olderReader) Read(b []byte) (int, error) {
	n, err := s.from.Read(b)
	s.left -= int64(n)
	return n, err
}

// ReadByte is io.ByteReader's.
func (s *olderReader) ReadByte() (byte, error) {
	b, err := s.from.ReadByte()
	if err == nil {
		s.left--
	}
	return b, err
}

func (s *olderReader) number() int64 {
	n, err := binary.ReadVarint(s)
	s.bad = s.bad || err != nil
	return n
}

// bytes reads bytes with their number; they hold until the next call.
func (s *olderReader) bytes() []byte {
	n := s.number()
	if n < 0 || n > s.left {
		s.bad = true
	}
	if s.bad {
		return nil
	}
	s.buf = slices.Grow(s.buf[:0], int(n))[:n]
	_, err := io.ReadFull(s, s.buf)
	s.bad = s.bad || err != nil
	return s.buf
}

func (s *olderReader) text() string { return string(s.bytes()) }
