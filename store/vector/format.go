package vector

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"docent/store"
	"docent/store/cosine"
)

// The file of vectors: a head, the model's name, the documents ascending (id,
// number of its first row), the rows by document, chunk and part. All numbers
// are little-endian.
const (
	headLen = 40
	docLen  = 16
	keyLen  = 8 // of a row: chunk and part (uint32 each), before the vector's code
)

func rowLength(dims int) int { return keyLen + cosine.CodeLength(dims) }

// appendRow appends an entry's row; nothing for a vector of zeros, which has no
// direction.
func appendRow(b []byte, e store.Entry) ([]byte, error) {
	if e.Chunk < 0 || e.Part < 0 || e.Chunk > math.MaxUint32 || e.Part > math.MaxUint32 {
		return b, fmt.Errorf("chunk %d, part %d: out of range", e.Chunk, e.Part)
	}
	start := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Chunk))
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Part))
	out, err := cosine.Append(b, e.Vector)
	if err != nil || len(out) == len(b) {
		return b[:start], err
	}
	return out, nil
}

var magic = [8]byte{'d', 'o', 'c', 'e', 'n', 't', 'v', '1'}

// encodeHead is the begin of a file: magic, dimensions (uint32), length of the model's
// name (uint32), documents, rows (uint64 each), eight bytes of zero.
func encodeHead(model string, dims, docs, rows int) []byte {
	b := make([]byte, headLen, headLen+len(model))
	copy(b, magic[:])
	binary.LittleEndian.PutUint32(b[8:], uint32(dims))
	binary.LittleEndian.PutUint32(b[12:], uint32(len(model)))
	binary.LittleEndian.PutUint64(b[16:], uint64(docs))
	binary.LittleEndian.PutUint64(b[24:], uint64(rows))
	return append(b, model...)
}

// table is a file of vectors in memory.
type table struct {
	model string
	dims  int
	docs  []byte
	rows  []byte
	begin int // of the rows in the file
}

// parseHead reads a file's head; the rest is read on demand.
func parseHead(b []byte) (table, error) {
	if len(b) < headLen || !bytes.Equal(b[:8], magic[:]) {
		return table{}, fmt.Errorf("this is no file of vectors: %w", store.ErrVectorsDamaged)
	}
	dims, nameLen := binary.LittleEndian.Uint32(b[8:]), uint64(binary.LittleEndian.Uint32(b[12:]))
	docs, rows := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	rest := uint64(len(b) - headLen)
	// Each compared before it is multiplied, so that nothing overflows.
	if dims < 1 || dims > cosine.MaxDims || nameLen > rest || docs > rest/docLen || rows > rest/uint64(rowLength(int(dims))) ||
		binary.LittleEndian.Uint64(b[32:]) != 0 ||
		nameLen+docs*docLen+rows*uint64(rowLength(int(dims))) != rest {
		return table{}, fmt.Errorf("the head of the file of vectors does not fit its %d bytes: %w", len(b), store.ErrVectorsDamaged)
	}
	b = b[headLen:]
	t := table{model: string(b[:nameLen]), dims: int(dims)}
	b = b[nameLen:]
	t.docs, t.rows = b[:docs*docLen], b[docs*docLen:]
	t.begin = headLen + int(nameLen) + len(t.docs)
	return t, nil
}

// checkOrder reads the documents and keys: whether they ascend and the ranges fit.
// Copying rows into a new generation relies on that. passed is told how many rows are through.
func (t table) checkOrder(passed func(rows int)) error {
	for i := range t.numDocs() {
		first, end := t.docRows(i)
		if i > 0 && t.documentAt(i) <= t.documentAt(i-1) || i == 0 && t.firstRow(0) != 0 || first > end || end > t.numRows() {
			return fmt.Errorf("the documents of the vectors are not in order: %w", store.ErrVectorsDamaged)
		}
		for r := first + 1; r < end; r++ {
			if t.keyOfRow(i, r-1).Compare(t.keyOfRow(i, r)) >= 0 {
				return fmt.Errorf("the vectors of document %d are not in order: %w", t.documentAt(i), store.ErrVectorsDamaged)
			}
		}
		passed(end)
	}
	if t.numDocs() == 0 && t.numRows() > 0 {
		return fmt.Errorf("there are vectors of no document: %w", store.ErrVectorsDamaged)
	}
	return nil
}

func (t table) numDocs() int { return len(t.docs) / docLen }

func (t table) numRows() int { return len(t.rows) / rowLength(t.dims) }

func (t table) documentAt(i int) int64 { return int64(binary.LittleEndian.Uint64(t.docs[i*docLen:])) }

func (t table) firstRow(i int) int {
	first := binary.LittleEndian.Uint64(t.docs[i*docLen+8:])
	return int(min(first, uint64(t.numRows())))
}

// docRows is the range of a document's rows.
func (t table) docRows(i int) (first, end int) {
	first, end = t.firstRow(i), t.numRows()
	if i+1 < t.numDocs() {
		end = t.firstRow(i + 1)
	}
	return first, max(first, end)
}

func (t table) rowBytes(r int) []byte {
	n := rowLength(t.dims)
	return t.rows[r*n : r*n+n : r*n+n]
}

// codeOfRow is the code of a row's vector.
func (t table) codeOfRow(r int) []byte { return t.rowBytes(r)[keyLen:] }

// keyOfRow is the key of a row of document number i.
func (t table) keyOfRow(i, r int) store.Key {
	row := t.rowBytes(r)
	return store.Key{Doc: t.documentAt(i), Chunk: int(binary.LittleEndian.Uint32(row)), Part: int(binary.LittleEndian.Uint32(row[4:]))}
}

// keyOfAnyRow finds the document a row belongs to: the last that begins at it or
// before, of which those without rows are not.
func (t table) keyOfAnyRow(r int) store.Key {
	i := sort.Search(t.numDocs(), func(i int) bool { return t.firstRow(i) > r }) - 1
	return t.keyOfRow(max(0, i), r)
}

// findDoc finds the number of a document and the range of its rows, -1 where it has
// none.
func (t table) findDoc(id int64) (i, first, end int) {
	i, ok := sort.Find(t.numDocs(), func(i int) int {
		return store.Key{Doc: id}.Compare(store.Key{Doc: t.documentAt(i)})
	})
	if !ok {
		return -1, 0, 0
	}
	first, end = t.docRows(i)
	return i, first, end
}

// findRow finds a passage's row among those of document number i, -1 where it has
// none.
func (t table) findRow(k store.Key, i, first, end int) int {
	n, ok := sort.Find(end-first, func(n int) int { return k.Compare(t.keyOfRow(i, first+n)) })
	if !ok {
		return -1
	}
	return first + n
}
