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
const formatVersion = 2

const (
	vectorsName = "vectors.bin"
	basisName   = "basis.bin"
	checkLimit  = 32 << 20 // up to so many bytes an unsettled file's checksum is compared at every opening
)

// manifest names the current generation and describes it.
type manifest struct {
	Format     int                 `json:"format"`
	Generation string              `json:"generation"`
	Model      string              `json:"model"`
	Dims       int                 `json:"dims"`
	Documents  int                 `json:"documents"`
	Vectors    int                 `json:"vectors"`
	Files      map[string]fileInfo `json:"files"`
	Note       json.RawMessage     `json:"note,omitempty"`

	state generation.State // of its file
}

type fileInfo struct {
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, generation.Manifest)
	state, err := generation.Load(dir, &m)
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
	if !generation.Valid(m.Generation) {
		return m, fmt.Errorf("%s names the generation %q: %w", dir, m.Generation, store.ErrVectorsDamaged)
	}
	if _, ok := m.Files[vectorsName]; !ok {
		return m, fmt.Errorf("%s names no vectors: %w", path, store.ErrVectorsDamaged)
	}
	for name := range m.Files {
		if name != vectorsName && name != basisName {
			return m, fmt.Errorf("%s names the file %q: %w", path, name, store.ErrVectorsDamaged)
		}
	}
	return m, nil
}

// write replaces the manifest atomically and durably.
func (m manifest) write(dir string) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return generation.Write(dir, raw)
}

// checkBytes compares a file's bytes with the manifest.
func (m manifest) checkBytes(dir, name string, b []byte) error {
	path, want := filepath.Join(dir, m.Generation, name), m.Files[name]
	if int64(len(b)) != want.Size {
		return fmt.Errorf("%s has %d bytes, not %d: %w", path, len(b), want.Size, store.ErrVectorsDamaged)
	}
	if generation.Sum(b) != want.CRC {
		return fmt.Errorf("%s does not have its checksum: %w", path, store.ErrVectorsDamaged)
	}
	return nil
}

// checkSizes looks whether every file is there with its size, and says which are
// settled.
func (m manifest) checkSizes(dir string) (settled map[string]bool, err error) {
	settled = map[string]bool{}
	names := make([]string, 0, len(m.Files))
	for name := range m.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, m.Generation, name)
		st, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
		}
		if want := m.Files[name].Size; st.Size() != want {
			return nil, fmt.Errorf("%s has %d bytes, not %d: %w", path, st.Size(), want, store.ErrVectorsDamaged)
		}
		settled[name] = m.state.Settled(st)
	}
	return settled, nil
}
