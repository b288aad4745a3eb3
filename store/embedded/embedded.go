// Package embedded opens the indexes and vectors of a home that are kept in this
// process, one folder for each.
//
// It refuses to know the files in the folders: they belong to lexical and vector.
package embedded

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"docent/store"
	"docent/store/analysis"
	"docent/store/durable"
	"docent/store/generation"
	"docent/store/lexical"
	"docent/store/vector"
)

// Indexes are those of a home, by doc set.
type Indexes struct {
	// Dir is the folder of a doc set's index of words. Its vectors are next to it, so
	// that they are removed together.
	Dir func(setID int64) string
}

// VectorDir is where the vectors of an index of words lie.
func VectorDir(indexDir string, kind store.VectorKind) string {
	switch kind {
	case store.LearnedVectors:
		return indexDir + learnedEnding
	case store.ModelVectors:
		return indexDir + modelEnding
	}
	return indexDir + "." + string(kind)
}

func (x Indexes) vectorDir(setID int64, kind store.VectorKind) string {
	return VectorDir(x.Dir(setID), kind)
}

// OpenIndex opens a doc set's index of words at its current generation.
func (x Indexes) OpenIndex(ctx context.Context, setID int64) (store.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := lexical.OpenReader(x.Dir(setID))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// OpenVectors opens a doc set's vectors of one kind at their current generation.
func (x Indexes) OpenVectors(ctx context.Context, setID int64, kind store.VectorKind) (store.Vectors, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := vector.OpenReader(x.vectorDir(setID, kind))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// VectorInfo describes a doc set's vectors of one kind by their manifest alone. The error
// wraps store.ErrVectorsDamaged without a readable one.
func (x Indexes) VectorInfo(ctx context.Context, setID int64, kind store.VectorKind) (store.VectorInfo, error) {
	if err := ctx.Err(); err != nil {
		return store.VectorInfo{}, err
	}
	return vector.ReadInfo(x.vectorDir(setID, kind))
}

// HasVectors reports whether vectors of one kind were ever published, whole or not.
func (x Indexes) HasVectors(ctx context.Context, setID int64, kind store.VectorKind) (bool, error) {
	_, err := os.Stat(filepath.Join(x.vectorDir(setID, kind), generation.Manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return false, ctx.Err()
	}
	return err == nil, errors.Join(err, ctx.Err())
}

// Contents says which documents are in a doc set's index of words.
func (x Indexes) Contents(ctx context.Context, setID int64) (store.Contents, error) {
	if err := ctx.Err(); err != nil {
		return store.Contents{}, err
	}
	return lexical.ReadContents(x.Dir(setID))
}

// Written is when a doc set's index of words was last published.
func (x Indexes) Written(ctx context.Context, setID int64) (time.Time, error) {
	st, err := os.Stat(filepath.Join(x.Dir(setID), generation.Manifest))
	if err != nil {
		return time.Time{}, err
	}
	return st.ModTime(), ctx.Err()
}

// Verify reads every byte of a doc set's index of words and compares it with its
// checksums.
func (x Indexes) Verify(ctx context.Context, setID int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return lexical.Verify(x.Dir(setID))
}

// VerifyVectors is as Verify for the vectors of one kind.
func (x Indexes) VerifyVectors(ctx context.Context, setID int64, kind store.VectorKind) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return vector.Verify(x.vectorDir(setID, kind))
}

// Analyze analyses a document's passages for an index of words. It may be called on
// several goroutines, each with an Analyzer of its own.
func (x Indexes) Analyze(a *analysis.Analyzer, passages []store.Passage) store.Analyzed {
	return lexical.Analyze(a, passages)
}

// UpdateIndex begins an update of a doc set's index of words. With fresh, or where
// there is no whole generation to build on, it begins from nothing.
func (x Indexes) UpdateIndex(ctx context.Context, setID int64, fresh bool) (store.IndexUpdate, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	u, err := lexical.BeginUpdate(x.Dir(setID), fresh)
	if err != nil {
		return nil, err
	}
	return u, nil
}

// UpdateVectors begins an update of a doc set's vectors of one kind, by a model
// with so many dimensions. With fresh it begins from nothing.
func (x Indexes) UpdateVectors(ctx context.Context, setID int64, kind store.VectorKind, model string, dims int,
	fresh bool) (store.VectorUpdate, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	u, err := vector.BeginUpdate(x.vectorDir(setID, kind), model, dims, fresh)
	if err != nil {
		return nil, err
	}
	return u, nil
}

// RemoveVectors deletes a doc set's vectors of one kind.
func (x Indexes) RemoveVectors(setID int64, kind store.VectorKind) error {
	return vector.Remove(x.vectorDir(setID, kind))
}

// Remove deletes all that is derived of a doc set.
func (x Indexes) Remove(setID int64) error {
	graph := os.Remove(x.graphFile(setID))
	if errors.Is(graph, fs.ErrNotExist) {
		graph = nil
	}
	return errors.Join(lexical.Remove(x.Dir(setID)), vector.Remove(x.vectorDir(setID, store.LearnedVectors)),
		vector.Remove(x.vectorDir(setID, store.ModelVectors)), graph, removePatch(x.graphFile(setID)))
}

func (x Indexes) graphFile(setID int64) string { return x.Dir(setID) + referenceEnding }

// readReferences gives a doc set's reference graph as it was written. The error wraps
// fs.ErrNotExist where it never was.
func (x Indexes) readReferences(ctx context.Context, setID int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return os.ReadFile(x.graphFile(setID))
}

// WriteReferences puts what write writes in the place of a doc set's reference graph. A patch of the
// graph before names that one: where this is ended before it is deleted, it counts for nothing.
func (x Indexes) WriteReferences(ctx context.Context, setID int64, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := durable.WriteFileFrom(x.graphFile(setID), write); err != nil {
		return err
	}
	return removePatch(x.graphFile(setID))
}
