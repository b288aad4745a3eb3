package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"docent/pipeline/contract"
	"docent/store"
	"docent/store/doc"
)

// References is the stage that makes the reference graph of a doc set. A graph belongs to
// a generation of the doc set's index, which it names. The findings of a page are stored
// by the document's id, so that an update reads only changed pages. The edges are
// resolved again at each update, since a page that is added or removed changes where the
// links of other pages lead. The findings and the graph itself are opaque to the update.
type References interface {
	// Keep takes from a page what the graph needs of it. It is called on several
	// goroutines.
	Keep(page doc.Document) []byte
	// Resolve gives what makes the graph of all documents. The error, that of writing too, wraps
	// ErrPreviousGraph where the previous graph shows damage.
	Resolve(ctx context.Context, in ReferenceInput) (ReferenceGraph, error)
}

// ErrPreviousGraph means that the previous reference graph is damaged: the graph is to be made
// without it.
var ErrPreviousGraph = errors.New("the previous reference graph cannot be used")

// ReferenceGraph makes a reference graph. The zero value says that the previous one is still the right
// one.
type ReferenceGraph struct {
	// Write writes the graph. It reads what the input has until it returns.
	Write func(context.Context, io.Writer) error
	// Patch does the same where it is kept next to the previous graph; nil: there is none.
	Patch []byte
}

// ReferencePatches is implemented by stores of reference graphs that keep a patch next to each graph, so
// that an update of a large one writes little.
type ReferencePatches interface {
	// ReferencePatch gives the patch of a doc set's graph, nil where it has none.
	ReferencePatch(ctx context.Context, setID int64) ([]byte, error)
	// PatchReferences puts a patch in the place of the one before, as a whole. A graph that is
	// written anew has none.
	PatchReferences(ctx context.Context, setID int64, patch []byte) error
}

// StoredGraph is a reference graph as it was written.
type StoredGraph interface {
	io.ReaderAt
	Size() int64
}

// KeptRecord is where lies what References.Keep gave of one document.
type KeptRecord struct {
	In   io.ReaderAt
	At   int64
	Size int
}

// ReferenceInput is what a reference graph is made from.
type ReferenceInput struct {
	Generation string      // of the doc set's index
	Previous   StoredGraph // nil: none
	// PreviousPatch is the patch of that graph, nil: none. Patches says that another one can be kept.
	PreviousPatch []byte
	Patches       bool
	// Kept gives the records of documents that this update read.
	Kept      func(id int64) (KeptRecord, bool)
	Documents []int64 // of the doc set
	// Read keeps a document that is neither in Kept nor in Previous, and reports whether it can
	// be read now.
	Read func(id int64) (KeptRecord, bool, error)
}

// makeReferences brings the reference graph up to the index, behind the update.
func (u *update) makeReferences(ctx context.Context) error {
	now, next := u.index.Generations()
	input := ReferenceInput{Generation: now, Documents: u.documents}
	if u.index.Changed() {
		input.Generation = next
	} else {
		input.Documents = u.index.Documents()
	}
	return u.in.makeReferences(ctx, u.set, input, u.kept, u.worker())
}

// worker reads pages for the update outside of its stages.
func (u *update) worker() *worker { return u.in.worker(u) }

// keptRecords are what References.Keep gave of documents. They lie in the store's spool, outside
// of memory where they are many.
type keptRecords struct {
	open  func(context.Context) (store.Spool, error)
	spool store.Spool // nil before the first record
	// of are the places of the records in the spool; a document's last one counts. They are in the order of the
	// documents unless disordered is set.
	of         []recordPlace
	disordered bool
}

// recordPlace is where the record of a document lies in the spool.
type recordPlace struct {
	document, at int64
	size         int
}

func (in *Ingester) newKeptRecords(set store.Set) *keptRecords {
	return &keptRecords{open: func(ctx context.Context) (store.Spool, error) {
		return in.Indexes.SpoolReferences(ctx, set.ID)
	}}
}

// add puts the record of a document to the others.
func (k *keptRecords) add(ctx context.Context, id int64, record []byte) (_ KeptRecord, err error) {
	if k.spool == nil {
		if k.spool, err = k.open(ctx); err != nil {
			return KeptRecord{}, err
		}
	}
	at, err := k.spool.Append(record)
	if n := len(k.of); n > 0 && k.of[n-1].document >= id {
		k.disordered = true
	}
	k.of = append(k.of, recordPlace{document: id, at: at, size: len(record)})
	return KeptRecord{In: k.spool, At: at, Size: len(record)}, err
}

func (k *keptRecords) record(id int64) (KeptRecord, bool) {
	if k.disordered {
		slices.SortFunc(k.of, func(a, b recordPlace) int {
			return cmp.Or(cmp.Compare(a.document, b.document), cmp.Compare(b.at, a.at)) // the last one first
		})
		k.disordered = false
	}
	i, ok := slices.BinarySearchFunc(k.of, id, func(r recordPlace, id int64) int { return cmp.Compare(r.document, id) })
	if !ok {
		return KeptRecord{}, false
	}
	return KeptRecord{In: k.spool, At: k.of[i].at, Size: k.of[i].size}, true
}

// close gives up the records.
func (k *keptRecords) close() error {
	if k == nil || k.spool == nil {
		return nil
	}
	err := k.spool.Close()
	k.spool, k.of = nil, nil
	return err
}

// makeReferences makes the reference graph of a doc set, where it is not that of the input's
// generation. kept is of the pages that were read already.
func (in *Ingester) makeReferences(ctx context.Context, set store.Set, input ReferenceInput, kept *keptRecords, w *worker) (err error) {
	if in.References == nil {
		return nil
	}
	input.Kept = kept.record
	input.Read = in.readerForGraph(ctx, set, kept, w)
	err = in.putReferences(ctx, set, input)
	if errors.Is(err, ErrPreviousGraph) {
		// What an update does not need of a graph it does not compare with checksums.
		if err = in.Indexes.WriteReferences(ctx, set.ID, func(io.Writer) error { return nil }); err == nil {
			err = in.putReferences(ctx, set, input)
		}
	}
	if err != nil {
		return fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	return nil
}

// putReferences makes a reference graph out of the one before, and puts it in its place.
func (in *Ingester) putReferences(ctx context.Context, set store.Set, input ReferenceInput) (err error) {
	previous, file, err := in.Indexes.OpenReferences(ctx, set.ID)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	closed := err != nil
	closePrevious := func() error {
		if closed {
			return nil
		}
		closed = true
		return file.Close()
	}
	if !closed {
		input.Previous = previous
	}
	defer func() { err = errors.Join(err, closePrevious()) }()
	var patches ReferencePatches
	if patches, input.Patches = in.Indexes.(ReferencePatches); input.Patches {
		if input.PreviousPatch, err = patches.ReferencePatch(ctx, set.ID); err != nil {
			return err
		}
	}
	made, err := in.References.Resolve(ctx, input)
	switch {
	case err != nil:
		return err
	case made.Patch != nil:
		return patches.PatchReferences(ctx, set.ID, made.Patch)
	case made.Write != nil:
		// Windows replaces no file that is open.
		err = in.Indexes.WriteReferences(ctx, set.ID, func(to io.Writer) error {
			return errors.Join(made.Write(ctx, to), closePrevious())
		})
	}
	return err
}

// readerForGraph gives ReferenceInput.Read.
func (in *Ingester) readerForGraph(ctx context.Context, set store.Set, kept *keptRecords,
	w *worker) func(id int64) (KeptRecord, bool, error) {
	var files map[int64]store.FileState // read when the first page is missing
	return func(id int64) (KeptRecord, bool, error) {
		if files == nil {
			known, err := in.Catalog.Files(ctx, set.ID)
			if err != nil {
				return KeptRecord{}, false, err
			}
			files = make(map[int64]store.FileState, len(known))
			for _, f := range known {
				files[f.ID] = f
			}
		}
		f, ok := files[id]
		if !ok {
			return KeptRecord{}, false, nil
		}
		raw, err := w.readForGraph(ctx, f)
		if raw == nil || err != nil {
			return KeptRecord{}, false, err
		}
		r, err := kept.add(ctx, id, raw)
		return r, err == nil, err
	}
}

// readForGraph reads a page of the catalog for the graph alone. It returns nil for a page whose
// file cannot be read or parsed now: the update that finds it reports that.
func (w *worker) readForGraph(ctx context.Context, f store.FileState) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &page{pageToRead: pageToRead{file: File{Path: f.Path, TOCPath: f.TOCPath}}}
	for _, stage := range []func(context.Context, *page) (bool, error){w.readFile, w.parsePage} {
		if more, err := stage(ctx, p); err != nil || !more {
			return nil, ctx.Err()
		}
	}
	d := p.parsed
	w.placePage(&d, f.TOCPath)
	return w.references.Keep(d), nil
}

// MakeReferences makes the reference graph of a doc set where it is missing, damaged, made by other
// rules, or not that of the index. Pages that it cannot take from the graph before are
// read; with anew, all are.
func (in *Ingester) MakeReferences(ctx context.Context, set store.Set, anew bool, sink contract.Sink) (err error) {
	held, err := in.lockSet(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	index, err := in.Indexes.Contents(ctx, set.ID)
	if err == nil && anew {
		err = in.Indexes.WriteReferences(ctx, set.ID, func(io.Writer) error { return nil })
	}
	if err != nil {
		return err
	}
	u := &update{in: in, set: set, events: &emitter{sink: sink}}
	if _, err := u.scanFiles(ctx); err != nil {
		return err
	}
	kept := in.newKeptRecords(set)
	defer func() { err = errors.Join(err, kept.close()) }()
	input := ReferenceInput{Generation: index.Generation, Documents: slices.Sorted(maps.Keys(index.Documents))}
	return in.makeReferences(ctx, set, input, kept, u.worker())
}
