package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/lsa"
	"docent/store"
	"docent/store/lexical"
	"docent/store/vector"
)

// Vectors are learned from the words of a doc set (package lsa): a model is trained
// on all of its passages, and each passage is folded into the model.
//
// Training takes seconds for 10 000 pages, and is no part of an update but of a
// small doc set's. The passages of a changed page are folded into the model that is
// there, and the page can be found by its words before that. What is folded in
// makes the vectors depend on the history of updates, so that they differ a little
// from those of the same pages in another home. Settle trains the model again on the
// pages as they are: after that the vectors depend on nothing else.

// trainInline is the number of passages up to which an update trains the model
// again. On two cores 120 passages take 30 ms, 360 take 200 ms, 1200 take 350 ms
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
// lexical.ErrDamaged where there is no index that can be read.
func (in *Ingester) Learning(set store.Set) (Learning, error) {
	index, err := lexical.ReadContents(in.IndexDir(set.ID))
	if err != nil {
		return Learning{}, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	old, model, passages, err := readVectors(VectorDir(in.IndexDir(set.ID)))
	if errors.Is(err, vector.ErrDamaged) {
		return Learning{Due: "it has no vectors that can be read"}, nil
	}
	if err != nil {
		return Learning{}, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	l := Learning{Passages: passages, Folded: old.Drift.Folded, Removed: old.Drift.Removed, Due: old.Drift.Due(model)}
	if old.Generation != index.Generation {
		l.Due = "its vectors are older than its pages"
	}
	l.Settled = old.Generation == index.Generation && l.Folded+l.Removed == 0
	return l, nil
}

// Settle trains the model of a doc set again on the pages as they were last
// indexed, unless its vectors are settled. Searching goes on meanwhile; an update of
// the same doc set waits.
func (in *Ingester) Settle(ctx context.Context, set store.Set, sink contract.Sink) (err error) {
	release, err := in.lockSet(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	l, err := in.Learning(set)
	if err != nil || l.Settled {
		return err
	}
	ev := &emitter{sink: sink}
	ev.emit(PhaseLearn, contract.PhaseStarted, 0, 0, set.Ref.String())
	return in.learn(ctx, set, true)
}

// learn brings all vectors of a doc set up to its word index. With train, or where
// there is no model that can be used, or for a small doc set, the model is trained
// again; else all passages are folded into the one there is.
func (in *Ingester) learn(ctx context.Context, set store.Set, train bool) error {
	index := in.IndexDir(set.ID)
	dir := VectorDir(index)
	r, err := lexical.Open(index)
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := in.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	paths := make(map[int64]string, len(files))
	for _, f := range files {
		paths[f.ID] = f.Path
	}
	m, err := newMatrix(ctx, r, paths)
	if err != nil {
		return err
	}
	now := Learned{Generation: r.Generation()}
	var model *lsa.Model
	if !train && m.Passages() > trainInline {
		var old Learned
		if old, model, _, err = readVectors(dir); err != nil {
			model = nil
		} else if now.Drift, err = drifted(dir, m, old.Drift); err != nil {
			return err
		}
	}
	if model == nil {
		now.Drift = lsa.Drift{}
		if model, err = lsa.Train(ctx, m, lsa.Options{}); err != nil && !errors.Is(err, lsa.ErrNothing) {
			return err
		}
	}
	return storeVectors(ctx, dir, now, model, m)
}

// drifted counts the passages that came and went since vectors were written.
func drifted(dir string, m *matrix, d lsa.Drift) (lsa.Drift, error) {
	old, err := vector.Documents(dir)
	if err != nil {
		return d, err
	}
	now := map[int64]bool{}
	for _, k := range m.keys {
		now[k.Doc] = true
		if _, ok := old[k.Doc]; !ok {
			d.Folded++
		}
	}
	for id, passages := range old {
		if !now[id] {
			d.Removed += passages
		}
	}
	return d, nil
}

// readVectors reads a store of vectors without the vectors. The error wraps
// vector.ErrDamaged where there is nothing that can be used.
func readVectors(dir string) (l Learned, m *lsa.Model, passages int, err error) {
	r, err := vector.Open(dir)
	if err != nil {
		return l, nil, 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	raw, err := r.Basis()
	if err != nil {
		return l, nil, 0, err
	}
	if l, m, err = OpenBasis(raw); err == nil {
		l, err = readLearned(r.Note(), l)
	}
	return l, m, r.Info().Vectors, err
}

// noModel names the vectors of a doc set that is too small for any.
const noModel = "none"

// storeVectors folds all passages into a model and writes both.
func storeVectors(ctx context.Context, dir string, now Learned, model *lsa.Model, m *matrix) (err error) {
	id, dims := noModel, 1
	if model != nil {
		id, dims = model.ID(), model.Dims()
	}
	up, err := vector.Begin(dir, id, dims, true)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, up.Abort())
		}
	}()
	basis, err := now.basis(model)
	if err != nil {
		return err
	}
	up.Attach(basis)
	if err := setNote(up, now); err != nil {
		return err
	}
	byDoc := map[int64][]vector.Entry{}
	err = model.FoldAll(ctx, m, func(passage int, v []float32) error {
		k := m.keys[passage]
		byDoc[k.Doc] = append(byDoc[k.Doc], vector.Entry{Chunk: k.Chunk, Part: k.Part, Vector: slices.Clone(v)})
		return nil
	})
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(byDoc))
	for id := range byDoc {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := up.Add(id, byDoc[id]); err != nil {
			return err
		}
	}
	if err := up.Prepare(ctx); err != nil {
		return err
	}
	done = true
	return up.Commit()
}

func setNote(up *vector.Update, l Learned) error {
	note, err := json.Marshal(l)
	if err == nil {
		up.SetNote(note)
	}
	return err
}

// folding folds the passages of changed pages into the model that is there, while
// they are on their way through the stages.
type folding struct {
	up    *vector.Update
	model *lsa.Model
	now   Learned
}

// beginFolding is nil where the passages must be learned behind the update: there
// are no vectors, those there are do not belong to the index as it is, or there are
// so few that training again is as quick.
func (in *Ingester) beginFolding(set store.Set, generation string) (*folding, error) {
	dir := VectorDir(in.IndexDir(set.ID))
	old, model, passages, err := readVectors(dir)
	switch {
	case errors.Is(err, vector.ErrDamaged):
		return nil, nil
	case err != nil:
		return nil, err
	case model == nil, passages <= trainInline, old.Generation != generation:
		return nil, nil
	}
	up, err := vector.Begin(dir, model.ID(), model.Dims(), false)
	if err != nil {
		return nil, err
	}
	if up.Fresh() {
		return nil, up.Abort()
	}
	return &folding{up: up, model: model, now: old}, nil
}

// fold makes the vectors of one page. It may be called on several goroutines.
func (f *folding) fold(p *lexical.Prepared) []vector.Entry {
	if f == nil {
		return nil
	}
	var out []vector.Entry
	for _, ps := range p.Terms(fieldCounts()) {
		terms := make([]lsa.Term, len(ps.Terms))
		for i, t := range ps.Terms {
			terms[i] = lsa.Term{Text: t.Term, Count: float32(t.Count)}
		}
		out = append(out, vector.Entry{Chunk: ps.Chunk, Part: ps.Part, Vector: f.model.Fold(terms)})
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

// add puts in the vectors of a document.
func (f *folding) add(id int64, vectors []vector.Entry) error {
	if f == nil {
		return nil
	}
	err := f.up.Add(id, vectors)
	f.now.Drift.Folded += f.up.Rows(id)
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

func (f *folding) abort() error {
	if f == nil {
		return nil
	}
	return f.up.Abort()
}
