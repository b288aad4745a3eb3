package helping

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A manual page is replaced whole: readers of the old one go on reading it, and no other
// file is left, even if writing fails.
func TestWriteAside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open is not replaced there")
	}
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "docent.1")
	if err := writeAside(path, []byte("old\n")); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := writeAside(path, []byte("new and longer\n")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 100)
	if n, _ := old.Read(b); string(b[:n]) != "old\n" {
		t.Errorf("the old page says %q now", b[:n])
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "new and longer\n" {
		t.Errorf("%q, %v", got, err)
	}
	folder := filepath.Join(dir, "taken.1")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if writeAside(folder, []byte("page\n")) == nil {
		t.Error("a folder is replaced by a page")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("there are %v, %v", entries, err)
	}
}
