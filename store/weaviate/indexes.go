package weaviate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"time"

	"docent/store"
	"docent/store/address"
	"docent/store/analysis"
	"docent/store/weaviate/transport"
)

// Indexes are the indexes and vectors of a home's doc sets. They are safe for concurrent use;
// one process at a time changes what a doc set has.
type Indexes struct{ c *client }

// Open gives the indexes at an address. Nothing is asked before something is needed.
func Open(at address.Weaviate) Indexes { return Indexes{newClient(at)} }

// Name says where the indexes are, for people: the address, which has no key.
func (x Indexes) Name() string { return x.c.At.String() }

// Close closes the connections.
func (x Indexes) Close() error {
	x.c.states.Close()
	x.c.Transport.Close()
	return nil
}

// Claim makes the collections a home's, which an identity tells from others. The error wraps
// ErrOtherHome where they are another's.
func (x Indexes) Claim(ctx context.Context, identity string) error {
	id := objectID(x.c.At.Name, ownerSort)
	owner, err := x.c.readRecord(ctx, id)
	if err == nil && owner == "" {
		if err = x.c.ensure(ctx); err == nil {
			err = x.c.writeRecord(ctx, 0, id, ownerSort, identity)
		}
		for try := 0; err == nil && owner == "" && try < learnTries; try++ {
			if owner, err = x.c.readRecord(ctx, id); owner == "" { // a node that does not know the collection yet
				time.Sleep(learnPause)
			}
		}
	}
	if err == nil && owner != identity {
		err = fmt.Errorf("%w: %s is in use", ErrOtherHome, x.c.At)
	}
	return err
}

// Drop deletes the collections with all that is in them, whosever they are.
func (x Indexes) Drop(ctx context.Context) (err error) {
	for _, class := range []string{x.c.wordsName(), x.c.vectorsName(), x.c.recordsName()} {
		err = errors.Join(err, x.c.Do(ctx, http.MethodDelete, "/v1/schema/"+class, nil, nil, nil))
	}
	return err
}

func kindOf(k store.VectorKind) kind {
	if k == store.LearnedVectors {
		return learned
	}
	return model
}

// OpenIndex opens a doc set's index of words at its current generation.
func (x Indexes) OpenIndex(ctx context.Context, setID int64) (store.Index, error) {
	r, err := x.c.openWords(ctx, setID)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// OpenVectors opens a doc set's vectors of one kind at their current generation.
func (x Indexes) OpenVectors(ctx context.Context, setID int64, k store.VectorKind) (store.Vectors, error) {
	r, err := x.c.openVectors(ctx, setID, kindOf(k))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// VectorInfo describes a doc set's vectors of one kind. The error wraps
// store.ErrVectorsDamaged where they are missing.
func (x Indexes) VectorInfo(ctx context.Context, setID int64, k store.VectorKind) (store.VectorInfo, error) {
	s, err := x.c.states.Get(ctx, stateKey{setID, kindOf(k)})
	return s.info(), err
}

// HasVectors reports whether vectors of one kind were ever published, whole or not.
func (x Indexes) HasVectors(ctx context.Context, setID int64, k store.VectorKind) (bool, error) {
	_, err := x.c.states.Get(ctx, stateKey{setID, kindOf(k)})
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if errors.Is(err, store.ErrVectorsDamaged) {
		return true, nil
	}
	return err == nil, err
}

// Contents says which documents are in a doc set's index of words.
func (x Indexes) Contents(ctx context.Context, setID int64) (store.Contents, error) {
	o, err := x.c.openGeneration(ctx, setID, words)
	if err != nil {
		return store.Contents{}, err
	}
	out := store.Contents{Generation: o.Generation(), Documents: make(map[int64]store.Content, len(o.has.documents))}
	for id, d := range o.has.documents {
		out.Documents[id] = store.Content{Passages: d.count(), Sum: d.checksum()}
	}
	return out, nil
}

// Written is when a doc set's index of words was last published. The error wraps
// fs.ErrNotExist where it never was.
func (x Indexes) Written(ctx context.Context, setID int64) (time.Time, error) {
	s, err := x.c.readState(ctx, setID, words)
	if errors.Is(err, store.ErrDamaged) {
		return time.Time{}, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return time.UnixMilli(s.Written), err
}

// Verify reads all of a doc set's index of words and compares it with its checksums.
func (x Indexes) Verify(ctx context.Context, setID int64) error {
	return x.verify(ctx, setID, words, func(f found) error {
		_, err := decodePassage(f.Detail)
		return err
	})
}

// VerifyVectors is as Verify for the vectors of one kind.
func (x Indexes) VerifyVectors(ctx context.Context, setID int64, k store.VectorKind) error {
	v, err := x.c.openVectors(ctx, setID, kindOf(k))
	if err != nil {
		return err
	}
	return x.verify(ctx, setID, kindOf(k), func(f found) error {
		_, err := v.decode([]found{f})
		return err
	})
}

// verify looks at every object of a generation, and counts them.
func (x Indexes) verify(ctx context.Context, setID int64, k kind, look func(found) error) error {
	o, err := x.c.openGeneration(ctx, setID, k)
	if err != nil {
		return err
	}
	want := o.has.statistics.Passages
	var met map[store.Key]bool
	err = o.eachWhole(ctx, want, func() { met = map[store.Key]bool{} }, func(list []found) error {
		for _, f := range list {
			if err := look(f); err != nil {
				return damagedError(k, "%s: object %d.%d.%d of the %s of doc set %d: %w", x.c.At, f.Doc, f.Chunk, f.Part, k, setID, err)
			}
			met[f.key()] = true
		}
		return nil
	})
	if err == nil && len(met) != want {
		err = damagedError(k, "%s: the %s of doc set %d have %d objects, and should have %d", x.c.At, k, setID, len(met), want)
	}
	return err
}

// Analyze analyses a document's passages. It may be called on several goroutines, each with an
// Analyzer of its own.
func (x Indexes) Analyze(a *analysis.Analyzer, passages []store.Passage) store.Analyzed {
	return analyze(a, passages)
}

// UpdateIndex begins an update of a doc set's index of words. With fresh, or where there is no
// whole generation to build on, it begins from nothing.
func (x Indexes) UpdateIndex(ctx context.Context, setID int64, fresh bool) (store.IndexUpdate, error) {
	u, err := x.c.beginWords(ctx, setID, fresh)
	if err != nil {
		return nil, err
	}
	return u, nil
}

// UpdateVectors begins an update of a doc set's vectors of one kind, by a model with so many
// dimensions. With fresh it begins from nothing.
func (x Indexes) UpdateVectors(ctx context.Context, setID int64, k store.VectorKind, model string, dims int,
	fresh bool) (store.VectorUpdate, error) {
	u, err := x.c.beginVectors(ctx, setID, kindOf(k), model, dims, fresh)
	if err != nil {
		return nil, err
	}
	return u, nil
}

// RemoveVectors deletes a doc set's vectors of one kind.
func (x Indexes) RemoveVectors(setID int64, k store.VectorKind) error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RequestTimeout)
	defer cancel()
	return x.remove(ctx, setID, kindOf(k))
}

// Remove deletes the words and vectors of a doc set. After an error it can be repeated: the doc set
// is listed until all is gone.
func (x Indexes) Remove(setID int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RequestTimeout)
	defer cancel()
	err := errors.Join(x.remove(ctx, setID, words), x.remove(ctx, setID, learned), x.remove(ctx, setID, model))
	if err != nil {
		return err
	}
	// Contents of generations that no record names any more.
	err = x.c.removeFrom(ctx, x.c.recordsName(), quorum, restNumber(setProperty, "Equal", setID))
	if isMissing(err) {
		return nil
	}
	return err
}

// remove deletes all that a doc set has of a kind, first what makes the rest visible.
func (x Indexes) remove(ctx context.Context, setID int64, k kind) error {
	id := x.c.stateID(setID, k)
	s, err := x.c.readState(ctx, setID, k)
	if err != nil && !isDamaged(err) {
		return err
	}
	defer x.c.states.Forget(stateKey{setID, k})
	defer x.c.memories.forget(stateKey{setID, k})
	if err := x.c.removeRecord(ctx, id); err != nil {
		return err
	}
	if err := x.c.removeTenants(ctx, setID, k, math.MaxInt64, nil); err != nil {
		return err
	}
	blobs := s.Parts
	for _, l := range s.Left {
		if l.Blob != nil {
			blobs = append(blobs, *l.Blob)
		}
	}
	if s.Attached != nil {
		blobs = append(blobs, *s.Attached)
	}
	err = nil
	for _, b := range blobs {
		err = errors.Join(err, x.c.removeBlob(ctx, setID, b))
	}
	return err
}

// Sets lists the doc sets of which anything is kept, in no order.
func (x Indexes) Sets() ([]int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RequestTimeout)
	defer cancel()
	sets, err := x.c.recordedSets(ctx)
	if isMissing(err) {
		return nil, nil
	}
	return sets, err
}
