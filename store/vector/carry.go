package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docent/store"
	"docent/store/durable"
	"docent/store/generation"
)

// CarriedForm names the form of what Export writes.
func CarriedForm() string { return fmt.Sprintf("vectors %d", formatVersion) }

// Export writes the vectors in dir into an empty folder, so that Import can take them over in
// another home, and gives their note.
func Export(dir, to string) (note string, err error) {
	r, err := open(dir, true)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if len(r.layers) > 1 || len(r.m.Gone) > 0 {
		return "", fmt.Errorf("export the vectors %s: they were updated since they were written as a whole", dir)
	}
	for name := range r.m.Files {
		raw, err := os.ReadFile(filepath.Join(dir, r.m.Generation, name))
		if err == nil {
			err = durable.WriteFile(filepath.Join(to, name), raw)
		}
		if err != nil {
			return "", err
		}
	}
	return string(r.m.Note), nil
}

// Import puts what Export wrote into a folder in the place of the vectors in dir. The documents'
// numbers are higher by shift from now on. The error wraps store.ErrVectorsDamaged where the
// files are none that Export wrote.
func Import(dir, from string, shift int64, note []byte) (err error) {
	raw, err := os.ReadFile(filepath.Join(from, vectorsName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
	}
	if err != nil {
		return err
	}
	t, err := parseHead(raw)
	if err == nil {
		err = t.checkOrder(func(int) {})
	}
	if err != nil {
		return err
	}
	for i := range t.numDocs() {
		id := t.documentAt(i)
		if id < 1 || id > 1<<40 {
			return fmt.Errorf("vectors of document %d are taken over: %w", id, store.ErrVectorsDamaged)
		}
		binary.LittleEndian.PutUint64(t.docs[i*docLen:], uint64(id+shift)) // docs is a part of raw
	}
	basis, err := os.ReadFile(filepath.Join(from, basisName))
	if errors.Is(err, fs.ErrNotExist) {
		basis, err = nil, nil
	}
	if err != nil {
		return err
	}
	u, err := BeginUpdate(dir, t.model, t.dims, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.Abort()) }() // nothing after Commit
	if err := os.MkdirAll(u.gen, 0o700); err != nil {
		return err
	}
	m := &manifest{Format: formatVersion, Generation: filepath.Base(u.gen), Model: t.model, Dims: t.dims, Documents: t.numDocs(),
		Vectors: t.numRows(), Files: map[string]generation.File{}, Note: note}
	for name, b := range map[string][]byte{vectorsName: raw, basisName: basis} {
		if b == nil {
			continue
		}
		m.Files[name] = generation.Describe(b)
		if err := durable.Create(filepath.Join(u.gen, name), func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
	}
	if err := durable.SyncDir(u.gen); err != nil {
		return err
	}
	u.prepared = m
	return u.Commit()
}
