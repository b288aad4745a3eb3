package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docent/store"
	"docent/store/lexical"
	"docent/store/vector"
)

// The exported parts.
const (
	carriedWords      = "words"
	carriedVectors    = "vectors"
	carriedNote       = "vectors.json"
	carriedReferences = "references"
)

var _ store.Carrier = Indexes{}

// CarriedForm is store.Carrier's.
func (x Indexes) CarriedForm() string { return lexical.CarriedForm() + ", " + vector.CarriedForm() }

// Export is store.Carrier's.
func (x Indexes) Export(ctx context.Context, setID int64, folder string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, part := range []string{carriedWords, carriedVectors} {
		if err := os.MkdirAll(filepath.Join(folder, part), 0o700); err != nil {
			return err
		}
	}
	if err := lexical.Export(x.Dir(setID), filepath.Join(folder, carriedWords)); err != nil {
		return err
	}
	note, err := vector.Export(x.vectorDir(setID, store.LearnedVectors), filepath.Join(folder, carriedVectors))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, carriedNote), []byte(note), 0o600)
	}
	if err != nil {
		return err
	}
	graph, err := x.readReferences(ctx, setID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, carriedReferences), graph, 0o600)
}

// imported is a generation out of another home.
type imported struct {
	*lexical.Imported
	vectors string // the folder of this home's
	folder  string // of the exported parts
	shift   int64
	note    string
	graph   []byte
}

// Import is store.Carrier's.
func (x Indexes) Import(ctx context.Context, setID int64, folder string, shift int64) (store.Import, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	note, err := os.ReadFile(filepath.Join(folder, carriedNote))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	graph, err := os.ReadFile(filepath.Join(folder, carriedReferences))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	words, err := lexical.Import(ctx, x.Dir(setID), filepath.Join(folder, carriedWords), shift)
	if err != nil {
		return nil, err
	}
	return &imported{Imported: words, vectors: x.vectorDir(setID, store.LearnedVectors), folder: folder, shift: shift,
		note: string(note), graph: graph}, nil
}

// Note is store.Import's.
func (i *imported) Note() string { return i.note }

// References is store.Import's.
func (i *imported) References() []byte { return i.graph }

// PutVectors is store.Import's.
func (i *imported) PutVectors(ctx context.Context, note []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return vector.Import(i.vectors, filepath.Join(i.folder, carriedVectors), i.shift, note)
}
