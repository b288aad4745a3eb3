package embed

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"docent/store"
	"docent/store/floats"
)

// storeVectors switches to the new vectors. It returns false if the index changed during the
// work, or if the cache lost a vector.
func (w *work) storeVectors(ctx context.Context, p *plan) (done bool, err error) {
	release, err := w.e.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := w.goneError(ctx); err != nil {
		return false, err
	}
	wanted, generation, err := pagesOfDocSet(ctx, w.e.Catalog, w.e.Indexes, w.set)
	if err != nil {
		return false, err
	}
	up, err := w.e.Indexes.UpdateVectors(ctx, w.set.ID, store.ModelVectors, w.model.ID, w.model.Dimension, !p.keep)
	if err != nil {
		return false, err
	}
	committed := false
	defer func() {
		if !committed {
			err = errors.Join(err, up.Abort())
		}
	}()
	if p.keep && up.Fresh() {
		return false, nil // the stored vectors are damaged
	}
	byID := make(map[int64]*page, len(p.pages))
	for _, pg := range p.pages {
		byID[pg.file.ID] = pg
	}
	now := stored{pages: make(map[int64]storedPage, len(wanted))}
	for _, id := range up.Documents() {
		old, kept := p.old.pages[id]
		if i, ok := wanted[id]; ok && kept && byID[id] == nil && old.sum == i.content.Sum {
			now.pages[id] = old
		} else if err := up.Delete(id); err != nil {
			return false, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		if _, ok := now.pages[id]; ok {
			continue
		}
		pg := byID[id]
		if pg == nil || pg.content.Sum != wanted[id].content.Sum {
			return false, nil // the doc set was indexed by another process
		}
		if pg.skipped {
			continue
		}
		entries, ok, err := w.cachedEntries(ctx, pg)
		if err != nil || !ok {
			return false, err
		}
		if err := up.Add(id, entries); err != nil {
			return false, err
		}
		now.pages[id] = pg.storedForm()
	}
	ids := slices.Sorted(maps.Keys(now.pages))
	now.by = By{
		Model: w.model.ID, Engine: w.m.Engine, Name: w.m.Name, Dimension: w.model.Dimension, Length: unit, Form: form,
		ForQuestion: w.m.ForQuestion, ForPassage: w.m.ForPassage, Generation: generation, Pages: len(ids),
		Probe: floats.Encode(w.model.Probe),
	}
	for _, id := range ids {
		now.by.Passages += wanted[id].content.Passages
	}
	basis, err := now.encodePages(ids)
	if err != nil {
		return false, err
	}
	up.Attach(basis)
	if err := up.Prepare(ctx); err != nil {
		return false, err
	}
	committed = true
	w.rep.Written = true
	return true, up.Commit()
}

func (p *page) storedForm() storedPage {
	s := storedPage{sum: p.content.Sum}
	for _, ps := range p.passages {
		s.keys = append(s.keys, ps.key)
	}
	return s
}

// cachedEntries are the vectors of a page; false if the cache does not have them all.
func (w *work) cachedEntries(ctx context.Context, p *page) ([]store.Entry, bool, error) {
	got, err := w.e.Cache.Get(ctx, w.model.ID, p.storedForm().keys)
	if err != nil {
		return nil, false, err
	}
	out := make([]store.Entry, 0, len(p.passages))
	for _, ps := range p.passages {
		v, ok := got[ps.key]
		if !ok {
			return nil, false, nil
		}
		if len(v) != w.model.Dimension {
			return nil, false, w.dimension(len(v), w.model.Dimension)
		}
		out = append(out, store.Entry{Chunk: ps.chunk, Part: ps.part, Vector: v})
	}
	return out, true, nil
}

// Prune drops vectors from the cache and returns their number: vectors of texts that no
// doc set has any more, and of models that are neither in models nor used by a store.
// Without models, all models stay.
func (e *Embedder) Prune(ctx context.Context, models []string) (int, error) {
	// First, so that what others put there from now on stays.
	before, err := e.Cache.Now(ctx)
	if err != nil {
		return 0, err
	}
	sets, err := e.Catalog.Sets(ctx)
	if err != nil {
		return 0, err
	}
	used, by := map[store.TextKey]bool{}, map[string]bool{}
	for _, id := range models {
		by[id] = true
	}
	for _, set := range sets {
		// Vectors that are not stored yet may be in work: their texts are read.
		w := &work{e: e, set: set, rep: &Report{}}
		s, err := readStored(ctx, e.Indexes, set.ID)
		if err == nil {
			by[s.by.Model] = true
			w.m.ID = s.by.Model
		} else if !errors.Is(err, store.ErrVectorsDamaged) {
			return 0, err
		}
		p, err := w.planUpdate(ctx)
		if errors.Is(err, store.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
			return 0, nil // its texts are unknown: another time
		}
		if err != nil {
			return 0, err
		}
		for _, pg := range s.pages {
			for _, k := range pg.keys {
				used[k] = true
			}
		}
		if p == nil {
			continue
		}
		for _, pg := range p.pages {
			for _, ps := range pg.passages {
				used[ps.key] = true
			}
		}
	}
	return e.Cache.Prune(ctx, before, func(id string, k store.TextKey) bool {
		return !used[k] || len(models) > 0 && !by[id]
	})
}
