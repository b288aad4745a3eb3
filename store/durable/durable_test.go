package durable_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docent/store/durable"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sets.json")
	for _, content := range []string{"one", "", "a longer one"} {
		if err := durable.WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Fatalf("%q, %v", got, err)
		}
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

// A write that fails leaves the old file and nothing beside it.
func TestWriteFileFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := durable.WriteFile(path, []byte("no")) // a folder with something in it cannot be replaced
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the error is %v", err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
	if err := durable.WriteFile(filepath.Join(dir, "no", "such"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
}

// Readers beside many writers see a whole content at every moment.
func TestWriteFileIsAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	contents := []string{strings.Repeat("a", 9000), strings.Repeat("b", 70_000), "c"}
	if err := durable.WriteFile(path, []byte(contents[0])); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, c := range contents {
		wg.Go(func() {
			for range 20 {
				if err := durable.WriteFile(path, []byte(c)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		got, err := os.ReadFile(path)
		if err != nil || string(got) != contents[0] && string(got) != contents[1] && string(got) != contents[2] {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	wg.Wait()
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	broken := errors.New("broken")
	err := durable.Create(path, func(w io.Writer) error { _, _ = io.WriteString(w, "much more than later"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if err := durable.Create(path, func(w io.Writer) error { _, err := io.WriteString(w, "short"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "short" {
		t.Errorf("%q, %v", got, err)
	}
}
