package vector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"docent/store"
	"docent/store/cosine"
)

// Reader reads one generation. It is safe for concurrent use, until Close.
type Reader struct {
	dir    string
	m      manifest
	layers []*layer
	done   bool     // closed
	basis  *checked // nil where nothing is attached
}

// OpenReader opens the generation that the manifest in dir names. The error wraps
// ErrDamaged where the vectors must be made again.
func OpenReader(dir string) (*Reader, error) {
	return open(dir, false)
}

// open opens a generation; with all, every byte of the vectors is compared with its
// checksum, and not only the bytes that are read.
func open(dir string, all bool) (*Reader, error) {
	// A writer may switch and remove the generation between reading the
	// manifest and opening its files: then the manifest names another one.
	var last string
	for {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		r, err := openGeneration(dir, m, all)
		if err == nil || m.Generation == last {
			return r, err
		}
		last = m.Generation
	}
}

func openGeneration(dir string, m manifest, all bool) (*Reader, error) {
	if err := m.checkSizes(dir); err != nil {
		return nil, err
	}
	r := &Reader{dir: dir, m: m}
	if err := r.openLayers(all); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	// Mapped now, since a writer may remove the file before it is asked for.
	if file := m.Files[basisName]; file.Size > 0 {
		path := r.filePath(basisName)
		b, err := mapPath(path, file.Size)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		r.basis = newChecked(path, b, file)
	}
	return r, nil
}

// mapPath maps a file of this size.
func mapPath(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Bytes behind a file's end cannot be read, though they can be mapped.
	if st, err := f.Stat(); err != nil || st.Size() != size {
		return nil, fmt.Errorf("%s does not have %d bytes: %w", path, size, store.ErrVectorsDamaged)
	}
	b, err := mapFile(f, int(size))
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return b, nil
}

// guardMapped runs what reads mapped bytes. Where they are gone, because somebody cut
// the file under us or the disk fails, the system says so with a signal, which
// would end the process: here it becomes an error.
func guardMapped(path string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		// Anything else is a fault of this program and none of the disk's.
		if _, ok := p.(interface{ Addr() uintptr }); !ok {
			panic(p)
		}
		err = fmt.Errorf("read %s: %v: %w", path, p, store.ErrVectorsDamaged)
	}()
	return f()
}

func (r *Reader) guardRead(f func() error) error {
	return guardMapped(r.filePath(vectorsName), f)
}

// Model is the identity of the model that made the vectors.
func (r *Reader) Model() string { return r.m.Model }

// Dimensions is the number of dimensions.
func (r *Reader) Dimensions() int { return r.m.Dims }

// Generation names the generation that is read.
func (r *Reader) Generation() string { return r.m.Generation }

// Current reports whether the manifest still names this reader's generation.
func (r *Reader) Current(context.Context) (bool, error) { return r.m.state.HoldsManifest(r.dir), nil }

// Info describes the vectors.
func (r *Reader) Info() store.VectorInfo { return r.m.vectorInfo() }

// ReadInfo describes the vectors in dir by their manifest alone.
func ReadInfo(dir string) (store.VectorInfo, error) {
	m, err := readManifest(dir)
	return m.vectorInfo(), err
}

func (m manifest) vectorInfo() store.VectorInfo {
	i := store.VectorInfo{Model: m.Model, Dims: m.Dims, Documents: m.Documents, Vectors: m.Vectors, Note: string(m.Note)}
	for _, f := range m.Files {
		i.Bytes += f.Size
	}
	return i
}

// BasisBytes copies the bytes that were attached to the vectors, or nil. They are the
// caller's, and outlive the reader.
func (r *Reader) BasisBytes() (out []byte, err error) {
	b, err := r.Attachment(context.Background())
	if err != nil {
		return nil, err
	}
	err = r.guardRead(func() error {
		out = bytes.Clone(b)
		return nil
	})
	return out, err
}

// Attachment is as Basis without copying the bytes: they are mapped, must not be
// changed, and are gone when the reader is closed. They must be read in Guard.
// All of them are compared with their checksums once.
func (r *Reader) Attachment(ctx context.Context) ([]byte, error) {
	if r.basis == nil {
		return nil, ctx.Err()
	}
	if err := r.guardRead(r.basis.checkAll); err != nil {
		return nil, err
	}
	return r.basis.bytes, ctx.Err()
}

// Guard runs what reads mapped bytes, and gives an error that wraps
// store.ErrVectorsDamaged where they are gone.
func (r *Reader) Guard(f func() error) error { return r.guardRead(f) }

// Vectors gives each passage's vector as it is kept, of unit length; nil where it
// has none.
func (r *Reader) Vectors(ctx context.Context, keys []store.Key) ([][]float32, error) {
	out := make([][]float32, len(keys))
	err := r.guardRead(func() error {
		for i, k := range keys {
			l, n, err := r.findRow(k)
			if err != nil {
				return err
			}
			if n >= 0 {
				out[i] = cosine.Decode(l.t.codeOfRow(n), l.t.dims)
			}
		}
		return ctx.Err()
	})
	return out, err
}

// Close releases the files. Nothing else may be at work in the reader: package
// corpus counts who uses it.
func (r *Reader) Close() error {
	if r.done {
		return nil
	}
	r.done = true
	err := r.closeLayers()
	if r.basis != nil {
		err = errors.Join(err, unmapBytes(r.basis.bytes))
	}
	return err
}

// Verify reads every byte of the generation in dir and compares it with its
// checksums.
func Verify(dir string) error {
	r, err := open(dir, true)
	if err != nil {
		return err
	}
	_, err = r.Attachment(context.Background())
	return errors.Join(err, r.Close())
}

// Remove deletes the vectors in dir.
func Remove(dir string) error { return os.RemoveAll(dir) }
