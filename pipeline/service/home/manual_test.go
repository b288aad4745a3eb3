package home_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
)

// A new program finds another manual and an index of another format. It was once said
// that the old manual's folder is gone, after the new manual was installed.
func TestNewManualAndDamagedIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opened := func(text string) library.SetsAnswer {
		t.Helper()
		a := servicetest.Open(t, servicetest.Options{Dir: dir, Manual: fstest.MapFS{"a.md": {Data: []byte(text)}}})
		defer func() {
			if a.Close(); len(a.Said()) > 0 {
				t.Errorf("it says %q", a.Said())
			}
		}()
		out, err := a.Library.Sets(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	opened("# Of whales\n")
	indexes, err := filepath.Glob(filepath.Join(dir, "index", "*"))
	if err != nil || len(indexes) == 0 {
		t.Fatal(indexes, err)
	}
	for _, x := range indexes {
		if err := os.RemoveAll(x); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if out := opened("# Of squids\n\nThey are other animals.\n"); len(out.Sets) != 1 || out.Sets[0].Fresh != library.Fresh || out.Sets[0].Lines != 3 {
			t.Errorf("%+v", out.Sets)
		}
	}
}
