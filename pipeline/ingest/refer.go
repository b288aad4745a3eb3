package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/references"
	"docent/store"
)

// The reference graph of a doc set (package references) belongs to a generation of its
// index, which it names. What a page says by itself is kept by the document's id, so that
// an update reads no page for it that did not change; the edges are made again each time,
// since a page that comes or goes changes where the links of others lead.

// rules are the settings of reference graphs.
func (in *Ingester) rules() references.Settings {
	if in.References == (references.Settings{}) {
		return references.Defaults()
	}
	return in.References
}

// refer brings the reference graph up to the index, behind the update.
func (u *update) refer(ctx context.Context) error {
	now, next := u.index.Generations()
	if u.index.Changed() {
		now = next
	}
	return u.in.refer(ctx, u.set, now, u.refers, u.worker())
}

// worker reads pages for the update outside of its stages.
func (u *update) worker() *worker { return u.in.worker(u) }

// refer makes the reference graph of a doc set, where it is not that of this generation.
// fresh are the pages that were read already.
func (in *Ingester) refer(ctx context.Context, set store.Set, generation string, fresh []references.Kept, w *worker) error {
	before, err := in.kept(ctx, set)
	if err != nil {
		return err
	}
	if before.Pages != nil && before.Generation == generation {
		return nil
	}
	have := make(map[int64]references.Kept, len(fresh))
	for _, k := range fresh {
		have[k.Document] = k
	}
	known, err := in.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	pages := make([]references.Kept, 0, len(known))
	for _, f := range known {
		k, ok := have[f.ID]
		if !ok {
			k, ok = before.Pages[f.ID]
		}
		if !ok {
			if k, ok, err = w.refers(ctx, f); err != nil {
				return err
			}
		}
		if ok {
			pages = append(pages, k)
		}
	}
	graph, err := references.Resolve(references.State{Generation: generation, Rules: in.rules().Rules()}, pages, before)
	if err != nil {
		return fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	return in.Indexes.WriteReferences(ctx, set.ID, graph)
}

// kept is what the stored graph of a doc set has of its pages; none where there is none
// that can be used.
func (in *Ingester) kept(ctx context.Context, set store.Set) (references.Before, error) {
	raw, err := in.Indexes.ReadReferences(ctx, set.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return references.Before{}, nil
	}
	if err != nil {
		return references.Before{}, err
	}
	before, err := references.Reuse(raw, in.rules().Rules())
	if errors.Is(err, references.ErrDamaged) {
		return references.Before{}, nil
	}
	return before, err
}

// refers reads a page of the catalog for the graph alone. A page whose file cannot be
// read or parsed now has none: that is told by the update that finds it.
func (w *worker) refers(ctx context.Context, f store.FileState) (k references.Kept, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return k, false, err
	}
	p := &page{file: File{Path: f.Path, TOCPath: f.TOCPath}}
	for _, stage := range []func(context.Context, *page) (bool, error){w.readFile, w.parsePage} {
		if more, err := stage(ctx, p); err != nil || !more {
			return k, false, ctx.Err()
		}
	}
	d := p.parsed
	w.place(&d, f.TOCPath)
	k = references.Keep(references.Read(d, w.references))
	k.Document = f.ID
	return k, true, nil
}

// Unreferred says whether the reference graph of a doc set is missing, damaged, made by
// other rules, or not that of this generation of its index.
func (in *Ingester) Unreferred(ctx context.Context, set store.Set, generation string) (bool, error) {
	before, err := in.kept(ctx, set)
	return before.Pages == nil || before.Generation != generation, err
}

// Refer makes the reference graph of a doc set where it is Unreferred. Pages that it
// cannot take from the graph before are read; with anew, all are.
func (in *Ingester) Refer(ctx context.Context, set store.Set, anew bool, sink contract.Sink) (err error) {
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
	if _, err := u.scan(ctx); err != nil {
		return err
	}
	return in.refer(ctx, set, index.Generation, nil, u.worker())
}
