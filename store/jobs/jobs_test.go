package jobs

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/catalog"
	"docent/store/queue"
	"docent/store/storetest"
)

// newPath makes a catalog for jobs to live in.
func newPath(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := catalog.OpenCatalog(t.Context(), path)
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
	s, err := OpenStore(t.Context(), path, filepath.Join(filepath.Dir(path), "workers"))
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
			s, err := OpenStore(t.Context(), path, filepath.Join(filepath.Dir(path), "workers"))
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

// A job of a worker that is not there any more waits again as soon as anybody looks, and
// the lock that the worker left is gone.
func TestRescue(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	u := store.Upload{ID: "6909c448-4640-41da-bd58-c84df2a5da29", Filename: "lantern.md", Lane: store.LaneFast, Status: store.UploadPending, Path: "0a/lantern.md", MD5: "0a"}
	if err := s.AddUpload(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(s.db.(*sqliteFile).workers, "worker-1-dead")
	if err := os.MkdirAll(s.db.(*sqliteFile).workers, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(t.Context(), `UPDATE river_job SET state = 'running', attempt = 1, attempted_by = '["worker-1-dead"]'`); err != nil {
		t.Fatal(err)
	}
	var told []string
	if err := s.Rescue(t.Context(), func(_ context.Context, j queue.Job) error {
		told = append(told, j.State)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0] != queue.Waiting {
		t.Errorf("it tells of %q", told)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the lock of the dead worker: %v", err)
	}
	m, err := s.db.join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.leave() }()
	if _, err := s.db.ExecContext(t.Context(), `UPDATE river_job SET state = 'running', attempt = 1, attempted_by = json_array(?)`, m.workerName()); err != nil {
		t.Fatal(err)
	}
	if err := s.Rescue(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if j, _, err := s.Jobs(t.Context(), queue.Filter{}); err != nil || j[0].State != queue.Running {
		t.Errorf("a job of a worker that lives is %+v, %v", j, err)
	}
}

// A document that was handed in while the clock was five years ahead waited for that time: no
// worker took its job, and no list showed a fault. Its job is due at once; one that failed waits no
// longer than the longest pause.
func TestJobsOfAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	s := openAt(t, newPath(t))
	ids := []string{"6909c448-4640-41da-bd58-c84df2a5da29", "6909c448-4640-41da-bd58-c84df2a5da30"}
	for _, id := range ids {
		u := store.Upload{ID: id, Filename: id + ".md", Lane: store.LaneFast, Status: store.UploadPending, Path: id + "/lantern.md", MD5: id}
		if err := s.AddUpload(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	ahead := func() {
		t.Helper()
		if _, err := s.db.ExecContext(t.Context(), `UPDATE river_job SET scheduled_at = datetime('now', 'subsec', '+5 years'),
			state = iif(id = 1, 'available', 'retryable'), attempt = iif(id = 1, 0, 1)`); err != nil {
			t.Fatal(err)
		}
	}
	ahead()
	for id := range ids {
		if j, err := s.RetryJob(t.Context(), int64(id+1)); err != nil || j.Next.After(time.Now().Add(time.Minute)) {
			t.Errorf("tried again by hand: %+v, %v", j, err)
		}
	}
	ahead()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var mu sync.Mutex
	done := map[string]bool{}
	err := s.Work(ctx, queue.WorkOptions{Fast: 1, Heavy: 1, Grace: time.Second, Fault: func(err error) { t.Log(err) },
		Do: func(_ context.Context, k queue.Task) error {
			mu.Lock()
			defer mu.Unlock()
			if done[k.UploadID] = true; len(done) == len(ids) {
				end()
			}
			return nil
		}})
	if err != nil || len(done) != len(ids) {
		t.Errorf("done were %v, %v", done, err)
	}
}
