package durable_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// A failed write leaves the old file and no other.
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

// With many writers, readers see a complete content at every moment.
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

// A new file is written whole or not at all, and never over another.
func TestWriteNew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "session.json")
	if err := durable.WriteNew(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteNew(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	// Of many at once one is written.
	var wg sync.WaitGroup
	var written atomic.Int32
	for range 20 {
		wg.Go(func() {
			if err := durable.WriteNew(filepath.Join(dir, "many"), []byte("x")); err == nil {
				written.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := os.ReadFile(path); string(got) != "one" || err != nil || written.Load() != 1 {
		t.Errorf("%q, %v, %d written", got, err, written.Load())
	}
	if got := names(t, dir); len(got) != 2 {
		t.Errorf("left over: %v", got)
	}
}

func TestAppendAndSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "questions.txt")
	for _, line := range []string{"one\n", "two\n"} {
		if err := durable.Append(path, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); string(got) != "one\ntwo\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	before := time.Now().Add(-time.Hour)
	for _, name := range []string{"old.1.tmp", "new.2.tmp", "old.txt"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "old") {
			if err := os.Chtimes(file, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := durable.SweepTemporary(dir, time.Minute); n != 1 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	if got := names(t, dir); strings.Join(got, " ") != "new.2.tmp old.txt questions.txt" {
		t.Errorf("there are %q", got)
	}
}
