package lexical

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docent/store"
	"docent/store/durable"
)

// The files of an index that is taken to another home.
const (
	carriedSegment = "segment.zap"
	carriedDocs    = docsName
)

// CarriedForm names the form of what Export writes.
func CarriedForm() string { return fmt.Sprintf("words %d", formatVersion) }

// Export writes the index in dir into an empty folder, so that Import can take it over in another
// home. The index must have been built from nothing, of documents with the numbers from 1: then
// the same documents give the same bytes.
func Export(dir, to string) error {
	m, err := readManifest(dir)
	if err == nil {
		err = m.checkFiles(dir)
	}
	if err != nil {
		return err
	}
	gen := filepath.Join(dir, m.Generation)
	if err := copyFile(filepath.Join(gen, docsName), filepath.Join(to, carriedDocs)); err != nil || m.Passages == 0 {
		return err
	}
	segments, err := filepath.Glob(filepath.Join(gen, indexFolder, "*"+segmentType))
	if err == nil && len(segments) != 1 {
		err = fmt.Errorf("the index %s has %d segments; build it from nothing", dir, len(segments))
	}
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(segments[0])
	if err == nil {
		err = sortSections(raw)
	}
	if err != nil {
		return fmt.Errorf("export the index %s: %w", dir, err)
	}
	return os.WriteFile(filepath.Join(to, carriedSegment), raw, 0o600)
}

// Imported is a new generation of an index that was written in another home.
type Imported struct{ u *Update }

// Import prepares a generation of the index in dir from what Export wrote into a folder, whose
// files it takes away. The documents' numbers are higher by shift from now on. The error wraps
// store.ErrDamaged where the files are none that Export wrote.
func Import(ctx context.Context, dir, from string, shift int64) (_ *Imported, err error) {
	if shift < 0 {
		return nil, fmt.Errorf("import an index into %s: shift %d", dir, shift)
	}
	carried, err := readDocs(filepath.Join(from, carriedDocs))
	if err != nil {
		return nil, err
	}
	u, err := BeginUpdate(dir, true)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, u.Abort())
		}
	}()
	u.shift = shift
	passages := 0
	for _, row := range carried.rows {
		id, info := row.id, carried.info(row)
		if id < 1 || id > 1<<40 {
			return nil, fmt.Errorf("document %d of the index that is taken over: %w", id, store.ErrDamaged)
		}
		for _, n := range info.parts {
			if n < 0 || n > 1<<30 {
				return nil, fmt.Errorf("document %d of the index that is taken over has %d passages: %w", id, n, store.ErrDamaged)
			}
		}
		u.docs.put(id+shift, info)
		passages += info.countPassages()
	}
	if err := os.MkdirAll(u.gen, 0o700); err != nil {
		return nil, err
	}
	if passages > 0 {
		if err := takeSegment(from, u.gen); err != nil {
			return nil, err
		}
	}
	if err := u.checkTaken(); err != nil {
		return nil, err
	}
	return &Imported{u}, writeDocs(filepath.Join(u.gen, docsName), u.docs)
}

// takeSegment moves the segment into the new generation, and has it on the disk.
func takeSegment(from, gen string) error {
	file := filepath.Join(from, carriedSegment)
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	if err != nil {
		return err
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := writeTable(filepath.Join(gen, indexFolder), file); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Join(gen, indexFolder))
}

// checkTaken counts the passages of the segment: scorch panics on what is no segment.
func (u *Update) checkTaken() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("open the index that is taken over: %v: %w", p, store.ErrDamaged)
		}
	}()
	if err := u.recountPassages(); err != nil {
		return fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	return nil
}

// Documents are the ids in the new generation.
func (i *Imported) Documents() []int64 { return i.u.Documents() }

// Generations is as Update's.
func (i *Imported) Generations() (now, next string) { return i.u.Generations() }

// Commit is as Update's.
func (i *Imported) Commit() error { return i.u.Commit() }

// Abort is as Update's.
func (i *Imported) Abort() error { return i.u.Abort() }
