package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that becomes full while a file is taken in: the error says so, and nothing of
// the file is left.
func TestUploadOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	home := filepath.Join(disk, "home")
	docent := runner{home: home}
	docent.run(t, 0, "", "status")
	dir := t.TempDir()
	var big bytes.Buffer
	for i := 0; big.Len() < 8<<20; i++ {
		fmt.Fprintf(&big, "Line %d of a text that does not fit on the disk.\n", i)
	}
	for name, text := range map[string][]byte{"big.txt": big.Bytes(), "small.txt": big.Bytes()[:500]} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, errs := docent.run(t, 3, "", "add", filepath.Join(dir, "big.txt"))
	if !strings.Contains(errs, "free some space") {
		t.Errorf("a full disk says %q", errs)
	}
	for _, folder := range []string{"incoming", "waiting", "records", "pages"} {
		if left, _ := os.ReadDir(filepath.Join(home, "uploads", folder)); len(left) > 0 {
			t.Errorf("%s has %s left", folder, left[0].Name())
		}
	}
	docent.run(t, 0, "", "add", filepath.Join(dir, "small.txt"))
	docent.run(t, 0, "", "doctor")
}
