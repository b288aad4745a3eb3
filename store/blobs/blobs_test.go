package blobs_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/blobs"
)

var keys = []string{strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("0f", 32)}

func TestKeepAndGet(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := blobs.Open(filepath.Join(t.TempDir(), "blobs"))
	if _, err := s.Get(ctx, keys[0]); !errors.Is(err, store.ErrNoBlob) {
		t.Errorf("before there is any: %v", err)
	}
	if n, err := s.Sweep(ctx, func(string) bool { return false }); n != 0 || err != nil {
		t.Errorf("sweeping no folder: %d, %v", n, err)
	}
	for i, data := range [][]byte{[]byte("one"), {}, bytes.Repeat([]byte("long "), 100_000)} {
		if err := s.Put(ctx, keys[i], data); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, keys[i]); err != nil || !bytes.Equal(got, data) {
			t.Errorf("blob %d: %d bytes, %v; put were %d", i, len(got), err, len(data))
		}
	}
	if err := s.Put(ctx, keys[0], []byte("another")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(ctx, keys[0]); string(got) != "another" || err != nil {
		t.Errorf("the replaced blob: %q, %v", got, err)
	}
	for _, key := range []string{"", "abc", strings.Repeat("A", 64), "../" + strings.Repeat("a", 61), strings.Repeat("/", 64)} {
		if err := s.Put(ctx, key, nil); err == nil {
			t.Errorf("kept under the key %q", key)
		}
		if _, err := s.Get(ctx, key); err == nil || errors.Is(err, store.ErrNoBlob) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
}

// Whatever happens to a blob's file, no wrong bytes come out.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	s := blobs.Open(dir)
	data := []byte("the text of a page")
	path := filepath.Join(dir, "aa", strings.Repeat("a", 62))
	if err := s.Put(ctx, keys[0], data); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		flipped := bytes.Clone(whole)
		flipped[n] ^= 1
		for _, raw := range [][]byte{whole[:n], flipped} {
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Get(ctx, keys[0]); !errors.Is(err, store.ErrBlobDamaged) {
				t.Fatalf("damaged at %d (%d bytes left): %q, %v", n, len(raw), got, err)
			}
		}
	}
	if err := s.Put(ctx, keys[0], data); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(ctx, keys[0]); err != nil || !bytes.Equal(got, data) {
		t.Errorf("put again: %q, %v", got, err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	s := blobs.Open(dir)
	for _, k := range keys {
		if err := s.Put(ctx, k, []byte(k)); err != nil {
			t.Fatal(err)
		}
	}
	// A writer that works, and one that crashed two hours ago.
	fresh, crashed := filepath.Join(dir, "aa", "x.1.tmp"), filepath.Join(dir, "aa", "x.2.tmp")
	for _, f := range []string{fresh, crashed} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(crashed, before, before); err != nil {
		t.Fatal(err)
	}
	n, err := s.Sweep(ctx, func(key string) bool { return key == keys[1] })
	if n != 2 || err != nil {
		t.Errorf("%d blobs were removed, %v; want 2", n, err)
	}
	for i, k := range keys {
		if _, err := s.Get(ctx, k); (err == nil) != (i == 1) {
			t.Errorf("blob %d after the sweep: %v", i, err)
		}
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the file of a writer at work: %v", err)
	}
	if _, err := os.Stat(crashed); err == nil {
		t.Error("the file of a crashed writer is still there")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Sweep(ended, func(string) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("a sweep that is no longer wanted: %v", err)
	}
}

// Readers see the old bytes or the new ones.
func TestReplacedWhileRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := blobs.Open(t.TempDir())
	versions := [][]byte{bytes.Repeat([]byte("a"), 5000), bytes.Repeat([]byte("b"), 70_000)}
	if err := s.Put(ctx, keys[0], versions[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got, err := s.Get(ctx, keys[0]); err != nil || !bytes.Equal(got, versions[0]) && !bytes.Equal(got, versions[1]) {
					t.Errorf("read %d bytes, %v", len(got), err)
					return
				}
			}
		})
	}
	for i := range 40 {
		if err := s.Put(ctx, keys[0], versions[i%2]); err != nil {
			t.Error(err)
		}
	}
	close(done)
	wg.Wait()
}
