package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"docent/store"
	"docent/store/generation"
)

// formatVersion is the version of all files. Vectors of another version count as
// damaged and are made again.
const formatVersion = 3

const (
	vectorsName = "vectors.bin"
	changesName = "changes.bin"
	basisName   = "basis.bin"
)

// manifest names the current generation and describes it.
type manifest struct {
	Format     int                        `json:"format"`
	Generation string                     `json:"generation"`
	Model      string                     `json:"model"`
	Dims       int                        `json:"dims"`
	Documents  int                        `json:"documents"`
	Vectors    int                        `json:"vectors"`
	Files      map[string]generation.File `json:"files"`
	// Gone are documents of the file of vectors that went since it was written, ascending.
	Gone []int64         `json:"gone,omitempty"`
	Note json.RawMessage `json:"note,omitempty"`

	state generation.State // of its file
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, generation.Manifest)
	state, err := generation.LoadManifest(dir, &m)
	if errors.Is(err, generation.ErrDamaged) {
		return m, fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
	}
	if err != nil {
		return m, err
	}
	m.state = state
	if m.Format != formatVersion {
		return m, fmt.Errorf("%s has format %d, this program writes %d: %w", dir, m.Format, formatVersion, store.ErrVectorsDamaged)
	}
	if !generation.IsValidName(m.Generation) {
		return m, fmt.Errorf("%s names the generation %q: %w", dir, m.Generation, store.ErrVectorsDamaged)
	}
	if _, ok := m.Files[vectorsName]; !ok {
		return m, fmt.Errorf("%s names no vectors: %w", path, store.ErrVectorsDamaged)
	}
	for name, f := range m.Files {
		if name != vectorsName && name != changesName && name != basisName || !f.IsSound() {
			return m, fmt.Errorf("%s names the file %q: %w", path, name, store.ErrVectorsDamaged)
		}
	}
	return m, nil
}

// writeFile replaces the manifest atomically and durably.
func (m manifest) writeFile(dir string) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return generation.WriteManifest(dir, raw)
}

// checkSizes looks whether every file is there with its size.
func (m manifest) checkSizes(dir string) error {
	names := make([]string, 0, len(m.Files))
	for name := range m.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, m.Generation, name)
		st, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
		}
		if want := m.Files[name].Size; st.Size() != want {
			return fmt.Errorf("%s has %d bytes, not %d: %w", path, st.Size(), want, store.ErrVectorsDamaged)
		}
	}
	return nil
}
