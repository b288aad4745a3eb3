//go:build unix

package console

import (
	"os"
	"path/filepath"
	"testing"
)

// A pipe with a question in it differs from an empty one, which a job may have for ever, and nothing
// of it is read.
func TestAPipeWithSomethingInIt(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if hasInput(r) {
		t.Error("an empty pipe has something in it")
	}
	if _, err := w.WriteString("oil\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if !hasInput(r) {
			t.Error("a pipe with a line in it is empty")
		}
	}
	buf := make([]byte, 8)
	if n, err := r.Read(buf); err != nil || string(buf[:n]) != "oil\n" {
		t.Errorf("%q is left in it, %v", buf[:n], err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if hasInput(r) {
		t.Error("a pipe that has ended has something in it")
	}
	file := filepath.Join(t.TempDir(), "question")
	for text, want := range map[string]bool{"": false, "oil\n": true} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasInput(f); got != want {
			t.Errorf("a file with %q: %v", text, got)
		}
		_ = f.Close()
	}
}
