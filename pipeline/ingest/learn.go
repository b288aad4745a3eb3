package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/lsa"
	"docent/store"
)

// Vectors are learned from the words of a doc set (package lsa): a model is trained
// on all of its passages, and each passage is folded into the model.
//
// Training takes seconds for 10 000 pages, so only updates of small doc sets train. Other
// updates fold the passages of changed pages into the existing model; word search finds
// the pages before that. Folding makes the vectors depend on the history of updates, so
// that they differ a little from those of the same pages in another home. Settle trains
// the model again on the current pages: then the vectors depend on the pages alone.

// trainInline is the number of passages up to which an update trains the model
// again. On two cores 120 passages take 15 ms, 360 take 90 ms, 1200 take 160 ms
// (BenchmarkTrainInline): it must be less than the rest of an update.
const trainInline = 150

// Learning is the state of the vectors of a doc set.
type Learning struct {
	// Settled says that the vectors are those of the pages as they are: training
	// again would give the same.
	Settled bool
	// Due is why the model should be trained again, "" while it need not. Vectors
	// that are neither settled nor due serve well.
	Due string
	// Passages is how many have a vector. Folded and Removed are how many came and
	// went since the model was trained.
	Passages, Folded, Removed int
}

// Learning says how far the vectors of a doc set are. The error wraps
// store.ErrDamaged where there is no index that can be read.
func (in *Ingester) Learning(ctx context.Context, set store.Set) (Learning, error) {
	index, err := in.Indexes.Contents(ctx, set.ID)
	if err != nil {
		return Learning{}, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	old, model, passages, err := in.readVectors(ctx, set)
	if errors.Is(err, store.ErrVectorsDamaged) {
		return Learning{Due: "it has no vectors that can be read"}, nil
	}
	if err != nil {
		return Learning{}, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	l := Learning{Passages: passages, Folded: old.Drift.Folded, Removed: old.Drift.Removed, Due: old.Drift.ReasonDue(model)}
	if old.Generation != index.Generation {
		l.Due = "its vectors are older than its pages"
	}
	l.Settled = old.Generation == index.Generation && l.Folded+l.Removed == 0
	return l, nil
}

// Settle trains the model of a doc set again on the pages as they were last indexed,
// unless its vectors are settled. Searches continue during the training; an update of the
// same doc set waits.
func (in *Ingester) Settle(ctx context.Context, set store.Set, sink contract.Sink) (err error) {
	held, err := in.lockSet(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	l, err := in.Learning(ctx, set)
	if err != nil || l.Settled {
		return err
	}
	ev := &emitter{sink: sink}
	ev.emitEvent(PhaseLearn, contract.PhaseStarted, 0, 0, set.Ref.String())
	return in.learnVectors(ctx, set, true)
}

// Behind reports whether the vectors of a doc set are missing, damaged in their manifest,
// or do not belong to this generation of its index: an update was ended before it
// made them. Nothing but the manifest is read.
func (in *Ingester) Behind(ctx context.Context, set store.Set, generation string) (bool, error) {
	info, err := in.Indexes.VectorInfo(ctx, set.ID, store.LearnedVectors)
	if errors.Is(err, store.ErrVectorsDamaged) {
		return true, nil
	}
	if err != nil || info.Note == "" { // an earlier version wrote it elsewhere
		return false, err
	}
	l, err := readLearned(info.Note, Learned{})
	return err != nil || l.Generation != generation, nil
}

// LearnBehind makes the vectors of a doc set again where they are Behind, and with anew, in
// any case.
func (in *Ingester) LearnBehind(ctx context.Context, set store.Set, anew bool, sink contract.Sink) (err error) {
	held, err := in.lockSet(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	index, err := in.Indexes.Contents(ctx, set.ID)
	if err != nil {
		return err
	}
	behind, err := in.Behind(ctx, set, index.Generation)
	if err != nil || !behind && !anew {
		return err // another process was quicker
	}
	ev := &emitter{sink: sink}
	ev.emitEvent(PhaseLearn, contract.PhaseStarted, 0, 0, set.Ref.String())
	return in.learnVectors(ctx, set, anew)
}

// learnVectors brings all vectors of a doc set up to its word index. With train, or where
// there is no model that can be used, or for a small doc set, the model is trained
// again; else all passages are folded into the one there is.
func (in *Ingester) learnVectors(ctx context.Context, set store.Set, train bool) error {
	r, err := in.Indexes.OpenIndex(ctx, set.ID)
	if err != nil {
		return err
	}
	defer r.Close()
	postings, ok := r.(store.Postings)
	if !ok {
		return fmt.Errorf("doc set %s: its index gives no postings to learn from", set.Ref)
	}
	files, err := in.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	paths := make(map[int64]string, len(files))
	for _, f := range files {
		paths[f.ID] = f.Path
	}
	m, err := newMatrix(ctx, postings, paths)
	if err != nil {
		return err
	}
	now := Learned{Generation: r.Generation()}
	var model *lsa.Model
	if !train && m.Passages() > trainInline {
		var old Learned
		if old, model, _, err = in.readVectors(ctx, set); err != nil {
			model = nil
		} else if now.Drift, err = in.drifted(ctx, set, m, old.Drift); err != nil {
			return err
		}
	}
	if model == nil {
		now.Drift = lsa.Drift{}
		if model, err = lsa.TrainModel(ctx, m, lsa.Options{}); err != nil && !errors.Is(err, lsa.ErrNothing) {
			return err
		}
	}
	return in.storeVectors(ctx, set, now, model, m)
}

// drifted counts the passages that came and went since vectors were written.
func (in *Ingester) drifted(ctx context.Context, set store.Set, m *matrix, d lsa.Drift) (_ lsa.Drift, err error) {
	old, err := in.Indexes.OpenVectors(ctx, set.ID, store.LearnedVectors)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	kept := 0
	for keys := range slices.Chunk(m.keys, 4096) {
		vectors, err := old.Vectors(ctx, keys)
		if err != nil {
			return d, err
		}
		for _, v := range vectors {
			if v != nil {
				kept++
			}
		}
	}
	d.Folded += len(m.keys) - kept
	d.Removed += old.Info().Vectors - kept
	return d, nil
}

// readVectors reads the model and the state that belong to the vectors of a doc set, and
// their number. The error wraps store.ErrVectorsDamaged if they are missing or unusable.
func (in *Ingester) readVectors(ctx context.Context, set store.Set) (l Learned, m *lsa.Model, passages int, err error) {
	r, err := in.Indexes.OpenVectors(ctx, set.ID, store.LearnedVectors)
	if err != nil {
		return l, nil, 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	attached, err := r.Attachment(ctx)
	if err != nil {
		return l, nil, 0, err
	}
	var raw []byte
	if err := r.Guard(func() error { raw = slices.Clone(attached); return nil }); err != nil {
		return l, nil, 0, err
	}
	info := r.Info()
	if l, m, err = OpenBasis(raw); err == nil {
		l, err = readLearned(info.Note, l)
	}
	return l, m, info.Vectors, err
}

// noModel names the vectors of a doc set that is too small for any.
const noModel = "none"

// storeVectors folds all passages into a model and writes both.
func (in *Ingester) storeVectors(ctx context.Context, set store.Set, now Learned, model *lsa.Model, m *matrix) (err error) {
	id, dims := noModel, 1
	if model != nil {
		id, dims = model.ID(), model.Dimensions()
	}
	up, err := in.Indexes.UpdateVectors(ctx, set.ID, store.LearnedVectors, id, dims, true)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, up.Abort())
		}
	}()
	basis, err := now.encodeBasis(model)
	if err != nil {
		return err
	}
	up.Attach(basis)
	if err := setNote(up, now); err != nil {
		return err
	}
	// The passages of a document come one after the other.
	var entries []store.Entry
	var docID int64
	add := func() error {
		if len(entries) == 0 {
			return nil
		}
		err := up.Add(docID, entries)
		entries = nil
		return err
	}
	err = model.FoldAll(ctx, m, func(passage int, v []float32) error {
		k := m.keys[passage]
		if k.Doc != docID {
			if err := add(); err != nil {
				return err
			}
			docID = k.Doc
		}
		entries = append(entries, store.Entry{Chunk: k.Chunk, Part: k.Part, Vector: slices.Clone(v)})
		return nil
	})
	if err == nil {
		err = add()
	}
	if err != nil {
		return err
	}
	if err := up.Prepare(ctx); err != nil {
		return err
	}
	done = true
	return up.Commit()
}

func setNote(up store.VectorUpdate, l Learned) error {
	note, err := json.Marshal(l)
	if err == nil {
		up.SetNote(note)
	}
	return err
}

// folding folds the passages of changed pages into the model that is there, while
// they are on their way through the stages.
type folding struct {
	up    store.VectorUpdate
	model *lsa.Model
	now   Learned
}

// beginFolding is nil where the passages must be learned behind the update: there
// are no vectors, those there are do not belong to the index as it is, or there are
// so few that training again is as quick.
func (in *Ingester) beginFolding(ctx context.Context, set store.Set, generation string) (*folding, error) {
	old, model, passages, err := in.readVectors(ctx, set)
	switch {
	case errors.Is(err, store.ErrVectorsDamaged):
		return nil, nil
	case err != nil:
		return nil, err
	case model == nil, passages <= trainInline, old.Generation != generation:
		return nil, nil
	}
	up, err := in.Indexes.UpdateVectors(ctx, set.ID, store.LearnedVectors, model.ID(), model.Dimensions(), false)
	if err != nil {
		return nil, err
	}
	if up.Fresh() {
		return nil, up.Abort()
	}
	return &folding{up: up, model: model, now: old}, nil
}

// folded are the vectors of a page, and what it has that the model does not know.
type folded struct {
	vectors []store.Entry
	drift   lsa.Drift
}

// foldPage makes the vectors of one page. It may be called on several goroutines.
func (f *folding) foldPage(p store.Analyzed) (out folded) {
	if f == nil {
		return out
	}
	for ps := range p.Terms(fieldCounts()) {
		terms := make([]lsa.Term, 0, len(ps.Terms))
		for text, count := range ps.Terms { // Fold sorts them
			terms = append(terms, lsa.Term{Text: text, Count: float32(count)})
		}
		out.drift.CountFolded(f.model, terms)
		out.vectors = append(out.vectors, store.Entry{Chunk: ps.Chunk, Part: ps.Part, Vector: f.model.FoldText(terms)})
	}
	return out
}

// remove takes out the vectors of a document.
func (f *folding) remove(id int64) error {
	if f == nil {
		return nil
	}
	f.now.Drift.Removed += f.up.Rows(id)
	return f.up.Delete(id)
}

// addDocument puts in the vectors of a document.
func (f *folding) addDocument(id int64, page folded) error {
	if f == nil {
		return nil
	}
	err := f.up.Add(id, page.vectors)
	f.now.Drift.Folded += f.up.Rows(id)
	f.now.Drift.Unknown += page.drift.Unknown
	f.now.Drift.Total += page.drift.Total
	return err
}

// commit switches to the new vectors, which belong to this generation of the index.
func (f *folding) commit(ctx context.Context, generation string) error {
	f.now.Generation = generation
	if err := setNote(f.up, f.now); err != nil {
		return errors.Join(err, f.up.Abort())
	}
	if err := f.up.Prepare(ctx); err != nil {
		return errors.Join(err, f.up.Abort())
	}
	return f.up.Commit()
}

func (f *folding) abortUpdate() error {
	if f == nil {
		return nil
	}
	return f.up.Abort()
}
