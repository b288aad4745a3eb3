package lexical

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"docent/store"
	"docent/store/durable"
)

// docTable has the documents of a generation, for the next update. The description of each stays
// encoded: an update looks at few of 66 000 documents, and a map of all of them took a
// tenth of the time of an update that finds nothing changed.
type docTable struct {
	rows []docRow // ascending by id, those of deleted documents too
	raw  []byte   // their descriptions, encoded
	live int      // rows that are not deleted

	passages int
	tokens   [store.NumFields]int64
}

// docRow says where in docTable.raw a document is described.
type docRow struct {
	id   int64
	at   int
	size int // 0: it was deleted
}

// findRow finds the row of a document, or where it would be.
func (t *docTable) findRow(id int64) (int, bool) {
	return slices.BinarySearchFunc(t.rows, id, func(r docRow, id int64) int { return cmp.Compare(r.id, id) })
}

// has reports whether a document is among them.
func (t *docTable) has(id int64) bool {
	i, ok := t.findRow(id)
	return ok && t.rows[i].size > 0
}

// put adds a document that is not among them.
func (t *docTable) put(id int64, d docInfo) {
	row := docRow{id: id, at: len(t.raw)}
	t.raw = d.appendEncoded(t.raw)
	row.size = len(t.raw) - row.at
	if i, ok := t.findRow(id); ok {
		t.rows[i] = row
	} else {
		t.rows = slices.Insert(t.rows, i, row)
	}
	t.count(d, 1)
}

// remove takes a document out, and gives its description.
func (t *docTable) remove(id int64) (d docInfo, ok bool) {
	i, ok := t.findRow(id)
	if !ok || t.rows[i].size == 0 {
		return d, false
	}
	d = t.info(t.rows[i])
	t.rows[i].size = 0
	t.count(d, -1)
	return d, true
}

func (t *docTable) count(d docInfo, by int) {
	t.live += by
	t.passages += by * d.countPassages()
	for f, n := range d.tokens {
		t.tokens[f] += int64(by) * n
	}
}

// info decodes a row, which was decoded before.
func (t *docTable) info(r docRow) (d docInfo) {
	in := docReader{b: t.raw[r.at : r.at+r.size]}
	in.readInfo(&d)
	return d
}

// ids are the documents, ascending.
func (t *docTable) ids() []int64 {
	out := make([]int64, 0, t.live)
	for id := range t.encodedRows() {
		out = append(out, id)
	}
	return out
}

// encodedRows gives the documents as they are encoded, ascending.
func (t *docTable) encodedRows() iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		for _, r := range t.rows {
			if r.size > 0 && !yield(r.id, t.raw[r.at:r.at+r.size]) {
				return
			}
		}
	}
}

// writeDocs writes the documents of a generation: for each its id, the number
// of chunks, the parts of each and the tokens by field, as varints, ids
// ascending.
func writeDocs(path string, t *docTable) error {
	var b []byte
	for id, encoded := range t.encodedRows() {
		b = append(binary.AppendVarint(b, id), encoded...)
	}
	return durable.Create(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// readDocs reads what writeDocs wrote. The error wraps store.ErrDamaged where the file is another one.
func readDocs(path string) (*docTable, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	const typical = 16 // bytes of a document
	t := &docTable{raw: raw, rows: make([]docRow, 0, len(raw)/typical)}
	in := docReader{b: raw}
	var d docInfo
	for len(in.b) > 0 {
		id := in.readNumber()
		row := docRow{id: id, at: len(raw) - len(in.b)}
		d.parts = d.parts[:0]
		in.readInfo(&d)
		if in.bad || len(t.rows) > 0 && t.rows[len(t.rows)-1].id >= id {
			return nil, fmt.Errorf("%s is no list of documents, or ends early: %w", path, store.ErrDamaged)
		}
		row.size = len(raw) - len(in.b) - row.at
		t.rows = append(t.rows, row)
		t.count(d, 1)
	}
	return t, nil
}

// docReader decodes documents.
type docReader struct {
	b   []byte
	bad bool
}

func (r *docReader) readNumber() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// readInfo decodes what appendEncoded wrote, with the parts behind those of d.
func (r *docReader) readInfo(d *docInfo) {
	chunks := r.readNumber()
	if chunks < 0 || chunks > int64(len(r.b)) { // each takes at least a byte
		r.b, r.bad = nil, true
		return
	}
	d.parts = slices.Grow(d.parts, int(chunks))
	for range chunks {
		d.parts = append(d.parts, int(r.readNumber()))
	}
	for f := range d.tokens {
		d.tokens[f] = r.readNumber()
	}
}
