//go:build unix

package files_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docent/pipeline/parse/files"
)

// A named pipe is not waited for.
func TestNamedPipe(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.txt"), 0o644))
	if _, err := files.In(root, nil).Open("pipe.txt"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a pipe is opened: %v", err)
	}
	if _, err := files.Head(root, "pipe.txt")(); err == nil {
		t.Error("the beginning of a pipe is read")
	}
}
