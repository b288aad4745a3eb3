package blobs_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/store"
	"docent/store/blobs"
	"docent/store/storetest"
)

var key = strings.Repeat("a", 64)

func TestBlobs(t *testing.T) {
	t.Parallel()
	storetest.RunBlobs(t, func(tb testing.TB) store.Blobs { return blobs.OpenStore(filepath.Join(tb.TempDir(), "blobs")) })
}

// Whatever happens to a blob's file, no wrong bytes come out.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	s := blobs.OpenStore(dir)
	data := []byte("the text of a page")
	path := filepath.Join(dir, "aa", strings.Repeat("a", 62))
	if err := s.Put(ctx, key, data); err != nil {
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
			if got, err := s.Get(ctx, key); !errors.Is(err, store.ErrBlobDamaged) {
				t.Fatalf("damaged at %d (%d bytes left): %q, %v", n, len(raw), got, err)
			}
		}
	}
	if err := s.Put(ctx, key, data); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(ctx, key); err != nil || !bytes.Equal(got, data) {
		t.Errorf("put again: %q, %v", got, err)
	}
}

// A sweep removes the temporary files of crashed writers, and those alone.
func TestSweepOfTemporaryFiles(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	s := blobs.OpenStore(dir)
	if err := s.Put(ctx, key, nil); err != nil {
		t.Fatal(err)
	}
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
	if n, err := s.Sweep(ctx, 0, func(string) bool { return true }); n != 0 || err != nil {
		t.Errorf("%d blobs were removed, %v", n, err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the file of a writer at work: %v", err)
	}
	if _, err := os.Stat(crashed); err == nil {
		t.Error("the file of a crashed writer is still there")
	}
	if _, err := s.Get(ctx, key); err != nil {
		t.Error(err)
	}
}
