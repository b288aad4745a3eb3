package ingest

import (
	"context"
	"errors"
	"testing"
)

// A page that was cut into passages when its update was interrupted is not analysed any more.
func TestChunkingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := &worker{update: &update{}}
	if _, err := w.chunkPage(ctx, &page{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
