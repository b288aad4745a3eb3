//go:build unix

package vector

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading, so that opening costs nothing and pages are
// shared with other processes. size must be greater than zero.
func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

// releaseBytes gives mapped memory back, which begins at a page. It is read again where it is needed.
func releaseBytes(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) } // what fails keeps the memory

func unmapBytes(b []byte) error { return unix.Munmap(b) }
