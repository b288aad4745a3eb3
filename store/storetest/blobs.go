package storetest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store"
)

// blobKeys are keys of blobs.
var blobKeys = []string{strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("0f", 32)}

// RunBlobs runs the cases of blobs. fresh makes an empty store.
func RunBlobs(t *testing.T, fresh func(testing.TB) store.Blobs) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, store.Blobs)
	}{
		{"kept and read", blobsKept},
		{"keys are hashes", blobsKeys},
		{"swept", blobsSwept},
		{"replaced while read", blobsReplaced},
		{"contexts", blobsContexts},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, fresh(t))
		})
	}
}

func blobsKept(t *testing.T, s store.Blobs) {
	ctx := context.Background()
	if _, err := s.Get(ctx, blobKeys[0]); !errors.Is(err, store.ErrNoBlob) {
		t.Errorf("before there is any: %v", err)
	}
	for i, data := range [][]byte{[]byte("one"), {}, bytes.Repeat([]byte("long "), 100_000)} {
		if err := s.Put(ctx, blobKeys[i], data); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, blobKeys[i]); err != nil || !bytes.Equal(got, data) {
			t.Errorf("blob %d: %d bytes, %v; put were %d", i, len(got), err, len(data))
		}
	}
	if err := s.Put(ctx, blobKeys[0], []byte("another")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(ctx, blobKeys[0]); string(got) != "another" || err != nil {
		t.Errorf("the replaced blob: %q, %v", got, err)
	}
}

func blobsKeys(t *testing.T, s store.Blobs) {
	ctx := context.Background()
	for _, key := range []string{"", "abc", strings.Repeat("A", 64), "../" + strings.Repeat("a", 61), strings.Repeat("/", 64)} {
		if err := s.Put(ctx, key, nil); err == nil {
			t.Errorf("kept under the key %q", key)
		}
		if _, err := s.Get(ctx, key); err == nil || errors.Is(err, store.ErrNoBlob) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
}

func blobsSwept(t *testing.T, s store.Blobs) {
	ctx := context.Background()
	if n, err := s.Sweep(ctx, 0, func(string) bool { return false }); n != 0 || err != nil {
		t.Errorf("sweeping nothing: %d, %v", n, err)
	}
	for _, k := range blobKeys {
		if err := s.Put(ctx, k, []byte(k)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Sweep(ctx, time.Hour, func(string) bool { return false }); n != 0 || err != nil {
		t.Errorf("Sweep of what is too young removed %d, %v", n, err)
	}
	n, err := s.Sweep(ctx, 0, func(key string) bool { return key == blobKeys[1] })
	if n != 2 || err != nil {
		t.Errorf("%d blobs were removed, %v; want 2", n, err)
	}
	for i, k := range blobKeys {
		if _, err := s.Get(ctx, k); (err == nil) != (i == 1) {
			t.Errorf("blob %d after the sweep: %v", i, err)
		}
	}
}

// Readers see the old bytes or the new ones.
func blobsReplaced(t *testing.T, s store.Blobs) {
	ctx := context.Background()
	versions := [][]byte{bytes.Repeat([]byte("a"), 5000), bytes.Repeat([]byte("b"), 70_000)}
	if err := s.Put(ctx, blobKeys[0], versions[0]); err != nil {
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
				if got, err := s.Get(ctx, blobKeys[0]); err != nil || !bytes.Equal(got, versions[0]) && !bytes.Equal(got, versions[1]) {
					t.Errorf("read %d bytes, %v", len(got), err)
					return
				}
			}
		})
	}
	for i := range 40 {
		if err := s.Put(ctx, blobKeys[0], versions[i%2]); err != nil {
			t.Error(err)
		}
	}
	close(done)
	wg.Wait()
}

func blobsContexts(t *testing.T, s store.Blobs) {
	if err := s.Put(context.Background(), blobKeys[0], nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Get(ctx, blobKeys[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("Get: %v", err)
	}
	if err := s.Put(ctx, blobKeys[0], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Put: %v", err)
	}
	if _, err := s.Sweep(ctx, 0, func(string) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("Sweep: %v", err)
	}
}
