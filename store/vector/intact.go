package vector

import (
	"fmt"
	"path/filepath"
	"sync/atomic"

	"docent/store"
	"docent/store/generation"
)

// checked is a mapped file whose blocks are compared with their checksums when they
// are first read: a search reads all vectors once anyway, and the bytes are then in
// the processor's cache. It is safe for concurrent use.
type checked struct {
	path   string
	bytes  []byte // mapped
	file   generation.File
	intact []atomic.Bool // by block
}

func newChecked(path string, bytes []byte, file generation.File) *checked {
	return &checked{path: path, bytes: bytes, file: file, intact: make([]atomic.Bool, file.Blocks())}
}

// checkBlocks compares the blocks that have bytes of [first, end) with their checksums,
// unless that was done. It reads mapped bytes: call it in guard.
func (c *checked) checkBlocks(first, end int) error {
	for i := first / generation.Block; i*generation.Block < end; i++ {
		if c.intact[i].Load() {
			continue
		}
		from, to := c.file.Bounds(i)
		if !c.file.Holds(i, c.bytes[from:to]) {
			return fmt.Errorf("%s does not have its checksum at byte %d: %w", c.path, from, store.ErrVectorsDamaged)
		}
		c.intact[i].Store(true)
	}
	return nil
}

// checkAll compares all blocks.
func (c *checked) checkAll() error { return c.checkBlocks(0, len(c.bytes)) }

// checkRows compares the blocks with these rows.
func (r *Reader) checkRows(first, end int) error {
	if first >= end {
		return nil
	}
	n := rowLength(r.t.dims)
	return r.vectors.checkBlocks(r.t.begin+first*n, r.t.begin+end*n)
}

// findRow finds a passage's row, -1 where it has none.
func (r *Reader) findRow(k store.Key) (int, error) {
	i, first, end := r.t.findDoc(k.Doc)
	if i < 0 {
		return -1, nil
	}
	if err := r.checkRows(first, end); err != nil {
		return -1, err
	}
	return r.t.findRow(k, i, first, end), nil
}

func (r *Reader) filePath(name string) string { return filepath.Join(r.dir, r.m.Generation, name) }
