package vector

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"docent/store"
	"docent/store/cosine"
	"docent/store/durable"
	"docent/store/generation"
	"docent/store/spool"
)

// Update writes a new generation. Not safe for concurrent use.
type Update struct {
	dir   string
	model string
	dims  int
	fresh bool
	old   *Reader // nil where the update begins from nothing
	keep  string  // the current generation
	gen   string  // folder of the new generation
	docs  map[int64]source
	rows  *spool.Spool // of documents that were added
	basis []byte
	note  []byte

	touch     bool
	prepared  *manifest
	committed bool
}

// source says where a document's rows are: in the old generation, or here.
type source struct {
	old  int   // number of the document in the old generation, -1 where the rows are in the spool
	at   int64 // in the spool
	size int   // of the rows there
}

// BeginUpdate begins an update of the vectors in dir. With fresh, or where there is no
// whole generation of this model and number of dimensions to build on, it begins
// from nothing, and Fresh says so: the caller must then add every document.
func BeginUpdate(dir, model string, dims int, fresh bool) (*Update, error) {
	if dims < 1 || dims > cosine.MaxDims {
		return nil, fmt.Errorf("vectors of %d dimensions: only 1 to %d can be kept", dims, cosine.MaxDims)
	}
	if !utf8.ValidString(model) {
		return nil, fmt.Errorf("the model's identity %q is no UTF-8", model)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	u := &Update{dir: dir, model: model, dims: dims, fresh: fresh, docs: map[int64]source{},
		rows: spool.Next(filepath.Join(dir, vectorsName))}
	// All is compared with its checksums: the vectors, because they are copied into a
	// file with new ones, and the basis, because new vectors are built on it.
	r, err := open(dir, true)
	if err == nil {
		u.keep = r.Generation()
		if _, err = r.Attachment(context.Background()); err != nil {
			err = errors.Join(err, r.Close())
		}
	}
	switch {
	case err == nil && !fresh && r.Model() == model && r.Dimensions() == dims:
		u.old = r
		for i := range r.t.numDocs() {
			u.docs[r.t.documentAt(i)] = source{old: i}
		}
	case err == nil:
		u.fresh = true
		if err := r.Close(); err != nil {
			return nil, err
		}
	case errors.Is(err, store.ErrVectorsDamaged):
		// A damaged generation stays until a whole one replaces it, so that a crash
		// leaves no less than there was.
		u.fresh = true
		if m, err := readManifest(dir); err == nil {
			u.keep = m.Generation
		}
	default:
		return nil, err
	}
	if err := generation.SweepOld(dir, u.keep); err != nil {
		return nil, errors.Join(err, u.release())
	}
	u.gen = filepath.Join(dir, generation.NextName(dir, u.keep))
	return u, nil
}

// Fresh reports whether the update begins from nothing.
func (u *Update) Fresh() bool { return u.fresh }

// Documents are the ids that are in the new generation so far, ascending.
func (u *Update) Documents() []int64 { return slices.Sorted(maps.Keys(u.docs)) }

// Delete takes a document out. An unknown one is no error.
func (u *Update) Delete(id int64) error {
	if _, ok := u.docs[id]; ok {
		delete(u.docs, id)
		u.noteChange()
	}
	return nil
}

// Add puts a document in. Its id must be new to the store. A vector of zeros is
// left out, for it has no direction; a document may have no vectors at all.
func (u *Update) Add(id int64, vectors []store.Entry) error {
	if _, ok := u.docs[id]; ok {
		return fmt.Errorf("document %d has its vectors already", id)
	}
	sorted := slices.SortedFunc(slices.Values(vectors), func(a, b store.Entry) int {
		return store.Key{Chunk: a.Chunk, Part: a.Part}.Compare(store.Key{Chunk: b.Chunk, Part: b.Part})
	})
	rows := make([]byte, 0, len(sorted)*rowLength(u.dims))
	for i, e := range sorted {
		if len(e.Vector) != u.dims {
			return fmt.Errorf("document %d, chunk %d, part %d: the vector has %d dimensions, not %d", id, e.Chunk, e.Part, len(e.Vector),
				u.dims)
		}
		if i > 0 && e.Chunk == sorted[i-1].Chunk && e.Part == sorted[i-1].Part {
			return fmt.Errorf("document %d, chunk %d, part %d: two vectors", id, e.Chunk, e.Part)
		}
		var err error
		if rows, err = appendRow(rows, e); err != nil {
			return fmt.Errorf("document %d, chunk %d, part %d: %w", id, e.Chunk, e.Part, err)
		}
	}
	at, err := u.rows.Append(rows)
	if err != nil {
		return fmt.Errorf("document %d: %w", id, err)
	}
	u.docs[id] = source{old: -1, at: at, size: len(rows)}
	u.noteChange()
	return nil
}

// Attach stores bytes with the vectors, such as the model that makes a query's
// vector. They replace those of the old generation. Without Attach an update that
// does not begin from nothing keeps the old ones.
func (u *Update) Attach(basis []byte) {
	u.basis = basis
	u.noteChange()
}

// SetNote stores a small JSON value with the vectors. It replaces that of the old
// generation. Without SetNote an update that does not begin from nothing keeps the
// old one.
func (u *Update) SetNote(note []byte) {
	u.note = note
	u.noteChange()
}

// Rows is the number of vectors of a document, 0 for an unknown one.
func (u *Update) Rows(id int64) int {
	s, ok := u.docs[id]
	if !ok {
		return 0
	}
	return u.countBytes(s) / rowLength(u.dims)
}

// countBytes is the length of a document's rows.
func (u *Update) countBytes(s source) int {
	if s.old < 0 {
		return s.size
	}
	first, end := u.old.t.docRows(s.old)
	return (end - first) * rowLength(u.dims)
}

// noteChange notes a change. Files that Prepare wrote before it are outdated.
func (u *Update) noteChange() { u.touch, u.prepared = true, nil }

// Changed reports whether there is anything to commit.
func (u *Update) Changed() bool { return u.touch || u.fresh }

// Prepare writes the new generation whole, without switching to it.
func (u *Update) Prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(u.gen, 0o700); err != nil {
		return err
	}
	m := &manifest{
		Format: formatVersion, Generation: filepath.Base(u.gen), Model: u.model, Dims: u.dims,
		Documents: len(u.docs), Files: map[string]generation.File{}, Note: u.note,
	}
	if u.note == nil && u.old != nil {
		m.Note = u.old.m.Note
	}
	info, rows, err := u.writeVectors(ctx)
	if err != nil {
		return fmt.Errorf("write the vectors %s: %w", u.gen, err)
	}
	m.Files[vectorsName], m.Vectors = info, rows
	if err := u.writeBasis(m); err != nil {
		return fmt.Errorf("write the vectors %s: %w", u.gen, err)
	}
	if err := durable.SyncDir(u.gen); err != nil {
		return err
	}
	u.prepared = m
	return nil
}

// writeRows writes a document's rows.
func (u *Update) writeRows(w io.Writer, s source) error {
	if s.old < 0 {
		_, err := io.CopyN(w, io.NewSectionReader(u.rows, s.at, int64(s.size)), int64(s.size))
		return err
	}
	first, end := u.old.t.docRows(s.old)
	n := rowLength(u.dims)
	_, err := w.Write(u.old.t.rows[first*n : end*n])
	return err
}

func (u *Update) writeVectors(ctx context.Context) (generation.File, int, error) {
	ids, size := u.Documents(), rowLength(u.dims)
	docs, rows := make([]byte, 0, len(ids)*docLen), 0
	for _, id := range ids {
		docs = binary.LittleEndian.AppendUint64(docs, uint64(id))
		docs = binary.LittleEndian.AppendUint64(docs, uint64(rows))
		rows += u.countBytes(u.docs[id]) / size
	}
	count := &generation.Summer{}
	err := durable.Create(filepath.Join(u.gen, vectorsName), func(f io.Writer) error {
		w := bufio.NewWriterSize(io.MultiWriter(f, count), 1<<18)
		if _, err := w.Write(encodeHead(u.model, u.dims, len(ids), rows)); err != nil {
			return err
		}
		if _, err := w.Write(docs); err != nil {
			return err
		}
		copyRows := func() error {
			passed := func(int) {}
			if u.old != nil {
				passed = u.old.releasePassed() // the rows are in the order of the documents
			}
			for _, id := range ids {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := u.writeRows(w, u.docs[id]); err != nil {
					return err
				}
				if old := u.docs[id].old; u.old != nil && old >= 0 {
					first, _ := u.old.t.docRows(old)
					passed(first)
				}
			}
			return w.Flush()
		}
		if u.old != nil {
			return u.old.guardRead(copyRows)
		}
		return copyRows()
	})
	return count.DescribeFile(), rows, err
}

func (u *Update) writeBasis(m *manifest) error {
	path := filepath.Join(u.gen, basisName)
	if u.basis == nil {
		if u.old == nil {
			return nil
		}
		info, ok := u.old.m.Files[basisName]
		if !ok {
			return nil
		}
		// Files of a generation never change, so both may have the same one.
		old := filepath.Join(u.old.dir, u.old.m.Generation, basisName)
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if os.Link(old, path) == nil {
			m.Files[basisName] = info
			return nil
		}
		b, err := u.old.BasisBytes()
		if err != nil {
			return err
		}
		u.basis = b
	}
	m.Files[basisName] = generation.Describe(u.basis)
	// Not written in place: it might be a link to the old one.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.Create(path, func(w io.Writer) error { _, err := w.Write(u.basis); return err })
}

// Commit switches readers to the prepared generation and removes the last.
func (u *Update) Commit() error {
	if u.prepared == nil || u.committed {
		return errors.New("commit vectors: nothing is prepared")
	}
	if err := u.prepared.writeFile(u.dir); err != nil {
		return err
	}
	u.committed = true
	// Windows removes no file that is mapped.
	if err := u.release(); err != nil {
		return err
	}
	return generation.SweepOld(u.dir, u.prepared.Generation)
}

// Abort drops the new generation; the last one stays. After Commit it does
// nothing.
func (u *Update) Abort() error {
	err := u.release()
	if u.committed {
		return err
	}
	return errors.Join(err, os.RemoveAll(u.gen))
}

func (u *Update) release() error {
	r := u.old
	u.old = nil
	err := u.rows.Close()
	if r == nil {
		return err
	}
	return errors.Join(err, r.Close())
}
