//go:build unix

package lexical

import "golang.org/x/sys/unix"

// releaseBytes gives the memory of a mapped file back. It is read again where it is needed.
func releaseBytes(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) } // what fails keeps the memory
