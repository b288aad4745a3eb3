package generation

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"docent/store/parallel"
)

// Block is how many bytes of a file have a checksum of their own: few enough that a
// reader of some of them checks little more than it reads, and enough that 1 GB of
// index has 64 KB of checksums in its manifest.
const Block = 64 << 10

// File is what a manifest says of a file: its size and the checksum of each block.
type File struct {
	Size int64  `json:"size"`
	Sums []byte `json:"crc32c"` // 4 bytes a block, little-endian
}

// Describe gives the description of a file's bytes.
func Describe(b []byte) File {
	var s Summer
	_, _ = s.Write(b) // it never fails
	return s.DescribeFile()
}

// DescribeFile is as Describe for the file at path.
func DescribeFile(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	var s Summer
	_, err = io.Copy(&s, f)
	return s.DescribeFile(), err
}

// Summer describes the bytes that are written to it.
type Summer struct {
	done File
	sum  uint32 // of the unfinished block
	n    int    // its bytes
}

// Write never fails.
func (s *Summer) Write(b []byte) (int, error) {
	n := len(b)
	s.done.Size += int64(n)
	for len(b) > 0 {
		part := b[:min(len(b), Block-s.n)]
		s.sum, s.n, b = addChecksum(s.sum, part), s.n+len(part), b[len(part):]
		if s.n == Block {
			s.done.Sums = binary.LittleEndian.AppendUint32(s.done.Sums, s.sum)
			s.sum, s.n = 0, 0
		}
	}
	return n, nil
}

// DescribeFile describes the bytes written so far.
func (s *Summer) DescribeFile() File {
	f := s.done
	if s.n > 0 {
		f.Sums = binary.LittleEndian.AppendUint32(f.Sums[:len(f.Sums):len(f.Sums)], s.sum)
	}
	return f
}

// Blocks is the number of blocks.
func (f File) Blocks() int { return int((f.Size + Block - 1) / Block) }

// IsSound reports whether the description is one: a checksum for each block.
func (f File) IsSound() bool { return f.Size >= 0 && len(f.Sums) == 4*f.Blocks() }

// Bounds are where block i begins and ends.
func (f File) Bounds(i int) (first, end int64) {
	return int64(i) * Block, min(f.Size, int64(i+1)*Block)
}

// Holds reports whether the bytes of block i have their checksum.
func (f File) Holds(i int, b []byte) bool {
	return Checksum(b) == binary.LittleEndian.Uint32(f.Sums[4*i:])
}

// Check reads the file at path and compares every block with its checksum, on all
// processors. The error wraps ErrDamaged where one is another.
func (f File) Check(path string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	var mu sync.Mutex
	var failed error
	parallel.Do(f.Blocks(), func(mine iter.Seq[int]) {
		b := make([]byte, min(f.Size, Block))
		for i := range mine {
			first, end := f.Bounds(i)
			part := b[:end-first]
			_, err := r.ReadAt(part, first)
			if err == nil && !f.Holds(i, part) {
				err = fmt.Errorf("%s does not have its checksum at byte %d: %w", path, first, ErrDamaged)
			}
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
				return
			}
		}
	})
	return failed
}
