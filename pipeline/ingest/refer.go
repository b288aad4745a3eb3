package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

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
	// Resolve makes the graph of all documents. It returns nil where the previous graph
	// is still the right one.
	Resolve(in ReferenceInput) (graph []byte, err error)
}

// ReferenceInput is what a reference graph is made from.
type ReferenceInput struct {
	Generation string           // of the doc set's index
	Previous   []byte           // the stored graph; nil: none
	Kept       map[int64][]byte // of documents that this update read
	// Documents lists the documents of the doc set.
	Documents func() ([]int64, error)
	// Read keeps a document that is neither in Kept nor in Previous. It returns nil for
	// one that cannot be read now.
	Read func(id int64) ([]byte, error)
}

// makeReferences brings the reference graph up to the index, behind the update.
func (u *update) makeReferences(ctx context.Context) error {
	now, next := u.index.Generations()
	if u.index.Changed() {
		now = next
	}
	return u.in.makeReferences(ctx, u.set, now, u.kept, u.worker())
}

// worker reads pages for the update outside of its stages.
func (u *update) worker() *worker { return u.in.worker(u) }

// makeReferences makes the reference graph of a doc set, where it is not that of this generation.
// kept is of the pages that were read already.
func (in *Ingester) makeReferences(ctx context.Context, set store.Set, generation string, kept map[int64][]byte, w *worker) error {
	if in.References == nil {
		return nil
	}
	previous, err := in.Indexes.ReadReferences(ctx, set.ID)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	files := map[int64]store.FileState{}
	graph, err := in.References.Resolve(ReferenceInput{
		Generation: generation, Previous: previous, Kept: kept,
		Documents: func() ([]int64, error) {
			known, err := in.Catalog.Files(ctx, set.ID)
			ids := make([]int64, len(known))
			for i, f := range known {
				ids[i], files[f.ID] = f.ID, f
			}
			return ids, err
		},
		Read: func(id int64) ([]byte, error) { return w.readForGraph(ctx, files[id]) },
	})
	if err != nil {
		return fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	if graph == nil {
		return nil
	}
	return in.Indexes.WriteReferences(ctx, set.ID, graph)
}

// readForGraph reads a page of the catalog for the graph alone. It returns nil for a page whose
// file cannot be read or parsed now: the update that finds it reports that.
func (w *worker) readForGraph(ctx context.Context, f store.FileState) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &page{file: File{Path: f.Path, TOCPath: f.TOCPath}}
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
	release, err := in.lockSet(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	index, err := in.Indexes.Contents(ctx, set.ID)
	if err == nil && anew {
		err = in.Indexes.WriteReferences(ctx, set.ID, nil)
	}
	if err != nil {
		return err
	}
	u := &update{in: in, set: set, events: &emitter{sink: sink}}
	if _, err := u.scanFiles(ctx); err != nil {
		return err
	}
	return in.makeReferences(ctx, set, index.Generation, nil, u.worker())
}
