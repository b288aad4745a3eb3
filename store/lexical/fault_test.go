package lexical

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"docent/store"
)

// scorch says in words that the disk is full; its errors get their meaning here.
func TestErrorsHaveTheirMeaning(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err, want error
	}{
		{errors.New("segment: write x: no space left on device"), store.ErrDiskFull},
		{fmt.Errorf("write the index g000002: %w", errors.New("open 1.zap: too many open files")), store.ErrTooManyFiles},
		{errors.New("read 1.zap: input/output error"), store.ErrDiskFails},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, syscall.ENOSPC}, // it is typed as it is
		{store.ErrDamaged, store.ErrDamaged},
	} {
		got := withMeaning(tt.err)
		if !errors.Is(got, tt.want) || got.Error() != tt.err.Error() || !errors.Is(got, tt.err) {
			t.Errorf("%v: %#v", tt.err, got)
		}
	}
	if err := withMeaning(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}
