//go:build unix

package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"docent/pipeline/ingest/parse/files"
)

// A named pipe is not waited for.
func TestNamedPipe(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.txt"), 0o644))
	if _, err := files.InFolder(root, nil).Open("pipe.txt"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a pipe is opened: %v", err)
	}
	if _, err := files.HeadReader(root, "pipe.txt")(); err == nil {
		t.Error("the beginning of a pipe is read")
	}
}

// A page may be swapped for a named pipe, a link to an endless device or another file at
// any moment: it is read or refused, and reading neither blocks nor goes on for ever.
func TestSwappedWhileItIsRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	page, aside := filepath.Join(root, "page.md"), filepath.Join(root, "aside")
	swaps := []func() error{
		func() error { return syscall.Mkfifo(aside, 0o600) },
		func() error { return os.Symlink("/dev/zero", aside) },
		func() error { return os.WriteFile(aside, []byte("another text"), 0o600) },
	}
	must(t, os.WriteFile(page, []byte("text"), 0o600))
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if err := swaps[i%len(swaps)](); err != nil {
				t.Error(err)
				return
			}
			if err := os.Rename(aside, page); err != nil {
				t.Error(err)
				return
			}
		}
	})
	read := 0
	for range 20_000 {
		if b, err := files.ReadInside(root, "page.md"); err == nil {
			read++
			if s := string(b); s != "text" && s != "another text" {
				t.Errorf("read %d bytes: %.40q", len(b), s)
			}
		}
	}
	close(done)
	wg.Wait()
	if read == 0 {
		t.Error("the page was never read")
	}
}

// A page that an editor saves over and over counted as gone where it was replaced between two looks at
// it, and a search left it out.
func TestAReplacedFileIsNotGone(t *testing.T) {
	t.Parallel()
	root := folder(t, "a.md")
	done := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(done)
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			other := filepath.Join(root, fmt.Sprint(i%2, ".tmp"))
			if err := os.WriteFile(other, []byte("again"), 0o600); err != nil {
				t.Error(err)
			}
			if err := os.Rename(other, filepath.Join(root, "a.md")); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 20_000 {
		f, _, err := files.OpenInside(root, "a.md")
		if err != nil {
			t.Fatalf("at look %d: %v", i, err)
		}
		_ = f.Close()
	}
}
