package uploads

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Files are received while several others sweep: a sweeper may remove a lock, and make it
// again, between its making and its locking. A file that was received stays until it is kept.
func TestReceiveWhileOthersSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const receivers, files, sweepers = 4, 40, 4
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var sweeping, receiving sync.WaitGroup
	for range sweepers {
		sweeping.Go(func() {
			for f := InHome(dir); ctx.Err() == nil; {
				if _, err := f.Sweep(t.Context()); err != nil {
					t.Errorf("sweep: %v", err)
					return
				}
			}
		})
	}
	for range receivers {
		receiving.Go(func() {
			f := InHome(dir)
			for range files {
				r, err := f.Receive(t.Context(), "lantern.md", "", strings.NewReader("# Lantern\n\nIt burns oil.\n"))
				if err != nil {
					t.Errorf("receive: %v", err)
					return
				}
				if _, err := os.Stat(r.file); err != nil {
					t.Errorf("what was received is gone: %v", err)
				}
				if err := r.Discard(); err != nil {
					t.Errorf("discard: %v", err)
				}
			}
		})
	}
	receiving.Wait()
	end()
	sweeping.Wait()
	if _, err := InHome(dir).Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "uploads", "incoming")); err != nil || len(left) != 0 {
		t.Errorf("incoming has %v, %v", left, err)
	}
}
