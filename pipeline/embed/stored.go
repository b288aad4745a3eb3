package embed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docent/store"
	"docent/store/catalog"
	"docent/store/embeddings"
	"docent/store/generation"
	"docent/store/lexical"
	"docent/store/vector"
)

// Dir is where the vectors by a model of an index lie: beside it, so that they go
// when it goes.
func Dir(indexDir string) string { return indexDir + ".model" }

// By says by which model a doc set's stored vectors were made.
type By struct {
	Model     string `json:"model"`  // its identity
	Engine    string `json:"engine"` // its name in traces
	Name      string `json:"name"`   // and on its server
	Dimension int    `json:"dimension"`
	Length    string `json:"length"` // of every vector: unit
	// ForQuestion and ForPassage stood before what was embedded.
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

// stored is all that stands beside the vectors of a doc set.
type stored struct {
	by    By
	pages map[int64]storedPage
}

// storedPage is what the vectors of a page were made of.
type storedPage struct {
	sum  uint32 // lexical.Content's
	keys []embeddings.Key
}

// encode writes the head as JSON and then the pages, ids ascending as given.
func (s stored) encode(ids []int64) ([]byte, error) {
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

// ReadBy reads by which model the vectors of a store were made, and compares it
// with what the store says itself. The error wraps vector.ErrDamaged where that
// is not the same.
func ReadBy(r *vector.Reader, basis []byte) (By, error) {
	by, _, err := readBy(r, basis)
	return by, err
}

func readBy(r *vector.Reader, basis []byte) (by By, rest []byte, err error) {
	if len(basis) < 4 || uint64(binary.LittleEndian.Uint32(basis)) > uint64(len(basis)-4) {
		return by, nil, fmt.Errorf("what stands with the vectors is cut off: %w", vector.ErrDamaged)
	}
	n := 4 + int(binary.LittleEndian.Uint32(basis))
	if err := json.Unmarshal(basis[4:n], &by); err != nil {
		return by, nil, fmt.Errorf("what stands with the vectors: %w: %w", err, vector.ErrDamaged)
	}
	switch {
	case by.Model != r.Model():
		err = fmt.Errorf("the vectors are those of %s and said to be of %s: %w", r.Model(), by.Model, vector.ErrDamaged)
	case by.Dimension != r.Dims():
		err = fmt.Errorf("the vectors have %d dimensions and are said to have %d: %w", r.Dims(), by.Dimension, vector.ErrDamaged)
	case by.Length != unit:
		err = fmt.Errorf("the vectors are said to be of length %q, not %q: %w", by.Length, unit, vector.ErrDamaged)
	}
	return by, basis[n:], err
}

// readStored opens what there is of a doc set; the error wraps vector.ErrDamaged
// where that is nothing.
func readStored(dir string) (s stored, err error) {
	r, err := vector.Open(dir)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	basis, err := r.Basis()
	if err != nil {
		return s, err
	}
	by, b, err := readBy(r, basis)
	s.by, s.pages = by, make(map[int64]storedPage, by.Pages)
	for err == nil && len(b) > 0 {
		const head, key = 16, len(embeddings.Key{})
		if len(b) < head || uint64(binary.LittleEndian.Uint32(b[12:])) > uint64((len(b)-head)/key) {
			return s, fmt.Errorf("the pages of the vectors are cut off: %w", vector.ErrDamaged)
		}
		id, p := int64(binary.LittleEndian.Uint64(b)), storedPage{sum: binary.LittleEndian.Uint32(b[8:])}
		p.keys = make([]embeddings.Key, binary.LittleEndian.Uint32(b[12:]))
		b = b[head:]
		for i := range p.keys {
			p.keys[i] = embeddings.Key(b)
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

// Complete says whether every page has its vectors.
func (s State) Complete() bool { return s.Missing == 0 }

// Look says by which model a doc set has vectors, and whether they are complete.
// The error wraps fs.ErrNotExist where there are none, and vector.ErrDamaged where
// they cannot be used.
func Look(ctx context.Context, cat *catalog.Catalog, set store.Set, indexDir string) (State, error) {
	if _, err := os.Stat(filepath.Join(Dir(indexDir), generation.Manifest)); err != nil {
		return State{}, err
	}
	s, err := readStored(Dir(indexDir))
	if err != nil {
		return State{}, err
	}
	wanted, _, err := pagesOf(ctx, cat, set, indexDir)
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
	content lexical.Content
}

// pagesOf are the pages of a doc set, and the index's generation.
func pagesOf(ctx context.Context, cat *catalog.Catalog, set store.Set, indexDir string) (map[int64]indexed, string, error) {
	contents, err := lexical.ReadContents(indexDir)
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
