package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"docent/store/queue"
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
	CountUploads(ctx context.Context) (map[string]int, error)
}

// UploadQueue keeps uploads, their changes and the queue of their jobs.
type UploadQueue interface {
	Uploads
	// UploadChanges returns the changes after a revision, in order, and the newest
	// revision. Old removals may be missing.
	UploadChanges(ctx context.Context, since int64) ([]UploadChange, int64, error)
	queue.Queue
	queue.Rescuer
}
