package jobs

import (
	"path/filepath"
	"sync"
	"testing"

	"docent/store/catalog"
	"docent/store/storetest"
)

// newPath makes a catalog for jobs to live in.
func newPath(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := catalog.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, filepath.Join(filepath.Dir(path), "workers"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Many who open a new catalog's jobs at once make their tables once.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), path, filepath.Join(filepath.Dir(path), "workers"))
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.TestJobs(t, func(t *testing.T) func() storetest.Jobs {
		path := newPath(t)
		return func() storetest.Jobs { return openAt(t, path) }
	})
}
