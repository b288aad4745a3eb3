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
