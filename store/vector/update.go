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
	// docs are the documents that came since the vectors were written as a whole: in this update, or
	// before it. gone are those that went of the others.
	docs  map[int64]source
	gone  map[int64]bool
	rows  *spool.Spool // of documents that were added
	basis []byte
	note  []byte

	touch     bool
	prepared  *manifest
	committed bool
}

// source says where a document's rows are: in the old generation, or here.
type source struct {
	of   *layer // nil where the rows are in the spool
	old  int    // number of the document in the layer
	at   int64  // in the spool
	size int    // of the rows there
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
	u := &Update{dir: dir, model: model, dims: dims, fresh: fresh, docs: map[int64]source{}, gone: map[int64]bool{},
		rows: spool.Next(filepath.Join(dir, vectorsName))}
	// The basis is compared with its checksums, because new vectors are built on it. Vectors are where
	// they are copied into a file with new ones.
	r, err := OpenReader(dir)
	if err == nil {
		u.keep = r.Generation()
		if _, err = r.Attachment(context.Background()); err != nil {
			err = errors.Join(err, r.Close())
		}
	}
	switch {
	case err == nil && !fresh && r.Model() == model && r.Dimensions() == dims:
		u.old = r
		for _, id := range r.m.Gone {
			u.gone[id] = true
		}
		for _, l := range r.layers[1:] {
			for i := range l.t.numDocs() {
				u.docs[l.t.documentAt(i)] = source{of: l, old: i}
			}
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
func (u *Update) Documents() []int64 {
	ids := slices.Collect(maps.Keys(u.docs))
	if u.old != nil {
		t := u.old.layers[0].t
		for i := range t.numDocs() {
			if id := t.documentAt(i); !u.gone[id] {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// source finds a document.
func (u *Update) source(id int64) (source, bool) {
	if s, ok := u.docs[id]; ok || u.old == nil || u.gone[id] {
		return s, ok
	}
	l := u.old.layers[0]
	i, _, _ := l.t.findDoc(id)
	return source{of: l, old: i}, i >= 0
}

// Delete takes a document out. An unknown one is no error.
func (u *Update) Delete(id int64) error {
	s, ok := u.source(id)
	if !ok {
		return nil
	}
	if _, came := u.docs[id]; came {
		delete(u.docs, id)
	} else if s.of != nil {
		u.gone[id] = true
	}
	u.noteChange()
	return nil
}

// Add puts a document in. Its id must be new to the store. A vector of zeros is
// left out, for it has no direction; a document may have no vectors at all.
func (u *Update) Add(id int64, vectors []store.Entry) error {
	if _, ok := u.source(id); ok {
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
	u.docs[id] = source{at: at, size: len(rows)}
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
	s, ok := u.source(id)
	if !ok {
		return 0
	}
	return u.countBytes(s) / rowLength(u.dims)
}

// countBytes is the length of a document's rows.
func (u *Update) countBytes(s source) int {
	if s.of == nil {
		return s.size
	}
	first, end := s.of.t.docRows(s.old)
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
		Files: map[string]generation.File{}, Note: u.note,
	}
	if u.note == nil && u.old != nil {
		m.Note = u.old.m.Note
	}
	layered, err := u.writeChanges(ctx, m)
	if err == nil && !layered {
		err = u.writeWhole(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("write the vectors %s: %w", u.gen, err)
	}
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
	if s.of == nil {
		_, err := io.CopyN(w, io.NewSectionReader(u.rows, s.at, int64(s.size)), int64(s.size))
		return err
	}
	first, end := s.of.t.docRows(s.old)
	n := rowLength(u.dims)
	_, err := w.Write(s.of.t.rows[first*n : end*n])
	return err
}

// mostChanged is the share of the vectors that were written as a whole from which an update writes all of
// them again: a search passes over those that went, too.
const mostChanged = 8

// writeChanges writes what came and went since the vectors were written as a whole, and links these. It
// reports whether it did so: else all are to be written.
func (u *Update) writeChanges(ctx context.Context, m *manifest) (ok bool, err error) {
	if u.old == nil {
		return false, nil
	}
	whole := u.old.layers[0]
	docs, rows, went := whole.t.numDocs()-len(u.gone), whole.t.numRows(), 0
	for id := range u.gone {
		_, first, end := whole.t.findDoc(id)
		went += end - first
	}
	came := 0
	for _, s := range u.docs {
		came += u.countBytes(s) / rowLength(u.dims)
	}
	if max(came, went)*mostChanged > rows || max(len(u.docs), len(u.gone))*mostChanged > whole.t.numDocs() {
		return false, nil
	}
	path := filepath.Join(u.gen, vectorsName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if os.Link(u.old.filePath(vectorsName), path) != nil {
		return false, nil // this file system has no links
	}
	// It keeps its checksums: new ones would hide damage since they were made.
	m.Files[vectorsName] = whole.file
	m.Gone = slices.Sorted(maps.Keys(u.gone))
	m.Documents, m.Vectors = docs+len(u.docs), rows-went+came
	if len(u.docs) == 0 {
		return true, nil
	}
	if err := u.old.checkChanges(); err != nil {
		return false, err
	}
	m.Files[changesName], err = u.writeVectors(ctx, changesName, slices.Sorted(maps.Keys(u.docs)))
	return true, err
}

// writeWhole writes all vectors into one file.
func (u *Update) writeWhole(ctx context.Context, m *manifest) error {
	if u.old != nil {
		if err := u.old.checkForWhole(ctx); err != nil {
			return err
		}
	}
	ids := u.Documents()
	m.Documents = len(ids)
	for _, id := range ids {
		m.Vectors += u.Rows(id)
	}
	var err error
	m.Files[vectorsName], err = u.writeVectors(ctx, vectorsName, ids)
	return err
}

// writeVectors writes a file with the vectors of documents, ascending.
func (u *Update) writeVectors(ctx context.Context, name string, ids []int64) (generation.File, error) {
	docs, rows, of := make([]byte, 0, len(ids)*docLen), 0, make([]source, len(ids))
	for i, id := range ids {
		of[i], _ = u.source(id)
		docs = binary.LittleEndian.AppendUint64(docs, uint64(id))
		docs = binary.LittleEndian.AppendUint64(docs, uint64(rows))
		rows += u.countBytes(of[i]) / rowLength(u.dims)
	}
	path := filepath.Join(u.gen, name)
	// Not written in place: it might be a link to the old one.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return generation.File{}, err
	}
	count := &generation.Summer{}
	err := durable.Create(path, func(f io.Writer) error {
		w := bufio.NewWriterSize(io.MultiWriter(f, count), 1<<18)
		if _, err := w.Write(encodeHead(u.model, u.dims, len(ids), rows)); err != nil {
			return err
		}
		if _, err := w.Write(docs); err != nil {
			return err
		}
		if u.old == nil {
			return u.copyRows(ctx, w, of)
		}
		return u.old.guardRead(func() error { return u.copyRows(ctx, w, of) })
	})
	return count.DescribeFile(), err
}

// copyRows writes the rows of documents.
func (u *Update) copyRows(ctx context.Context, w *bufio.Writer, of []source) error {
	passed := func(int) {}
	var whole *layer
	if u.old != nil {
		whole = u.old.layers[0]
		passed = whole.releasePassed() // the rows are in the order of the documents
	}
	for _, s := range of {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := u.writeRows(w, s); err != nil {
			return err
		}
		if whole != nil && s.of == whole {
			first, _ := whole.t.docRows(s.old)
			passed(first)
		}
	}
	return w.Flush()
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
