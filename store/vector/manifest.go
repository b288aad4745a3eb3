package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// formatVersion is the version of everything here: a manifest of another version
// is damaged, which has the vectors made again.
const formatVersion = 1

const (
	manifestName = "manifest.json"
	vectorsName  = "vectors.bin"
	basisName    = "basis.bin"
	genPrefix    = "g"
	checkLimit   = 32 << 20 // bytes of vectors whose checksum is read at every opening: 2 ms
)

// manifest names the generation that holds and says what is in it.
type manifest struct {
	Format     int                 `json:"format"`
	Generation string              `json:"generation"`
	Model      string              `json:"model"`
	Dims       int                 `json:"dims"`
	Documents  int                 `json:"documents"`
	Vectors    int                 `json:"vectors"`
	Files      map[string]fileInfo `json:"files"`
}

type fileInfo struct {
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

func (m manifest) encode() ([]byte, error) {
	raw, err := json.Marshal(m)
	return append(raw, '\n'), err
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, manifestName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%s is missing: %w", path, ErrDamaged)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("%s is no manifest: %w", path, ErrDamaged)
	}
	if m.Format != formatVersion {
		return m, fmt.Errorf("%s has format %d, this program writes %d: %w", dir, m.Format, formatVersion, ErrDamaged)
	}
	// Written the same way again it must be the same, or it is not as it was
	// written: JSON forgives a changed letter in a field's name.
	if again, err := m.encode(); err != nil || !bytes.Equal(again, raw) {
		return m, fmt.Errorf("%s was changed: %w", path, ErrDamaged)
	}
	if !strings.HasPrefix(m.Generation, genPrefix) || m.Generation != filepath.Base(m.Generation) {
		return m, fmt.Errorf("%s names the generation %q: %w", dir, m.Generation, ErrDamaged)
	}
	if _, ok := m.Files[vectorsName]; !ok {
		return m, fmt.Errorf("%s names no vectors: %w", path, ErrDamaged)
	}
	for name := range m.Files {
		if name != vectorsName && name != basisName {
			return m, fmt.Errorf("%s names the file %q: %w", path, name, ErrDamaged)
		}
	}
	return m, nil
}

// write replaces the manifest atomically and durably.
func (m manifest) write(dir string) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, manifestName+".tmp")
	if err := writeFile(tmp, func(w io.Writer) error { _, err := w.Write(raw); return err }); err != nil {
		return err
	}
	if err := os.Rename(tmp, filepath.Join(dir, manifestName)); err != nil {
		return err
	}
	return syncDir(dir)
}

// writeFile writes a file durably.
func writeFile(path string, content func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = content(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// syncDir makes a rename durable where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isWindowsSyncError(err) {
		return err
	}
	return nil
}

// isWindowsSyncError: Windows cannot flush a folder and says "access denied".
func isWindowsSyncError(err error) bool {
	return os.PathSeparator == '\\' && errors.Is(err, fs.ErrPermission)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checkBytes compares a file's bytes with the manifest.
func (m manifest) checkBytes(dir, name string, b []byte) error {
	path, want := filepath.Join(dir, m.Generation, name), m.Files[name]
	if int64(len(b)) != want.Size {
		return fmt.Errorf("%s has %d bytes, not %d: %w", path, len(b), want.Size, ErrDamaged)
	}
	if crc32.Checksum(b, castagnoli) != want.CRC {
		return fmt.Errorf("%s does not have its checksum: %w", path, ErrDamaged)
	}
	return nil
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
			return fmt.Errorf("%w: %w", err, ErrDamaged)
		}
		if want := m.Files[name].Size; st.Size() != want {
			return fmt.Errorf("%s has %d bytes, not %d: %w", path, st.Size(), want, ErrDamaged)
		}
	}
	return nil
}
