package ingest

import (
	"io/fs"
	"os"
)

// statEntry gives the size and time of an entry of an open folder. Windows tells both with the
// list of the folder.
func statEntry(_ *os.File, d fs.DirEntry) (size, modTime int64, err error) {
	info, err := d.Info()
	if err != nil {
		return 0, 0, err
	}
	return info.Size(), info.ModTime().UnixNano(), nil
}

// headOfEntry gives no beginning: it is read by files.HeadReader.
func headOfEntry(*os.File, fs.DirEntry, int) ([]byte, bool) { return nil, false }

// openFolder opens a folder.
func openFolder(path string) (*os.File, error) { return os.Open(path) }
