//go:build unix

package ingest

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// statEntry gives the size and time of an entry of an open folder; a link is not followed. The
// entry is looked up in the folder and not by its whole path, which the system would
// resolve for each file again.
func statEntry(folder *os.File, d fs.DirEntry) (size, modTime int64, err error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(folder.Fd()), d.Name(), &st, unix.AT_SYMLINK_NOFOLLOW)
		if !errors.Is(err, unix.EINTR) {
			return st.Size, st.Mtim.Nano(), err
		}
	}
}

// headOfEntry gives the beginning of an entry of an open folder, up to a number of bytes, with less than
// half of the calls of the system that files.HeadReader needs. It is false for what is no regular file of at most
// MaxFile bytes, or cannot be read: the reader knows the reason.
func headOfEntry(folder *os.File, d fs.DirEntry, most int) ([]byte, bool) {
	fd, err := unix.Openat(int(folder.Fd()), d.Name(), unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size > MaxFile {
		return nil, false
	}
	head := make([]byte, most)
	for n := 0; ; {
		got, err := unix.Read(fd, head[n:])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil, false
		case got == 0 || n+got == most || int64(n+got) >= st.Size:
			return head[:n+got], true
		default:
			n += got
		}
	}
}

// openFolder opens a folder. os.Open also tries to have the system tell when a file can be read, which
// it never does of a folder: seven calls of the system instead of two, for each of 8 000 folders.
func openFolder(path string) (*os.File, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case !errors.Is(err, unix.EINTR):
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
