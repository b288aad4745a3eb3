package jobs

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/catalog"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/queue"
	"docent/store/storetest"
)

func openSchema(t *testing.T, address string) *Store {
	t.Helper()
	db, err := postgres.OpenDatabase(address, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenPostgres(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestConformanceOnPostgres(t *testing.T) {
	t.Parallel()
	storetest.TestJobs(t, func(t *testing.T) func() storetest.Jobs {
		address := postgrestest.Start(t)
		return func() storetest.Jobs { return openSchema(t, address) }
	})
}

// Many processes that open a new schema's jobs at once make their tables once. A reader finds no
// uploads before.
func TestOpenAtOnceOnPostgres(t *testing.T) {
	t.Parallel()
	address := postgrestest.Start(t)
	db, err := postgres.OpenDatabase(address, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := OpenPostgresReader(t.Context(), db); !errors.Is(err, ErrNone) {
		t.Errorf("before there are any: %v", err)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			db, err := postgres.OpenDatabase(address, "")
			if err != nil {
				t.Error(err)
				return
			}
			if _, err = OpenPostgres(t.Context(), db); err != nil {
				t.Error(err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if r, err := OpenPostgresReader(t.Context(), db); err != nil {
		t.Error(err)
	} else if _, n, err := r.ListUploads(t.Context(), store.UploadFilter{}); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	} else if err := r.AddUpload(t.Context(), store.Upload{ID: "1", Status: store.UploadPending}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a reader adds: %v", err)
	}
}

// A role that may make schemas, and nothing else, can keep a catalog with its jobs.
func TestAnOrdinaryRole(t *testing.T) {
	t.Parallel()
	address := postgrestest.Address(t, postgrestest.Guarded, postgrestest.GuardedPassword, "ordinary")
	for range 2 {
		s := openSchema(t, address)
		db := s.db.(*schema).db
		if _, err := catalog.OpenPostgres(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		addOne(t, s)
		if err := s.Rescue(t.Context(), nil); err != nil {
			t.Error(err)
		}
		held, err := catalog.PostgresPlace{Database: db}.Lock(t.Context(), "update", 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := postgres.OpenBlobs(db).Put(t.Context(), strings.Repeat("a", 64), nil); err != nil {
			t.Error(err)
		}
		if _, err := db.PutAside(t.Context()); err != nil {
			t.Error(err)
		}
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	}
}

func addOne(t *testing.T, s *Store) store.Upload {
	t.Helper()
	u := store.Upload{ID: "6909c448-4640-41da-bd58-c84df2a5da29", Filename: "lantern.md", Lane: store.LaneFast, Status: store.UploadPending, Path: "0a/lantern.md", MD5: "0a"}
	if err := s.AddUpload(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	return u
}

// give has a worker hold the job, as River does.
func give(t *testing.T, s *Store, worker string) {
	t.Helper()
	if _, err := s.db.ExecContext(t.Context(), `UPDATE river_job SET state = 'running', attempt = 1, attempted_by = ARRAY[?]`, worker); err != nil {
		t.Fatal(err)
	}
}

func stateAfterRescue(t *testing.T, s *Store) queue.Job {
	t.Helper()
	if err := s.Rescue(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	j, _, err := s.Jobs(t.Context(), queue.Filter{})
	if err != nil || len(j) != 1 {
		t.Fatalf("%v, %v", j, err)
	}
	return j[0]
}

// A job of a worker that is not there any more waits again. One that holds its lock or wrote
// the time a moment ago lives, whatever else is missing of it.
func TestRescueOnPostgres(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	s, other := openSchema(t, address), openSchema(t, address)
	addOne(t, s)
	for _, dead := range []string{"worker-1-dead", "../no-name"} {
		give(t, s, dead)
		if j := stateAfterRescue(t, s); j.State != queue.Waiting || j.Attempt != 0 || j.Reason != "its worker ended without a word" {
			t.Errorf("after the worker %s: %+v", dead, j)
		}
	}
	m, err := other.db.join(ctx)
	if err != nil {
		t.Fatal(err)
	}
	give(t, s, m.workerName())
	exec := func(query string) {
		t.Helper()
		if _, err := s.db.ExecContext(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	const hours = `UPDATE uploads_workers SET seen = seen - interval '10 hours'`
	lives := func(what string) {
		t.Helper()
		if j := stateAfterRescue(t, s); j.State != queue.Running {
			t.Errorf("%s: %+v", what, j)
		}
	}
	lives("it has just joined")
	exec(hours)
	lives("it has its lock")
	if err := m.keep(ctx); err != nil {
		t.Fatal(err)
	}
	// The lock goes, as with the connection.
	if err := m.(*member).held.Release(); err != nil {
		t.Fatal(err)
	}
	lives("it wrote the time")
	if err := m.keep(ctx); err != nil {
		t.Fatal(err)
	}
	exec(hours)
	lives("it took its lock again")
	if err := m.(*member).held.Release(); err != nil { // killed
		t.Fatal(err)
	}
	time.Sleep(silence) // since the start of the server
	if j := stateAfterRescue(t, s); j.State != queue.Waiting {
		t.Errorf("it was killed: %+v", j)
	}
	var rows int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM uploads_workers`).Scan(&rows); rows != 0 || err != nil {
		t.Errorf("%d rows of workers are left, %v", rows, err)
	}
	m.(*member).held = nil
	if err := m.leave(); err != nil {
		t.Error(err)
	}
}

// A worker goes on over a start of the server, which ends all connections and locks. No other
// takes its job, and jobs that come later are done once too.
func TestWorkersAndAStartOfTheServer(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	server := postgrestest.StartOwn(t)
	s, other := openSchema(t, server.Address("docent")), openSchema(t, server.Address("docent"))
	first := addOne(t, s)
	var mu sync.Mutex
	begun := map[string]int{}
	started, goOn := make(chan struct{}, 99), make(chan struct{})
	var wg sync.WaitGroup
	work := func(s *Store) {
		wg.Go(func() {
			if err := s.Work(ctx, queue.WorkOptions{Fast: 2, Heavy: 1, Grace: time.Second, Fault: func(err error) { t.Log(err) },
				Do: func(_ context.Context, task queue.Task) error {
					mu.Lock()
					begun[task.UploadID]++
					mu.Unlock()
					started <- struct{}{}
					if task.UploadID == first.ID {
						<-goOn
					}
					return nil
				}}); err != nil {
				t.Error(err)
			}
		})
	}
	work(s)
	<-started
	work(other)
	time.Sleep(silence / 2)
	server.StopServer(t)
	time.Sleep(2 * silence)
	server.StartAgain(t)
	second := first
	second.ID, second.MD5 = "6909c448-4640-41da-bd58-c84df2a5da30", "0b"
	if err := s.AddUpload(ctx, second); err != nil {
		t.Fatal(err)
	}
	time.Sleep(silence + time.Second)
	close(goOn)
	for done := 0; done < 2; time.Sleep(20 * time.Millisecond) {
		var err error
		if _, done, err = s.Jobs(ctx, queue.Filter{States: []string{queue.Done}}); err != nil {
			t.Fatal(err)
		}
	}
	end()
	wg.Wait()
	if begun[first.ID] != 1 || begun[second.ID] != 1 {
		t.Errorf("the jobs were begun %v times", begun)
	}
}

// Jobs of a clock that was ahead are due at once.
func TestJobsOfAClockThatWasAheadOnPostgres(t *testing.T) {
	t.Parallel()
	s := openSchema(t, postgrestest.Start(t))
	addOne(t, s)
	for _, attempt := range []int{0, 1} {
		if _, err := s.db.ExecContext(t.Context(), `UPDATE river_job SET scheduled_at = now() + interval '5 years', attempt = ?`, attempt); err != nil {
			t.Fatal(err)
		}
		if err := s.bringForward(t.Context()); err != nil {
			t.Fatal(err)
		}
		j, _, err := s.Jobs(t.Context(), queue.Filter{})
		if err != nil || j[0].Next.After(time.Now().Add(time.Minute)) {
			t.Errorf("attempt %d: %+v, %v", attempt, j, err)
		}
	}
}

// Failures with texts that PostgreSQL cannot keep are recorded, of the upload and of its job.
func TestFailuresThatPostgresCannotKeep(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	s := openSchema(t, postgrestest.Start(t))
	u := addOne(t, s)
	if err := s.Work(ctx, queue.WorkOptions{Fast: 1, Heavy: 1, Grace: time.Second, Fault: func(err error) { t.Error(err) },
		Do: func(context.Context, queue.Task) error {
			defer end()
			_, err := s.ChangeUpload(t.Context(), u.ID, func(u *store.Upload) (bool, error) { u.FailReason = "a\x00b\xff"; return false, nil })
			return &queue.PermanentError{Err: errors.Join(err, errors.New("a\x00b\xff"))}
		}}); err != nil {
		t.Fatal(err)
	}
	const want = "a�b�"
	if j, _, err := s.Jobs(t.Context(), queue.Filter{}); err != nil || j[0].Reason != want || j[0].State != queue.Failed {
		t.Errorf("%+v, %v", j, err)
	}
	if got, _, err := s.ListUploads(t.Context(), store.UploadFilter{}); err != nil || got[0].FailReason != want {
		t.Errorf("%+v, %v", got, err)
	}
}

// Rows that were changed behind the store's back are dropped when it is opened; a job that is
// lost is made again.
func TestDamagedRowsOnPostgres(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	s := openSchema(t, address)
	addOne(t, s)
	if _, err := s.db.ExecContext(ctx, `UPDATE river_job SET args = '[]'`); err != nil {
		t.Fatal(err)
	}
	if j, _, err := openSchema(t, address).Jobs(ctx, queue.Filter{}); err != nil || len(j) != 1 || j[0].Filename != "lantern.md" {
		t.Errorf("the job that was lost: %+v, %v", j, err)
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE uploads SET filename = 'other.md'`); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.ListUploads(ctx, store.UploadFilter{}); !errors.Is(err, store.ErrCatalogDamaged) {
		t.Errorf("a damaged row: %v", err)
	}
	if u, _, err := openSchema(t, address).ListUploads(ctx, store.UploadFilter{}); err != nil || len(u) != 0 {
		t.Errorf("%v, %v", u, err)
	}
}
