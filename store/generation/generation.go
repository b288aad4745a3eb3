// Package generation keeps derived data that is never changed in place: a folder with
// a manifest, and in it a folder of files for each generation. The manifest names the
// current generation. A writer writes a whole new generation, replaces the manifest,
// and removes older generations; a reader keeps the generation that it opened.
//
// It refuses to know the format of the files.
package generation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"docent/store/durable"
)

// Manifest is the name of the file that names the current generation.
const Manifest = "manifest.json"

const prefix = "g"

// IsValidName reports whether a name from a manifest can be one of Next's: a damaged manifest
// must not lead out of the folder.
func IsValidName(name string) bool {
	return strings.HasPrefix(name, prefix) && name == filepath.Base(name)
}

// NextName gives an unused name for the generation after old; old is "" for the first.
func NextName(dir, old string) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(old, prefix))
	for {
		n++
		name := fmt.Sprintf("%s%06d", prefix, n)
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}

// SweepOld removes everything but the manifest and the generation keep: older
// generations, and files of writers that crashed. On Windows files that another
// process reads stay until the next Sweep.
func SweepOld(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != keep && e.Name() != Manifest {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return nil
}

// ErrDamaged means that a manifest is missing or does not have its checksum.
var ErrDamaged = errors.New("damaged")

// Checksum is the checksum CRC-32C.
func Checksum(b []byte) uint32 { return addChecksum(0, b) }

// addChecksum continues the checksum sum with the bytes b.
func addChecksum(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// LoadManifest reads a folder's manifest into m, a struct with JSON tags, and gives the state
// of its file. The caller compares the format's version.
func LoadManifest(dir string, m any) (State, error) {
	state, err := LookAtManifest(dir)
	if err != nil {
		return state, err
	}
	line, err := ReadManifest(dir)
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(line, m); err != nil {
		return state, fmt.Errorf("%s is no manifest: %w", filepath.Join(dir, Manifest), ErrDamaged)
	}
	return state, nil
}

// ReadManifest reads a folder's manifest: one line, and one with its checksum.
func ReadManifest(dir string) ([]byte, error) {
	path := filepath.Join(dir, Manifest)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(path)
	}
	if err != nil {
		return nil, err
	}
	line, sum, _ := bytes.Cut(raw, []byte("\n"))
	if string(sum) != sumLine(line) {
		return nil, fmt.Errorf("%s does not have its checksum: %w", path, ErrDamaged)
	}
	return line, nil
}

// missing is the path of a missing manifest: ErrDamaged, and fs.ErrNotExist, for callers
// that distinguish a missing one from a damaged one.
type missing string

func (m missing) Error() string { return fmt.Sprintf("%s is missing: %v", string(m), ErrDamaged) }

func (m missing) Unwrap() []error { return []error{ErrDamaged, fs.ErrNotExist} }

func sumLine(line []byte) string { return fmt.Sprintf("crc32c %08x\n", Checksum(line)) }

// WriteManifest replaces a folder's manifest, one line, atomically and durably. The files
// of the generation that it names must be durable before.
func WriteManifest(dir string, line []byte) error {
	return durable.WriteFile(filepath.Join(dir, Manifest), []byte(string(line)+"\n"+sumLine(line)))
}

// State identifies the file of a manifest. Each new manifest is a new file.
type State struct{ info fs.FileInfo }

// LookAtManifest gives the state of a folder's manifest. Call it before reading the manifest,
// so that a replacement in between is noticed.
func LookAtManifest(dir string) (State, error) {
	st, err := os.Stat(filepath.Join(dir, Manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, missing(filepath.Join(dir, Manifest))
	}
	return State{st}, err
}

// HoldsManifest reports whether a folder's manifest is still the same file.
func (s State) HoldsManifest(dir string) bool {
	now, err := LookAtManifest(dir)
	return err == nil && os.SameFile(now.info, s.info) && now.info.Size() == s.info.Size() && now.info.ModTime().Equal(s.info.ModTime())
}
