package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"docent/store"
	"docent/store/queue"
	"docent/store/tracing"
)

// pollEvery is how often a worker asks for new jobs; its look at running ones, for those
// that were cancelled or whose worker died, comes as often.
const pollEvery = 500 * time.Millisecond

// stuckAfter is when River takes a job for stuck and has another worker do it too. Jobs
// are taken in advance and may wait for days behind books; those of dead workers are
// found by their locks.
const stuckAfter = 30 * 24 * time.Hour

// hardStop is how long a worker waits for jobs whose contexts it ended.
const hardStop = 10 * time.Second

// worker is one run of Work.
type worker struct {
	river.WorkerDefaults[processingJob]
	store  *Store
	member membership
	opt    queue.WorkOptions

	mu      sync.Mutex
	running map[int64]context.CancelCauseFunc
}

// Work is queue.Queue's.
func (s *Store) Work(ctx context.Context, o queue.WorkOptions) (err error) {
	if s.client == nil {
		return errors.New("the jobs are open for reading")
	}
	if o.Fault == nil {
		o.Fault = func(error) {}
	}
	m, err := s.db.join(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // it ends before it began
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, m.leave()) }()
	w := &worker{store: s, member: m, opt: o, running: map[int64]context.CancelCauseFunc{}}
	client, err := w.newClient()
	if err != nil {
		return err
	}
	w.lookAtJobs(ctx)
	// Not ctx, whose end would end the jobs at once.
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	w.watchJobs(ctx)
	return w.stopJobs(context.WithoutCancel(ctx), client)
}

// newClient makes River's client that takes jobs.
func (w *worker) newClient() (*river.Client[*sql.Tx], error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, w)
	return river.NewClient(w.store.db.river(), &river.Config{
		ID: w.member.workerName(), Workers: workers, MaxAttempts: 1 + queue.Retries,
		Queues: map[string]river.QueueConfig{
			store.LaneFast:  {MaxWorkers: max(1, w.opt.Fast)},
			store.LaneHeavy: {MaxWorkers: max(1, w.opt.Heavy)},
		},
		FetchPollInterval: pollEvery,
		// The time limit is this package's own, so that Do learns of it by its context's
		// cause. River's rescue is the last resort, behind rescue.go.
		JobTimeout: -1, RescueStuckJobsAfter: stuckAfter,
		Logger: slog.New(faults{w.opt.Fault}),
	})
}

// watchJobs looks at running jobs until ctx ends.
func (w *worker) watchJobs(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.lookAtJobs(ctx)
		}
	}
}

// lookAtJobs ends jobs of this worker that were cancelled, and puts those of dead workers
// back.
func (w *worker) lookAtJobs(ctx context.Context) {
	err := w.member.keep(ctx)
	if err == nil {
		err = w.cancelMarked(ctx)
	}
	if err == nil {
		err = w.store.bringForward(ctx)
	}
	if err == nil {
		err = w.store.Rescue(ctx, w.opt.Died)
	}
	if err != nil && ctx.Err() == nil {
		w.opt.Fault(err)
	}
}

// bringForward makes jobs due whose time is of a clock that was ahead.
func (s *Store) bringForward(ctx context.Context) error {
	most, n := int(queue.LongestBackoff/time.Second), 0
	err := s.db.QueryRowContext(ctx, s.db.terms().countAhead(), most).Scan(&n)
	if err == nil && n > 0 {
		_, err = s.db.ExecContext(ctx, s.db.terms().bringAhead(), most)
	}
	return err
}

// stopJobs lets jobs at work end within the grace, and puts the others back.
func (w *worker) stopJobs(ctx context.Context, client *river.Client[*sql.Tx]) error {
	soft, done := context.WithTimeout(ctx, w.opt.Grace)
	defer done()
	if err := client.Stop(soft); err == nil {
		return nil
	}
	w.mu.Lock()
	for _, end := range w.running {
		end(queue.ErrWorkerStops)
	}
	w.mu.Unlock()
	hard, done := context.WithTimeout(ctx, hardStop)
	defer done()
	if err := client.Stop(hard); err != nil {
		return fmt.Errorf("jobs are still at work after %v; the next worker takes them up: %w", hardStop, err)
	}
	return nil
}

// cancelMarked ends the contexts of jobs that were cancelled by any process.
func (w *worker) cancelMarked(ctx context.Context) error {
	w.mu.Lock()
	n := len(w.running)
	w.mu.Unlock()
	if n == 0 {
		return nil
	}
	rows, err := w.store.db.QueryContext(ctx, w.store.db.terms().selectCancelled())
	if err != nil {
		return err
	}
	ids, err := allRows(rows, func(row interface{ Scan(...any) error }) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		if end := w.running[id]; end != nil {
			end(queue.ErrJobCancelled)
		}
	}
	return nil
}

// NextRetry is river.Worker's.
func (w *worker) NextRetry(job *river.Job[processingJob]) time.Time {
	return time.Now().Add(queue.Backoff(job.Attempt))
}

// Work is river.Worker's.
func (w *worker) Work(ctx context.Context, job *river.Job[processingJob]) (err error) {
	var kept jobMetadata
	_ = json.Unmarshal(job.Metadata, &kept) // a damaged parent is no parent
	ctx, span := tracing.Begin(tracing.Continue(ctx, kept.Parent), "process document", tracing.Consumer)
	defer func() { tracing.End(span, err) }()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w.mu.Lock()
	w.running[job.ID] = end
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.running, job.ID)
		w.mu.Unlock()
	}()
	work := ctx
	if w.opt.Timeout > 0 {
		limited, done := context.WithTimeout(ctx, w.opt.Timeout)
		defer done()
		work = limited
	}
	j, err := w.store.findJob(ctx, job.ID)
	if err != nil {
		return err
	}
	risk := func(ctx context.Context, begins bool) error {
		_, err := w.store.db.ExecContext(ctx, w.store.db.terms().markRisk, strconv.FormatBool(begins), job.ID)
		return err
	}
	err = w.opt.Do(work, queue.Task{Job: j, Last: job.Attempt >= job.MaxAttempts, Risk: risk})
	if err == nil {
		return nil
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, queue.ErrWorkerStops):
		return river.JobSnooze(0) // the attempt does not count
	case errors.Is(cause, queue.ErrJobCancelled):
		return river.JobCancel(queue.ErrJobCancelled)
	}
	if _, ok := errors.AsType[*queue.PermanentError](err); ok {
		job.MaxAttempts = job.Attempt // River gives a job up after its last attempt
	}
	if text := err.Error(); w.store.db.storable(text) != text {
		return errors.New(w.store.db.storable(text)) // River could not record the failure
	}
	return err
}

// faults forwards River's messages about its own faults. Failures of jobs are recorded in
// their uploads.
type faults struct{ tell func(error) }

// Enabled is slog.Handler's.
func (f faults) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

// Handle is slog.Handler's.
func (f faults) Handle(_ context.Context, r slog.Record) error {
	text, ofJob := r.Message, false
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "job_kind":
			ofJob = true
		case "err", "error":
			text += ": " + a.Value.String()
		}
		return true
	})
	if !ofJob {
		f.tell(errors.New(text))
	}
	return nil
}

// WithAttrs is slog.Handler's.
func (f faults) WithAttrs([]slog.Attr) slog.Handler { return f }

// WithGroup is slog.Handler's.
func (f faults) WithGroup(string) slog.Handler { return f }
