package app

import (
	"errors"
	"os"
	"strings"
	"testing"

	"docent/pipeline/service/home"
)

// A home that may not be read is not there, which is no fault of the
// configuration in it.
func TestUnreadableHome(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	_, err := Open(t.Context(), Options{Home: dir})
	if _, ok := errors.AsType[*home.UnavailableError](err); !ok || !strings.Contains(err.Error(), "make it readable") {
		t.Errorf("%v", err)
	}
}
