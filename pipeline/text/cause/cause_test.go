package cause

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestWithoutPath(t *testing.T) {
	t.Parallel()
	err := &fs.PathError{Op: "open", Path: "/home/keeper/lamp.md", Err: fs.ErrPermission}
	for _, given := range []error{err, fmt.Errorf("read the page: %w", err)} {
		if got := WithoutPath(given); got != fs.ErrPermission {
			t.Errorf("%v: %v", given, got)
		}
	}
	if other := errors.New("the disk is gone"); WithoutPath(other) != other || WithoutPath(nil) != nil {
		t.Error("an error without a path is another one")
	}
}
