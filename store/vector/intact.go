package vector

import (
	"fmt"
	"os"
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

// checkedAtOnce is how many bytes are in memory at once while a whole file is compared.
const checkedAtOnce = 4 << 20

// checkAll compares all blocks. The memory of those that are compared is given back: a file is
// larger than what else a process has.
func (c *checked) checkAll() error {
	for first := 0; first < len(c.bytes); first += checkedAtOnce {
		end := min(first+checkedAtOnce, len(c.bytes))
		if err := c.checkBlocks(first, end); err != nil {
			return err
		}
		if len(c.bytes) > checkedAtOnce {
			releaseBytes(c.bytes[first:end])
		}
	}
	return nil
}

// releasePassed is for what passes over all rows once: it is told how many are through, and gives their
// memory back, as checkAll does.
func (l *layer) releasePassed() func(rows int) {
	released := 0
	return func(rows int) {
		if end := (l.t.begin + rows*rowLength(l.t.dims)) / checkedAtOnce * checkedAtOnce; end > released {
			releaseBytes(l.bytes[released:end])
			released = end
		}
	}
}

// releaseRows gives the memory of rows back, of large files. They are read again where they are needed.
func (l *layer) releaseRows(first, end int) {
	n := rowLength(l.t.dims)
	if len(l.bytes) > checkedAtOnce {
		releaseInner(l.bytes, l.t.begin+first*n, l.t.begin+end*n)
	}
}

// releaseInner gives back the whole pages of memory between two offsets of mapped bytes.
func releaseInner(mapped []byte, first, end int) {
	page := os.Getpagesize()
	first, end = (first+page-1)/page*page, end/page*page
	if first < end {
		releaseBytes(mapped[first:end])
	}
}

// isIntact reports whether the blocks with these rows were compared before.
func (l *layer) isIntact(first, end int) bool {
	n := rowLength(l.t.dims)
	for i := (l.t.begin + first*n) / generation.Block; i*generation.Block < l.t.begin+end*n; i++ {
		if !l.intact[i].Load() {
			return false
		}
	}
	return true
}

// checkRows compares the blocks with these rows.
func (l *layer) checkRows(first, end int) error {
	if first >= end {
		return nil
	}
	n := rowLength(l.t.dims)
	return l.checkBlocks(l.t.begin+first*n, l.t.begin+end*n)
}
