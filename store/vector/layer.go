package vector

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"docent/store"
	"docent/store/generation"
)

// A generation has one or two layers of vectors: the file that was written as a whole, and a smaller
// one of the documents that came since. The manifest lists the documents of the first that went. An
// update writes the small file again, with all that came since, and keeps the other by a link, until
// much has changed; then it writes one file. What a search finds does not depend on it: the order is by
// cosine and key.
//
// Of 480 000 vectors the file has 82 MB, which every update wrote again.

// layer is one of the files, mapped.
type layer struct {
	*checked
	t      table
	gone   []int64    // documents that do not count any more, ascending
	hidden []rowRange // their rows, ascending
}

// rowRange are the rows from first to before end.
type rowRange struct{ first, end int }

// openLayer maps a file; its head is read later, in guard.
func openLayer(path string, file generation.File, gone []int64) (*layer, error) {
	if file.Size < headLen || int64(int(file.Size)) != file.Size {
		return nil, fmt.Errorf("%s has %d bytes: %w", path, file.Size, store.ErrVectorsDamaged)
	}
	mapped, err := mapPath(path, file.Size)
	if err != nil {
		return nil, err
	}
	return &layer{checked: newChecked(path, mapped, file), gone: gone}, nil
}

// readHead reads the head of the file and the list of documents. It reads mapped bytes.
func (l *layer) readHead(m manifest) (err error) {
	if err := l.checkBlocks(0, headLen); err != nil {
		return err
	}
	if l.t, err = parseHead(l.bytes); err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	if err := l.checkBlocks(0, l.t.begin); err != nil {
		return err
	}
	if l.t.model != m.Model || l.t.dims != m.Dims {
		return fmt.Errorf("%s and its manifest do not say the same: %w", l.path, store.ErrVectorsDamaged)
	}
	for i, id := range l.gone {
		n, first, end := l.t.findDoc(id)
		if n < 0 || i > 0 && id <= l.gone[i-1] {
			return fmt.Errorf("%s does not have document %d, which went: %w", l.path, id, store.ErrVectorsDamaged)
		}
		if first < end {
			l.hidden = append(l.hidden, rowRange{first, end})
		}
	}
	slices.SortFunc(l.hidden, func(a, b rowRange) int { return a.first - b.first })
	return nil
}

// checkAllRows compares everything with its checksum and looks at the order. It reads mapped bytes.
func (l *layer) checkAllRows() error {
	if err := l.checkAll(); err != nil {
		return err
	}
	return l.t.checkOrder(l.releasePassed())
}

// hides reports whether a row is of a document that does not count any more.
func (l *layer) hides(row int) bool {
	i, ok := slices.BinarySearchFunc(l.hidden, row, func(r rowRange, row int) int { return r.first - row })
	return ok || i > 0 && row < l.hidden[i-1].end
}

// counts are the documents and rows that count.
func (l *layer) counts() (docs, rows int) {
	docs, rows = l.t.numDocs()-len(l.gone), l.t.numRows()
	for _, r := range l.hidden {
		rows -= r.end - r.first
	}
	return docs, rows
}

// findDoc finds the number of a document that counts and the range of its rows, -1 where there is none.
func (l *layer) findDoc(id int64) (i, first, end int) {
	if _, ok := slices.BinarySearch(l.gone, id); ok {
		return -1, 0, 0
	}
	return l.t.findDoc(id)
}

// openLayers maps the files of a generation and reads their heads; with all, everything is compared with
// its checksums.
func (r *Reader) openLayers(all bool) error {
	for i, name := range []string{vectorsName, changesName} {
		file, ok := r.m.Files[name]
		if !ok {
			continue
		}
		var gone []int64
		if i == 0 {
			gone = r.m.Gone
		}
		l, err := openLayer(r.filePath(name), file, gone)
		if err != nil {
			return err
		}
		r.layers = append(r.layers, l)
	}
	return r.guardRead(func() error {
		docs, rows := 0, 0
		for _, l := range r.layers {
			err := l.readHead(r.m)
			if err == nil && all {
				err = l.checkAllRows()
			}
			if err != nil {
				return err
			}
			d, n := l.counts()
			docs, rows = docs+d, rows+n
		}
		if docs != r.m.Documents || rows != r.m.Vectors {
			return fmt.Errorf("%s and its manifest do not say the same: %w", r.filePath(vectorsName), store.ErrVectorsDamaged)
		}
		return nil
	})
}

// findRow finds a passage's row and its layer, -1 where it has none.
func (r *Reader) findRow(k store.Key) (*layer, int, error) {
	for _, l := range r.layers {
		i, first, end := l.findDoc(k.Doc)
		if i < 0 {
			continue
		}
		if err := l.checkRows(first, end); err != nil {
			return nil, -1, err
		}
		return l, l.t.findRow(k, i, first, end), nil
	}
	return nil, -1, nil
}

// closeLayers releases the files.
func (r *Reader) closeLayers() (err error) {
	for _, l := range r.layers {
		l.t = table{dims: l.t.dims}
		err = errors.Join(err, unmapBytes(l.bytes))
	}
	return err
}

// checkChanges compares the vectors that came since the others were written with their checksums.
func (r *Reader) checkChanges() error {
	return r.guardRead(func() error {
		for _, l := range r.layers[1:] {
			if err := l.checkAllRows(); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkForWhole compares all that is copied into a new file with its checksums.
func (r *Reader) checkForWhole(ctx context.Context) error {
	return r.guardRead(func() error {
		for _, l := range r.layers {
			if err := errors.Join(ctx.Err(), l.checkAllRows()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *Reader) filePath(name string) string { return filepath.Join(r.dir, r.m.Generation, name) }
