package references

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// writeOwn writes what a page says by itself.
func (w *writer) writeOwn(k record) {
	w.writeBytes(k.head)
	w.writeBytes(k.packed)
	w.writeString(k.face)
}

// fileBuffer is how much of a graph is read or written at once.
const fileBuffer = 1 << 18

// sealed writes the file of a graph, record by record, and its checksum.
type sealed struct {
	to  *bufio.Writer
	sum hash.Hash32
	// Records of another graph that lie one behind the other are copied at once.
	from io.ReaderAt
	copy stretchAt
	err  error // of copying
}

func newSealed(to io.Writer) *sealed {
	s := &sealed{sum: crc32.New(castagnoli)}
	s.to = bufio.NewWriterSize(io.MultiWriter(to, s.sum), fileBuffer)
	return s
}

// writeHead writes the head of the file. An error of writing is kept by the buffer for
// the next record, and for seal.
func (s *sealed) writeHead(state State, names []byte, places placeNames, records int) {
	w := &writer{b: []byte(magic)}
	w.writeString(state.Generation)
	w.writeString(state.Rules)
	w.writeBytes(names)
	w.writeBytes(places)
	w.writeNumber(records)
	_, _ = s.to.Write(w.b)
}

// copyRecord copies a record of another graph. An error is kept as writeHead keeps it.
func (s *sealed) copyRecord(from io.ReaderAt, record stretchAt) {
	if s.from == from && s.copy.at+int64(s.copy.size) == record.at {
		s.copy.size += record.size
		return
	}
	s.finishCopy()
	s.from, s.copy = from, record
}

// finishCopy writes the records that are to be copied.
func (s *sealed) finishCopy() {
	if s.copy.size > 0 && s.err == nil {
		var n int64
		if n, s.err = s.to.ReadFrom(io.NewSectionReader(s.from, s.copy.at, int64(s.copy.size))); s.err == nil && n < int64(s.copy.size) {
			s.err = io.ErrUnexpectedEOF
		}
	}
	s.from, s.copy = nil, stretchAt{}
}

// writeRecord writes the record of a page; own is what the page says by itself.
func (s *sealed) writeRecord(document int64, own, roots, basis, edges []byte) error {
	if s.finishCopy(); s.err != nil {
		return s.err
	}
	w := &writer{}
	w.b = binary.AppendVarint(w.b, document)
	_, _ = s.to.Write(w.b)
	_, _ = s.to.Write(own)
	w.b = w.b[:0]
	w.writeBytes(roots)
	w.writeBytes(basis)
	w.writeBytes(edges)
	_, err := s.to.Write(w.b) // of all before it too
	return err
}

// seal writes the checksum behind the records.
func (s *sealed) seal() error {
	if s.finishCopy(); s.err != nil {
		return s.err
	}
	if err := s.to.Flush(); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32(nil, s.sum.Sum32())
	_, err := s.to.Write(end)
	return errors.Join(err, s.to.Flush())
}

// Before is a stored graph as far as the next one may be made of it.
type Before struct {
	State
	Pages  []Kept        // in the order of their paths
	at     map[int64]int // the place of a document's among them
	names  []byte        // see parameterNames
	places placeNames
}

// Page gives the record of a document.
func (b Before) Page(document int64) (Kept, bool) {
	if i, ok := b.at[document]; ok {
		return b.Pages[i], true
	}
	return Kept{}, false
}

// File is the file of a stored graph.
type File interface {
	io.ReaderAt
	Size() int64
}

// ReuseGraph opens a stored graph for another one to be made of it, which reads the file
// again. A graph by other rules has no pages to reuse, and of one of this generation they are not
// read: it is the right one already. The error is ErrDamaged, ErrFormat, or one of reading.
func ReuseGraph(file File, rules, generation string) (Before, error) {
	end := file.Size() - 4
	if end < int64(len(magic)) {
		return Before{}, ErrDamaged
	}
	s := newScanner(file, end)
	out, err := s.scanGraph(file, rules, generation)
	if _, rest := io.Copy(io.Discard, s.from); rest != nil {
		return Before{}, rest
	}
	var sum [4]byte
	if n, rerr := file.ReadAt(sum[:], end); n < len(sum) {
		return Before{}, rerr
	}
	if s.sum.Sum32() != binary.LittleEndian.Uint32(sum[:]) {
		return Before{}, ErrDamaged
	}
	return out, err
}

// scanner reads a graph from its beginning to its end, and makes its checksum.
type scanner struct {
	from *bufio.Reader
	sum  hash.Hash32
	at   int64
	end  int64
	bad  bool
	buf  []byte
	// texts are the values that readShared has read.
	texts map[string]string
}

func newScanner(file io.ReaderAt, end int64) *scanner {
	s := &scanner{sum: crc32.New(castagnoli), end: end, texts: map[string]string{}}
	s.from = bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, 0, end), s.sum), fileBuffer)
	return s
}

// ReadByte is io.ByteReader's.
func (s *scanner) ReadByte() (byte, error) {
	b, err := s.from.ReadByte()
	if err == nil {
		s.at++
	}
	return b, err
}

func (s *scanner) readNumber() int64 {
	n, err := binary.ReadVarint(s)
	s.bad = s.bad || err != nil
	return n
}

// readSize reads how many bytes follow.
func (s *scanner) readSize() int {
	n := s.readNumber()
	if n < 0 || n > s.end-s.at {
		s.bad = true
		return 0
	}
	return int(n)
}

// readBytes reads bytes with their number; they hold until the next call.
func (s *scanner) readBytes() []byte {
	n := s.readSize()
	if cap(s.buf) < n {
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	k, err := io.ReadFull(s.from, s.buf)
	s.at += int64(k)
	s.bad = s.bad || err != nil
	return s.buf
}

// readShared reads a text, and gives equal texts the same memory.
func (s *scanner) readShared() string {
	b := s.readBytes()
	text, ok := s.texts[string(b)]
	if !ok {
		text = string(b)
		s.texts[text] = text
	}
	return text
}

// skipBytes passes over bytes with their number, and says where they lie.
func (s *scanner) skipBytes() stretchAt {
	out := stretchAt{size: s.readSize()}
	out.at = s.at
	k, err := s.from.Discard(out.size)
	s.at += int64(k)
	s.bad = s.bad || err != nil
	return out
}

// scanGraph reads what another graph may be made of.
func (s *scanner) scanGraph(file io.ReaderAt, rules, generation string) (Before, error) {
	begin := make([]byte, len(magic))
	if _, err := io.ReadFull(s.from, begin); err != nil {
		return Before{}, err
	}
	s.at = int64(len(begin))
	switch {
	case !bytes.HasPrefix(begin, []byte(anyMagic)):
		return Before{}, ErrDamaged
	case string(begin) != magic:
		return Before{}, ErrFormat
	}
	var out Before
	out.Generation = string(s.readBytes())
	out.Rules = string(s.readBytes())
	if s.bad {
		return Before{}, ErrDamaged
	}
	if out.Rules != rules || out.Generation == generation {
		return out, nil
	}
	out.names = bytes.Clone(s.readBytes())
	out.places = bytes.Clone(s.readBytes())
	s.bad = s.bad || len(out.places)%entrySize != 0
	n := s.readNumber()
	if n < 0 || n > s.end-s.at {
		return Before{}, ErrDamaged
	}
	const most = 1 << 16 // the checksum is compared behind the pages: a damaged number asks for no memory
	out.Pages, out.at = make([]Kept, 0, min(n, most)), make(map[int64]int, min(n, most))
	for i := range n {
		k := Kept{in: file, stored: true, entire: stretchAt{at: s.at}}
		k.Document = s.readNumber()
		ok := s.scanRecord(&k)
		if s.bad || !ok {
			return Before{}, ErrDamaged
		}
		out.Pages = append(out.Pages, k)
		out.at[k.Document] = int(i)
	}
	return out, nil
}

// scanRecord reads the record of a page behind the document's number.
func (s *scanner) scanRecord(k *Kept) (ok bool) {
	k.own.at = s.at
	k.head, ok = decodeHead(s.readBytes())
	s.skipBytes()
	k.face = string(s.readBytes())
	k.own.size = int(s.at - k.own.at)
	k.roots = s.readShared()
	k.basis = string(s.readBytes())
	s.skipBytes() // the edges
	k.entire.size = int(s.at - k.entire.at)
	return ok
}
