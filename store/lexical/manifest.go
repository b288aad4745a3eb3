package lexical

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"docent/store"
	"docent/store/durable"
	"docent/store/generation"
)

// formatVersion is the version of all files. An index of another version counts as
// damaged and is built again. Raise it whenever analysis, fields or files change.
const formatVersion = 8

const (
	docsName    = "docs.bin"
	indexFolder = "scorch"
	checkLimit  = 32 << 20 // up to so many bytes the checksums of unsettled files are compared at every opening
)

// smallFile is the size up to which a file's checksum is compared at every
// opening.
const smallFile = 1 << 20

// manifest names the current generation and describes it.
type manifest struct {
	Format     int                    `json:"format"`
	Generation string                 `json:"generation"`
	Documents  int                    `json:"documents"`
	Passages   int                    `json:"passages"`
	Tokens     [store.NumFields]int64 `json:"tokens"`
	Files      map[string]fileInfo    `json:"files"`

	state generation.State // of its file
}

type fileInfo struct {
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	state, err := generation.Load(dir, &m)
	if errors.Is(err, generation.ErrDamaged) {
		return m, fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	if err != nil {
		return m, err
	}
	m.state = state
	if m.Format != formatVersion {
		return m, fmt.Errorf("%s has format %d, this program writes %d: %w", dir, m.Format, formatVersion, store.ErrDamaged)
	}
	if !generation.Valid(m.Generation) {
		return m, fmt.Errorf("%s names the generation %q: %w", dir, m.Generation, store.ErrDamaged)
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

// listFiles gives the size and checksum of every file of a generation. A file that is
// a link to one of the old generation keeps the known checksum and is not read: a new
// checksum would hide damage since then.
func listFiles(gen, old string, known map[string]fileInfo) (map[string]fileInfo, error) {
	files := map[string]fileInfo{}
	err := filepath.WalkDir(gen, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(gen, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if info, ok := known[name]; ok && sameFile(path, filepath.Join(old, rel)) {
			files[name] = info
			return nil
		}
		files[name], err = sum(path)
		return err
	})
	return files, err
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func sum(path string) (fileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return fileInfo{}, err
	}
	defer f.Close()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(h, f)
	return fileInfo{Size: n, CRC: h.Sum32()}, err
}

// thoroughness says which checksums are compared, beside the sizes of all files.
type thoroughness int

const (
	// toRead compares those of small files, and of files that are not settled unless
	// they are many bytes.
	toRead thoroughness = iota
	// toWrite compares those of all files that are not settled: beside a newer
	// manifest they would seem to be.
	toWrite
	// toVerify compares all.
	toVerify
)

// check compares a generation's files with the manifest.
func (m manifest) check(dir string, how thoroughness) error {
	gen := filepath.Join(dir, m.Generation)
	var total int64
	names := make([]string, 0, len(m.Files))
	for name, want := range m.Files {
		st, err := os.Stat(filepath.Join(gen, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("%w: %w", err, store.ErrDamaged)
		}
		if st.Size() != want.Size {
			return fmt.Errorf("%s has %d bytes, not %d: %w", filepath.Join(gen, name), st.Size(), want.Size, store.ErrDamaged)
		}
		// bolt reads its small file through pointers: damage in it ends the process
		// instead of giving an error.
		if how == toVerify || want.Size <= smallFile || !m.state.Settled(st) {
			names = append(names, name)
			total += want.Size
		}
	}
	if total > checkLimit && how == toRead {
		return nil
	}
	slices.Sort(names)
	for _, name := range names {
		got, err := sum(filepath.Join(gen, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if got != m.Files[name] {
			return fmt.Errorf("%s does not have its checksum: %w", filepath.Join(gen, name), store.ErrDamaged)
		}
	}
	return nil
}

// docInfo describes a document of an index for the next update.
type docInfo struct {
	parts  []int // of each chunk
	tokens [store.NumFields]int64
}

func (d docInfo) passages() int {
	n := 0
	for _, p := range d.parts {
		n += p
	}
	return n
}

// append writes a document's parts and tokens behind b.
func (d docInfo) append(b []byte) []byte {
	b = binary.AppendVarint(b, int64(len(d.parts)))
	for _, n := range d.parts {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, n := range d.tokens {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// writeDocs writes the documents of a generation: for each its id, the number
// of chunks, the parts of each and the tokens by field, as varints, ids
// ascending.
func writeDocs(path string, docs map[int64]docInfo) error {
	ids := make([]int64, 0, len(docs))
	for id := range docs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var b []byte
	for _, id := range ids {
		b = docs[id].append(binary.AppendVarint(b, id))
	}
	return durable.Create(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}

func readDocs(path string) (map[int64]docInfo, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	docs := map[int64]docInfo{}
	next := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			err = fmt.Errorf("%s ends early: %w", path, store.ErrDamaged)
			b = nil
			return 0
		}
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		id := next()
		var d docInfo
		chunks := next()
		if chunks < 0 || chunks > int64(len(b)) { // each takes at least a byte
			return nil, fmt.Errorf("%s is no list of documents: %w", path, store.ErrDamaged)
		}
		for range chunks {
			d.parts = append(d.parts, int(next()))
		}
		for f := range d.tokens {
			d.tokens[f] = next()
		}
		docs[id] = d
	}
	return docs, err
}
