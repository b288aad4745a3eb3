package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"docent/pipeline/service/home"
	"docent/store/queue"
)

// A file whose job was cancelled while it waited for an update does not become a page.
func TestCancelledIsNotPublished(t *testing.T) {
	t.Parallel()
	svc := New(&home.Home{Dir: t.TempDir()}, nil, nil, nil)
	file := filepath.Join(svc.home.Dir, "uploads", "waiting", "0a0a0a0a0a0a", "wick.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# Wick\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(queue.ErrJobCancelled)
	q := publication{ctx: ctx, path: "0a0a0a0a0a0a/wick.md", done: make(chan error, 1)}
	newPublisher(svc, func() { t.Error("an update was made for nobody") }).publishAll(t.Context(), []publication{q})
	if err := <-q.done; !errors.Is(err, context.Canceled) {
		t.Errorf("it is answered with %v", err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
