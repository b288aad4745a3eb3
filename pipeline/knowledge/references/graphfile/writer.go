package graphfile

import (
	"bufio"
	"io"

	"docent/pipeline/knowledge/references/wire"
)

// fileBuffer is how much of a graph is read or written at once.
const fileBuffer = 1 << 18

// Writer writes the file of a graph: record by record, then names, places, table and trailer.
type Writer struct {
	to    *bufio.Writer
	bulk  int64
	rows  int
	table wire.Writer // the rows alone
	// Records of another graph that lie one behind the other are copied at once.
	from io.ReaderAt
	copy stretchAt
	err  error // of copying
}

// typicalRow is how many bytes the row of a page takes, more or less.
const typicalRow = 160

// NewWriter begins a file. An error of writing is kept by the buffer for the next record, and for
// Seal.
func NewWriter(to io.Writer, pages int) *Writer {
	s := &Writer{to: bufio.NewWriterSize(to, fileBuffer), table: wire.Writer{B: make([]byte, 0, pages*typicalRow)}}
	_, _ = s.to.WriteString(magic)
	return s
}

func (s *Writer) addRow(k Row) {
	s.rows++
	s.bulk += int64(k.Size())
	writeRow(&s.table, k)
}

// CopyRecord copies the record of a page out of another graph, with the checksum that it has there.
// An error is kept as NewWriter keeps it.
func (s *Writer) CopyRecord(from io.ReaderAt, at int64, k Row) {
	s.addRow(k)
	if s.from == from && s.copy.at+int64(s.copy.size) == at {
		s.copy.size += k.Size()
		return
	}
	s.finishCopy()
	s.from, s.copy = from, stretchAt{at, k.Size()}
}

// finishCopy writes the records that are to be copied.
func (s *Writer) finishCopy() {
	if s.copy.size > 0 && s.err == nil {
		var n int64
		if n, s.err = s.to.ReadFrom(io.NewSectionReader(s.from, s.copy.at, int64(s.copy.size))); s.err == nil && n < int64(s.copy.size) {
			s.err = io.ErrUnexpectedEOF
		}
	}
	s.from, s.copy = nil, stretchAt{}
}

// WriteRecord writes the record of a page, whose row gets the sizes and the checksum.
func (s *Writer) WriteRecord(k Row, packed, edges []byte) error {
	if s.finishCopy(); s.err != nil {
		return s.err
	}
	s.addRow(k.Of(packed, edges))
	_, _ = s.to.Write(packed)
	_, err := s.to.Write(edges) // of all before it too
	return err
}

// Seal writes names, places, table and trailer behind the records.
func (s *Writer) Seal(state State, names, places []byte) error {
	if s.finishCopy(); s.err != nil {
		return s.err
	}
	head := &wire.Writer{}
	head.WriteString(state.Generation)
	head.WriteString(state.Rules)
	head.WriteNumber(s.rows)
	table := append(head.B, s.table.B...)
	for _, part := range [][]byte{names, places, table, encodeTrailer(s.bulk, names, places, table)} {
		_, _ = s.to.Write(part) // Flush gives the first error
	}
	return s.to.Flush()
}
