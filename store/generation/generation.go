// Package generation is what derived data of several files share that is never
// changed in place: a folder with a manifest, which names the generation that
// holds, and a folder of files for each generation. A writer writes a whole new
// generation, switches the manifest by a rename, and removes what is left over;
// a reader keeps what it opened.
//
// It refuses to know what is in the files.
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

// Manifest is the name of the file that names the generation that holds.
const Manifest = "manifest.json"

const prefix = "g"

// Valid says whether a name that stands in a manifest is one that Next gave, and
// no way out of the folder.
func Valid(name string) bool {
	return strings.HasPrefix(name, prefix) && name == filepath.Base(name)
}

// Next gives the name of the generation after old, "" for none: one that is not
// there yet.
func Next(dir, old string) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(old, prefix))
	for {
		n++
		name := fmt.Sprintf("%s%06d", prefix, n)
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}

// Sweep removes what crashed writers and earlier generations left. Files that
// another process still reads stay until the next time (Windows).
func Sweep(dir, keep string) error {
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

// ErrDamaged means that a manifest is not there or not as it was written.
var ErrDamaged = errors.New("damaged")

// Sum is the checksum that is used here, CRC-32C.
func Sum(b []byte) uint32 { return Add(0, b) }

// Add gives the checksum of what has the checksum sum with b behind it.
func Add(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Load reads a folder's manifest into m, a struct with JSON tags, and gives the
// state that it was read in. A manifest of another format than the program's must
// be refused by the caller.
func Load(dir string, m any) (State, error) {
	state, err := Look(dir)
	if err != nil {
		return state, err
	}
	line, err := Read(dir)
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(line, m); err != nil {
		return state, fmt.Errorf("%s is no manifest: %w", filepath.Join(dir, Manifest), ErrDamaged)
	}
	return state, nil
}

// Read reads a folder's manifest: one line, and one with its checksum.
func Read(dir string) ([]byte, error) {
	path := filepath.Join(dir, Manifest)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: %w", path, ErrDamaged)
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

func sumLine(line []byte) string { return fmt.Sprintf("crc32c %08x\n", Sum(line)) }

// Write replaces a folder's manifest, one line, atomically and durably. The files
// of the generation that it names must be durable before.
func Write(dir string, line []byte) error {
	return durable.WriteFile(filepath.Join(dir, Manifest), []byte(string(line)+"\n"+sumLine(line)))
}

// State is a manifest's file as it was, to see whether it is still the same: a
// new manifest is a new file.
type State struct{ info fs.FileInfo }

// Look gives the state of a folder's manifest. It is looked at before the
// manifest is read, so that one which is replaced meanwhile is noticed.
func Look(dir string) (State, error) {
	st, err := os.Stat(filepath.Join(dir, Manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, fmt.Errorf("%s is missing: %w", filepath.Join(dir, Manifest), ErrDamaged)
	}
	return State{st}, err
}

// Holds says whether a folder's manifest is still the one of the state.
func (s State) Holds(dir string) bool {
	now, err := Look(dir)
	return err == nil && os.SameFile(now.info, s.info) && now.info.Size() == s.info.Size() && now.info.ModTime().Equal(s.info.ModTime())
}

// Settled says whether a file was last written before the manifest: then it is
// as its writer left it, who made it durable before switching to it, and its
// checksum need not be compared at every opening, which would read every byte of
// every index for every question. What was written at the same time as the
// manifest or later, by whoever it was, is looked at.
func (s State) Settled(file fs.FileInfo) bool {
	return file.ModTime().Before(s.info.ModTime())
}
