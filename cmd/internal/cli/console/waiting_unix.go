//go:build unix

package console

import (
	"os"

	"golang.org/x/sys/unix"
)

// hasInput reports whether a pipe or a file has something that can be read at once. It reads nothing.
func hasInput(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		return info.Size() > 0
	}
	if info.Mode()&os.ModeNamedPipe == 0 {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}
