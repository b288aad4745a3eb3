package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// limit is how long a test waits for an expected event.
const limit = 20 * time.Second

// watching runs Run on folders.
type watching struct {
	t     *testing.T
	calls chan []string
	stop  func() error
	mu    sync.Mutex
	notes []string
}

func begin(t *testing.T, opt Options, roots ...string) *watching {
	t.Helper()
	w := &watching{t: t, calls: make(chan []string, 1000)}
	opt.Quiet = 20 * time.Millisecond
	if opt.Poll == 0 {
		opt.Poll = 20 * time.Millisecond
	}
	opt.Note = func(format string, args ...any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notes = append(w.notes, fmt.Sprintf(format, args...))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- WatchRoots(ctx, roots, opt, func(_ context.Context, changed []string) error { w.calls <- changed; return nil })
	}()
	w.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	})
	if first := w.next(); !slices.Equal(first, roots) {
		t.Fatalf("at first it told of %v", first)
	}
	return w
}

// next waits for the next change.
func (w *watching) next() []string {
	w.t.Helper()
	select {
	case c := <-w.calls:
		return c
	case <-time.After(limit):
		w.t.Fatal("no change was told")
		return nil
	}
}

// settled takes calls until none came for a while.
func (w *watching) settled() (n int) {
	for {
		select {
		case <-w.calls:
			n++
		case <-time.After(300 * time.Millisecond):
			return n
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every change in a folder is reported, watched or listed.
func TestChanges(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]Options{"watched": {Poll: time.Hour}, "listed": {Polling: true}, "too many": {Most: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, other := t.TempDir(), t.TempDir()
			write(t, filepath.Join(root, "a", "b", "page.md"), "one")
			write(t, filepath.Join(other, "page.md"), "one")
			w := begin(t, opt, root, other)
			w.settled()
			for _, c := range []struct {
				what string
				do   func() error
			}{
				{"written", func() error { return os.WriteFile(filepath.Join(root, "a", "b", "page.md"), []byte("three"), 0o600) }},
				{"a new folder", func() error { return os.MkdirAll(filepath.Join(root, "c", "d"), 0o755) }},
				{"in it", func() error { return os.WriteFile(filepath.Join(root, "c", "d", "new.md"), []byte("new"), 0o600) }},
				{"saved by renaming", func() error {
					write(t, filepath.Join(root, "c", "d", "new.md~"), "newer")
					return os.Rename(filepath.Join(root, "c", "d", "new.md~"), filepath.Join(root, "c", "d", "new.md"))
				}},
				{"a folder renamed", func() error { return os.Rename(filepath.Join(root, "c"), filepath.Join(root, "e")) }},
				{"in the renamed one", func() error { return os.WriteFile(filepath.Join(root, "e", "d", "new.md"), []byte("newest!"), 0o600) }},
				{"removed", func() error { return os.RemoveAll(filepath.Join(root, "a")) }},
			} {
				if err := c.do(); err != nil {
					t.Fatal(err)
				}
				if c.what == "a new folder" && name != "watched" {
					continue // folders alone are not listed
				}
				if got := w.next(); !slices.Equal(got, []string{root}) {
					t.Errorf("%s: told of %v", c.what, got)
				}
				w.settled()
			}
			if err := w.stop(); err != nil {
				t.Error(err)
			}
			if note := strings.Join(w.notes, "\n"); (name == "too many") != strings.Contains(note, "cannot be watched (there are too many folders)") {
				t.Errorf("notes: %s", note)
			}
		})
	}
}

// A folder that is replaced, or that comes back, is watched again.
func TestReplaced(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	root := filepath.Join(above, "lib", "docs")
	write(t, filepath.Join(root, "page.md"), "one")
	w := begin(t, Options{}, root)
	w.settled()
	for i, from := range []string{root, filepath.Join(above, "lib")} { // the folder, and the one it lies in
		if err := os.Rename(from, fmt.Sprintf("%s-old%d", from, i)); err != nil {
			t.Fatal(err)
		}
		w.next()
		w.settled()
		write(t, filepath.Join(root, "page.md"), "two")
		w.next()
		w.settled()
		write(t, filepath.Join(root, "sub", "page.md"), "three")
		w.next()
		w.settled()
	}
}

// A checkout of a thousand files is a few changes, folders that are left out are none.
func TestCheckout(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := begin(t, Options{LeftOut: func(_, name string) bool { return name == ".git" }, Poll: time.Hour}, root)
	w.settled()
	for i := range 1000 {
		write(t, filepath.Join(root, fmt.Sprint(i%50), fmt.Sprintf("page%d.md", i)), "text")
	}
	w.next()
	if n := w.settled(); n > 20 {
		t.Errorf("a thousand files were told in %d calls", n)
	}
	write(t, filepath.Join(root, "49", "page49.md"), "other") // the last of the new folders
	w.next()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.settled()
	write(t, filepath.Join(root, ".git", "index"), "x")
	if n := w.settled(); n > 0 {
		t.Error("a folder that is left out was told")
	}
}

// A change during a call of changed is reported afterwards, and the error of changed ends
// Run.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := make(chan int)
	on := make(chan struct{})
	failed := errors.New("failed")
	done := make(chan error, 1)
	n := 0
	go func() {
		done <- WatchRoots(t.Context(), []string{root}, Options{Quiet: time.Millisecond}, func(context.Context, []string) error {
			n++
			at <- n
			<-on
			if n == 2 {
				return failed
			}
			return nil
		})
	}()
	<-at
	write(t, filepath.Join(root, "page.md"), "text")
	select {
	case <-at:
		t.Error("it was called again while it was at work")
	case <-time.After(200 * time.Millisecond):
	}
	on <- struct{}{}
	<-at
	on <- struct{}{}
	if err := <-done; !errors.Is(err, failed) {
		t.Errorf("it ended with %v", err)
	}
}
