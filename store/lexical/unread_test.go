package lexical

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"docent/store"
)

// What scorch cannot read of an index that was whole when it was opened is damage, which
// is mended; the end of a question and a process without room are not.
func TestUnread(t *testing.T) {
	t.Parallel()
	r := &Reader{dir: "/x"}
	for _, tt := range []struct {
		err     error
		damaged bool
	}{
		{errors.New("invalid address of a posting"), true},
		{fmt.Errorf("read a chunk: %w", store.ErrDamaged), true},
		{syscall.EIO, true},
		{context.Canceled, false},
		{fmt.Errorf("on the way: %w", context.DeadlineExceeded), false},
		{syscall.EMFILE, false},
		{syscall.ENOMEM, false},
	} {
		got := r.unreadError("read the terms", tt.err)
		if errors.Is(got, store.ErrDamaged) != tt.damaged || !errors.Is(got, tt.err) {
			t.Errorf("%v becomes %v; damage: %v", tt.err, got, tt.damaged)
		}
	}
}
