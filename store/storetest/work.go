package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/queue"
)

// working has a store work until stop is called, which gives Work's error.
func working(t *testing.T, s Jobs, do func(ctx context.Context, task queue.Task) error) (stop func() error) {
	t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- s.Work(ctx, queue.WorkOptions{Fast: 4, Heavy: 2, Grace: 50 * time.Millisecond, Timeout: time.Minute, Do: do,
			Fault: func(err error) { t.Logf("a fault of the queue: %v", err) }})
	}()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { end(); err = <-done })
		return err
	}
	t.Cleanup(func() { _ = stop() })
	return stop
}

// waitUntil waits for something to be true.
func waitUntil(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// untilState waits for the newest job of an upload to have a state.
func untilState(t *testing.T, s Jobs, id, state string) (j queue.Job) {
	t.Helper()
	waitUntil(t, "the state "+state, func() bool {
		all := jobsOf(t, s, id)
		if len(all) > 0 {
			j = all[0]
		}
		return j.State == state
	})
	return j
}

func testWork(t *testing.T, again func() Jobs) {
	s := again()
	heavy := anUpload(2)
	heavy.Lane = store.LaneHeavy
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	mustSucceed(t, s.AddUpload(t.Context(), heavy))
	var mu sync.Mutex
	done := map[string]int{}
	stop := working(t, s, func(_ context.Context, task queue.Task) error {
		mu.Lock()
		defer mu.Unlock()
		done[task.UploadID]++
		return nil
	})
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(3)))
	for _, n := range []int{1, 2, 3} {
		if j := untilState(t, s, anUpload(n).ID, queue.Done); j.Attempt != 1 || j.Ended.IsZero() || j.Started.IsZero() ||
			j.Filename != anUpload(n).Filename {
			t.Errorf("a job that is done: %+v", j)
		}
	}
	mustSucceed(t, stop())
	mu.Lock()
	defer mu.Unlock()
	for _, n := range []int{1, 2, 3} {
		if done[anUpload(n).ID] != 1 {
			t.Errorf("done %v", done)
		}
	}
}

func testFailures(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(2)))
	var mu sync.Mutex
	var lasts []bool
	working(t, s, func(_ context.Context, task queue.Task) error {
		if task.UploadID == anUpload(2).ID {
			return &queue.PermanentError{Err: errors.New("never")}
		}
		mu.Lock()
		defer mu.Unlock()
		lasts = append(lasts, task.Last)
		return errors.New("not now")
	})
	if j := untilState(t, s, anUpload(2).ID, queue.Failed); j.Attempt != 1 || j.Reason != "never" {
		t.Errorf("a job with a permanent failure: %+v", j)
	}
	for attempt := 1; attempt <= queue.Retries; attempt++ {
		waitUntil(t, "the next attempt", func() bool {
			j := jobsOf(t, s, anUpload(1).ID)[0]
			return j.State == queue.Retry && j.Attempt == attempt
		})
		j := jobsOf(t, s, anUpload(1).ID)[0]
		if wait := j.Next.Sub(j.Started); j.Reason != "not now" || wait < queue.Backoff(attempt)-time.Second {
			t.Errorf("after attempt %d: %+v", attempt, j)
		}
		_, err := s.RetryJob(t.Context(), j.ID)
		mustSucceed(t, err)
	}
	if j := untilState(t, s, anUpload(1).ID, queue.Failed); j.Attempt != 1+queue.Retries {
		t.Errorf("a job that was given up: %+v", j)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(lasts) != 4 || lasts[2] || !lasts[3] {
		t.Errorf("the attempts were told to be the last: %v", lasts)
	}
}

func testCancel(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	j, err := s.CancelJob(t.Context(), jobsOf(t, s, anUpload(1).ID)[0].ID)
	mustSucceed(t, err)
	if u := oneUpload(t, s, anUpload(1).ID); j.State != queue.Cancelled || u.Status != store.UploadFailed || u.FailReason == "" {
		t.Errorf("a cancelled job: %+v %+v", j, u)
	}
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(2)))
	started := make(chan struct{})
	cause := make(chan error, 1)
	working(t, s, func(ctx context.Context, task queue.Task) error {
		close(started)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return ctx.Err()
	})
	<-started
	_, err = again().CancelJob(t.Context(), jobsOf(t, s, anUpload(2).ID)[0].ID)
	mustSucceed(t, err)
	if err := <-cause; !errors.Is(err, queue.ErrJobCancelled) {
		t.Errorf("a running job ended for %v", err)
	}
	untilState(t, s, anUpload(2).ID, queue.Cancelled)
	if _, err := s.CancelJob(t.Context(), 12345); !errors.Is(err, queue.ErrNoJob) {
		t.Errorf("cancelling nothing: %v", err)
	}
}

func testStop(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	started := make(chan struct{})
	stop := working(t, s, func(ctx context.Context, task queue.Task) error {
		close(started)
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), queue.ErrWorkerStops) {
			t.Errorf("a job ended for %v", context.Cause(ctx))
		}
		return ctx.Err()
	})
	<-started
	mustSucceed(t, stop())
	if j := jobsOf(t, s, anUpload(1).ID)[0]; j.State != queue.Waiting || j.Attempt != 0 {
		t.Errorf("the job that was stopped is left as %+v", j)
	}
	working(t, s, func(context.Context, queue.Task) error { return nil })
	untilState(t, s, anUpload(1).ID, queue.Done)
}

func testTwoWorkers(t *testing.T, again func() Jobs) {
	s, other := again(), again()
	const n = 60
	for i := range n {
		mustSucceed(t, s.AddUpload(t.Context(), anUpload(i)))
	}
	var mu sync.Mutex
	done := map[string]int{}
	do := func(_ context.Context, task queue.Task) error {
		mu.Lock()
		defer mu.Unlock()
		done[task.UploadID]++
		return nil
	}
	working(t, s, do)
	working(t, other, do)
	waitUntil(t, "all jobs", func() bool {
		_, left, err := s.Jobs(t.Context(), queue.Filter{States: []string{queue.Waiting, queue.Running}})
		mustSucceed(t, err)
		return left == 0
	})
	mu.Lock()
	defer mu.Unlock()
	for i := range n {
		if done[anUpload(i).ID] != 1 {
			t.Errorf("upload %d was worked at %d times", i, done[anUpload(i).ID])
		}
	}
}

func testPurge(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(2)))
	waiting := jobsOf(t, s, anUpload(2).ID)[0].ID
	if _, err := s.CancelJob(t.Context(), jobsOf(t, s, anUpload(1).ID)[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PurgeJobs(t.Context(), []int64{waiting}); !errors.Is(err, queue.ErrJobRunning) {
		t.Errorf("purging a job that waits: %v", err)
	}
	if n, err := s.PurgeJobs(t.Context(), nil); err != nil || n != 1 {
		t.Errorf("purged %d, %v", n, err)
	}
	if _, n, err := s.Jobs(t.Context(), queue.Filter{}); err != nil || n != 1 {
		t.Errorf("%d jobs are left, %v", n, err)
	}
}

// A job whose upload was removed while it ran ends, and leaves no upload behind.
func testRemoved(t *testing.T, again func() Jobs) {
	s := again()
	mustSucceed(t, s.AddUpload(t.Context(), anUpload(1)))
	started, goOn := make(chan struct{}), make(chan struct{})
	working(t, s, func(_ context.Context, task queue.Task) error {
		close(started)
		<-goOn
		_, err := s.ChangeUpload(context.Background(), task.UploadID, func(*store.Upload) (bool, error) { return false, nil })
		if !errors.Is(err, store.ErrNoUpload) {
			t.Errorf("a removed upload was changed: %v", err)
		}
		return nil
	})
	<-started
	mustSucceed(t, s.RemoveUpload(t.Context(), anUpload(1).ID))
	close(goOn)
	untilState(t, s, anUpload(1).ID, queue.Done)
}
