// Package queue has the interfaces of the durable queue in which uploads wait for their
// workers, with its values and errors.
//
// It refuses to implement the queue, and to know what a job does: a worker gives that.
package queue

import (
	"context"
	"errors"
	"time"
)

// The states of a job.
const (
	Waiting   = "waiting"   // a worker may take it
	Retry     = "retry"     // it failed and is tried again at Next
	Running   = "running"   // a worker has it
	Done      = "done"      // it came to its end
	Failed    = "failed"    // it was given up
	Cancelled = "cancelled" // a person ended it
)

// Job is one job of the queue.
type Job struct {
	ID       int64
	UploadID string
	Filename string
	Lane     string
	State    string
	Attempt  int // the last one, from 1; 0: none yet
	Attempts int // after which it is given up
	Crashes  int // workers that died at it, see Task.Risk
	// Reason is that of its last failure, or "".
	Reason  string
	Created time.Time
	Next    time.Time // when it is taken at the earliest
	Started time.Time // its last attempt; zero: none
	Ended   time.Time // zero: not yet
	Payload []byte    // specification 4's ProcessingJob as JSON
}

// ErrNoJob means that no job has an id.
var ErrNoJob = errors.New("there is no such job")

// ErrJobRunning means that a job runs and cannot be changed in this way.
var ErrJobRunning = errors.New("the job is running")

// Filter chooses jobs; zero fields choose all.
type Filter struct {
	IDs           []int64
	States        []string
	UploadID      string
	Limit, Offset int // Limit 0: all
}

// Queue is the durable queue of the jobs of uploads.
type Queue interface {
	// Jobs returns jobs, the newest first, and how many there are without the limit.
	Jobs(ctx context.Context, f Filter) ([]Job, int, error)
	// CancelJob ends a job; the worker of a running one stops it. A finished job stays
	// unchanged.
	CancelJob(ctx context.Context, id int64) (Job, error)
	// RetryJob has a job that failed and waits for its next attempt taken at once.
	RetryJob(ctx context.Context, id int64) (Job, error)
	// PurgeJobs removes finished jobs: those with the ids, or without ids all. The error
	// is ErrJobRunning for the id of an unfinished one.
	PurgeJobs(ctx context.Context, ids []int64) (removed int, err error)
	// Work takes jobs until ctx ends, and then waits for those at work; what does not
	// end within the grace is put back for the next worker. Jobs of workers that died
	// are taken up again. Several processes may work at the same time.
	Work(ctx context.Context, o WorkOptions) error
}

// Rescuer finds the jobs that dead workers left.
type Rescuer interface {
	// Rescue puts the jobs of dead workers back, or gives them up, and removes the files
	// of those workers. died, unless nil, is called for each. Workers rescue by
	// themselves; others call it before they list running jobs.
	Rescue(ctx context.Context, died func(context.Context, Job) error) error
}

// WorkOptions say how jobs are worked at.
type WorkOptions struct {
	// Fast and Heavy are how many jobs of each lane are at work at most.
	Fast, Heavy int
	Grace       time.Duration // for jobs at work when the worker is to stop
	Timeout     time.Duration // for one attempt, from the moment it is taken; 0: none
	// Do works at a job. Its context ends with the timeout, when the job is
	// cancelled (the cause is ErrJobCancelled) and when the worker stops
	// (ErrWorkerStops: the job is put back). An error is the failure of this attempt;
	// one that is a *PermanentError gives the job up.
	Do func(ctx context.Context, t Task) error
	// Died is called for a job whose worker died: it waits again, or was given up.
	Died func(ctx context.Context, j Job) error
	// Fault is called for faults of the queue itself. Work goes on.
	Fault func(error)
}

// Task is a job at work.
type Task struct {
	Job
	Last bool // a failure gives it up
	// Risk marks the begin, or with false the end, of work that may kill the worker: only
	// workers that die in between count as killed by the job.
	Risk func(ctx context.Context, begins bool) error
}

// Why the context of a task ends.
var (
	ErrJobCancelled = errors.New("the job was cancelled")
	ErrWorkerStops  = errors.New("the worker stops")
)

// PermanentError is a failure that another attempt would meet again.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap gives the failure.
func (e *PermanentError) Unwrap() error { return e.Err }

// Retries is how often a failed attempt is tried again: specification 4's
// retryCount.
const Retries = 3

// LongestBackoff is the longest time between two attempts at a job.
const LongestBackoff = 10 * time.Minute

// Backoff is how long after its failed attempt a job is tried again.
func Backoff(attempt int) time.Duration {
	d := 5 * time.Second
	for range attempt - 1 {
		d *= 4
	}
	return min(d, LongestBackoff)
}
