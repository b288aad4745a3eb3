package embed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"docent/store"
)

// Catalog is what this package reads of the catalog.
type Catalog interface {
	Sets(context.Context) ([]store.Set, error)
	Files(ctx context.Context, setID int64) ([]store.FileState, error)
}

// Indexes reads and writes the derived data of doc sets.
type Indexes interface {
	// Contents says which documents are in a doc set's index of words.
	Contents(ctx context.Context, setID int64) (store.Contents, error)
	// HasVectors reports whether vectors were ever stored.
	HasVectors(ctx context.Context, setID int64, kind store.VectorKind) (bool, error)
	// OpenVectors opens vectors. The caller closes them.
	OpenVectors(ctx context.Context, setID int64, kind store.VectorKind) (store.Vectors, error)
	// UpdateVectors begins a new generation of vectors by a model, from nothing if
	// fresh is set or where there is nothing whole to build on.
	UpdateVectors(ctx context.Context, setID int64, kind store.VectorKind, model string, dims int, fresh bool) (store.VectorUpdate, error)
}

// By says by which model a doc set's stored vectors were made.
type By struct {
	Model     string `json:"model"`  // its identity
	Engine    string `json:"engine"` // its name in traces
	Name      string `json:"name"`   // and on its server
	Dimension int    `json:"dimension"`
	Length    string `json:"length"` // of every vector: unit
	// ForQuestion and ForPassage are the prefixes of the embedded texts.
	ForQuestion string `json:"for_question"`
	ForPassage  string `json:"for_passage"`
	// Form is that of the texts.
	Form int `json:"form"`
	// Generation is the word index's of which they were made, Pages and Passages
	// how much of it.
	Generation string `json:"generation"`
	Pages      int    `json:"pages"`
	Passages   int    `json:"passages"`
	// Probe is the model's vector of the probe.
	Probe []byte `json:"probe"`
}

// unit is By.Length.
const unit = "unit"

// stored is the state that belongs to the vectors of a doc set.
type stored struct {
	by    By
	pages map[int64]storedPage
}

// storedPage is what the vectors of a page were made of.
type storedPage struct {
	sum  uint32 // store.Content's
	keys []store.TextKey
}

// encodePages writes the head as JSON and then the pages, ids ascending as given.
func (s stored) encodePages(ids []int64) ([]byte, error) {
	head, err := json.Marshal(s.by)
	if err != nil {
		return nil, err
	}
	b := append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...)
	for _, id := range ids {
		p := s.pages[id]
		b = binary.LittleEndian.AppendUint64(b, uint64(id))
		b = binary.LittleEndian.AppendUint32(b, p.sum)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.keys)))
		for _, k := range p.keys {
			b = append(b, k[:]...)
		}
	}
	return b, nil
}

// Vectors reads the description of stored vectors and their attachments.
type Vectors interface {
	Info() store.VectorInfo
	store.Attachment
}

// ReadBy reads which model made stored vectors, and compares it with their description.
// The error wraps store.ErrVectorsDamaged where the two differ.
func ReadBy(ctx context.Context, r Vectors) (by By, err error) {
	raw, err := r.Attachment(ctx)
	if err != nil {
		return by, err
	}
	err = r.Guard(func() (err error) {
		by, _, err = readBy(r.Info(), raw)
		return err
	})
	return by, err
}

func readBy(info store.VectorInfo, basis []byte) (by By, rest []byte, err error) {
	if len(basis) < 4 || uint64(binary.LittleEndian.Uint32(basis)) > uint64(len(basis)-4) {
		return by, nil, fmt.Errorf("what stands with the vectors is cut off: %w", store.ErrVectorsDamaged)
	}
	n := 4 + int(binary.LittleEndian.Uint32(basis))
	if err := json.Unmarshal(basis[4:n], &by); err != nil {
		return by, nil, fmt.Errorf("what stands with the vectors: %w: %w", err, store.ErrVectorsDamaged)
	}
	switch {
	case by.Model != info.Model:
		err = fmt.Errorf("the vectors are those of %s and said to be of %s: %w", info.Model, by.Model, store.ErrVectorsDamaged)
	case by.Dimension != info.Dims:
		err = fmt.Errorf("the vectors have %d dimensions and are said to have %d: %w", info.Dims, by.Dimension, store.ErrVectorsDamaged)
	case by.Length != unit:
		err = fmt.Errorf("the vectors are said to be of length %q, not %q: %w", by.Length, unit, store.ErrVectorsDamaged)
	}
	return by, basis[n:], err
}

// readStored reads the attachments of the stored vectors of a doc set. The error wraps
// store.ErrVectorsDamaged if they are unusable.
func readStored(ctx context.Context, x Indexes, setID int64) (s stored, err error) {
	r, err := x.OpenVectors(ctx, setID, store.ModelVectors)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	raw, err := r.Attachment(ctx)
	if err != nil {
		return s, err
	}
	err = r.Guard(func() (err error) {
		s, err = decodeStored(r.Info(), raw)
		return err
	})
	return s, err
}

func decodeStored(info store.VectorInfo, raw []byte) (s stored, err error) {
	by, b, err := readBy(info, raw)
	s.by, s.pages = by, make(map[int64]storedPage, by.Pages)
	for err == nil && len(b) > 0 {
		const head, key = 16, len(store.TextKey{})
		if len(b) < head || uint64(binary.LittleEndian.Uint32(b[12:])) > uint64((len(b)-head)/key) {
			return s, fmt.Errorf("the pages of the vectors are cut off: %w", store.ErrVectorsDamaged)
		}
		id, p := int64(binary.LittleEndian.Uint64(b)), storedPage{sum: binary.LittleEndian.Uint32(b[8:])}
		p.keys = make([]store.TextKey, binary.LittleEndian.Uint32(b[12:]))
		b = b[head:]
		for i := range p.keys {
			p.keys[i] = store.TextKey(b)
			b = b[key:]
		}
		s.pages[id] = p
	}
	return s, err
}

// State is how far the vectors of a doc set are.
type State struct {
	By
	// Missing is how many pages of the index have none yet.
	Missing int
}

// Complete reports whether every page has its vectors.
func (s State) Complete() bool { return s.Missing == 0 }

// LookUpState returns the model of a doc set's vectors, and whether they are complete. The error
// wraps fs.ErrNotExist if there are no vectors, and store.ErrVectorsDamaged if they are
// unusable.
func LookUpState(ctx context.Context, cat Catalog, x Indexes, set store.Set) (State, error) {
	has, err := x.HasVectors(ctx, set.ID, store.ModelVectors)
	if err != nil {
		return State{}, err
	}
	if !has {
		return State{}, fmt.Errorf("vectors of %s by a model: %w", set.Ref, fs.ErrNotExist)
	}
	s, err := readStored(ctx, x, set.ID)
	if err != nil {
		return State{}, err
	}
	wanted, _, err := pagesOfDocSet(ctx, cat, x, set)
	if err != nil {
		return State{}, err
	}
	out := State{By: s.by}
	for id, w := range wanted {
		if p, ok := s.pages[id]; !ok || p.sum != w.content.Sum || s.by.Form != form {
			out.Missing++
		}
	}
	return out, nil
}

// indexed is a page that the catalog and the index know.
type indexed struct {
	file    store.FileState
	content store.Content
}

// pagesOfDocSet are the pages of a doc set, and the index's generation.
func pagesOfDocSet(ctx context.Context, cat Catalog, x Indexes, set store.Set) (map[int64]indexed, string, error) {
	contents, err := x.Contents(ctx, set.ID)
	if err != nil {
		return nil, "", fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	files, err := cat.Files(ctx, set.ID)
	if err != nil {
		return nil, "", err
	}
	out := make(map[int64]indexed, len(files))
	for _, f := range files {
		if c, ok := contents.Documents[f.ID]; ok {
			out[f.ID] = indexed{f, c}
		}
	}
	return out, contents.Generation, nil
}
