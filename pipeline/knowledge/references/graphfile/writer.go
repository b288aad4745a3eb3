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
	table [][]byte // the rows alone, in pieces
	// Records of another graph that lie one behind the other are copied at once.
	from io.ReaderAt
	copy stretchAt
	err  error // of copying
}

// tablePiece is how many bytes a piece of the table has, more or less: as a whole it would be copied each time that
// it grows.
const tablePiece = 1 << 16

// NewWriter begins a file. An error of writing is kept by the buffer for the next record, and for
// Seal.
func NewWriter(to io.Writer) *Writer {
	s := &Writer{to: bufio.NewWriterSize(to, fileBuffer)}
	_, _ = s.to.WriteString(magic)
	return s
}

func (s *Writer) addRow(k Row) {
	s.rows++
	s.bulk += int64(k.Size())
	last := len(s.table) - 1
	if last < 0 || len(s.table[last]) >= tablePiece {
		s.table = append(s.table, make([]byte, 0, tablePiece+tablePiece/8)) // with room for the last row
		last++
	}
	w := wire.Writer{B: s.table[last]}
	writeRow(&w, k)
	s.table[last] = w.B
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

// Seal writes names, places, table and trailer behind the records. The places may come in pieces.
func (s *Writer) Seal(state State, names []byte, places [][]byte) error {
	if s.finishCopy(); s.err != nil {
		return s.err
	}
	head := &wire.Writer{}
	head.WriteString(state.Generation)
	head.WriteString(state.Rules)
	head.WriteNumber(s.rows)
	parts := [][][]byte{{names}, places, append([][]byte{head.B}, s.table...)}
	for _, part := range append(parts, [][]byte{encodeTrailer(s.bulk, parts)}) {
		for _, piece := range part {
			_, _ = s.to.Write(piece) // Flush gives the first error
		}
	}
	return s.to.Flush()
}
