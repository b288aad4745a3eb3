package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The statuses of an upload: specification 4's DocumentStatus.
const (
	UploadPending    = "PENDING"    // waits for a worker
	UploadProcessing = "PROCESSING" // a worker has it
	UploadCompleted  = "COMPLETED"  // it is a page of the doc set of uploads
	UploadFailed     = "FAILED"     // given up
)

// The lanes of uploads: specification 4's ProcessingLane.
const (
	LaneFast  = "fast"  // its text is the file
	LaneHeavy = "heavy" // its text must be extracted
)

// Upload is a single file that a person or a program handed in, on its way to a page.
type Upload struct {
	ID           string // UUID
	Filename     string // as it was handed in, without folders and control characters
	MimeType     string
	Bytes        int64
	Format       string // specification 4's FileFormat
	Lane         string
	Status       string
	Path         string // of its page in the doc set of uploads, with slashes
	MD5          string // hexadecimal
	OCRMode      string
	OCRLanguages []string
	Retries      int    // failed attempts that were tried again
	FailCode     string // of the last failure, specification 4's ErrorCode; "": none
	FailReason   string // one line
	Chunks       int    // of a completed one
	Created      time.Time
	Updated      time.Time
	// Revision grows with each change of any upload.
	Revision int64
}

// ErrNoUpload means that no upload has an id.
var ErrNoUpload = errors.New("there is no such document")

// DuplicateError means that an upload has the same content as an earlier one.
type DuplicateError struct{ ID string }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("the same file is there already as document %s", e.ID)
}

// UploadFilter chooses uploads; zero fields choose all.
type UploadFilter struct {
	ID, Status, MD5 string
	Limit, Offset   int // Limit 0: all
}

// UploadCount counts uploads by status.
type UploadCount map[string]int

// UploadChange is a change of an upload; Gone: it was removed, and Upload has its ID
// and Revision alone.
type UploadChange struct {
	Upload Upload
	Gone   bool
}

// Uploads keeps uploads and the queue of their jobs. It is safe for concurrent use, by
// several processes too.
type Uploads interface {
	// AddUpload adds an upload and, where it is pending, a job for it, both or none.
	// An upload whose ID is there is left as it is. The error is a *DuplicateError
	// where another one has the same MD5.
	AddUpload(ctx context.Context, u Upload) error
	// ListUploads returns uploads by their age, the newest first, and how many there are
	// without the limit.
	ListUploads(ctx context.Context, f UploadFilter) ([]Upload, int, error)
	// ChangeUpload changes an upload and gives it as it was written. Where enqueue is
	// true it gets a job in the same transaction, unless it has one that is not done.
	// An error of change changes nothing and is returned.
	ChangeUpload(ctx context.Context, id string, change func(*Upload) (enqueue bool, err error)) (Upload, error)
	// RemoveUpload removes an upload and its jobs that do not run. A running one finds
	// it gone.
	RemoveUpload(ctx context.Context, id string) error
	// CountUploads counts them by status.
	CountUploads(ctx context.Context) (UploadCount, error)
}

// UploadFeed tells of changes.
type UploadFeed interface {
	// UploadChanges returns the changes after a revision, in order, and the newest
	// revision. Old removals may be missing.
	UploadChanges(ctx context.Context, since int64) ([]UploadChange, int64, error)
}

// The states of a job.
const (
	JobWaiting   = "waiting"   // a worker may take it
	JobRetry     = "retry"     // it failed and is tried again at Next
	JobRunning   = "running"   // a worker has it
	JobDone      = "done"      // it came to its end
	JobFailed    = "failed"    // it was given up
	JobCancelled = "cancelled" // a person ended it
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

// JobFilter chooses jobs; zero fields choose all.
type JobFilter struct {
	IDs           []int64
	States        []string
	UploadID      string
	Limit, Offset int // Limit 0: all
}

// Queue is the durable queue of the jobs of uploads.
type Queue interface {
	// Jobs returns jobs, the newest first, and how many there are without the limit.
	Jobs(ctx context.Context, f JobFilter) ([]Job, int, error)
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

// UploadRetries is how often a failed attempt is tried again: specification 4's
// retryCount.
const UploadRetries = 3

// UploadBackoff is how long after its failed attempt a job is tried again.
func UploadBackoff(attempt int) time.Duration {
	d := 5 * time.Second
	for range attempt - 1 {
		d *= 4
	}
	return min(d, 10*time.Minute)
}
